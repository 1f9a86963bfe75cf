"""Turn a press or typed input into an action of the player's seat, chosen from the player's own view."""

import asyncio
from collections.abc import Callable, Sequence

from bot.errors import StaleRevisionError, UnexpectedInputError, UserError
from bot.words.names import echoed
from bot.words.numbers import read_number
from bot.words.texts import cards_name, texts
from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import UNKNOWN, Card, Cards
from marriage.legal import finishes, shows, tunnelas
from marriage.state import Phase
from marriage.strategy.showable_sets import best_show
from marriage.view import View

Choice = Callable[[View], Action]

_SIGNS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C"})
_LONGEST_CLAIM = 100


async def made_for(seen: View, choose: Choice) -> Choice:
    """Make a slow choice in a thread, from what the seat knows now, before its table is locked.

    If the seat knows something else by the time of its move, the choice raises StaleRevisionError.
    """
    made: Action | UserError
    try:
        made = await asyncio.to_thread(choose, seen)
    except UserError as sorry:
        made = sorry

    def choice(view: View) -> Action:
        if view != seen:
            raise StaleRevisionError
        if isinstance(made, UserError):
            raise made
        return made

    return choice


def draw(_view: View) -> Action:
    """Draw from the stock."""
    return DrawStock()


def take(_view: View) -> Action:
    """Take the top of the pile."""
    return TakeDiscard()


def decline(_view: View) -> Action:
    """Expose no tunnela."""
    return DeclineTunnelas()


def show_groups(view: View) -> Action:
    """Show the three most valuable groups. Finding them may take long: see `made_for`."""
    best = best_show(view) if _may_play(view) else None
    return _found(view, shows(view) if best is None else [Show(best)], Show, "sorry.nothing_to_show")


def show_dublees(view: View) -> Action:
    """Show the seven dublees found for this hand."""
    return _found(view, shows(view), ShowDublees, "sorry.no_seven_dublees")


def show_any(view: View) -> Action:
    """Show what this hand can show, groups before dublees. Finding it may take long: see `made_for`."""
    found = shows(view)
    return found[0] if found and isinstance(found[0], ShowDublees) else show_groups(view)


def finish(view: View) -> Action:
    """Finish in the way found for this hand."""
    found = finishes(view)
    if found:
        return found[0]
    if not _may_play(view) or view.own.shown is None:
        return Finish(groups=(), discard=UNKNOWN)  # the rules refuse it, with the reason
    raise UserError("sorry.nothing_to_finish")


def cut(place: int | None) -> Choice:
    """Cut the tiplu at this place in the stock; None for a random place."""
    return lambda _view: CutTiplu(place)


def discard(card: Card) -> Choice:
    """Discard this card."""
    return lambda _view: Discard(card)


def expose(faces: Cards) -> Choice:
    """Expose the tunnelas of these faces."""
    return lambda _view: ExposeTunnelas(faces)


def expose_numbered(argument: str) -> Choice:
    """Expose the tunnelas with these numbers among those in hand (`0-1`); raises UnexpectedInputError."""
    numbers = [read_number(part, 1) for part in argument.split("-")]

    def choose(view: View) -> Action:
        held = tunnelas(view)
        if any(number is None or number >= len(held) for number in numbers):
            raise UnexpectedInputError("no such tunnela")
        return ExposeTunnelas(tuple(held[number] for number in numbers if number is not None))

    return choose


def show_pairs(faces: Cards) -> Choice:
    """Show exactly the dublees of these faces."""
    return lambda _view: ShowDublees(faces)


def show_named(groups: Sequence[Cards]) -> Choice:
    """Show exactly these groups."""
    return lambda _view: Show(tuple(groups))


def claim_named(groups: Sequence[Cards], *, sure: bool) -> Choice:
    """Show exactly these groups, as typed. If a wrong claim costs the hand, the player has to confirm it.

    The question is asked whether the claim is right or wrong, so that it does not reveal which.
    """

    def choose(view: View) -> Action:
        at_stake = view.rules.false_claim == "foul" and _may_play(view) and view.own.shown is None
        if groups and at_stake and not sure:
            raise UserError(
                "sorry.claim_unsure", sets=_short(", ".join(cards_name(group, texts()) for group in groups))
            )
        return Show(tuple(groups))

    return choose


def _may_play(view: View) -> bool:
    return view.phase is Phase.PLAY and view.turn == view.viewer


def _found(view: View, actions: Sequence[Action], kind: type[Action], otherwise: str) -> Action:
    for action in actions:
        if isinstance(action, kind):
            return action
    if not _may_play(view) or view.own.shown is not None:
        return Show(())  # the rules refuse it, with the reason, such as whose turn it is
    raise UserError(otherwise)


def read_card(text: str) -> Card:
    """Parse a card as people write it: `5H`, `10♣`, `tc`; raises UserError."""
    try:
        card = Card.parse(text.translate(_SIGNS))
    except ValueError:
        raise UserError("sorry.no_such_card", text=echoed(text)) from None
    if card == UNKNOWN:
        raise UserError("sorry.no_such_card", text=echoed(text))
    return card


def read_groups(text: str) -> tuple[Cards, ...]:
    """Read groups separated by commas, of cards separated by blanks: `3S 4S 5S, 6H 6H 6H`; raises UserError."""
    return tuple(tuple(read_card(word) for word in part.split()) for part in text.split(",") if part.strip())


def _short(names: str) -> str:
    return names if len(names) <= _LONGEST_CLAIM else f"{names[:_LONGEST_CLAIM]}…"
