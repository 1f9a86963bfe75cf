"""What the keepers of a home game have typed that is not written down: it fills in the next form.

There is at most one entry for the next deal, and one for each deal to correct.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import TypeAdapter

from bot.errors import UserError
from bot.scorekeeping.score_text import LONGEST_TEXT, OUT, Typed, whose
from data.dialect import Json
from data.errors import UnreadableValueError

_TYPED: Final = Json(TypeAdapter(tuple[Typed, ...] | Typed), "a refused entry of a home game")
"""Earlier versions stored one entry."""


def kept_in(text: str | None, corrects: int | None) -> Typed | None:
    """Return the entry for the next deal, or for a deal to correct; raises UnreadableValueError."""
    return _read(text).get(corrects)


def kept_with(text: str | None, typed: Typed) -> str:
    """Return the text with this entry, in place of the one for the same deal."""
    return _written({**_sound(text), typed.corrects: typed})


def kept_without(text: str | None, corrects: int | None) -> str | None:
    """Return the text without the entry for the next deal, or for a deal to correct; None if there is no other."""
    rest = {number: typed for number, typed in _sound(text).items() if number != corrects}
    return _written(rest) if rest else None


def kept_renamed(text: str | None, before: Sequence[str], after: Sequence[str]) -> str | None:
    """Return the text with the new names at the beginnings of the lines about players, who keep their seats.

    Players who come now sat out the earlier deals, also those to correct, unless they are named there.
    """
    kept = _sound(text)
    if not kept or before == after:
        return text
    renamed = {
        number: replace(typed, maal=_renamed(typed.maal, before, after)) for number, typed in kept.items()
    }
    return _written(
        {
            number: typed if number is None else _without_newcomers(typed, len(before), after)
            for number, typed in renamed.items()
        }
    )


def _without_newcomers(typed: Typed, first: int, names: Sequence[str]) -> Typed:
    """Return a correction in which the players from this seat on sit out, except for those with a line of their own."""
    named = {_whose(line, names) for line in typed.maal.splitlines()}
    new = [f"{OUT}-{seat}" for seat in range(first, len(names)) if seat not in named]
    return replace(typed, special=(*typed.special, *new))


def _whose(line: str, names: Sequence[str]) -> int | None:
    try:
        return whose(line.strip(), names)[0]
    except UserError:
        return None


def _renamed(maal: str, before: Sequence[str], after: Sequence[str]) -> str:
    lines: list[str] = []
    for line in map(str.strip, maal.splitlines()):
        try:
            seat, said = whose(line, before)
        except UserError:
            lines.append(line)
        else:
            lines.append(f"{after[seat]}: {said}")
    return "\n".join(lines)[:LONGEST_TEXT]


def _sound(text: str | None) -> dict[int | None, Typed]:
    """Return all entries; none if the disk has damaged them, so that a game goes on without them."""
    try:
        return _read(text)
    except UnreadableValueError:
        return {}


def _read(text: str | None) -> dict[int | None, Typed]:
    if text is None:
        return {}
    kept = _TYPED.load(text)
    return {typed.corrects: typed for typed in ((kept,) if isinstance(kept, Typed) else kept)}


def _written(kept: dict[int | None, Typed]) -> str:
    return _TYPED.dump(tuple(kept.values()))
