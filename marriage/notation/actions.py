"""Actions as text, one per line: `draw`, `discard 5H`, `show 3S 4S 5S, 6H 6H 6H, QS KS AS`."""

from collections.abc import Callable
from typing import Final

from marriage.actions import (
    Action,
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
from marriage.cards import Card, format_cards, parse_cards
from marriage.notation.lines import clipped, read_groups, read_number, write_groups


def write_action(action: Action) -> str:  # noqa: C901 - one plain case an action
    """Write an action on one line."""
    match action:
        case DrawStock():
            return "draw"
        case TakeDiscard():
            return "take"
        case DeclineTunnelas():
            return "decline"
        case ExposeTunnelas():
            return _words("expose", format_cards(action.faces))
        case Show():
            return _words("show", write_groups(action.groups))
        case ShowDublees():
            return _words("show-dublees", format_cards(action.faces))
        case CutTiplu():
            return "cut" if action.place is None else f"cut {action.place}"
        case Discard():
            return f"discard {action.card}"
        case Finish():
            return _words("finish", write_groups(action.groups), f"discard {action.discard}")
        case FinishDublees():
            return f"finish-dublees {action.face} discard {action.discard}"


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def read_action(text: str) -> Action:
    """Read an action; raises ValueError with a sentence."""
    verb, _, rest = text.strip().partition(" ")
    if verb not in _READERS:
        raise ValueError(f"there is no action {clipped(verb)}; there are {', '.join(_READERS)}")
    return _READERS[verb](rest.strip())


def _alone(action: Action) -> Callable[[str], Action]:
    """Make a reader for an action that is a single word."""

    def read(rest: str) -> Action:
        if rest:
            raise ValueError(f"nothing follows this action, not even {clipped(rest)}")
        return action

    return read


def _finish(rest: str) -> Action:
    groups, discard = _closing(rest)
    return Finish(read_groups(groups), discard)


def _finish_dublees(rest: str) -> Action:
    face, discard = _closing(rest)
    return FinishDublees(Card.parse(face), discard)


def _closing(rest: str) -> tuple[str, Card]:
    """Split a finish into the text before the closing discard, and that card."""
    before, found, card = f" {rest}".partition(" discard ")
    if not found:
        raise ValueError("a finish ends with its discard, such as: discard 8D")
    return before, Card.parse(card)


_READERS: Final[dict[str, Callable[[str], Action]]] = {
    "draw": _alone(DrawStock()),
    "take": _alone(TakeDiscard()),
    "decline": _alone(DeclineTunnelas()),
    "expose": lambda rest: ExposeTunnelas(parse_cards(rest)),
    "show": lambda rest: Show(read_groups(rest)),
    "show-dublees": lambda rest: ShowDublees(parse_cards(rest)),
    "cut": lambda rest: CutTiplu(read_number(rest) if rest else None),
    "discard": lambda rest: Discard(Card.parse(rest)),
    "finish": _finish,
    "finish-dublees": _finish_dublees,
}
