"""Twin deals: if two deals differ only in what a viewer may not know, all that the viewer gets is identical.

This holds byte for byte for the messages and pictures at every point of deals by all presets and extreme
rules. It also holds for the time of sending: the deadlines, the pauses of computers and the rows of the
outbox.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.app import TipluBot
from bot.panels.table.hand import pile_panel
from bot.panels.table.lobby import tables_panel
from bot.panels.table.match import ledger_panel
from bot.table.core import table as tables
from bot.table.core.snapshot import Mode, Snapshot
from bot.table.core.table import Table
from bot.table.flow import clocks
from bot.ui.panel import Panel
from bot.words.texts import texts
from data.preferences import Pace, PersonSettings
from data.store import Store
from data.transaction import ReadTransaction
from marriage import decide
from marriage.actions import Discard, DrawStock
from marriage.cards import sort_cards
from marriage.events import Dealt
from marriage.rules import PRESETS
from marriage.state import Phase, State
from marriage.strategy.players import difficulty
from marriage.view import view
from render.words import speaking
from tests.bot.emojis import cards_as_emojis
from tests.bot.house import PEOPLE, House
from tests.bot.panels.walk import EACH, Point, points, snapshot
from tests.bot.test_panels import checked
from tests.bot.windows import end_window, move
from tests.bot.words.test_texts import LANGUAGES
from tests.marriage.dealing import seed
from tests.marriage.test_view_secrecy import twin

A_NAME = 4
"""How many points of the deals of each set of rules are checked."""
SETTINGS = (
    PersonSettings(),
    PersonSettings(words=True, card_list=True),
    PersonSettings(grouping="best", large=True),
)


def twin_table(table: Table, viewer: int | None, chance: random.Random) -> Table:
    """Return a table that looks the same to this viewer, with other hidden cards and other secret seeds."""
    assert table.state is not None
    deals = {number: replace(deal, seed=chance.randbytes(32)) for number, deal in table.deals.items()}
    return replace(table, state=twin(table.state, viewer, chance), deals=deals)


SHOWN = [mode for mode in Mode if mode is not Mode.HINT]
"""The modes of an open hand; `tests/bot/test_hand_panels.py` covers hints."""


def written(panel: Panel) -> tuple[str, tuple[bytes, ...]]:
    """Return all that a panel sends: its text, names and order, and its files."""
    files = []
    for file in panel.files:
        files.append(file.fp.read())
        file.fp.seek(0)
    draft = checked(panel)
    names = [(file.filename, file.description) for file in panel.files]
    return json.dumps([draft.components, names], ensure_ascii=False), tuple(files)


async def sent_to(bot: TipluBot, shown: Snapshot, viewer: int | None) -> list[tuple[str, tuple[bytes, ...]]]:
    """Return every message that this viewer can get of the table, built again."""
    bot.services.pictures.forget()
    publisher = bot.delivery.publisher
    panels = [
        await publisher.table_panel(shown),
        ledger_panel(shown, texts()),
        tables_panel([shown], 1, viewer or 0, texts()),
    ]
    if viewer is None:
        assert shown.public is not None
        panels.append(pile_panel(shown, shown.public, 1, texts()))
    else:
        panels.append(pile_panel(shown, shown.private[viewer], 1, texts()))
        panels += [await publisher.hand_panel(shown, viewer, "A note.", mode) for mode in SHOWN]
        panels += [await publisher.hand_panel(shown, viewer, mode=mode) for mode in (Mode.PILE, Mode.LEDGER)]
    return [written(panel) for panel in panels]


def chosen(name: str) -> list[Point]:
    """Return some points of the deals by these rules at which something is hidden."""
    hidden = [point for point in points(name) if point.table.row.status == "playing"]
    return random.Random(name).sample(hidden, min(A_NAME, len(hidden)))


def looks(name: str) -> Iterator[tuple[Table, int | None, PersonSettings, random.Random]]:
    """Yield those points as seen by everyone in the channel and by two seats, with different settings."""
    for number, point in enumerate(chosen(name)):
        chance = random.Random(f"{name} {number}")
        for viewer in (None, point.seat, (point.seat + 1) % 5):
            yield point.table, viewer, SETTINGS[number % len(SETTINGS)], chance


@pytest.mark.parametrize("name", EACH)
async def test_what_somebody_cannot_know_changes_no_byte_sent_to_them(bot: TipluBot, name: str):
    compared = 0
    for table, viewer, settings, chance in looks(name):
        other = twin_table(table, viewer, chance)
        assert other.state != table.state
        with speaking(chance.choice(sorted(LANGUAGES))), cards_as_emojis(chance.random() < 0.5):
            mine = await sent_to(bot, snapshot(table, settings=settings), viewer)
            assert await sent_to(bot, snapshot(other, settings=settings), viewer) == mine
        compared += len(mine)
    assert compared > 3 * A_NAME


async def test_twins_notice_a_hidden_card_that_changes_a_number(
    bot: TipluBot, monkeypatch: pytest.MonkeyPatch
):
    """Control: the count of the stock reveals the lowest card of seat 0."""
    monkeypatch.setattr(tables, "view", betraying)
    noticed = 0
    for table, viewer, settings, chance in looks("kathmandu"):
        if viewer == 0:
            continue
        other = twin_table(replace(table), viewer, chance)
        mine = await sent_to(bot, snapshot(replace(table), settings=settings), viewer)
        noticed += await sent_to(bot, snapshot(other, settings=settings), viewer) != mine
    assert noticed > 0


def betraying(state: State, seat: int | None) -> Any:
    seen = view(state, seat)
    return replace(seen, stock_count=seen.stock_count + state.seats[0].cards[0])


# When it is sent -------------------------------------------------------------------------------------


def dealt_twins(name: str, viewer: int | None, players: int) -> list[Dealt]:
    """Return two deals that are the same for a viewer, including the stock's top, which they may draw."""
    chance = random.Random(f"{name} {viewer}")
    rules = PRESETS[name]
    dealer = players - 1 if rules.direction == "clockwise" else 1  # so that seat 0 acts first
    [dealt] = decide.start(rules, players, dealer, seed(chance.getrandbits(32)))
    assert isinstance(dealt, Dealt)
    top, *stock = dealt.stock
    hidden = [card for seat, hand in enumerate(dealt.hands) if seat != viewer for card in hand] + stock
    chance.shuffle(hidden)
    hands = tuple(
        hand if seat == viewer else sort_cards(hidden.pop() for _ in hand)
        for seat, hand in enumerate(dealt.hands)
    )
    return [dealt, replace(dealt, hands=hands, stock=(top, *hidden), key=seed(chance.getrandbits(32)))]


async def waits(house: House) -> list[object]:
    """Return what the table waits for, and what is due to be sent, with the times and in order."""

    async def read(db: ReadTransaction):
        rows = await db.outbox.due(house.clock.at + 10**9, 100)
        deadlines = await db.deadlines.of_table(1)
        return rows, deadlines

    rows, deadlines = await house.store.read(read)
    return [
        [(row.key, row.revision, row.not_before) for row in rows],
        sorted((row.kind, row.revision, row.due_at) for row in deadlines),
    ]


async def timetable(dealt: Dealt, place: Any, people: int, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a table's waits: after this deal, after the window, and after a person's whole turn."""
    monkeypatch.setattr("bot.table.flow.seating.start", lambda *_, **__: [dealt])
    store = await Store.open(place)
    try:
        house = House(store)
        players = len(dealt.hands)
        await house.seat_people(Pace.NORMAL, people, players - people, rules=dealt.rules)
        found = list[object]([await waits(house)])
        await end_window(house.services)
        found.append(await waits(house))
        state = await house.state()
        assert state.turn == 0
        assert state.phase is Phase.DRAW
        for choose in (lambda _: DrawStock(), lambda seen: Discard(seen.own.cards[0])):
            await move(house.services, 1, PEOPLE[0], choose)
            found.append(await waits(house))
        return found
    finally:
        await store.close()


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("name", PRESETS)
async def test_nothing_hidden_changes_when_something_is_sent(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, name: str, people: int
):
    first, second = dealt_twins(name, 0, players=3)
    assert first.hands[0] == second.hands[0]
    assert first.hands[1] != second.hands[1]
    mine = await timetable(first, tmp_path / "first.sqlite3", people, monkeypatch)
    assert await timetable(second, tmp_path / "second.sqlite3", people, monkeypatch) == mine
    assert len(mine) == 4


async def test_twins_notice_a_computer_that_thinks_by_its_own_hand(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    """Control: the pause before a computer's move depends on what only its seat knows."""
    monkeypatch.setattr(
        clocks,
        "pause_ms",
        lambda longest_ms, state: (
            round(longest_ms * (1 + difficulty(view(state, None))) / 2) + state.seats[state.turn].cards[0]
        ),
    )
    noticed = 0
    for name in PRESETS:
        first, second = dealt_twins(name, 0, players=3)
        (tmp_path / name).mkdir()
        mine = await timetable(first, tmp_path / name / "first.sqlite3", 1, monkeypatch)
        other = await timetable(second, tmp_path / name / "second.sqlite3", 1, monkeypatch)
        noticed += mine != other
    assert noticed > 0
