"""The gallery: every kind of picture in every mode, from the sample views, for review and for the golden samples."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

from marriage.cards import CARDS, MAN, MASTER
from marriage.state import Phase
from render.analysis_picture import draw_analysis
from render.drawing.deck import MARGIN, MEDIUM, back, card, flatten
from render.hand_layout import BY_SUIT, CardOrder
from render.hand_picture import draw_hand
from render.leaderboard_picture import draw_leaderboard
from render.lesson_picture import draw_lesson
from render.picture import Picture, SpriteBoard, finish_sprites
from render.profile_picture import draw_profile
from render.replay_animation import Animation, Frame, draw_replay
from render.samples import (
    NAMES,
    PEOPLE,
    analyses,
    boards,
    hand_views,
    lessons,
    orders,
    profiles,
    seat_views,
    sheet_views,
    table_views,
    tables,
)
from render.seat_picture import draw_hand_below, draw_seat
from render.sheet_picture import draw_result, draw_sheet
from render.standings_picture import draw_standings, pages
from render.style import DEFAULT, Style
from render.table_picture import draw_open_hands, draw_table

MODES: Final = {
    "": DEFAULT,
    "-two": Style(suits="two"),
    "-dark": Style(theme="dark"),
    "-dark-two": Style(suits="two", theme="dark"),
}
_TIME_LEFT: Final = 0.75
_TOTALS: Final = (131, -12, -84, 0, 5)
_RANKS: Final = 13
_LINES: Final = 10
"""The number of lines of a leaderboard."""


def gallery(names: Iterable[str] | None = None) -> Iterator[tuple[str, Picture]]:
    """Yield the sample pictures with their names, all or only `names`; raises KeyError for an unknown name."""
    there = dict(samples())
    for name in there if names is None else names:
        yield name, there[name]()


def samples() -> Iterator[tuple[str, Callable[[], Picture]]]:
    """Yield the samples' names with the functions that draw them."""
    for mode, style in MODES.items():
        yield f"deck{mode}", partial(draw_deck, style)
        yield from _hands(mode, style)
        yield from _seats(mode, style)
        for name, view in table_views().items():
            yield (
                f"table-{name}{mode}",
                partial(draw_table, view, NAMES[: len(view.seats)], style, _TIME_LEFT),
            )
        for name, view in sheet_views().items():
            count = len(view.seats)
            yield f"result-{name}{mode}", partial(draw_result, view, NAMES[:count], _TOTALS[:count], style)
            yield f"sheet-{name}{mode}", partial(draw_sheet, view, NAMES[:count], _TOTALS[:count], style)
            yield f"open-hands-{name}{mode}", partial(draw_open_hands, view, NAMES[:count], style)
        for name, (examples, known) in lessons().items():
            yield f"lesson-{name}{mode}", partial(draw_lesson, examples, known, style)
        yield from _records(mode, style)


def _records(mode: str, style: Style) -> Iterator[tuple[str, Callable[[], Picture]]]:
    for name, (board, first, viewer) in boards().items():
        yield f"board-{name}{mode}", partial(draw_leaderboard, board, first, _LINES, viewer, style)
    names = dict(enumerate(PEOPLE, 1))
    for name, (table, title) in tables().items():
        for page in range(pages(table)):
            draw = partial(draw_standings, table, names, title, page, 3, style)
            yield f"standings-{name}{f'-{page + 1}' if page else ''}{mode}", draw
    for name, profile in profiles().items():
        yield f"profile-{name}{mode}", partial(draw_profile, profile, style)
    for name, analysis in analyses().items():
        yield f"analysis-{name}{mode}", partial(draw_analysis, analysis, style)


def _seats(mode: str, style: Style) -> Iterator[tuple[str, Callable[[], Picture]]]:
    orders = dict.fromkeys(seat_views(), BY_SUIT) | {"draw-3": CardOrder("best")}
    for (name, view), large in product(seat_views().items(), (False, True)):
        names = NAMES[: len(view.seats)]
        size = "-large" * large
        yield f"seat-{name}{size}{mode}", partial(draw_seat, view, names, style, large=large)
        draw = partial(draw_hand_below, view, style, orders[name], large=large)
        yield f"below-{name}{size}{mode}", draw


def _hands(mode: str, style: Style) -> Iterator[tuple[str, Callable[[], Picture]]]:
    ways = {"": BY_SUIT} | {f"-{how}": order for how, order in orders().items()}
    for (name, view), (how, order), large in product(hand_views().items(), ways.items(), (False, True)):
        size = "-large" * large
        yield f"hand-{name}{how}{size}{mode}", partial(draw_hand, view, style, order, large=large)


def animations() -> Iterator[tuple[str, Animation]]:
    """Yield the animation of a deal of two steps, in every mode."""
    end = sheet_views()["groups"]
    before = replace(end, phase=Phase.PLAY, turn=1, sheet=None)
    for mode, style in MODES.items():
        frames = (
            Frame(before, "राम बहादुर श्रेष्ठ discarded 7♣", notable=False),
            Frame(end, "Sita Gurung finished, discarding 4♠", notable=True),
        )
        yield f"replay{mode}", draw_replay(frames, (0, 1), NAMES[:4], "A deal in 2 steps.", style)


def draw_deck(style: Style) -> Picture:
    """Draw all our cards: a row for each suit, then the special cards and the backs of the three packs."""
    special = [card(MAN, MEDIUM, style), card(MASTER, MEDIUM, style)]
    sprites = [card(face, MEDIUM, style) for face in CARDS[: 4 * _RANKS]] + special
    sprites += [back(MEDIUM, style, pack) for pack in range(3)]
    across, down = MEDIUM.width + 2 * MARGIN, MEDIUM.height + 2 * MARGIN
    placed = tuple(
        (flatten(sprite, style), (MARGIN + index % _RANKS * across, MARGIN + index // _RANKS * down))
        for index, sprite in enumerate(sprites)
    )
    alt = "The deck: thirteen cards of each suit, the man card, the master card, and a back for each of three packs."
    return finish_sprites(
        SpriteBoard(_RANKS * across + 2 * MARGIN, 5 * down + 2 * MARGIN, placed), alt, style
    )
