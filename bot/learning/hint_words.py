"""A hint in words: what to do, what it brings, and which cards to hope for."""

from bot.words.card_names import shown_card, shown_cards
from bot.words.texts import Texts
from marriage.actions import (
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
from marriage.legal import may_take, shows
from marriage.strategy.advice import Advice, advise
from marriage.strategy.discards import Aim
from marriage.view import View
from render.drawing.card_groups import ace_high

_MOST_NAMED = 8
_NO_CARD_COMES = (ExposeTunnelas, DeclineTunnelas, CutTiplu)
"""Actions after which hints name no cards to hope for, because they do not change the wanted sets."""


def hint_words(view: View, texts: Texts) -> str:
    """The hint for the viewer, from their view alone. It takes some hundredths of a second."""
    advice = advise(view)
    hope = "" if isinstance(advice.action, _NO_CARD_COMES) else _hope(advice, texts)
    parts = [_advised(advice, view, texts), hope, _second(advice, texts), texts("hint.only_you")]
    return "\n".join(part for part in parts if part)


def _advised(advice: Advice, view: View, texts: Texts) -> str:  # noqa: C901 - a case an action
    match advice.action:
        case None:
            return _standing("hint.wait", advice, texts)
        case ExposeTunnelas(faces):
            return texts("hint.expose", cards=", ".join(shown_cards((face,) * 3, texts) for face in faces))
        case DeclineTunnelas():
            return texts("hint.decline")
        case DrawStock():
            return _draw(advice, view, texts)
        case TakeDiscard():
            return _take(advice, view, texts)
        case CutTiplu():
            return texts("hint.cut")
        case Show():
            return _show(advice.action, view, texts)
        case ShowDublees():
            return texts("hint.show_dublees")
        case Finish() | FinishDublees():
            return texts("hint.finish", card=shown_card(advice.action.discard, texts))
        case Discard(card):
            return _standing("hint.discard", advice, texts, card=shown_card(card, texts))


def _standing(key: str, advice: Advice, texts: Texts, **values: str) -> str:
    """The sentence of that key, followed by the hand's distance from its aim after the move."""
    missing = f"missing.{advice.aim}" if advice.after else f"missing.{advice.aim}_none"
    return f"{texts(key, **values)} {texts(missing, count=advice.after)}"


def _draw(advice: Advice, view: View, texts: Texts) -> str:
    if not view.pile:
        return _standing("hint.draw", advice, texts)
    key = "hint.draw_no_use" if may_take(view) else "hint.draw_not_allowed"
    return _standing(key, advice, texts, card=shown_card(view.pile[-1], texts))


def _take(advice: Advice, view: View, texts: Texts) -> str:
    later = "hint.take_wider" if advice.aim is Aim.FINISH else "hint.take_later"
    key = "hint.take" if advice.after < advice.before else later
    return _standing(key, advice, texts, card=shown_card(view.pile[-1], texts))


def _show(action: Show, view: View, texts: Texts) -> str:
    groups = " · ".join(shown_cards(ace_high(group), texts) for group in action.groups)
    found = next((show.groups for show in shows(view) if isinstance(show, Show)), ())
    same = sorted(map(sorted, found)) == sorted(map(sorted, action.groups))
    return texts("hint.show" if same else "hint.show_chosen", groups=groups)


def _hope(advice: Advice, texts: Texts) -> str:
    """The cards that bring the hand nearer; only their number if there are very many."""
    if not advice.helpful:
        return texts("hint.no_help") if advice.after and advice.action is None else ""
    if len(advice.helpful) > _MOST_NAMED:
        return texts("hint.hope_many", outs=advice.outs, count=len(advice.helpful))
    return texts("hint.hope", outs=advice.outs, cards=shown_cards(advice.helpful, texts))


def _second(advice: Advice, texts: Texts) -> str:
    """The second best discard, and what it costs."""
    if advice.second is None:
        return ""
    card = shown_card(advice.second.card, texts)
    if advice.second.distance > advice.after:
        return texts("hint.second_farther", card=card)
    fewer = advice.outs - (advice.second.outs or 0)
    if advice.second.outs is None or fewer <= 0:
        return texts("hint.second_equal", card=card)
    return texts("hint.second_fewer", card=card, count=fewer)
