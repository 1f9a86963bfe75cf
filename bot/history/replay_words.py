"""The steps of a replay in words: what happened, as far as the viewed seat knew it then."""

from collections.abc import Iterable, Sequence

from bot.words.hands import describe
from bot.words.texts import Texts, shown_card, shown_cards
from marriage.cards import UNKNOWN, Cards
from marriage.events import (
    Dealt,
    Discarded,
    Drew,
    Finished,
    FinishedDublees,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
)
from marriage.review import SeenStep
from render.drawing.deck import ace_high


def step_words(moment: SeenStep, names: Sequence[str], texts: Texts) -> str:
    """One step as a sentence, with every card that is known."""
    match moment.event:
        case Showed(seat=seat, groups=laid) | ShowedDublees(seat=seat, pairs=laid):
            return texts("replay.showed", name=names[seat], sets=_sets(laid, texts))
        case _:
            return step_caption(moment, names, texts)


def step_caption(moment: SeenStep, names: Sequence[str], texts: Texts) -> str:
    """Return the caption in short form. The sets that a player shows lie on the table, so they are not named."""
    match moment.event:
        case Dealt(dealer=dealer):
            return texts("replay.dealt", dealer=names[dealer], first=names[moment.view.turn])
        case Drew(seat=seat, card=card) if card != UNKNOWN:
            return texts("replay.drew", name=names[seat], card=shown_card(card, texts))
        case TipluCut(seat=seat, card=card) if card != UNKNOWN:
            return texts("replay.tiplu_cut", name=names[seat], card=shown_card(card, texts))
        case TipluSeen(seat=seat, card=card) if card != UNKNOWN:
            return texts("replay.tiplu_seen", name=names[seat], card=shown_card(card, texts))
        case Discarded(seat=seat, card=card, threw=True):
            return texts("replay.threw", name=names[seat], card=shown_card(card, texts))
        case Finished(seat=seat, discard=card) | FinishedDublees(seat=seat, discard=card):
            return texts("replay.finished", name=names[seat], card=shown_card(card, texts))
        case event:
            return describe(event, names, texts) or ""


def _sets(laid: Iterable[Cards], texts: Texts) -> str:
    return " · ".join(shown_cards(ace_high(group), texts) for group in laid)
