"""Every message of a table, at every point of deals by every preset and by extreme rules, in every language.

Names, numbers and figures have their greatest length. Discord must accept each message, nothing may be cut,
and a player must have a button for every action that the rules allow.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from discord import ui

from bot.interactions.permissions import NEEDED, Obstacle
from bot.learning.lessons import pages
from bot.panels.learning import rules_book
from bot.panels.table import hand, lobby, match, more, presence, table_message
from bot.panels.table import rules as rules_panel
from bot.panels.table.choosing_cards import discardable, may_choose
from bot.panels.table.hand import control_rows
from bot.table.core.snapshot import Chosen, Guest, Mode, ShownHand, Sleep, Snapshot
from bot.ui.items import MOST_OPTIONS, Press
from bot.ui.panel import Panel
from bot.words.names import Mentions
from bot.words.rules import SUBJECTS
from bot.words.texts import texts
from data.preferences import PersonSettings, Terms
from data.repositories.people import Names, PersonRow
from data.values import SeatRow
from marriage.actions import (
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.analysis.hint import hint_of
from marriage.events import FoulReason
from marriage.state import Phase
from marriage.strategy.showable_sets import best_show, sets_to_add
from render.alt import sheet_alt, table_alt
from render.picture import Picture
from render.words import speaking
from tests.bot.emojis import cards_as_emojis
from tests.bot.panels.walk import EACH, EXTREMES, FAR, LARGE, NAMES, RULES, Point, hand_of, points, snapshot
from tests.bot.test_panels import checked, custom_ids
from tests.bot.words.test_texts import LANGUAGES

Panels = Iterator[Panel]
NOTE = "n" * 250
OBSTACLE = Obstacle("permissions", NEEDED)
PLAIN, LIST = PersonSettings(), PersonSettings(card_list=True, words=True)
VERBS = {
    DrawStock: {"draw"},
    TakeDiscard: {"take"},
    Discard: {"discard", "pick-discard"},
    Show: {"show"},
    ShowDublees: {"dublees"},
    CutTiplu: {"cut"},
    Finish: {"finish"},
    FinishDublees: {"finish"},
    ExposeTunnelas: {"expose", "pick-expose"},
}
"""The verbs of the buttons for each action; declining to expose needs none."""


def made_here(name: str, language: str) -> Iterator[Panel]:
    """Yield every message of tables by these rules, in a language."""
    with speaking(language), cards_as_emojis(language == "ne"):  # Nepali letters take the most room
        for point in points(name):
            yield from of_seat(point)
        for point in {public_kind(point): point for point in points(name)}.values():
            yield from of_table(point)
        first = snapshot(points(name)[0].table)
        yield from of_lobby(first)
        yield from of_fouls(first)


def public_kind(point: Point) -> object:
    """Return a key for what a spectator can distinguish."""
    shown = snapshot(point.table).public
    assert shown is not None
    over = shown.sheet.ending if shown.sheet is not None else None
    return (
        shown.phase,
        over,
        shown.dublee_game,
        shown.tiplu is None,
        sum(bool(seat.shown) for seat in shown.seats),
    )


FULLEST = ("kathmandu", *EXTREMES)
"""The most common rules, and those with the longest and the shortest messages."""
USUAL = {(name, LANGUAGES[place % len(LANGUAGES)]) for place, name in enumerate(FULLEST)}
"""The pairs of a default run; it covers each language at least once."""


def pairs() -> Iterator[Any]:
    """Return all pairs of rules and languages, as parameters."""
    for name, language in product(RULES, LANGUAGES):
        marks = [pytest.mark.xdist_group(name)]
        if (name, language) not in USUAL:
            marks.append(pytest.mark.thorough)
        yield pytest.param(name, language, marks=marks)


@pytest.mark.parametrize(("name", "language"), [*pairs()])
def test_discord_takes_every_message_of_a_table(name: str, language: str):
    refused: list[str] = []
    count = 0
    for panel in made_here(name, language):
        count += 1
        if panel.is_cut or not checked(panel):
            refused.append(f"{panel.view.content_length()} {first_words(panel)}")
    assert count > 500
    assert not refused


def first_words(panel: Panel) -> str:
    return next(item.content for item in panel.view.walk_children() if isinstance(item, ui.TextDisplay))[:80]


@pytest.mark.parametrize("name", EACH)
def test_whatever_is_legal_can_be_pressed(name: str):
    for point in points(name):
        for settings in (PLAIN, LIST):
            shown = snapshot(point.table, settings=settings)
            mine = hand_of(shown, point.seat, in_words=False)
            if mine.view.phase is Phase.OVER:
                continue
            pressed = verbs(shown, mine)
            for action in mine.actions:
                if not isinstance(action, DeclineTunnelas):
                    assert VERBS[type(action)] & pressed, (action, mine.view.phase)


def test_achievements_take_a_line_for_each_player():
    over = next(point.table for point in points("pagat") if point.table.row.status == "between")
    panel = table_message.table_panel(snapshot(over), Picture(b"PNG", "alt", 1, 1), texts())
    written = [item.content for item in panel.view.walk_children() if isinstance(item, ui.TextDisplay)]
    assert sum(content.count("🏅") for content in written) == len(over.seats)
    assert any(f"{texts()('achievement.win')} · " in content for content in written)


def verbs(shown: Snapshot, mine: ShownHand) -> set[str]:
    """Return the verbs of all buttons of a hand's panel, and of those behind its buttons to more cards."""
    rows = [row for mode in (Mode.PLAY, Mode.CARDS) for row in control_rows(shown, mine, texts(), mode)]
    return {written.split(":")[1] for written in custom_ids([row.to_component_dict() for row in rows])}


# The seat's panel


def of_seat(point: Point) -> Panels:
    in_pictures, in_words = (
        hand_of(snapshot(point.table), point.seat, in_words=words) for words in (False, True)
    )
    for settings, mine in ((None, in_pictures), (LIST, in_words)):
        shown = snapshot(point.table, settings=settings)
        for mode in Mode:
            yield hand.hand_panel(shown, mine, texts(), NOTE, mode)
            if (beside := hand.panel_instead(shown, mine.view, mode, 0, texts())) is not None:
                yield beside
        for sleep in (Sleep.RESTS, Sleep.ASLEEP):
            yield hand.hand_panel(shown, replace(mine, sleep=sleep), texts(), NOTE)
        grouped = replace(mine, pinned=(mine.layout.cards,) * 11)
        yield hand.hand_panel(shown, grouped, texts(), NOTE, Mode.GROUP)
        if mine.layout.cards:
            moving = replace(grouped, chosen=Chosen(moving=(mine.layout.cards[-1], 1)))
            yield hand.hand_panel(shown, moving, texts(), NOTE, Mode.GROUP)
    yield hand.hand_panel(snapshot(point.table, settings=PLAIN), in_words, texts(), NOTE)
    stopped, mine = snapshot(point.table, paused=True), in_words
    yield hand.hand_panel(stopped, mine, texts(), NOTE, Mode.PLAY, OBSTACLE)
    if mine.view.phase is not Phase.OVER:
        advised = replace(mine, hint=hint_of(mine.view))
        yield hand.hand_panel(stopped, advised, texts(), NOTE, Mode.HINT, OBSTACLE)
    for card in discardable(mine)[:1]:
        unsure = replace(mine, chosen=Chosen(discard=card))
        yield hand.hand_panel(stopped, unsure, texts(), NOTE, Mode.DISCARD, OBSTACLE)
    yield from of_choice(snapshot(point.table), mine)
    yield hand.pile_panel(stopped, mine.view, 0, texts())
    yield hand.pile_panel(stopped, mine.view, 99, texts())


def of_choice(shown: Snapshot, mine: ShownHand) -> Panels:
    """Yield every page of the first choice of sets, and every step after it."""
    if not may_choose(mine):
        return
    groups = sets_to_add(mine.view, ())
    for page in range(1 + len(groups) // (4 * MOST_OPTIONS)):
        yield hand.hand_panel(shown, replace(mine, chosen=Chosen(page=page)), texts(), NOTE, Mode.SETS)
    one = max(groups, key=len)
    for chosen in ((one,), (one, *sets_to_add(mine.view, (one,))[-1:])):
        best = best_show(mine.view, chosen)
        yield hand.hand_panel(
            shown, replace(mine, chosen=Chosen(chosen), best=best), texts(), NOTE, Mode.SETS
        )


# The table's message, and what opens from it


def of_table(point: Point) -> Panels:
    shown = snapshot(point.table)
    view, over = shown.public, shown.public is not None and shown.public.phase is Phase.OVER
    assert view is not None
    alt = sheet_alt(view, shown.counted_names, shown.counted_totals) if over else table_alt(view, shown.names)
    for table in (shown, snapshot(point.table, paused=True), replace(shown, is_sealed=True)):
        yield table_message.table_panel(table, Picture(b"PNG", alt, 1, 1), texts())
        yield table_message.table_panel(table, None, texts())
        yield more.fairness_panel(table, Mentions(), texts())
        yield match.ledger_panel(table, texts())
        yield presence.ways_out(table, texts())
        yield presence.standing_panel(table, OBSTACLE, texts())
    yield from of_ends(shown)


def of_ends(shown: Snapshot) -> Panels:
    """Yield the table with its match over, and the table closed."""
    if shown.table.status != "between" or shown.match is None:
        return
    for why in ("played", "vote", "staff", "abandoned", "left", "closed"):
        row = replace(shown.match.row, ended=why, deals=0 if why == "closed" else 50)
        over = replace(shown, match=replace(shown.match, row=row), vote_closes_at=None)
        closed = replace(over, table=replace(over.table, status="closed"))
        for table in (over, closed):
            yield table_message.table_panel(table, None, texts())
            yield match.ledger_panel(table, texts())
            mine = hand_of(table, 0, in_words=True)
            yield hand.hand_panel(table, mine, texts(), NOTE)


def of_fouls(shown: Snapshot) -> Panels:
    yield more.fouls_panel(shown, texts(), NOTE)
    for seat in range(len(shown.seats)):
        yield more.why_panel(shown, seat, texts())
        yield from (more.confirm_panel(shown, seat, why, texts()) for why in FoulReason)


def of_lobby(shown: Snapshot) -> Panels:
    """Yield the lobby with all seats taken and with few, and the rules as questions and as pages."""
    guests = [
        Guest(PersonRow(LARGE + number, Names(NAMES[number % 7]), True, 0), standing, shown.table.guild_id)
        for standing in ("invited", "blocked")
        for number in range(30)
    ]
    lobby_of = replace(
        shown,
        table=replace(shown.table, status="lobby"),
        public=None,
        private=(),
        match=None,
        expires_at=FAR,
        guests=tuple(guests),
        house="host",
    )
    computer = SeatRow(LARGE, 1, None, "Kanchenjunga", computer="strong")
    few = replace(lobby_of, seats=(shown.seats[0], computer))
    for table in (lobby_of, few):
        for changes in ({}, {"private": True}, {"league": True}):
            options = table.table.options.model_copy(update=changes)
            kind = replace(table, table=replace(table.table, options=options))
            yield lobby.lobby_panel(kind, texts(), LARGE)
            yield lobby.manage_panel(kind, texts(), NOTE)
            yield more.fairness_panel(kind, Mentions(), texts())
    rules = shown.table.rules
    house = {whose: Terms(rules=rules, deals=50) for whose in rules_panel.HOUSE}
    for page in (rules_panel.OVERVIEW, *SUBJECTS):
        yield rules_panel.rules_panel(lobby_of, page, house, texts(), NOTE, is_manager=True)
    whole = pages(rules, texts())
    for number in range(len(whole)):
        yield rules_book.page_panel(whole, number, "kathmandu", Press("rules", LARGE, LARGE), None, texts())
