"""Automatic draws: in one step with the move before, only for people who want them, revealing nothing."""

from dataclasses import replace

import pytest

from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.table import COMPUTER
from bot.table.hosting import Actor
from data.preferences import Pace
from marriage.actions import Action, Discard, DrawStock, ExposeTunnelas
from marriage.cards import Card, parse_cards
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, FoulReason
from marriage.legal import legal_actions
from marriage.rules import Rules, preset
from marriage.state import Phase
from marriage.view import View
from tests.bot.house import PEOPLE, House
from tests.bot.windows import end_window
from tests.e2e.dealt import dealing
from tests.statements import statements

pytestmark = pytest.mark.usefixtures("dull")

P0, P1 = PEOPLE[:2]
LENIENT = preset("pagat", tunnela_window="own_first_draw")


async def wants(house: House, person: int, wish: str) -> None:
    await house.services.personal.change(NamedPerson(person, f"P{person}"), auto_draw=wish)


async def begin(house: House, people: int = 2, computers: int = 0, rules: Rules | None = None) -> None:
    """Start a deal in which seat 1 acts first, in its first turn."""
    await house.seat_people(Pace.NORMAL, people=people, computers=computers, rules=rules)
    await end_window(house.services)


async def move(house: House, person: int, action: Action) -> None:
    await house.play.move(1, person, lambda _: action, None, next(house.ids))


async def throw(house: House, person: int) -> None:
    def first(seen: View) -> Action:
        return next(action for action in legal_actions(seen) if isinstance(action, Discard))

    await house.play.move(1, person, first, None, next(house.ids))


async def told(house: House) -> list[tuple[str, int | None]]:
    """Return the events of the deal after the window, each with its seat."""
    events: list[Event] = await house.store.read(lambda db: db.deals.events(1, 1))
    kept = [event for event in events if event.event not in {"dealt", "declined", "exposed", "window_closed"}]
    return [(event.event, getattr(event, "seat", None)) for event in kept]


async def test_it_is_off_at_first(house: House):
    await begin(house)
    await move(house, P1, DrawStock())
    await throw(house, P1)
    assert await told(house) == [("drew", 1), ("discarded", 1)]


async def test_a_turn_is_one_move_and_the_card_comes_with_the_move_before(house: House):
    await wants(house, P0, "always")
    await begin(house)
    for _ in range(3):
        await move(house, P1, DrawStock())
        await throw(house, P1)
        assert (await told(house))[-2:] == [("discarded", 1), ("drew", 0)]
        with pytest.raises(IllegalActionError) as refused:
            await move(house, P0, DrawStock())
        assert refused.value.code is Refusal.ALREADY_DRAWN
        await throw(house, P0)
        await house.check()


async def test_it_is_stored_with_the_move_before_in_its_six_statements(house: House):
    for person in (P0, P1):
        await wants(house, person, "always")
    await begin(house)
    await house.tables.snapshot(1)
    made = statements(house.store)
    for person in (P1, P0, P1, P0):
        await throw(house, person)
        assert len(made) <= 6, made
        assert not [said for said in made if said.startswith("SELECT")]
        made.clear()


@pytest.mark.parametrize("people", [1, 2])
async def test_the_first_card_comes_when_the_window_closes(house: House, people: int):
    """For a person alone with computers, that is when the cards are dealt."""
    for person in (P0, P1):
        await wants(house, person, "always")
    await house.seat_people(Pace.NORMAL, people=people, computers=2 - people)
    if people == 2:
        assert await told(house) == []
        await end_window(house.services)
        assert await told(house) == [("drew", 1)]
    else:
        await computers_play(house)
        assert (await told(house))[-1] == ("drew", 0)


async def computers_play(house: House) -> None:
    while (waits := (await house.tables.get(1)).deadlines.get(COMPUTER)) is not None:
        house.clock.at = waits.due_at
        await house.play.computer_turn(1, waits.revision)


async def test_after_a_computers_move_it_comes_with_that_move(house: House):
    await wants(house, P0, "always")
    await begin(house, people=1, computers=1)
    await computers_play(house)
    await throw(house, P0)
    before = (await house.tables.get(1)).row.revision
    await computers_play(house)
    assert (await house.tables.get(1)).row.revision == before + 1
    assert (await told(house))[-3:] == [("drew", 1), ("discarded", 1), ("drew", 0)]


async def test_for_somebody_who_is_away_nothing_is_drawn(house: House):
    await wants(house, P0, "always")
    await begin(house)
    await move(house, P1, DrawStock())

    async def command(tx: TableTransaction) -> None:
        tx.set_seat(replace(tx.seats[0], away=True))

    await house.tables.change(1, command)
    await throw(house, P1)
    assert (await told(house))[-1] == ("discarded", 1)
    assert (await house.state()).phase is Phase.DRAW


async def test_turned_on_within_a_turn_it_begins_with_the_next(house: House):
    await begin(house)
    await wants(house, P1, "always")
    assert await told(house) == []
    await move(house, P1, DrawStock())
    await throw(house, P1)
    await move(house, P0, DrawStock())
    await throw(house, P0)
    assert (await told(house))[-1] == ("drew", 1)


async def test_a_foul_that_is_ruled_within_a_turn_draws_nothing(house: House):
    await begin(house, rules=preset("pagat", foul="each"))
    await wants(house, P1, "always")
    await house.services.fouling.rule(
        1, Actor(NamedPerson(P0, "P0")), 1, 1, FoulReason.LOOKED, next(house.ids)
    )
    assert ("drew", 1) not in await told(house)


@pytest.mark.parametrize("hand", ["5H 5H 5H", "2S 4S 6S"])
async def test_before_ones_own_first_draw_nothing_is_drawn_while_a_tunnela_could_be_exposed(
    house: House, monkeypatch: pytest.MonkeyPatch, hand: str
):
    """This holds for any hand: an immediate card would reveal that the hand has no tunnela."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealing(hand, "2H 4H 6H", stock="8C 9C JC"))
    await wants(house, P0, "always")
    await begin(house, rules=LENIENT)
    await move(house, P1, DrawStock())
    await move(house, P1, Discard(Card.parse("2H")))
    assert (await told(house))[-1] == ("discarded", 1)
    if hand.startswith("5H"):
        await move(house, P0, ExposeTunnelas(parse_cards("5H")))
        assert (await told(house))[-1] == ("discarded", 1)


async def test_when_the_stock_runs_out_it_comes_from_the_new_one(house: House):
    for person in (P0, P1):
        await wants(house, person, "always")
    await begin(house)
    while not (await house.state()).reshuffles:
        state = await house.state()
        await throw(house, PEOPLE[state.turn])
    assert [name for name, _ in (await told(house))[-3:]] == ["discarded", "reshuffled", "drew"]
    await house.check()


async def test_where_the_pile_may_be_taken_it_is_left_to_the_person(house: House):
    await wants(house, P0, "barred")
    await begin(house)
    await move(house, P1, DrawStock())
    await throw(house, P1)
    assert (await told(house))[-1] == ("discarded", 1)
