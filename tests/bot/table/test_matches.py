"""Matches without Discord: how earlier deals affect a deal, how a match ends, and what follows it."""

from collections.abc import Callable

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.table.core.table import BETWEEN, READY
from bot.table.flow import matches
from bot.table.flow.matches import is_better
from data.preferences import Pace
from data.transaction import ReadTransaction
from data.values import DealRow, MatchRow, ResultRow
from marriage.actions import Action, DeclineTunnelas, DrawStock, Show
from marriage.events import Dealt
from marriage.rules import preset
from marriage.sheet import Status
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from marriage.view import View
from tests.bot.house import PEOPLE, House
from tests.bot.windows import move
from tests.marriage.dealing import actor

pytestmark = pytest.mark.usefixtures("decided")

P0, P1, P2 = PEOPLE
MINUTE = 60_000
FOULS = preset("pagat", foul="next", foul_points=15, false_claim="foul")


def bungle(view: View) -> Action:
    """Show an invalid set at the first opportunity."""
    cards = view.own.concealed or ()
    match view.phase:
        case Phase.WINDOW:
            return DeclineTunnelas()
        case Phase.DRAW:
            return DrawStock()
        case _:
            return Show((cards[0:3], cards[5:8], cards[10:13]))


async def play(house: House, *bunglers: int) -> None:
    """Let everyone play until the deal is over."""
    well: Callable[[View], Action] = GreedyPlayer(count_outs=False).choose
    while (state := await house.state()).phase is not Phase.OVER:
        _, seats, _ = await house.look()
        person = seats[actor(state)].person_id
        assert person is not None
        await move(house.services, 1, person, bungle if person in bunglers else well)
        await house.check()


async def go_on(house: House, *people: int) -> None:
    for person in people:
        await house.play.next_deal(1, person, next(house.ids))


async def dealt(house: House) -> Dealt:
    """Return how the latest deal was dealt."""

    async def read(db: ReadTransaction):
        table = await db.tables.get(1)
        assert table is not None
        return (await db.deals.events(1, table.deal_no))[0]

    first = await house.store.read(read)
    assert isinstance(first, Dealt)
    return first


async def match(house: House) -> MatchRow:
    row = await house.store.read(lambda db: db.matches.latest(1))
    assert row is not None
    return row


async def deal(house: House, number: int) -> DealRow:
    row = await house.store.read(lambda db: db.deals.get(1, number))
    assert row is not None
    return row


async def results(house: House, number: int) -> list[ResultRow]:
    async def read(db: ReadTransaction) -> list[ResultRow]:
        return [row for row in await db.deals.results(1) if row.deal_no == number]

    return await house.store.read(read)


# How earlier deals affect a deal


@pytest.mark.parametrize(
    ("after", "played", "players", "better"),
    [
        (0, 40, 2, False),
        (1, 2, 3, False),
        (1, 3, 3, True),
        (2, 5, 3, False),
        (2, 6, 3, True),
        (20, 79, 4, False),
        (20, 80, 4, True),
    ],
)
def test_better_deals_begin_after_so_many_rounds(after: int, played: int, players: int, better: bool):
    assert is_better(after, played, players) is better


async def test_the_deals_after_the_rounds_count_twice(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=4, rules=preset("pagat", better_after=1, better_factor=3))
    factors: list[int] = []
    for number in range(1, 5):
        await play(house)
        sheet = (await house.state()).sheet
        assert sheet is not None
        factors.append(sheet.factor)
        assert (await dealt(house)).better is (number > 2)
        if number < 4:
            await go_on(house, P0, P1)
    assert factors == [1, 1, 3, 3]


async def test_a_rematch_counts_its_rounds_anew(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=3, rules=preset("pagat", better_after=1))
    for _ in range(2):
        await play(house)
        await go_on(house, P0, P1)
    assert (await dealt(house)).better
    await play(house)
    for person in (P0, P1):
        await house.play.rematch(1, person, next(house.ids))
    assert not (await dealt(house)).better
    assert (await match(house)).match_no == 2
    assert [
        ((await deal(house, number)).match_no, (await deal(house, number)).match_deal) for number in (3, 4)
    ] == [
        (1, 3),
        (2, 1),
    ]


async def test_a_foul_goes_to_the_winner_of_the_next_deal(house: House):
    await house.seat_people(Pace.NONE, 3, 0, rules=FOULS)
    await play(house, P2)
    assert [row.status for row in await results(house, 1)] == [Status.SEEN, Status.UNSEEN, Status.FOUL]
    await go_on(house, P0, P1, P2)
    assert (await dealt(house)).carry == (2,)
    await play(house)
    sheet = (await house.state()).sheet
    assert sheet is not None
    assert [line.foul for line in sheet.lines] == [15, 0, -15]
    await go_on(house, P0, P1, P2)
    assert (await dealt(house)).carry == ()


async def test_a_player_who_left_still_owes_the_foul(house: House):
    await house.seat_people(Pace.NONE, 3, 0, deals=3, rules=FOULS)
    await play(house, P1)
    await house.leaving.leave(1, P1, next(house.ids))
    await go_on(house, P0, P2)
    assert (await dealt(house)).carry == (2,)  # the seats are P0 and P2 now
    await play(house)
    after = await results(house, 2)
    assert [(row.person_id, row.status) for row in after][1:] == [(P2, Status.UNSEEN), (P1, Status.PAUSE)]
    assert after[2].net == -15
    assert sum(row.net for row in after) == 0
    snapshot = await house.tables.snapshot(1)
    assert snapshot.counted_names == ("P0", "P2", "P1")
    assert snapshot.match is not None
    both = [*await results(house, 1), *after]
    assert snapshot.counted_totals == tuple(
        sum(row.net for row in both if row.person_id == person) for person in (P0, P2, P1)
    )


async def test_a_dismissed_deal_leaves_the_fouls_of_two_open_even_where_both_have_left(house: House):
    await house.seat_people(Pace.NONE, 3, 0, rules=FOULS)
    await play(house, P1, P2)  # fewer than two live hands, so the deal is dismissed
    for person in (P2, P1):
        await house.leaving.leave(1, person, next(house.ids))
    await go_on(house, P0)  # against a computer in an empty seat
    assert (await dealt(house)).carry == (2, 3)
    await house.endings.ask(1, P0, next(house.ids))
    assert [(row.person_id, row.net) for row in await results(house, 2)][2:] == [(P1, 0), (P2, 0)]
    assert (await deal(house, 2)).ended == "vote"
    await go_on(house, P0)
    assert (await dealt(house)).carry == (2, 3)


async def test_a_foul_lapses_with_its_match(house: House):
    await house.seat_people(Pace.NONE, 3, 0, deals=1, rules=FOULS)
    await play(house, P2)
    for person in PEOPLE:
        await house.play.rematch(1, person, next(house.ids))
    assert (await dealt(house)).carry == ()


# How a match ends


async def test_a_match_is_over_after_its_last_deal_and_only_a_rematch_follows(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=2)
    await play(house)
    assert not (await match(house)).is_over
    with pytest.raises(UserError, match="match_on"):
        await house.play.rematch(1, P0, next(house.ids))
    await go_on(house, P0, P1)
    await play(house)
    assert (await match(house)).ended == "played"
    for person in (P0, P1):
        with pytest.raises(UserError, match="match_over"):
            await house.play.next_deal(1, person, next(house.ids))


async def test_the_last_deal_may_be_dismissed(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=1)
    for person in (P0, P1):
        await house.endings.ask(1, person, next(house.ids))
    assert (await match(house)).ended == "played"
    assert (await deal(house, 1)).ended == "vote"


async def end_deal(house: House) -> None:
    """End the deal of a person alone with computers."""
    await house.endings.ask(1, P0, next(house.ids))


async def test_a_match_without_a_fixed_number_of_deals_ends_after_the_most(house: House, monkeypatch):
    monkeypatch.setattr(matches, "MOST_OPEN_DEALS", 3)
    await house.seat_people(Pace.NONE, 1, 2)
    for _ in range(2):
        await end_deal(house)
        assert not (await match(house)).is_over
        await go_on(house, P0)
    await end_deal(house)
    assert (await match(house)).ended == "played"
    with pytest.raises(UserError, match="match_over"):
        await go_on(house, P0)
    await house.play.rematch(1, P0, next(house.ids))
    await end_deal(house)
    assert not (await match(house)).is_over
    assert {row.deal_no for row in (await house.tables.get(1)).results} == {4}


async def test_a_table_plays_so_many_deals_an_hour(house: House):
    house.services.play._settings = house.services.settings.model_copy(update={"deals_per_table_h": 3})
    await house.seat_people(Pace.NONE, 1, 2, deals=4)
    for _ in range(2):
        await end_deal(house)
        house.clock.at += 10 * MINUTE
        await go_on(house, P0)
    await end_deal(house)
    with pytest.raises(UserError, match="many_deals") as refused:
        await go_on(house, P0)
    house.clock.at = refused.value.values["at"]
    await go_on(house, P0)
    await end_deal(house)
    assert (await match(house)).is_over
    with pytest.raises(UserError, match="many_deals"):
        await house.play.rematch(1, P0, next(house.ids))
    await house.pass_time(10 * MINUTE)
    await house.play.rematch(1, P0, next(house.ids))


async def test_between_deals_all_have_a_say_in_the_end_of_a_match(house: House):
    await house.seat_people(Pace.NONE, 3, 0, deals=5)
    await play(house)
    with pytest.raises(UserError, match="match_unfinished"):
        await house.play.finish_table(1, P0, next(house.ids))
    assert await house.endings.ask(1, P0, next(house.ids)) == "leaving.asked"
    await house.check()
    table, _, _ = await house.look()
    await house.endings.refuse(1, P1, table.revision, next(house.ids))
    assert not (await match(house)).is_over
    for person in (P0, P1):
        await house.endings.ask(1, person, next(house.ids))
    await house.leaving.leave(1, P2, next(house.ids))  # players who have left are not asked
    assert (await match(house)).ended == "vote"
    await house.check()
    await house.play.finish_table(1, P0, next(house.ids))


async def test_a_next_deal_that_begins_settles_the_vote(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=5)
    await play(house)
    await house.endings.ask(1, P0, next(house.ids))
    await go_on(house, P0, P1)
    await house.check()
    assert not (await match(house)).is_over


async def test_who_asks_to_end_a_deal_ends_no_other_and_not_the_match(house: House):
    await house.seat_people(Pace.NONE, 1, 2, deals=5)

    async def press() -> str:
        """Press a button that was shown in the first deal."""
        return await house.endings.ask_to_end_deal(1, P0, 1, next(house.ids))

    with pytest.raises(StaleRevisionError):
        await house.endings.ask_to_end_deal(1, P0, None, next(house.ids))
    assert await press() == "leaving.ended"
    with pytest.raises(StaleRevisionError):
        await press()
    await go_on(house, P0)
    with pytest.raises(StaleRevisionError):
        await press()
    assert (await house.look())[0].status == "playing"
    assert not (await match(house)).is_over


async def test_who_asks_to_end_the_match_ends_no_deal_that_has_begun_since(house: House):
    await house.seat_people(Pace.NONE, 1, 2, deals=5)
    await end_deal(house)
    between, _, _ = await house.look()

    async def press(revision: int) -> str:
        return await house.endings.ask_to_end_match(1, P0, revision, next(house.ids))

    await go_on(house, P0)
    with pytest.raises(StaleRevisionError):
        await press(between.revision)
    assert (await house.look())[0].status == "playing"
    await end_deal(house)
    with pytest.raises(StaleRevisionError):
        await press(between.revision)
    assert await press((await house.look())[0].revision) == "leaving.ended_match"


@pytest.mark.parametrize(("deals", "why"), [(5, "abandoned"), (0, "closed")])
async def test_a_table_that_nobody_goes_on_with_ends_its_match(house: House, deals: int, why: str):
    await house.seat_people(Pace.NONE, 2, 0, deals=deals)
    await play(house)
    await house.pass_time(8 * 24 * 60 * MINUTE)
    assert (await match(house)).ended == why
    assert (await house.look())[0].status == "closed"


async def test_everybody_leaving_in_the_last_deal_is_no_match_played(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=1)
    for person in (P0, P1):
        await house.leaving.leave(1, person, next(house.ids))
    assert ((await match(house)).ended, (await deal(house, 1)).ended) == ("left", "left")


# Rematch


async def over(house: House, people: int = 3, computers: int = 0) -> None:
    await house.seat_people(Pace.NONE, people, computers, deals=1)
    await play(house)


async def test_who_does_not_press_is_left_out_and_the_deal_moves_on(house: House):
    await over(house)
    before, _, _ = await house.look()
    assert before.dealer == 1
    for person in (P0, P2):
        await house.play.rematch(1, person, next(house.ids))
    with pytest.raises(UserError, match="rematch_already"):
        await house.play.rematch(1, P0, next(house.ids))
    await house.pass_time(MINUTE)
    table, seats, _ = await house.look()
    assert table.status == "playing"
    assert [seat.person_id for seat in seats] == [P0, P2]
    assert (await dealt(house)).dealer == 1  # P1 was to deal, so P2 is next
    with pytest.raises(UserError, match="not_seated"):
        await house.play.rematch(1, P1, next(house.ids))


async def test_the_host_who_is_left_out_is_no_host_any_more(house: House):
    await over(house)
    for person in (P2, P1):
        await house.play.rematch(1, person, next(house.ids))
    await house.pass_time(MINUTE)
    table, seats, _ = await house.look()
    assert table.host_id == P1
    assert {seat.person_id for seat in seats} == {P1, P2}


async def test_a_rematch_starts_at_once_when_all_who_are_there_want_it(house: House):
    await over(house)
    await house.leaving.leave(1, P2, next(house.ids))
    for person in (P0, P1):
        await house.play.rematch(1, person, next(house.ids))
    table, seats, _ = await house.look()
    assert (table.status, len(seats)) == ("playing", 2)


@pytest.mark.parametrize("deals", [1, 2])
async def test_a_table_about_to_close_stays_open_for_a_player_who_wants_to_go_on(house: House, deals: int):
    await house.seat_people(Pace.NONE, 2, 0, deals=deals)
    await play(house)
    table, _, rows = await house.look()
    [closing] = [row for row in rows if row.kind == BETWEEN]
    await house.pass_time(closing.due_at - house.clock.at - 5_000)
    ask = house.play.rematch if deals == 1 else house.play.next_deal
    await ask(1, P0, next(house.ids), table.revision)
    await house.pass_time(10_000)
    await ask(1, P1, next(house.ids), table.revision)
    assert (await house.look())[0].status == "playing"


async def test_nobody_starts_a_rematch_that_its_only_friend_has_left(house: House):
    await over(house)
    await house.play.rematch(1, P2, next(house.ids))
    await house.leaving.leave(1, P2, next(house.ids))
    await house.pass_time(MINUTE)
    table, _, rows = await house.look()
    assert table.status == "between"
    assert {row.kind for row in rows} == {BETWEEN}


async def test_buttons_of_an_earlier_end_are_stale(house: House):
    await house.seat_people(Pace.NONE, 2, 0, deals=2)
    await play(house)
    first, _, _ = await house.look()
    await go_on(house, P0, P1)
    await play(house)
    table, _, _ = await house.look()
    with pytest.raises(StaleRevisionError):
        await house.play.rematch(1, P0, next(house.ids), first.revision)
    await house.play.rematch(1, P0, next(house.ids), table.revision)
    await house.play.rematch(1, P1, next(house.ids), table.revision)
    await play(house)
    with pytest.raises(StaleRevisionError):
        await house.play.next_deal(1, P0, next(house.ids), table.revision)
    assert READY not in {row.kind for row in (await house.look())[2]}
    with pytest.raises(StaleRevisionError):
        await house.play.finish_table(1, P0, next(house.ids), table.revision)
