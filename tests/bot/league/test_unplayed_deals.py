"""A deal without a winner was not played: it is not part of the result, and completes no rotation."""

from collections.abc import Collection

import pytest

from bot.errors import UserError
from bot.panels.table.match import who_goes_on
from bot.table.core.change import TableTransaction
from bot.table.core.table import BETWEEN
from bot.table.flow.seating import stand_in
from bot.table.play import READY_MS
from bot.words.texts import texts
from data.preferences import Pace
from league.events import MatchFinished
from league.ids import PersonId
from league.times import MINUTE
from tests.bot.league.house import HOUR, LeagueHouse
from tests.bot.league.test_wording import drawn


async def begin(house: LeagueHouse, season: int, people: list[int]) -> int:
    """Begin the match of the pod; returns its table."""
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, people)
    await house.get_ready(table, people)
    return table


async def play_rotation(house: LeagueHouse, table: int, people: list[int]) -> None:
    """Play as many deals as there are people, and begin the next one."""
    for _ in people:
        await house.finish_deal(table)
        await house.next_deal(table, people[0])


async def play(house: LeagueHouse, season: int, people: list[int], unplayed: Collection[int]) -> None:
    """Play a match at the pod's table; the deals in `unplayed` end before anyone wins."""
    table = await begin(house, season, people)
    number = 1
    while True:
        if number in unplayed:

            async def command(tx: TableTransaction) -> None:
                await house.services.endings.dismiss(tx, "vote")

            await house.tables.change(table, command)
        else:
            await house.finish_deal(table)
        match = await house.store.read(lambda db: db.matches.latest(table))
        assert match is not None
        if match.is_over:
            break
        await house.next_deal(table, people[0])
        number += 1
    await house.rounds.catch_up(season)


async def test_an_unplayed_deal_is_not_in_the_result(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    await play(house, season, people, {2, 3})
    pod = (await house.view(season)).season.pods[1]
    assert pod.result is not None
    assert len(pod.result.deals) == 6
    assert all(any(points) for points in pod.result.deals)


async def test_to_end_all_deals_before_a_full_rotation_is_to_be_absent(house: LeagueHouse):
    season, people = await drawn(house)
    await play(house, season, people, {4})
    seen = await house.view(season)
    assert seen.season.pods[1].result is None
    assert set(seen.season.pods[1].verdicts.values()) == {"absence"}
    assert [(row.row.points, row.row.matches, row.row.conduct) for row in seen.standings().rows] == [
        (-1500, 0, 0)
    ] * 4


async def begin_alone(house: LeagueHouse, season: int, people: list[int], *, left: bool) -> int:
    """Play a full rotation; then only the first person is still there, and the others have left or are just away."""
    table = await begin(house, season, people)
    await play_rotation(house, table, people)

    async def command(tx: TableTransaction) -> None:
        for person in people[1:]:
            stand_in(tx, tx.seat_of(PersonId(person)), left=left)

    await house.tables.change(table, command)
    return table


async def test_nobody_ends_a_match_alone_while_the_others_may_come_back(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    table = await begin_alone(house, season, people, left=False)
    with pytest.raises(UserError, match="others_away"):
        await house.services.endings.ask(table, people[0], next(house.ids))
    await house.finish_deal(table)
    with pytest.raises(UserError, match="others_away"):
        await house.services.endings.ask(table, people[0], next(house.ids))
    await house.presence.back(table, people[1])
    assert await house.services.endings.ask(table, people[0], next(house.ids)) == "leaving.asked"

    async def goes_away(tx: TableTransaction) -> None:
        stand_in(tx, tx.seat_of(PersonId(people[1])), left=False)
        await house.services.endings.count(tx)

    await house.tables.change(table, goes_away)
    assert not (await house.view(season)).season.pods[1].over, "the person who asked is alone again"


async def test_who_left_between_two_deals_has_left_the_match_also_if_it_counts_again(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    table = await begin(house, season, people)
    await play_rotation(house, table, people)
    await house.finish_deal(table)
    *stay, gone = people
    await house.leaving.leave(table, gone, next(house.ids))
    for person in stay:
        await house.endings.ask(table, person, next(house.ids))
    await house.leaving.leave(table, stay[0], next(house.ids))
    seen = await house.view(season)
    before = seen.season.pods[1].result
    assert before is not None
    assert before.left == (seen.by_person[gone],)
    rows = await house.store.read(lambda db: db.seasons.events(season))
    await house.undo(season, next(row.id for row in rows if isinstance(row.body, MatchFinished)))
    await house.until(season, seen.season.rounds[1].due)
    assert (await house.view(season)).season.pods[1].result == before


async def test_who_is_left_alone_for_good_may_end_the_match(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    table = await begin_alone(house, season, people, left=True)
    await house.finish_deal(table)
    assert await house.services.endings.ask(table, people[0], next(house.ids)) == "leaving.ended_match"
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert {*result.left} == {*result.players[1:]}


async def first_deal_over(house: LeagueHouse, pace: Pace, **options: object) -> tuple[int, int, list[int]]:
    """Play the first deal of a match; returns the season, the table and its people by seat."""
    season, people = await drawn(house, pace=pace, **options)
    table = await begin(house, season, people)
    await house.finish_deal(table)
    return season, table, people


async def test_a_match_that_is_not_continued_ends_after_two_hours_and_counts_as_far_as_it_got(
    house: LeagueHouse,
):
    season, table, people = await first_deal_over(house, Pace.FAST, rotations=2)
    for _ in people[1:]:
        await house.next_deal(table, people[0])
        await house.finish_deal(table)
    await house.pass_time(2 * HOUR - 1)
    assert not (await house.view(season)).season.pods[1].over
    await house.pass_time(1)
    assert await house.tables.status(table) == "closed"
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert (len(result.deals), result.left) == (4, ())


async def test_soon_after_a_deal_the_next_one_does_not_wait_for_everybody(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.FAST)
    await house.pass_time(10 * MINUTE)
    await house.play.next_deal(table, people[0], next(house.ids))
    await house.pass_time(READY_MS)
    assert await house.tables.status(table) == "playing"


async def test_nobody_plays_on_while_the_others_sleep(house: LeagueHouse):
    season, table, people = await first_deal_over(house, Pace.FAST)
    ends = (await house.look())[2]
    await house.pass_time(HOUR)
    await house.play.next_deal(table, people[0], next(house.ids))
    snapshot = await house.tables.snapshot(table)
    assert f"Ready for the next deal: P{people[0]}. It starts as soon as everybody" in str(
        who_goes_on(snapshot, texts())
    )
    await house.pass_time(30 * MINUTE)
    assert await house.tables.status(table) == "between"
    assert [(row.kind, row.due_at) for row in (await house.look())[2]] == [
        (row.kind, row.due_at) for row in ends
    ], "asking alone keeps no table open"
    for person in people[1:3]:
        await house.play.next_deal(table, person, next(house.ids))
    assert await house.tables.status(table) == "between"
    await house.play.next_deal(table, people[3], next(house.ids))
    assert await house.tables.status(table) == "playing"
    assert not (await house.view(season)).season.pods[1].over


async def test_after_a_break_a_typed_word_is_no_request_for_the_next_deal(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.FAST)
    await house.play.add_word(table, PersonId(people[3]), "mango", next(house.ids))
    await house.pass_time(HOUR)
    for person in people[:3]:
        await house.play.next_deal(table, person, next(house.ids))
    shown = str(who_goes_on(await house.tables.snapshot(table), texts()))
    assert f"P{people[2]}. It starts" in shown, "the fourth is not named as ready"
    assert await house.tables.status(table) == "between"


async def test_a_typed_word_takes_no_request_for_the_next_deal_back(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.FAST)
    await house.pass_time(HOUR)
    for person in people[:3]:
        await house.play.next_deal(table, person, next(house.ids))
        await house.play.add_word(table, PersonId(person), "mango", next(house.ids))
    await house.leaving.leave(table, people[3], next(house.ids))
    assert await house.tables.status(table) == "playing"


async def test_after_a_break_the_next_deal_waits_for_nobody_who_leaves(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.FAST)
    await house.pass_time(HOUR)
    for person in people[:3]:
        await house.play.next_deal(table, person, next(house.ids))
    await house.leaving.leave(table, people[3], next(house.ids))
    assert await house.tables.status(table) == "playing"


async def test_after_a_break_no_deal_begins_without_anybody(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.FAST)

    async def go_away(tx: TableTransaction) -> None:
        for person in people[2:]:
            stand_in(tx, tx.seat_of(PersonId(person)), left=False)

    await house.tables.change(table, go_away)
    await house.pass_time(HOUR)
    await house.play.next_deal(table, people[0], next(house.ids))
    for person in people[:2]:
        await house.leaving.leave(table, person, next(house.ids))
    assert await house.tables.status(table) == "between"


async def test_a_match_that_all_have_left_or_are_away_from_counts_as_far_as_it_got(house: LeagueHouse):
    season, table, people = await first_deal_over(house, Pace.FAST, rotations=2)
    for _ in people[1:]:
        await house.next_deal(table, people[0])
        await house.finish_deal(table)

    async def go_away(tx: TableTransaction) -> None:
        for person in people[2:]:
            stand_in(tx, tx.seat_of(PersonId(person)), left=False)

    await house.tables.change(table, go_away)
    await house.play.next_deal(table, people[0], next(house.ids))
    for person in people[:2]:
        await house.leaving.leave(table, person, next(house.ids))
    await house.pass_time(READY_MS + 10 * MINUTE)
    assert await house.tables.status(table) == "closed"
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert len(result.deals) == 4, "the computers have played no deal for people who were not there"


async def test_after_a_long_pause_the_next_deal_waits_for_everybody(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.FAST)
    await house.play.next_deal(table, people[0], next(house.ids))
    await house.pauses.lost(table)
    await house.pass_time(HOUR)
    await house.pauses.shown(table)
    assert {row.kind for row in (await house.look())[2]} == {BETWEEN}


async def test_without_a_clock_the_next_deal_begins_also_after_a_break(house: LeagueHouse):
    _, table, people = await first_deal_over(house, Pace.NONE)
    await house.pass_time(HOUR)
    await house.play.next_deal(table, people[0], next(house.ids))
    await house.pass_time(READY_MS)
    assert await house.tables.status(table) == "playing"
