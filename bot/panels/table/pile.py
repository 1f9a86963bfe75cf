"""The whole pile for the players: all may look through its discards."""

from bot.words.card_names import shown_card
from bot.words.texts import Texts
from marriage.view import View

_A_LINE = 10


def pile_words(view: View, texts: Texts) -> str:
    """The discards in the pile, the oldest first, ten on each line."""
    if not view.pile:
        return texts("pile.empty")
    names = [shown_card(card, texts) for card in view.pile]
    lines = [" · ".join(names[start : start + _A_LINE]) for start in range(0, len(names), _A_LINE)]
    said = [texts("pile.title", count=len(names)), *lines]
    if view.reshuffles:
        said.append(texts("pile.reshuffled", count=view.reshuffles))
    return "\n".join(said)
