"""A hint in words: what to do, what it brings, and which cards to hope for."""

from bot.words.analysis_words import action_words
from bot.words.refusals import decimal
from bot.words.texts import Texts, shown_card, shown_cards
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
from marriage.analysis.hint import Hint, fewer_outs
from marriage.legal import may_take, shows
from marriage.strategy.advice import Advice
from marriage.strategy.discards import Aim, DiscardOption
from marriage.view import View
from render.drawing.card_groups import ace_high

_MOST_NAMED = 8
_TOLD_FROM = 0.3
"""Fewer points than these are within what the estimate may err by."""
_NO_CARD_COMES = (ExposeTunnelas, DeclineTunnelas, CutTiplu)
"""Actions after which hints name no cards to hope for, because they do not change the wanted sets."""


def hint_words(view: View, hint: Hint, texts: Texts) -> str:
    """The hint for the viewer in words."""
    advice = hint.advice
    hope = "" if isinstance(advice.action, _NO_CARD_COMES) else _hope(advice, texts)
    kept = texts("hint.keeps") if isinstance(advice.action, Discard) and advice.after == advice.before else ""
    parts = [_advised(advice, view, texts), kept, hope, _second(hint, view, texts), texts("hint.only_you")]
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


def _second(hint: Hint, view: View, texts: Texts) -> str:
    """The second best option, and what it costs, in points as well."""
    if hint.advice.second is not None:
        return _second_discard(hint, hint.advice.second, texts)
    if hint.second is None:
        return ""
    top = view.pile[-1] if view.pile else None
    option = action_words(hint.second, top, texts)
    return texts("hint.second", option=option) + _cost(hint.points, texts)


def _second_discard(hint: Hint, second: DiscardOption, texts: Texts) -> str:
    card = shown_card(second.card, texts)
    if hint.second is None:
        return texts("hint.second_equal", card=card)
    cost = _cost(hint.points, texts)
    if second.distance > hint.advice.after:
        return texts("hint.second_farther", card=card) + cost
    return texts("hint.second_fewer", card=card, count=fewer_outs(hint.advice, second)) + cost


def _cost(points: float, texts: Texts) -> str:
    return texts("hint.costs", points=decimal(points)) if points >= _TOLD_FROM else texts("hint.costs_little")
