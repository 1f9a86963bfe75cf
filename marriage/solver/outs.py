"""The outs of a hand: the cards that bring it nearer to its goal."""

from collections.abc import Iterable, Sequence
from typing import Final

from marriage.cards import CARDS, Card, Cards
from marriage.solver.hand import more, within
from marriage.solver.question import Question
from marriage.solver.suits import outs_to_show, splits

_FACES: Final = CARDS[:-1]


def helpful(
    asked: Question,
    left: Sequence[int],
    wilds: frozenset[Card],
    holes: int,
    among: Iterable[Card] = _FACES,
) -> Cards:
    """Return the faces that would reduce the hand to at most `holes` holes, in the order of `among`.

    `left` is the number of copies of each face that the seat cannot see. `wilds` are the faces that are wild
    to it. `among` are the faces to try.
    """
    if asked.total == 3 * asked.primary and splits(asked):
        found = {face for face, _ in outs_to_show(asked, left, holes)}
        return tuple(card for card in among if card in found)
    known: dict[Question, bool] = {}
    helps: list[Card] = []
    for card in among:
        if not left[card]:
            continue
        richer = more(asked, card, wilds)
        enough = known.get(richer)  # all cards that can stand in anywhere give the same hand
        if enough is None:
            enough = known[richer] = within(richer, holes)
        if enough:
            helps.append(card)
    return tuple(helps)
