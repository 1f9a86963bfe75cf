"""Long lists: as many lines as fit in a message, and buttons to the rest."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from bot.ui.items import BLUE, Button, Press
from bot.ui.panel import cut, taken
from bot.words.texts import Texts

PAGE: Final = 2_800
"""The maximum length of a page's lines, which leaves room in `bot.ui.panel.ROOM` for a heading and a note."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list."""

    lines: tuple[str, ...]
    number: int
    """The number of the page, from 0."""
    count: int
    """The number of pages."""
    rest: int
    """The number of lines on later pages."""


def page_of(lines: Sequence[str], number: int, room: int = PAGE) -> Page:
    """Return that page of a list, or its last page. Each page has as many whole lines as fit into the room.

    >>> page_of(["one", "two", "three"], 1, room=8)
    Page(lines=('three',), number=1, count=2, rest=0)
    """
    pages = list(_pages(lines, room)) or [()]
    number = min(number, len(pages) - 1)
    return Page(pages[number], number, len(pages), sum(map(len, pages[number + 1 :])))


def page_with(lines: Sequence[str], index: int, room: int = PAGE) -> int:
    """Return the number of the page that has a line."""
    ends = accumulate(map(len, _pages(lines, room)))
    return next((number for number, end in enumerate(ends) if index < end), 0)


def _pages(lines: Sequence[str], room: int) -> Iterator[tuple[str, ...]]:
    page: list[str] = []
    left = room
    for line in (cut(line, room) for line in lines):
        needed = taken(line) + 1  # with the line break
        if page and needed > left:
            yield tuple(page)
            page, left = [], room
        page.append(line)
        left -= needed
    if page:
        yield tuple(page)


def listed(names: Sequence[str], texts: Texts, room: int) -> str:
    """Join as many names as fit, separated by commas, and add how many more there are; a dash for none."""
    first = page_of(names, 0, room)
    more = texts("list.and_more", count=first.rest) if first.rest else ""
    return (", ".join(first.lines) or "–") + more


def page_words(page: Page, texts: Texts) -> str:
    """Name the page; empty if there is only one."""
    return texts("list.page", page=page.number + 1, pages=page.count) if page.count > 1 else ""


def turning(number: int, count: int, at: Callable[[str, int], Press], texts: Texts) -> list[Button]:
    """Return buttons to the previous and the next page; empty if there is only one.

    `at` returns the press for a page, from the direction (`back` or `on`) and the page's number.
    """
    if count < 2:
        return []
    return [
        Button(at("back", max(0, number - 1)), texts("list.back"), disabled=not number),
        Button(at("on", number + 1), texts("list.on"), style=BLUE, disabled=number >= count - 1),
    ]
