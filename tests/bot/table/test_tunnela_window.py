"""The tunnela window: no one presses anything without a decision to make, and its length reveals nothing."""

from pathlib import Path

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.panels.table.hand import exposure_buttons, window_words
from bot.people import NamedPerson
from bot.settings import Settings
from bot.table.core.change import TableTransaction
from bot.table.core.table import COMPUTER, PAUSED, WINDOW, plays_alone, turn_ms, window_ms
from bot.table.play import Choice
from bot.words.texts import texts
from data.preferences import Pace, TableOptions
from marriage.actions import Action, DeclineTunnelas, DrawStock, ExposeTunnelas
from marriage.cards import Card, parse_cards
from marriage.events import Event
from marriage.rules import PRESETS, preset
from marriage.state import Phase
from marriage.view import View
from tests.bot.house import PEOPLE, House
from tests.e2e.dealt import dealing

FIVES, NOTHING, SIXES = "5H 5H 5H", "2S 4S 6S", "6D 6D 6D 9C 9C 9C"
USUAL_MS = int(Settings.model_fields["tunnela_window_s"].default * 1000)


@pytest.fixture
def deals(monkeypatch: pytest.MonkeyPatch):
    return lambda *hands: monkeypatch.setattr("bot.table.flow.seating.start", dealing(*hands))


def exposes(*faces: str) -> Choice:
    def choose(_: View) -> Action:
        return ExposeTunnelas(tuple(map(Card.parse, faces)))

    return choose


def declines(_: View) -> Action:
    return DeclineTunnelas()


async def phase(house: House) -> Phase:
    return (await house.state()).phase


async def events(house: House) -> list[Event]:
    return await house.store.read(lambda db: db.deals.events(1, 1))


async def asked(house: House, seat: int) -> tuple[list[str | None], str]:
    """Return the buttons and the words with which a person's hand asks for tunnelas."""
    snapshot = await house.tables.snapshot(1)
    mine = await house.services.pictures.hand(snapshot.private[seat], snapshot.holders[seat])
    labels = [button.item.label for button in exposure_buttons(snapshot, mine, texts())]
    return labels, window_words(snapshot, mine, texts())


async def closes_after(house: House) -> int:
    """Let the window close; returns how long it was open, in milliseconds."""
    start = house.clock.at
    _, _, rows = await house.look()
    [due] = [row for row in rows if row.kind == WINDOW]
    assert not any(row.kind == COMPUTER for row in rows)
    await house.pass_time(due.due_at - start - 1)
    assert await phase(house) is Phase.WINDOW
    await house.pass_time(1)
    assert await phase(house) is not Phase.WINDOW
    return due.due_at - start


@pytest.mark.parametrize(
    "hands", [(NOTHING, NOTHING, NOTHING), (FIVES, SIXES, NOTHING), (FIVES, NOTHING, SIXES)]
)
@pytest.mark.parametrize("answers", [0, 1, 2])
async def test_it_is_as_long_whatever_people_and_computers_hold_and_do(house: House, deals, hands, answers):
    deals(*hands)
    await house.seat_people(Pace.NORMAL, people=2, computers=1)
    start = house.clock.at
    for seat in range(answers):
        await house.pass_time(1_000)
        held = {"5H": FIVES, "9C": SIXES}
        for face, hand in held.items():
            if hands[seat] == hand:
                await house.play.move(1, PEOPLE[seat], exposes(face), None, next(house.ids))
    await house.pass_time(start + 4_000 - house.clock.at)
    assert await closes_after(house) + 4_000 == USUAL_MS


async def test_before_it_closes_only_what_people_expose_is_recorded_and_published(house: House, deals):
    deals(FIVES, NOTHING, SIXES)
    await house.seat_people(Pace.NORMAL, people=2, computers=1)
    dealt = (await house.look())[0].revision
    await house.pass_time(5_000)  # the computer has its tunnelas ready
    assert (await house.look())[0].revision == dealt
    assert [event.event for event in await events(house)] == ["dealt"]
    await house.play.move(1, PEOPLE[0], exposes("5H"), None, next(house.ids))
    assert [event.event for event in await events(house)] == ["dealt", "exposed"]
    await house.pass_time(USUAL_MS)
    assert [event.event for event in await events(house)] == [
        "dealt",
        "exposed",
        "declined",
        "exposed",
        "window_closed",
    ]
    assert (await house.state()).seats[2].exposed == parse_cards("6D 9C")


async def test_it_stays_open_when_everybody_has_exposed(house: House, deals):
    deals(FIVES, SIXES)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    await house.play.move(1, PEOPLE[0], exposes("5H"), None, next(house.ids))
    await house.play.move(1, PEOPLE[1], exposes("6D", "9C"), None, next(house.ids))
    assert await closes_after(house) == USUAL_MS


async def test_nobody_has_to_say_that_they_expose_nothing(house: House, deals):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    before = await house.look()
    for person in PEOPLE[:2]:
        with pytest.raises(UserError) as refused:
            await house.play.move(1, person, declines, None, next(house.ids))
        assert refused.value.key == "sorry.window_closes"
    assert await house.look() == before
    await house.pass_time(USUAL_MS)
    assert (await house.state()).seats[0].exposed == ()


async def test_where_a_tunnela_may_wait_nobody_has_to_say_so_either(house: House, deals):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, 2, 0, rules=preset("pagat", tunnela_window="own_first_draw"))
    assert await phase(house) is Phase.DRAW
    with pytest.raises(UserError) as refused:
        await house.play.move(1, PEOPLE[0], declines, None, next(house.ids))
    assert refused.value.key == "sorry.window_not_asked"


@pytest.mark.parametrize("always", [False, True])
async def test_the_silent_expose_only_if_their_settings_say_so(house: House, deals, always):
    deals(FIVES, SIXES, NOTHING)
    for person in PEOPLE[1:]:
        await house.services.personal.change(
            NamedPerson(person, f"P{person}"), tunnelas="always" if always else "ask"
        )
    await house.seat_people(Pace.NORMAL, people=3, computers=0)
    await house.pass_time(USUAL_MS)
    exposed = [seat.exposed for seat in (await house.state()).seats]
    assert exposed == [(), parse_cards("6D 9C") if always else (), ()]


@pytest.mark.parametrize("name", PRESETS)
async def test_alone_with_computers_nobody_meets_it_without_a_tunnela(house: House, deals, name):
    deals(NOTHING, FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=1, computers=2, rules=PRESETS[name])
    assert await phase(house) is Phase.DRAW
    assert [event.event for event in await events(house)] == [
        "dealt",
        "declined",
        "exposed",
        "declined",
        "window_closed",
    ]
    await house.check()


@pytest.mark.parametrize("choose", [exposes("5H"), declines])
async def test_alone_with_computers_the_answer_ends_it(house: House, deals, choose):
    deals(FIVES, SIXES)
    await house.seat_people(Pace.NORMAL, people=1, computers=1)
    _, _, rows = await house.look()
    assert {row.kind: row.due_at - house.clock.at for row in rows} == {WINDOW: turn_ms(Pace.NONE)}
    await house.play.move(1, PEOPLE[0], choose, None, next(house.ids))
    assert await phase(house) is Phase.DRAW
    assert (await house.state()).seats[1].exposed == parse_cards("6D 9C")
    await house.check()


@pytest.mark.parametrize("wish", ["always", "never"])
async def test_alone_with_computers_the_settings_may_answer(house: House, deals, wish):
    deals(FIVES, NOTHING)
    await house.services.personal.change(NamedPerson(PEOPLE[0], "P0"), tunnelas=wish)
    await house.seat_people(Pace.NORMAL, people=1, computers=1)
    assert await phase(house) is Phase.DRAW
    assert (await house.state()).seats[0].exposed == parse_cards("5H" if wish == "always" else "")


@pytest.mark.parametrize("wish", ["ask", "always", "never"])
async def test_where_a_tunnela_may_wait_the_settings_expose_it_at_once(house: House, deals, wish):
    deals(FIVES, SIXES)
    await house.services.personal.change(NamedPerson(PEOPLE[1], "P1"), tunnelas=wish)
    await house.seat_people(Pace.NORMAL, 2, 0, rules=preset("pagat", tunnela_window="own_first_draw"))
    exposed = [seat.exposed for seat in (await house.state()).seats]
    assert exposed == [(), parse_cards("6D 9C") if wish == "always" else ()]
    await house.play.move(1, PEOPLE[1], lambda _: DrawStock(), None, next(house.ids))
    await house.check()


@pytest.mark.parametrize("wish", ["ask", "never"])
async def test_those_who_never_expose_one_are_not_asked(house: House, deals, wish):
    deals(FIVES, NOTHING)
    await house.services.personal.change(NamedPerson(PEOPLE[0], "P0"), tunnelas=wish)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    snapshot = await house.tables.snapshot(1)
    mine = await house.services.pictures.hand(snapshot.private[0], snapshot.holders[0])
    said = texts()("hand.window_never" if wish == "never" else "hand.window_some")
    assert window_words(snapshot, mine, texts()).startswith(said)
    assert bool(exposure_buttons(snapshot, mine, texts())) == (wish == "ask")
    await house.play.move(1, PEOPLE[0], exposes("5H"), None, next(house.ids))
    assert (await house.state()).seats[0].exposed == parse_cards("5H")


async def test_alone_at_a_table_whose_boards_others_play_it_is_as_long_as_anywhere(house: House, deals):
    """Otherwise the others, who hold the same cards, would learn that this seat was dealt no tunnela."""
    deals(NOTHING, NOTHING)
    await house.lobby.open(1, 2, NamedPerson(PEOPLE[0], "P0"), next(house.ids))

    async def command(tx: TableTransaction) -> None:
        tx.update(options=TableOptions(pace=Pace.NORMAL, board_set=1))

    await house.tables.change(1, command)
    alone = (await house.tables.get(1)).row
    assert alone.options.board_set == 1
    assert not plays_alone(alone, (await house.tables.get(1)).seats)


async def test_a_restart_leaves_it_its_time(house: House, deals, path: Path):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    await house.pass_time(5_000)
    again = House(house.store, clock=house.clock)
    assert await closes_after(again) == USUAL_MS - 5_000


async def test_a_paused_table_keeps_it_open_until_it_goes_on(house: House, deals):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    await house.pauses.lost(1)
    await house.play.move(1, PEOPLE[0], exposes("5H"), None, next(house.ids))
    await house.pass_time(10 * USUAL_MS)
    assert await phase(house) is Phase.WINDOW
    assert {row.kind for row in (await house.look())[2]} == {PAUSED}
    await house.pauses.shown(1)
    assert await closes_after(house) == USUAL_MS


@pytest.mark.parametrize("computers", [0, 1])
async def test_at_a_paused_table_it_closes_once_all_people_have_answered(house: House, deals, computers: int):
    deals(FIVES, NOTHING, *[SIXES] * computers)
    await house.seat_people(Pace.NORMAL, people=2, computers=computers)
    shown_at = (await house.look())[0].revision
    await house.pauses.lost(1)
    await house.play.move(1, PEOPLE[1], declines, shown_at, next(house.ids))
    await house.pass_time(10 * USUAL_MS)
    await house.check()
    assert await phase(house) is Phase.WINDOW
    await house.play.move(1, PEOPLE[0], exposes("5H"), shown_at, next(house.ids))
    await house.check()
    await house.pass_time(2_000)
    assert await phase(house) is Phase.DRAW
    seats = (await house.state()).seats
    assert [seat.exposed for seat in seats[:2]] == [parse_cards("5H"), ()]
    await house.check()


async def test_at_a_paused_table_it_waits_for_nobody_who_leaves(house: House, deals):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    await house.pauses.lost(1)
    await house.play.move(1, PEOPLE[0], exposes("5H"), None, next(house.ids))
    await house.leaving.leave(1, PEOPLE[1], next(house.ids))
    await house.pass_time(2_000)
    assert await phase(house) is Phase.DRAW


async def test_at_a_paused_table_everybody_has_a_button_to_expose_nothing(house: House, deals):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    await house.pauses.lost(1)
    assert await asked(house, 0) == (
        ["Expose 5♥ 5♥ 5♥", "Expose nothing"],
        texts()("hand.window_alone") + " " + texts()("hand.window_paused"),
    )
    assert await asked(house, 1) == (
        ["Expose nothing"],
        texts()("hand.window_none_paused") + " " + texts()("hand.window_paused"),
    )
    await house.play.move(1, PEOPLE[1], declines, None, next(house.ids))
    assert await asked(house, 1) == (
        [],
        texts()("hand.window_kept") + " " + texts()("hand.window_paused"),
    )


async def test_a_deadline_of_a_window_that_is_past_does_nothing(house: House, deals):
    deals(FIVES, NOTHING)
    await house.seat_people(Pace.NORMAL, people=2, computers=0)
    [old] = [row for row in (await house.look())[2] if row.kind == WINDOW]
    await house.pass_time(USUAL_MS)
    with pytest.raises(StaleRevisionError):
        await house.play.close_window(1, old.revision)


def test_where_people_take_their_time_it_is_longer_and_never_as_long_as_a_turn():
    assert [window_ms(pace, USUAL_MS) for pace in (Pace.FAST, Pace.NORMAL, Pace.SLOW, Pace.NONE)] == [
        USUAL_MS,
        USUAL_MS,
        3 * USUAL_MS,
        3 * USUAL_MS,
    ]
    for pace in Pace:
        assert window_ms(pace, USUAL_MS) < turn_ms(pace)
