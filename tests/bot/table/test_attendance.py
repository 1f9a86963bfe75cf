"""Players who come and go between the deals of a table, without Discord."""

import pytest

from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.history.past_deals import check_deal
from bot.panels.table.match import go_on_from_hand, who_goes_on
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.table import (
    ABANDONED,
    BETWEEN,
    READY,
    MatchLedger,
    around,
    is_deal,
    ledger_of,
    lineup,
    making_room,
)
from bot.table.flow.seating import stand_in
from bot.table.hosting import Actor, Hosting
from bot.table.play import READY_MS
from bot.words.texts import texts
from data.preferences import Pace
from data.repositories.deal_search import Sight
from data.transaction import ReadTransaction
from data.values import BenchRow, SeatRow
from marriage.decide import start
from marriage.rules import SEATS_MAX, preset
from marriage.sheet import Status
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from tests.bot.house import CHANNEL, GUILD, PEOPLE, House
from tests.bot.table.test_matches import FOULS, MINUTE, bungle, dealt, go_on, match, results
from tests.bot.windows import move
from tests.marriage.dealing import actor

pytestmark = pytest.mark.usefixtures("decided")

P0, P1, P2 = PEOPLE
UNCLE, AUNT = NamedPerson(21, "Uncle"), NamedPerson(22, "Aunt")


async def play(house: House, bungler: int | None = None) -> None:
    """Let everyone play until the deal is over, computers at their own times."""
    well = GreedyPlayer(count_outs=False).choose
    while (state := await house.state()).phase is not Phase.OVER:
        _, seats, _ = await house.look()
        seat = seats[actor(state)]
        if seat.by_computer:
            await house.pass_time(1_000)
        else:
            assert seat.person_id is not None
            await move(house.services, 1, seat.person_id, bungle if seat.person_id == bungler else well)
        await house.check()


async def begin(house: House, people: int, computers: int = 0, deals: int = 0) -> None:
    """Open a table with its first deal played."""
    await house.seat_people(Pace.NONE, people, computers, deals=deals)
    await play(house)


async def sit(house: House, person: NamedPerson) -> None:
    await house.changing.sit_down(1, person, next(house.ids))
    await house.check()


async def rest(house: House, person_id: int, *, in_deal: bool = False) -> None:
    await house.changing.sit_out(1, person_id, next(house.ids), in_deal=in_deal)
    await house.check()


async def bench(house: House) -> dict[int, bool]:
    """Return the people on the bench, and whether each plays the next deal."""

    async def read(db: ReadTransaction) -> dict[int, bool]:
        return {row.person_id: row.comes for row in await db.benches.get(1)}

    return await house.store.read(read)


async def seated(house: House) -> list[int | None]:
    return [seat.person_id for seat in (await house.look())[1]]


async def ledger(house: House) -> MatchLedger:
    number = (await match(house)).match_no
    return ledger_of(await house.store.read(lambda db: db.deals.results_of_match(1, number)))


async def test_the_table_speaks_a_language_of_all_who_are_there_also_on_the_bench(house: House):
    await begin(house, 2)
    for person in (NamedPerson(P0, "P0"), NamedPerson(P1, "P1")):
        await house.services.personal.change(person, language="hi")
    assert (await house.tables.snapshot(1)).language == "hi"
    await sit(house, UNCLE)
    assert (await house.tables.snapshot(1)).language == "en"


# The circle


def seat(number: int, person_id: int | None = None, **marks: bool) -> SeatRow:
    return SeatRow(1, number, person_id, f"S{number}", None if person_id else "steady", **marks)


def waiting(number: int, person_id: int, place: int, *, comes: bool = False) -> BenchRow:
    return BenchRow(1, number, person_id, f"B{person_id}", place, comes=comes)


def test_the_bench_is_woven_into_the_seats():
    circle = around(
        [seat(0, 1), seat(1, 2)], [waiting(0, 5, 0), waiting(1, 6, 1), waiting(2, 7, 1), waiting(3, 8, 2)]
    )
    assert [row.person_id for row in circle] == [5, 1, 6, 7, 2, 8]


def test_the_last_computers_make_room_for_people_and_only_as_many_as_must():
    seats = [seat(0, 1), seat(1), seat(2, 2), seat(3), seat(4)]
    two = [waiting(0, 8, 5, comes=True), waiting(1, 9, 5, comes=True)]
    assert [row.name for row in lineup(around(seats, two))] == ["S0", "S1", "S2", "B8", "B9"]
    assert [row.seat for row in making_room(seats, two)] == [3, 4]
    assert making_room(seats[:3], two) == []
    assert making_room(seats, [waiting(0, 8, 5)]) == []  # a player who sits out needs no seat yet


# Before the first deal


async def test_whoever_says_twice_that_they_are_ready_is_ready(house: House):
    await house.lobby.open(GUILD, CHANNEL, NamedPerson(P0, "P0"), next(house.ids))
    await house.lobby.join(1, NamedPerson(P1, "P1"), next(house.ids))
    for is_ready in (True, False):
        for _ in range(2):
            await house.play.ready(1, P1, next(house.ids), is_ready=is_ready)
        assert [seat.ready for seat in (await house.look())[1]] == [False, is_ready]


async def test_what_the_host_and_the_staff_both_turn_on_is_on_and_only_what_changed_it_is_logged(
    house: House,
):
    host, staff = Actor(NamedPerson(P0, "P0")), Actor(NamedPerson(P1, "P1"), is_staff=True)
    hosting = house.services.hosting
    await house.lobby.open(GUILD, CHANNEL, host.person, next(house.ids))
    for person in (host, staff):
        await hosting.switch(1, person, "private", next(house.ids), on=True)
    assert (await house.look())[0].options.private
    assert await house.services.servers.acts(GUILD) == []
    await hosting.switch(1, staff, "private", next(house.ids), on=False)
    assert [act.row.reason for act in await house.services.servers.acts(GUILD)] == ["private_off"]


async def test_a_computer_comes_beside_as_many_as_its_host_saw(house: House):
    host, hosting = Actor(NamedPerson(P0, "P0")), house.services.hosting
    await house.lobby.open(GUILD, CHANNEL, host.person, next(house.ids))
    await hosting.add_computer(1, host, next(house.ids), beside=0)
    with pytest.raises(StaleRevisionError):
        await hosting.add_computer(1, host, next(house.ids), beside=0)
    await house.lobby.join(1, NamedPerson(P1, "P1"), next(house.ids))
    await hosting.add_computer(1, host, next(house.ids), beside=1)
    assert len((await house.look())[1]) == 4


# Sitting down


async def test_a_newcomer_sits_down_between_deals_and_begins_with_no_points(house: House):
    await begin(house, 2, deals=3)
    before = (await house.look())[0]
    await sit(house, UNCLE)
    assert await seated(house) == [P0, P1]  # the seats are still those of the last deal
    with pytest.raises(UserError, match="comes_next"):
        await sit(house, UNCLE)
    with pytest.raises(UserError, match="comes_next"):
        await house.play.add_word(1, UNCLE.id, "x", next(house.ids))
    with pytest.raises(UserError, match="elsewhere"):
        await house.lobby.open(1, 3, UNCLE, next(house.ids))
    await go_on(house, P0, P1)
    assert await seated(house) == [P0, P1, UNCLE.id]
    assert await bench(house) == {}
    assert (await dealt(house)).dealer == before.dealer
    deal = await house.store.read(lambda db: db.deals.get(1, 2))
    assert deal is not None
    assert sorted(item.partition(":")[0] for item in deal.entropy) == ["0", "1", "2"]
    assert not any(":auto:" in item for item in deal.entropy)  # sitting down was mixed in
    await play(house)
    accounts = {account.name: account.gains for account in (await ledger(house)).accounts}
    assert accounts["Uncle"][0] is None
    assert accounts["Uncle"][1] is not None
    assert [row.person_id for row in await results(house, 2)] == [P0, P1, UNCLE.id]


async def test_one_who_sits_down_during_a_deal_waits_for_the_next_and_may_start_it(house: House):
    await house.seat_people(Pace.NONE, 2, 0)
    await sit(house, UNCLE)
    await sit(house, AUNT)
    await play(house)
    await rest(house, P0)
    await rest(house, P1)
    await house.play.next_deal(1, UNCLE.id, next(house.ids))  # no one else is asked
    assert await seated(house) == [UNCLE.id, AUNT.id]
    assert await bench(house) == {P0: False, P1: False}
    assert (await house.look())[0].host_id == P0
    await play(house)
    await house.play.next_deal(1, P1, next(house.ids))  # P1 is back, and the others are asked
    assert (await bench(house))[P1]
    await house.pass_time(15_000)
    assert await seated(house) == [P1, UNCLE.id, AUNT.id]  # at their old seat


async def test_a_lobby_has_a_seat_for_as_many_players_as_a_deal_and_no_more(house: House):
    await house.lobby.open(GUILD, CHANNEL, NamedPerson(P0, "P0"), next(house.ids))
    await house.lobby.join(1, NamedPerson(P1, "P1"), next(house.ids))
    host = Actor(NamedPerson(P0, "P0"))
    while len(await seated(house)) < SEATS_MAX:
        await house.services.hosting.add_computer(1, host, next(house.ids))
    with pytest.raises(UserError, match="table_full"):
        await house.lobby.join(1, UNCLE, next(house.ids))
    with pytest.raises(UserError, match="table_full"):
        await house.services.hosting.add_computer(1, host, next(house.ids))
    assert len(await seated(house)) == SEATS_MAX


async def test_a_computer_makes_room_where_all_seats_are_taken_and_comes_back_no_more(house: House):
    await begin(house, 2, computers=3)
    await sit(house, UNCLE)
    await go_on(house, P0, P1)
    _, seats, _ = await house.look()
    assert [seat.name for seat in seats] == ["P0", "P1", "Durga", "Shanti", "Uncle"]
    await play(house)
    await rest(house, UNCLE.id)
    await go_on(house, P0, P1)
    assert len(await seated(house)) == SEATS_MAX - 1
    assert (await ledger(house)).accounts[4].name == "Kuber"  # its winnings still count


async def test_a_computer_that_comes_has_points_of_its_own_not_those_of_one_that_left(house: House):
    await begin(house, 1, computers=1)
    crowd = [NamedPerson(30 + number, f"Q{number}") for number in range(SEATS_MAX - 1)]
    for person in crowd:
        await sit(house, person)
    await go_on(house, P0)
    await play(house)
    for person in crowd:
        await house.leaving.leave(1, person.id, next(house.ids))
    await go_on(house, P0)
    await play(house)
    gains = {
        account.player: account.gains
        for account in (await ledger(house)).accounts
        if isinstance(account.player, str)
    }
    (left, came) = gains.values()
    assert [gain is None for gain in left] == [False, True, True]
    assert [gain is None for gain in came] == [True, True, False]


async def test_where_people_sit_everywhere_nobody_else_sits_down(house: House):
    await begin(house, 3)
    await sit(house, UNCLE)
    await sit(house, AUNT)
    await rest(house, P2)
    with pytest.raises(UserError, match="full_of_people"):
        await sit(house, NamedPerson(23, "Late"))  # the place of a player who sits out is kept
    await house.leaving.leave(1, P2, next(house.ids))
    await sit(house, NamedPerson(23, "Late"))
    with pytest.raises(UserError, match="place_taken"):
        await house.play.next_deal(1, P2, next(house.ids))


async def test_a_player_who_left_between_deals_sits_down_again_and_keeps_their_points(house: House):
    await begin(house, 3)
    await house.leaving.leave(1, P2, next(house.ids))
    await sit(house, NamedPerson(P2, "P2"))
    with pytest.raises(UserError, match="already_seated"):
        await sit(house, NamedPerson(P2, "P2"))
    await house.leaving.leave(1, P2, next(house.ids))
    await go_on(house, P0, P1)
    await sit(
        house, NamedPerson(P2, "P2")
    )  # their seat is gone by now, so they join like a newcomer, but keep their points
    await house.leaving.leave(1, P1, next(house.ids))
    with pytest.raises(UserError, match="back_by_hand"):
        await sit(house, NamedPerson(P1, "P1"))
    await play(house)
    await go_on(house, P0)  # P2 has requested this by sitting down
    assert await seated(house) == [P0, P2]
    await play(house)
    first, last = [await results(house, number) for number in (1, 3)]
    nets = [row.net for row in [*first, *last] if row.person_id == P2]
    assert (await ledger(house)).total_of(P2) == sum(nets)


async def test_a_private_table_takes_the_invited_and_those_who_played_there(house: House):
    await house.lobby.open(
        1, 2, NamedPerson(P0, "P0"), next(house.ids), invited=[NamedPerson(P1, "P1"), UNCLE]
    )
    await house.lobby.join(1, NamedPerson(P1, "P1"), next(house.ids))
    await house.play.start(1, P0, next(house.ids))
    await play(house)
    with pytest.raises(UserError, match="private"):
        await sit(house, AUNT)
    await sit(house, UNCLE)
    await house.leaving.leave(1, P0, next(house.ids))
    await go_on(house, P1)
    await house.pass_time(15_000)
    await sit(house, NamedPerson(P0, "P0"))
    host = Actor(NamedPerson(P1, "P1"))
    await Hosting(house.tables, house.lobby).invite(1, host, [AUNT], next(house.ids))
    await sit(house, AUNT)


async def test_the_host_invites_for_the_next_deals_and_blocks_those_who_came_later(house: House):
    host, hosting = Actor(NamedPerson(P0, "P0")), Hosting(house.tables, house.lobby)
    await begin(house, 2)
    await sit(house, UNCLE)
    await hosting.block(1, host, UNCLE, next(house.ids))  # before the uncle's first deal
    assert await bench(house) == {}
    with pytest.raises(UserError, match="blocked"):
        await sit(house, UNCLE)
    await hosting.forget(1, host, UNCLE.id, "blocked", next(house.ids))
    await sit(house, UNCLE)
    await go_on(house, P0, P1)
    with pytest.raises(UserError, match="block_in_deal"):
        await hosting.block(1, host, UNCLE, next(house.ids))
    await play(house)
    await hosting.block(1, host, UNCLE, next(house.ids))
    with pytest.raises(UserError, match="blocked"):
        await go_on(house, UNCLE.id)
    with pytest.raises(UserError, match="block_began"):
        await hosting.block(1, host, NamedPerson(P1, "P1"), next(house.ids))
    for refused in (
        hosting.kick(1, host, P1, next(house.ids)),
        hosting.switch(1, host, "hints", next(house.ids), on=False),
        hosting.add_computer(1, host, next(house.ids)),
    ):
        with pytest.raises(UserError, match="begun"):
            await refused
    with pytest.raises(UserError, match="host_only"):
        await hosting.invite(1, Actor(NamedPerson(P1, "P1")), [AUNT], next(house.ids))
    await house.check()
    await go_on(house, P0, P1)
    assert await seated(house) == [P0, P1]
    assert (await ledger(house)).total_of(UNCLE.id) != 0  # the uncle's losses still count


@pytest.mark.parametrize("is_blocked", [False, True])
async def test_who_has_left_or_is_blocked_decides_nothing_for_those_who_stay(house: House, is_blocked: bool):
    await begin(house, 2)
    await sit(house, UNCLE)
    await go_on(house, P0, P1)
    await play(house)
    if is_blocked:
        host = Actor(NamedPerson(P0, "P0"))
        await house.services.hosting.block(1, host, UNCLE, next(house.ids))
    else:
        await house.leaving.leave(1, UNCLE.id, next(house.ids))
    before = await house.tables.get(1)
    for act in (
        house.play.finish_table(1, UNCLE.id, next(house.ids)),
        house.play.add_word(1, UNCLE.id, "x", next(house.ids)),
    ):
        with pytest.raises(UserError, match="left_already"):
            await act
    assert await house.tables.get(1) == before
    await house.play.finish_table(1, P1, next(house.ids))


async def test_the_same_press_again_and_presses_at_the_wrong_time_change_nothing(house: House):
    await house.lobby.open(1, 2, NamedPerson(P0, "P0"), next(house.ids))
    for act in (house.changing.sit_down(1, UNCLE, 1), house.changing.sit_out(1, P0, 2)):
        with pytest.raises(UserError, match="in_lobby"):
            await act
    await house.lobby.leave(1, P0)
    with pytest.raises(UserError, match="table_closed"):
        await sit(house, UNCLE)
    with pytest.raises(UserError, match="no_table"):
        await house.changing.sit_down(99, UNCLE, next(house.ids))


# Sitting out


async def test_who_sits_out_keeps_place_and_points_and_is_dealt_no_cards(house: House):
    await begin(house, 3, deals=4)
    await rest(house, P1)
    with pytest.raises(UserError, match="sits_out_already"):
        await rest(house, P1)
    await go_on(house, P0, P2)  # no one waits for the player who sits out
    assert await seated(house) == [P0, P2]
    assert (await dealt(house)).dealer == 1  # P1 was to deal, so P2 is next
    for refused in (house.play.move(1, P1, bungle), house.endings.ask(1, P1, next(house.ids))):
        with pytest.raises(UserError, match="sits_out"):
            await refused
    with pytest.raises(UserError, match="sits_out_already"):
        await rest(house, P1, in_deal=True)
    await play(house)
    assert [row.person_id for row in await results(house, 2)] == [P0, P2]
    found = next(account for account in (await ledger(house)).accounts if account.player == P1)
    assert found.gains[1] is None
    await sit(house, NamedPerson(P1, "P1"))
    await go_on(house, P0, P2)
    assert await seated(house) == [P0, P1, P2]
    await play(house)
    rows = [*await results(house, 1), *await results(house, 3)]
    assert (await ledger(house)).total_of(P1) == sum(row.net for row in rows if row.person_id == P1)


async def test_one_asked_for_in_the_middle_of_a_deal_begins_after_it(house: House):
    await house.seat_people(Pace.NONE, 3, 0)
    with pytest.raises(UserError, match="sit_out_late"):
        await rest(house, P1)  # the button shown between deals, overtaken by the start
    interaction = next(house.ids)
    await house.changing.sit_out(1, P1, interaction, in_deal=True)
    with pytest.raises(RepeatedInteractionError):
        await house.changing.sit_out(1, P1, interaction, in_deal=True)
    await play(house)
    assert [row.person_id for row in await results(house, 1)] == [P0, P1, P2]
    await go_on(house, P0, P2)
    assert await bench(house) == {P1: False}


async def test_a_deal_of_other_players_checks_out(house: House, monkeypatch: pytest.MonkeyPatch):
    """The shuffle of a deal follows from the entropy of those who play it, by their seats in it."""
    await begin(house, 3)
    await sit(house, UNCLE)
    await rest(house, P0)
    monkeypatch.setattr("bot.table.flow.seating.start", start)
    await go_on(house, P1, P2)
    assert await seated(house) == [P1, P2, UNCLE.id]
    for person in (P1, P2, UNCLE.id):
        await house.endings.ask(1, person, next(house.ids))
    checked = await check_deal(house.store, Sight(P0, GUILD, frozenset({CHANNEL})), 1, 2)
    assert (checked.dealt, checked.fault) == (True, None)


async def test_two_must_play_else_the_table_waits_and_closes_as_any_other(house: House):
    await begin(house, 2)
    await house.play.next_deal(1, P0, next(house.ids))
    await rest(house, P1)
    assert READY not in {row.kind for row in (await house.look())[2]}
    with pytest.raises(UserError, match="too_few_play"):
        await house.play.next_deal(1, P0, next(house.ids))
    await rest(house, P0)
    await house.pass_time(20 * MINUTE)
    await sit(house, NamedPerson(P1, "P1"))  # which lets it wait anew
    table, _, rows = await house.look()
    [closing] = [row for row in rows if row.kind == BETWEEN]
    await house.pass_time(closing.due_at - house.clock.at - 1)
    assert (await house.look())[0].status == table.status == "between"
    await house.pass_time(1)
    assert (await house.look())[0].status == "closed"
    assert (await match(house)).ended == "closed"


async def test_computers_alone_play_no_deal(house: House):
    await begin(house, 1, computers=2)
    await rest(house, P0)
    await sit(house, UNCLE)
    await house.leaving.leave(1, UNCLE.id, next(house.ids))
    assert not is_deal(lineup(around((await house.look())[1], ())))
    await house.play.next_deal(1, P0, next(house.ids))  # this brings the player back
    assert len(await seated(house)) == 3


async def test_the_next_deal_starts_when_the_last_player_asked_sits_out(house: House):
    await begin(house, 3)
    await go_on(house, P0, P2)
    await rest(house, P1)
    assert (await house.look())[0].status == "playing"


async def go_away(house: House, *seats: int) -> None:
    """Let a computer play for these people until they are back."""

    async def command(tx: TableTransaction) -> None:
        for number in seats:
            stand_in(tx, number, left=False)

    await house.tables.change(1, command)


@pytest.mark.parametrize("who", [(P0, P1), (P1, P0)])
async def test_no_deal_begins_for_people_who_are_all_away(house: House, who: tuple[int, int]):
    await begin(house, 3)
    await go_away(house, 2)
    await go_on(house, P0)
    for person in who:
        await house.leaving.leave(1, person, next(house.ids))
    table, _, rows = await house.look()
    assert table.status == "between"
    assert {row.kind for row in rows} == {BETWEEN, ABANDONED}


async def test_the_next_deal_no_longer_starts_by_itself_when_the_only_one_who_asked_leaves(house: House):
    await begin(house, 3)
    await go_on(house, P0)
    await house.leaving.leave(1, P0, next(house.ids))
    await house.pass_time(READY_MS)
    assert (await house.look())[0].status == "between"
    await go_on(house, P1, P2)
    assert await seated(house) == [P1, P2]


async def test_no_deal_begins_when_the_last_one_there_sits_out(house: House):
    await begin(house, 3)
    await go_away(house, 1)
    await go_on(house, P0)
    await go_away(house, 2)
    await rest(house, P0)
    table, _, rows = await house.look()
    assert table.status == "between"
    assert {row.kind for row in rows} == {BETWEEN}


async def test_no_deal_begins_when_the_only_one_who_wanted_it_leaves_the_bench(house: House):
    await begin(house, 3)
    await sit(house, UNCLE)
    await go_on(house, UNCLE.id)
    await house.leaving.leave(1, UNCLE.id, next(house.ids))
    table, _, rows = await house.look()
    assert table.status == "between"
    assert {row.kind for row in rows} == {BETWEEN}


async def test_the_one_on_the_bench_begins_the_deal_where_all_others_are_away(house: House):
    await begin(house, 2)
    await go_away(house, 0, 1)
    await sit(house, UNCLE)
    await go_on(house, UNCLE.id)
    assert await seated(house) == [P0, P1, UNCLE.id]


async def test_only_those_who_are_there_are_named_as_ready_and_who_is_not_can_press_again(house: House):
    await begin(house, 3)
    await go_on(house, P0, P1)
    await rest(house, P0)
    snapshot = await house.tables.snapshot(1)
    assert "next deal: P1. It starts" in str(who_goes_on(snapshot, texts()))
    assert [go_on_from_hand(snapshot, seat, texts())[0].item.disabled for seat in (0, 1)] == [False, True]
    await house.leaving.leave(1, P0, next(house.ids))
    assert "next deal: P1. It starts" in str(who_goes_on(await house.tables.snapshot(1), texts()))


async def test_who_has_sat_down_for_the_next_deal_is_named_as_ready(house: House):
    await begin(house, 2)
    await sit(house, UNCLE)
    await go_on(house, UNCLE.id)
    said = str(who_goes_on(await house.tables.snapshot(1), texts()))
    assert "next deal: Uncle. It starts" in said


async def test_leaving_from_the_bench_and_the_last_person_there(house: House):
    await begin(house, 3)
    await rest(house, P2)
    await go_on(house, P0, P1)
    for person in (P0, P1):
        await house.leaving.leave(1, person, next(house.ids))
    table, _, rows = await house.look()
    assert (table.status, table.host_id) == (
        "playing",
        P2,
    )  # computers play it out, because P2 keeps their place
    assert ABANDONED not in {row.kind for row in rows}
    assert await house.leaving.leave(1, P2, next(house.ids)) == "leaving.left_last"
    assert (await house.look())[0].status == "closed"
    assert await bench(house) == {}


async def test_a_player_who_sits_out_pays_a_foul(house: House):
    await house.seat_people(Pace.NONE, 3, 0, rules=FOULS)
    await play(house, bungler=P1)
    await rest(house, P1)
    await go_on(house, P0, P2)
    await play(house)
    after = await results(house, 2)
    assert [(row.person_id, row.status) for row in after][2:] == [(P1, Status.PAUSE)]
    assert after[2].net == -15
    assert sum(row.net for row in after) == 0


async def test_a_rematch_is_not_asked_of_those_who_sit_out_and_takes_those_who_have_come(house: House):
    await house.seat_people(Pace.NONE, 3, 0, deals=1, rules=preset("pagat"))
    await play(house)
    await rest(house, P1)
    await sit(house, UNCLE)
    await house.play.rematch(1, P0, next(house.ids))
    with pytest.raises(UserError, match="rematch_already"):
        await house.play.rematch(1, UNCLE.id, next(house.ids))
    await house.play.rematch(1, P2, next(house.ids))
    assert await seated(house) == [P0, P2, UNCLE.id]
    assert (await match(house)).match_no == 2
    assert await bench(house) == {P1: False}
