"""The outs of a hand: the cards that bring it nearer to what it is asked for."""

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
    """The faces with one of which there would be at most so many holes, sorted as `among` is.

    `left`: how many copies of each face the seat cannot see; `wilds`: what is wild to it; `among`: which faces are looked at.
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
        enough = known.get(richer)  # whatever stands in anywhere gives the same hand
        if enough is None:
            enough = known[richer] = within(richer, holes)
        if enough:
            helps.append(card)
    return tuple(helps)
