"""Rulings that have a match, or a deal of it, played again at a new table."""

import pytest

from bot.errors import UserError
from bot.league.ruling_events import (
    entered,
    reopened,
    replayed,
    substituted,
    substituted_pod,
    undoable,
    undone,
    waiting_pod,
)
from bot.panels.league.desk import PLAYER, POD, matter_panel
from bot.panels.league.lists import list_panel
from bot.words.texts import texts
from data.transaction import ReadTransaction
from league.events import DealsReplayed, ReplayOrdered
from tests.bot.league.house import DAY, LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_wording import drawn, shown
from tests.bot.panels.test_buttons_by_state import labels


async def played(house: LeagueHouse, **options) -> tuple[int, list[int]]:
    season, people = await drawn(house, rounds=3, **options)
    await house.play_round(season, 1)
    return season, people


async def order(house: LeagueHouse, season: int, deal: int | None = None) -> str:
    due = house.clock.at + 2 * DAY
    return await shown(house, season, lambda season, _, __: replayed(season, 1, deal, due))


async def play_again(house: LeagueHouse, season: int, people: list[int]) -> int:
    table = (await house.view(season)).tables[1].id
    await house.play_table(table, people)
    return table


async def test_one_deal_is_played_again_at_a_table_of_its_own(house: LeagueHouse):
    season, people = await played(house)
    seen = await house.view(season)
    first, before = seen.tables[1].id, seen.season.pods[1].result
    said = await order(house, season, 3)
    assert "deal 3 of pod 1 is void and is played again" in said
    assert "counts without the deal" in said
    waiting = words(list_panel(await house.view(season), "pods-1", 0, None, texts()))
    assert "deal 3 is played again" in waiting
    second = await play_again(house, season, people)
    assert second != first
    pod = (await house.view(season)).season.pods[1]
    assert pod.over
    assert not pod.void
    assert pod.result.players == before.players
    assert [*pod.result.deals[:2], pod.result.deals[3]] == [*before.deals[:2], before.deals[3]]
    assert "deal 3 of pod 1 was played again" in words(
        list_panel(await house.view(season), "log", 0, None, texts())
    )
    await house.assert_fold(season)


async def test_the_whole_match_is_played_again_and_that_can_be_undone(house: LeagueHouse):
    season, people = await played(house)
    before = (await house.view(season)).season.pods[1]
    assert "counts for nobody" in await order(house, season)
    assert not (await house.view(season)).season.pods[1].over
    await play_again(house, season, people)
    again = (await house.view(season)).season.pods[1]
    assert again.result is not None
    assert len(again.result.deals) == 4
    rows = undoable(await house.store.read(lambda db: db.seasons.events(season)))
    ordered = next(row for row in rows if isinstance(row.body, ReplayOrdered))
    later = [row for row in rows if row.id > ordered.id]
    said = await shown(house, season, lambda _, rows, __: undone(rows, ordered.id), corrects=ordered.id)
    assert "counts again as it did before" in said
    assert (await house.view(season)).season.pods[1] == before

    async def read(db: ReadTransaction):
        return {row.id for row in undoable(await db.seasons.events(season))}

    left = await house.store.read(read)
    assert later
    assert not left & {row.id for row in later}
    await house.assert_fold(season)


async def test_a_match_that_is_played_again_takes_a_substitute_and_no_exchange(house: LeagueHouse):
    season, _ = await played(house)
    say = texts()

    async def offered(kind: str, number: int) -> list[bool]:
        panel = matter_panel(await house.view(season), kind, number, say)
        assert panel is not None
        shown = labels(panel)
        return [say(key) in shown for key in ("desk.substitute", "desk.move")]

    player = (await house.view(season)).season.pods[1].players[0]
    assert await offered(POD, 1) == await offered(PLAYER, player) == [False, False]
    await order(house, season)
    assert await offered(POD, 1) == await offered(PLAYER, player) == [True, False]
    told = (await house.view(season)).season
    assert substituted_pod(told, player).id == 1
    with pytest.raises(UserError, match="move_nothing"):
        waiting_pod(told, player)
    await house.join(season, 31)
    late = (await house.view(season)).by_person[31]
    await house.rule(season, "ill", lambda told, _, __: substituted(told, 1, player, late))
    told = (await house.view(season)).season
    assert late in told.pods[1].players
    with pytest.raises(UserError, match="move_nothing"):
        substituted_pod(told, player)
    await house.assert_fold(season)


async def test_what_is_not_played_again_stays_void(house: LeagueHouse):
    season, _ = await played(house)
    await order(house, season, 1)
    await house.until(season, house.clock.at + 3 * DAY)
    seen = await house.view(season)
    assert seen.season.pods[1].over
    assert seen.season.pods[1].void == {0}
    assert seen.tables[1].status == "closed"
    assert any(isinstance(act.body, DealsReplayed) for act in seen.acts)
    assert "was not played, and does not count" in words(list_panel(seen, "log", 0, None, texts()))
    assert not seen.season.pods[1].missed


async def test_a_result_that_is_entered_while_a_deal_is_to_be_played_again_counts_at_once(house: LeagueHouse):
    season, _ = await played(house)
    await order(house, season, 1)
    sheet = ";".join(["24 -8 -8 -8"] * 4)
    await shown(house, season, lambda season, _, __: entered(season, 1, sheet))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert (seen.season.pods[1].over, seen.season.pods[1].void) == (True, frozenset())
    assert seen.tables[1].status == "closed"


async def test_a_match_that_is_not_played_again_is_ruled_on(house: LeagueHouse):
    season, _ = await played(house)
    await order(house, season)
    await house.until(season, house.clock.at + 3 * DAY)
    pod = (await house.view(season)).season.pods[1]
    assert pod.result is None
    assert set(pod.verdicts.values()) == {"no_show"}


async def test_what_cannot_be_played_again(house: LeagueHouse):
    season, _ = await drawn(house, rounds=3)
    with pytest.raises(UserError, match="nothing_played"):
        await order(house, season)
    await house.play_round(season, 1)
    with pytest.raises(UserError, match="no_deal"):
        await order(house, season, 9)
    await order(house, season, 2)
    with pytest.raises(UserError, match="nothing_played"):
        await order(house, season, 1)
    with pytest.raises(UserError, match="begun_or_over"):
        await shown(house, season, lambda season, _, __: reopened(season, 1, house.clock.at + DAY))
