"""A season in duplicate: a round's tables play the same boards, which stay secret until all have played."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import discord_calls
from bot.delivery.publisher import Publisher
from bot.delivery.table_message import TableMessage
from bot.errors import StaleRevisionError, UserError
from bot.history.past_deals import check_deal
from bot.league.free_seats import Offers
from bot.league.ruling_events import (
    corrected,
    moved,
    redrawn,
    reopened,
    replayed,
    require_still,
    ruled,
    substituted,
    undone,
)
from bot.league.rulings import Make, Rulings
from bot.panels.league.desk import act_fields
from bot.panels.league.posts import post_panel
from bot.panels.league.rulings import preview_panel
from bot.panels.table.more import fairness_panel, more_panel
from bot.panels.table.table_message import table_panel, table_words
from bot.people import NamedPerson
from bot.settings import Settings
from bot.table.core.change import PUBLIC, TableTransaction
from bot.table.core.snapshot import Snapshot
from bot.table.hosting import Actor
from bot.table.lobby import close
from bot.ui.panel import AttachedFiles, Panel
from bot.words.names import Mentions
from bot.words.texts import card_name, texts
from cogs.table.table_buttons import LedgerButton
from data.outbox_keys import OutboxKey, ShowAnewKey, TableMessageKey
from data.repositories.deal_search import Sight
from data.repositories.messages import OutboxRow
from data.season_posts import BoardsPost, FreeSeatNotice
from data.transaction import ReadTransaction
from data.values import DealRow
from league.book import book, rules_of
from league.events import MatchFinished
from league.ids import PersonId, TableId
from league.members import PlayerMoved
from league.points import match_points
from league.statistics.duplicate import compare, match_score
from marriage.cards import CARDS
from marriage.events import FoulReason
from marriage.rules import preset
from marriage.state import Phase
from tests.bot.house import GUILD
from tests.bot.league.house import DAY, HOUR, NOWHERE, STAFF, LeagueHouse, entrant
from tests.bot.panels.test_buttons_by_state import labels

PEOPLE = tuple(range(201, 213))


def words(panel) -> str:
    """Return all text of a panel."""
    return "\n".join(item.content for item in panel.view.walk_children() if hasattr(item, "content"))


def tells_cards(said: str) -> bool:
    """Return True if a text names a card."""
    return any(card_name(card, texts()) in said for card in CARDS if card.is_pack)


async def drawn(house: LeagueHouse, people: Sequence[int] = PEOPLE) -> tuple[int, list[int]]:
    """A season of these people in duplicate, its first round drawn, and the tables of it."""
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, duplicate=True)
    await house.join(season, *people)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    return season, [seen.tables[pod.id].id for pod in seen.pods_of(1)]


async def persons(house: LeagueHouse, season: int, table: int) -> list[int]:
    seen = await house.view(season)
    pod = next(pod for pod in seen.pods_of(1) if seen.tables[pod.id].id == table)
    return [seen.people[player].id for player in pod.players]


async def seeds(house: LeagueHouse, table: int) -> dict[int, tuple[bytes, list[str]]]:
    """Return the seed and entropy of each board of a table, by board number."""

    async def read(db: ReadTransaction):
        return [await db.deals.get(table, number) for number in range(1, 5)]

    deals = await house.store.read(read)
    return {deal.board_no or 0: (deal.seed, deal.entropy) for deal in deals if deal is not None}


async def test_all_tables_play_the_same_boards_and_are_compared_after_the_last(house: LeagueHouse):
    season, tables = await drawn(house)
    assert len(tables) == 3
    for table in tables[:2]:
        await house.play_table(table, await persons(house, season, table))
    await house.rounds.catch_up(season)
    assert BoardsPost(1) not in (await house.view(season)).posts
    await house.play_table(tables[2], await persons(house, season, tables[2]))
    await house.rounds.catch_up(season)

    first, second, third = [await seeds(house, table) for table in tables]
    assert first == second == third
    assert set(first) == {1, 2, 3, 4}
    seen = await house.view(season)
    pods = seen.pods_of(1)
    assert {pod.id: sorted(pod.boards) for pod in pods} == {pod.id: [1, 2, 3, 4] for pod in pods}
    assert len({pod.boards for pod in pods}) == 3  # each table starts with a different board
    assert BoardsPost(1) in seen.posts
    said = words(post_panel(seen, BoardsPost(1), texts()))
    assert all(seen.plain_name(player) in said for pod in pods for player in pod.players)
    await house.assert_fold(season)

    first_pod = pods[0]
    assert first_pod.result is not None
    scores: list[list[int]] = [[] for _ in first_pod.players]
    for number in range(1, 5):
        played = {
            pod.id: pod.result.deals[pod.boards.index(number)] for pod in pods if pod.result is not None
        }
        for seat, score in enumerate(compare(played, rules_of(seen.season, 4))[first_pod.id]):
            scores[seat].append(score.points)
    written = book(seen.season).matches
    counted = next(match.seats for match in written if match.pod.id == first_pod.id)
    assert [counted[player].score for player in first_pod.result.players] == [
        match_score(score) for score in scores
    ]
    gains = {
        player: 1_000 * sum(seat_scores)
        for player, seat_scores in zip(first_pod.result.players, scores, strict=True)
    }
    assert {player: counted[player].gain for player in first_pod.result.players} == gains
    rows = {row.row.player: row.row.gain for row in seen.standings().rows}
    assert {player: rows[player] for player in gains} == gains  # the tie-breaker for equal points


async def test_no_profile_tells_of_a_hand_that_others_have_yet_to_play(house: LeagueHouse):
    """A hand's maal and many achievements tell of its cards."""
    season, tables = await drawn(house)
    boards = house.services.boards

    async def shown() -> list[int]:
        found: list[int] = []
        for person in PEOPLE:
            profile = await boards.profile(GUILD, PersonId(person), PersonId(person))
            found += [one.table for one in (*profile.earned, *profile.richest, *profile.best)]
        return found

    for table in tables[:2]:
        await house.play_table(table, await persons(house, season, table))
        assert await shown() == []
    await house.play_table(tables[2], await persons(house, season, tables[2]))
    assert {*tables} == {*await shown()}


async def test_no_card_of_a_board_is_told_where_others_have_yet_to_play_it(house: LeagueHouse):
    season, tables = await drawn(house)
    table = tables[0]
    people = await persons(house, season, table)
    await house.sit_down(table, people)
    await house.get_ready(table, people)
    for status in ("playing", "between"):
        snapshot = await house.tables.snapshot(table)
        assert snapshot.table.status == status
        assert snapshot.is_withheld
        said = words(table_panel(snapshot, None, texts()))
        assert "hidden" in said
        assert not tells_cards(said)
        assert snapshot.shuffle is not None
        assert snapshot.shuffle.seed is None
        opened = replace(snapshot, is_sealed=False)
        assert status == "playing" or tells_cards(words(table_panel(opened, None, texts())))
        assert tells_cards(table_words(snapshot, texts())) == (
            status == "between"
        )  # in the panels of its players
        if status == "playing":
            await house.finish_deal(table)
    housed = replace(snapshot, table=replace(snapshot.table, thread_id=1))
    assert housed.is_withheld  # staff read a private thread, and players may be exchanged between tables
    posted = replace(housed, table=replace(housed.table, thread_lack=PUBLIC))
    assert posted.is_withheld  # everyone reads a post in a forum

    async def command(closing: TableTransaction) -> None:
        await close(closing)

    await house.tables.change(table, command)
    closed = await house.tables.snapshot(table)
    set_id = closed.table.options.board_set or 0
    boards = await house.store.read(lambda db: db.boards.in_set(set_id))
    shown = words(fairness_panel(closed, Mentions(), texts()))
    assert not any(board.seed.hex() in shown for board in boards)  # the others still play them


async def test_what_is_dealt_was_sealed_before_with_what_the_players_mixed_in_even_if_too_few_come(
    house: LeagueHouse,
):
    season, tables = await drawn(house)
    full, short = tables[:2]
    everyone = await persons(house, season, full)
    *there, gone = await persons(house, season, short)
    await house.entries.leave(season, NamedPerson(PersonId(gone), "gone"), next(house.ids))
    await house.rounds.catch_up(season)
    for table, people in ((full, everyone), (short, there)):
        for number in (1, 2):
            shown = await _sealed_before_the_deal(house, table, people, first=number == 1)
            deal = await house.store.read(partial(_deal, table, number))
            assert deal.commitment in shown
            assert (deal.board_set is None) == (table == short)
            if table == short:
                checked = await check_deal(house.store, Sight(PersonId(people[0]), GUILD), table, number)
                assert checked.record.commitment == deal.commitment
                assert len(checked.record.items) == len(people)


async def _deal(table: int, number: int, db: ReadTransaction) -> DealRow:
    deal = await db.deals.get(TableId(table), number)
    assert deal is not None
    return deal


async def _sealed_before_the_deal(
    house: LeagueHouse, table: int, people: Sequence[int], *, first: bool
) -> str:
    """Let these people begin the next deal and play it; return what **Fair shuffle** showed just before it was dealt."""
    if first:
        await house.sit_down(table, people)
    shown = ""
    for person in people:
        shown = words(fairness_panel(await house.tables.snapshot(table), Mentions(), texts()))
        await (house.play.ready if first else house.play.next_deal)(table, person, next(house.ids))
    await house.finish_deal(table)
    return shown


async def test_the_points_of_each_board_are_told_to_its_table_alone_until_all_have_played_it(
    house: LeagueHouse,
):
    season, tables = await drawn(house)
    table, say = tables[0], texts()
    people = await persons(house, season, table)
    stranger = next(person for person in PEOPLE if person not in people)
    so_far = say("match.so_far", totals="").strip()
    await house.sit_down(table, people)
    await house.get_ready(table, people)
    await house.finish_deal(table)
    for status in ("between", "playing"):
        snapshot = await house.tables.snapshot(table)
        assert snapshot.table.status == status
        assert so_far not in words(table_panel(snapshot, None, say))
        assert so_far in words(table_panel(replace(snapshot, is_sealed=False), None, say))
        assert snapshot.shows_ledger_to(PersonId(people[0]))
        assert not snapshot.shows_ledger_to(PersonId(stranger))
        assert replace(snapshot, is_sealed=False).shows_ledger_to(PersonId(stranger))
        if status == "between":
            await house.next_deal(table, people[0])
    router: Any = SimpleNamespace(add=lambda *_: None)
    pressed: Any = SimpleNamespace(
        interaction=SimpleNamespace(guild_id=snapshot.table.guild_id, message=None),
        table_id=table,
        person=NamedPerson(stranger, "P"),
    )
    with pytest.raises(UserError, match="ledger_hidden"):
        await LedgerButton(house.services, router)._show(pressed)
    await house.play_deals_on(table)
    pod = (await house.view(season)).pods_of(1)[0]

    async def preview() -> str:
        made = await house.services.rulings.prepare(
            season, STAFF, "typed wrong", lambda told, _, __: corrected(told, pod.id, 1, "30 -10 -10 -10")
        )
        return words(preview_panel(await house.view(season), made, say))

    async def prefilled_deals() -> int:
        form: Any = act_fields(await house.view(season), "enter", pod.id, say)[0]
        return len(form.component.default.splitlines()) - 1

    assert f"the result of pod {pod.id} is now" in await preview()
    assert await prefilled_deals() == 0
    for other in tables[1:]:
        await house.play_table(other, await persons(house, season, other))
    assert f"deal 1 of pod {pod.id} is corrected" in await preview()
    assert await prefilled_deals() == 4


async def test_a_table_without_cards_still_says_what_it_waits_for_and_lets_the_staff_rule_fouls(
    house: LeagueHouse,
):
    season, tables = await drawn(house)
    people = await persons(house, season, tables[0])
    await house.sit_down(tables[0], people)
    await house.get_ready(tables[0], people)
    snapshot = await house.tables.snapshot(tables[0])
    assert snapshot.is_withheld
    assert snapshot.public is not None
    view = replace(snapshot.public, rules=preset("pagat", foul="each"))
    snapshot = replace(snapshot, public=view)
    for phase, told in ((Phase.WINDOW, "Tunnelas first."), (Phase.DRAW, "'s turn.")):
        waiting = replace(snapshot, public=replace(view, phase=phase), window_closes_at=house.clock.at)
        assert told in words(table_panel(waiting, None, texts()))
    assert texts()("fouls.button") in labels(more_panel(snapshot, Actor(STAFF, is_staff=True), texts()))
    seats = (replace(view.seats[0], ruled=FoulReason.TOLD), *view.seats[1:])
    ruled = replace(snapshot, public=replace(view, seats=seats))
    assert "**Foul** ruled against" in words(table_panel(ruled, None, texts()))


@pytest.mark.parametrize(("count", "begun"), [(20, 2), (12, 0)])
async def test_a_season_that_is_closed_early_closes_the_tables_that_have_not_begun_and_opens_its_boards(
    house: LeagueHouse, count: int, begun: int
):
    season, tables = await drawn(house, range(201, 201 + count))
    for table in tables[:begun]:
        await house.play_table(table, await persons(house, season, table))
    last = await persons(house, season, tables[2])
    await house.sit_down(tables[2], last)
    await house.close_season(season, "too few")
    await house.get_ready(tables[2], last[:-1])
    with pytest.raises(StaleRevisionError):
        await house.play.ready(tables[2], last[-1], next(house.ids))
    await house.until(season, house.clock.at)
    assert all(table.status == "closed" for table in (await house.view(season)).tables.values())
    if begun:
        shown = (await house.tables.snapshot(tables[0])).shuffle
        assert shown is not None
        assert shown.seed is not None

    await house.undo(season, (await house.view(season)).acts[-1].id)
    seen = await house.view(season)
    anew = [seen.tables[pod.id] for pod in seen.pods_of(1) if not pod.over]
    assert len(anew) == len(tables) - begun
    assert all(table.status == "lobby" and table.id not in tables for table in anew)
    assert all((table.options.board_set is None) == bool(begun) for table in anew), "the old boards are known"
    await house.until(season, house.clock.at)
    for table in anew:
        await house.play_table(table.id, await persons(house, season, table.id))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert [bool(pod.boards) for pod in seen.pods_of(1)] == [
        seen.tables[pod.id].options.board_set is not None for pod in seen.pods_of(1)
    ]
    await house.assert_fold(season)


async def test_boards_are_compared_though_the_season_was_closed_before_the_last_table_finished(
    house: LeagueHouse,
):
    season, tables = await drawn(house)
    for table in tables[:2]:
        await house.play_table(table, await persons(house, season, table))
    last = await persons(house, season, tables[2])
    await house.sit_down(tables[2], last)
    await house.get_ready(tables[2], last)
    await house.close_season(season, "too few")
    await house.until(season, house.clock.at)
    assert not any(pod.boards for pod in (await house.view(season)).pods_of(1))
    await house.play_deals_on(tables[2])
    await house.until(season, house.clock.at)
    assert all(pod.boards for pod in (await house.view(season)).pods_of(1))
    assert BoardsPost(1) in await house.posts()
    await house.assert_fold(season)


async def test_boards_are_opened_though_a_table_never_played(house: LeagueHouse):
    season, tables = await drawn(house)
    for table in tables[:2]:
        await house.play_table(table, await persons(house, season, table))
    seen = await house.view(season)
    begins = seen.row.starts_at
    before = await house.tables.snapshot(tables[0])
    assert before.shuffle is not None
    assert before.shuffle.seed is None
    await house.entries.leave(season, NamedPerson(PEOPLE[0], "P"), next(house.ids))
    await house.until(season, begins + 7 * 24 * HOUR + 48 * HOUR)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert sum(bool(pod.boards) for pod in seen.pods_of(1)) == 2
    after = await house.tables.snapshot(tables[0])
    assert after.shuffle is not None
    assert after.shuffle.seed is not None
    await house.assert_fold(season)


class NoPictures:
    """A renderer without pictures; everything is shown in words."""

    async def table(self, _: Snapshot) -> None:
        return None


async def test_boards_that_only_one_table_has_played_are_not_compared(house: LeagueHouse):
    season, tables = await drawn(house)
    await house.play_table(tables[0], await persons(house, season, tables[0]))
    await house.until(season, house.clock.at + 9 * DAY)
    seen = await house.view(season)
    assert BoardsPost(1) in seen.posts
    assert "nothing to compare" in words(post_panel(seen, BoardsPost(1), texts()))


async def test_a_table_that_could_show_no_card_does_so_once_the_boards_are_opened(
    house: LeagueHouse, monkeypatch: pytest.MonkeyPatch
):
    shown: list[str] = []

    async def edit(
        _client: object, _channel: int, _message: int, panel: Panel, _there: object
    ) -> tuple[object, ...]:
        shown.append(words(panel))
        return ()

    async def send(
        _client: object, _channel: int, panel: Panel, *_: object, **_named: object
    ) -> discord_calls.Posted:
        shown.append(words(panel))
        return discord_calls.Posted(6_000 + len(shown), ())

    monkeypatch.setattr(discord_calls, "edit", edit)
    monkeypatch.setattr(discord_calls, "send", send)
    season, tables = await drawn(house)
    settings = Settings(_env_file=None, discord_token="x")
    publisher = Publisher(None, house.store, house.tables, NoPictures(), AttachedFiles(house.store), settings)  # type: ignore[arg-type]
    message = TableMessage(NOWHERE, house.tables, publisher, house.pauses)  # type: ignore[arg-type]
    for table in tables[:2]:
        people = await persons(house, season, table)
        await house.sit_down(table, people)
        await house.play_deals(table, people)
    for table in tables[:2]:
        await message.publish(await waiting(house, TableMessageKey(table)))
        assert not tells_cards(shown[-1])
    await house.play_table(tables[2], await persons(house, season, tables[2]))
    for table in tables[:2]:
        await message.publish_opened(await waiting(house, ShowAnewKey(table)))
        assert tells_cards(shown[-1])
    rows = await house.store.read(lambda db: db.outbox.due(house.clock.at, 1_000))
    assert ShowAnewKey(tables[2]) not in {row.key for row in rows}


async def waiting(house: LeagueHouse, key: OutboxKey) -> OutboxRow:
    """Return the waiting row of this key."""
    rows = await house.store.read(lambda db: db.outbox.due(house.clock.at, 1_000))
    return next(row for row in rows if row.key == key)


async def test_who_may_know_the_boards_of_a_round_cannot_substitute_at_another_of_its_tables(
    house: LeagueHouse,
):
    season, tables = await drawn(house)
    await house.play_table(tables[0], await persons(house, season, tables[0]))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    first, second, third = seen.pods_of(1)
    assert first.over
    for knows in (first.players[0], third.players[0]):
        with pytest.raises(UserError, match="knows_boards"):
            substituted(seen.season, second.id, second.players[0], knows)

    await house.join(season, 31)
    late = (await house.view(season)).by_person[31]
    gone, came = second.players[0], third.players[1]
    ruled = await house.rule(season, "ill", lambda told, _, __: substituted(told, second.id, gone, late))
    for player in (gone, late):
        with pytest.raises(UserError, match="knows_boards"):
            substituted((await house.view(season)).season, third.id, came, player)
    await house.undo(season, ruled.id)
    assert gone in (await house.view(season)).season.pods[second.id].players


async def test_a_substitute_who_was_replaced_before_the_match_is_played_again_still_knows_the_boards(
    house: LeagueHouse,
):
    season, tables = await drawn(house)
    await house.join(season, 31, 32)
    seen = await house.view(season)
    first, second, _ = seen.pods_of(1)
    player, knows, due = first.players[0], seen.by_person[31], house.clock.at + 48 * HOUR
    await house.rule(season, "ill", lambda told, _, __: substituted(told, first.id, player, knows))
    await house.play_table(tables[0], await persons(house, season, tables[0]))
    await house.rule(season, "wrong person", lambda told, _, __: replayed(told, first.id, None, due))
    await house.rule(season, "well", lambda told, _, __: substituted(told, first.id, knows, player))
    gone = second.players[0]
    with pytest.raises(UserError, match="knows_boards"):
        substituted((await house.view(season)).season, second.id, gone, knows)
    await house.entries.leave(season, NamedPerson(seen.people[gone].id, "P"), next(house.ids))
    await house.rounds.catch_up(season)
    posts = await house.posts()
    assert FreeSeatNotice(second.id, gone, seen.by_person[32]) in posts
    assert FreeSeatNotice(second.id, gone, knows) not in posts, "they are not asked"
    offers = Offers(house.leagues)
    with pytest.raises(UserError, match="knows_boards"):
        await offers.take(season, second.id, gone, entrant(31), next(house.ids))
    await offers.take(season, second.id, gone, entrant(32), next(house.ids))
    await house.assert_fold(season)


@pytest.mark.parametrize("opened", ["replayed", "reopened"])
async def test_nobody_is_exchanged_out_of_a_pod_whose_boards_were_begun(house: LeagueHouse, opened: str):
    season, tables = await drawn(house)
    first, second, _ = (await house.view(season)).pods_of(1)
    people, due = await persons(house, season, tables[0]), house.clock.at + 48 * HOUR
    if opened == "replayed":
        await house.play_table(tables[0], people)
        await house.rule(season, "a dispute", lambda told, _, __: replayed(told, first.id, None, due))
    else:
        await house.sit_down(tables[0], people)
        await house.get_ready(tables[0], people)
        await house.rule(season, "a quarrel", lambda told, _, __: ruled(told, first.id, []))
        await house.tables.change(tables[0], close)
        await house.rule(season, "after all", lambda told, _, __: reopened(told, first.id, due))
    told = (await house.view(season)).season
    with pytest.raises(UserError, match="move_nothing"):
        moved(told, first.players[0], None, second.players[0])
    with pytest.raises(UserError, match="begun_or_over"):
        require_still(told, PlayerMoved(first.players[0], first.id, second.id, 0, 0, second.players[0]))
    with pytest.raises(UserError, match="redraw_played"):
        redrawn(told)


async def test_who_also_plays_in_a_third_pod_of_a_round_of_boards_is_not_exchanged(house: LeagueHouse):
    season, _ = await drawn(house)
    told = (await house.view(season)).season
    first, second, third = (pod for pod in told.pods.values() if pod.round == 1)
    one, other = first.players[0], second.players[0]
    assert isinstance(moved(told, one, None, other), PlayerMoved)
    seated = replace(third, players=(other, *third.players[1:]))
    with pytest.raises(UserError, match="knows_boards"):
        moved(replace(told, pods={**told.pods, third.id: seated}), one, None, other)
    known = replace(seated, boards=(1, 2, 3, 4))
    assert isinstance(
        moved(replace(told, pods={**told.pods, third.id: known}), one, None, other), PlayerMoved
    )


async def test_a_pod_that_plays_again_never_gets_boards_that_others_know(house: LeagueHouse):
    season, tables = await drawn(house)
    for table in tables:
        await house.play_table(table, await persons(house, season, table))
    await house.rounds.catch_up(season)
    before = await house.view(season)
    pod, other = before.pods_of(1)[:2]
    assert pod.boards
    assert pod.result is not None
    rulings = Rulings(house.leagues)

    async def rule(make: Make, corrects: int | None = None) -> str:
        """Enter a ruling, and return its preview."""
        preview = await rulings.prepare(season, STAFF, "wrong people played", make, corrects=corrects)
        said = words(preview_panel(await house.view(season), preview, texts()))
        await rulings.enact(season, preview.draft, STAFF, next(house.ids))
        await house.rounds.catch_up(season)
        return said

    entries = await house.store.read(lambda db: db.seasons.events(season))
    closing = next(row for row in entries if row.body.event == "season_closed")
    entry = next(row for row in entries if isinstance(row.body, MatchFinished) and row.body.pod == pod.id)
    await rule(lambda _, rows, __: undone(rows, closing.id), closing.id)
    assert (await house.view(season)).row.closed_at is None  # until its pod has played
    await rule(lambda _, rows, __: undone(rows, entry.id), entry.id)
    due = house.clock.at + 48 * HOUR
    assert "deals of its own" in await rule(lambda season, _, __: reopened(season, pod.id, due))

    again = await house.view(season)
    table = again.tables[pod.id]
    assert table.id not in tables
    assert table.options.board_set is None
    await house.play_table(table.id, [again.people[player].id for player in pod.players])
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    result = seen.season.pods[pod.id].result
    assert result is not None
    assert seen.season.pods[pod.id].boards == ()
    assert seen.season.pods[other.id].boards == other.boards  # two tables are still compared
    rules = rules_of(seen.season, len(result.players))
    by_pod = {match.pod.id: match.seats for match in book(seen.season).matches}
    played = dict(zip(result.players, match_points(result.deals, rules), strict=True))
    assert by_pod[pod.id] == played  # by its own points
    assert seen.row.closed_at is not None
    await house.assert_fold(season)
