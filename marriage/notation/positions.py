"""Positions as text: one moment of a deal, complete or as one viewer may know it, with `??` for hidden cards."""

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any, Final

from marriage.events import FoulReason
from marriage.notation.lines import (
    CARD,
    CARDS,
    FLAG,
    GROUPS,
    NUMBER,
    NUMBERS,
    Block,
    Codec,
    lines_of,
    rules_lines,
    seed_lines,
    take_rules,
    take_seed,
)
from marriage.rules import SEATS_MAX, SEATS_MIN
from marriage.shuffle import HIDDEN_SEED
from marriage.state import Phase, Seat, ShowKind, State

TITLE: Final = "marriage position 1"

SEAT_FIELDS: Final = {
    "cards": CARDS,
    "exposed": CARDS,
    "laid": GROUPS,
    "shown": Codec(str, ShowKind),
    "seen": FLAG,
    "finish": GROUPS,
    "answered": FLAG,
    "out": FLAG,
    "threw": FLAG,
    "ruled": Codec(str, FoulReason),
}
STATE_FIELDS: Final = {
    "dealer": NUMBER,
    "phase": Codec(str, Phase),
    "turn": NUMBER,
    "tiplu": CARD,
    "taken": CARD,
    "drawn": CARD,
    "shown_now": FLAG,
    "reshuffles": NUMBER,
    "version": NUMBER,
    "stock": CARDS,
    "pile": CARDS,
    "better": FLAG,
    "carry": NUMBERS,
    "stocks": GROUPS,
    "aside": CARDS,
    "throwers": NUMBERS,
}


def write_position(state: State) -> str:
    """Return the position as text; raises ValueError for a deal that is over."""
    if state.sheet is not None:
        raise ValueError("a deal that is over has no position; write the whole deal")
    lines = [TITLE, *rules_lines(state.rules)]
    if state.key != HIDDEN_SEED:
        lines += seed_lines(state.key)
    lines += _field_lines(state, STATE_FIELDS)
    for index, seat in enumerate(state.seats):
        lines += ["", f"seat {index}", *_field_lines(seat, SEAT_FIELDS)]
    return "\n".join([*lines, ""])


def _field_lines(value: State | Seat, codecs: dict[str, Codec]) -> Iterator[str]:
    """Yield a line for each field that differs from its default."""
    plain = {field.name: field.default for field in fields(value)}
    for name, codec in codecs.items():
        content = getattr(value, name)
        if content != plain[name]:
            yield f"{name} {codec.write(content)}".rstrip()


def read_position(text: str) -> State:
    """Read a position; raises ValueError with the number of the faulty line."""
    head, seats = Block(), list[Block]()
    block = head
    for line in lines_of(text, TITLE):
        if line.name == "seat":
            if line.value != str(len(seats)):
                raise line.wrong(f"here comes seat {len(seats)}")
            block = Block(line.number)
            seats.append(block)
        else:
            block.add(line)
    if not SEATS_MIN <= len(seats) <= SEATS_MAX:
        raise ValueError(f"line {block.last}: a deal has {SEATS_MIN} to {SEATS_MAX} seats, not {len(seats)}")
    rules = take_rules(head)
    key = take_seed(head) if "seed" in head.once else HIDDEN_SEED
    state = State(
        rules=rules,
        key=key,
        seats=tuple(Seat(**_take_fields(seat, Seat, SEAT_FIELDS)) for seat in seats),
        **_take_fields(head, State, STATE_FIELDS),
    )
    for taken in (head, *seats):
        taken.done()
    if max(state.dealer, state.turn) >= len(seats):
        raise ValueError(f"line {block.last}: dealer and turn are seats, and those end here")
    if len(state.stocks) not in (0, len(seats)):
        raise ValueError(f"line {block.last}: on a board every seat has a stock")
    return state


def _take_fields(block: Block, kind: type[State] | type[Seat], codecs: dict[str, Codec]) -> dict[str, Any]:
    """Return the fields in a block; raises ValueError if one without a default is missing."""
    needed = {field.name for field in fields(kind) if field.default is MISSING}
    return {
        name: block.take(name, codec.read)
        for name, codec in codecs.items()
        if name in needed or name in block.once
    }
