"""The decisions of an analysed deal in words: what was chosen, what was better, and why."""

from bot.words.refusals import decimal
from bot.words.texts import Texts, shown_card, shown_cards
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
from marriage.analysis.deal_analysis import Decision
from marriage.analysis.verdicts import Verdict
from marriage.cards import Card

_TOLD_FROM = 0.05
"""The smallest difference to mention: less is zero when rounded."""
SIGNS = {Verdict.GOOD: "🟢", Verdict.INACCURACY: "🟡", Verdict.MISTAKE: "🟠", Verdict.BLUNDER: "🔴"}


def action_words(action: Action, top: Card | None, texts: Texts) -> str:
    """Describe an action, such as `throw 5♥`; `top` is the card on the pile, if it is known."""
    match action:
        case DrawStock():
            return texts("analysis.draw")
        case TakeDiscard():
            return texts(
                "analysis.take", card=texts("analysis.top") if top is None else shown_card(top, texts)
            )
        case Discard(card=card):
            return texts("analysis.throw", card=shown_card(card, texts))
        case Show():
            return texts("analysis.show")
        case ShowDublees():
            return texts("analysis.show_dublees")
        case Finish(discard=card) | FinishDublees(discard=card):
            return texts("analysis.finish", card=shown_card(card, texts))
        case ExposeTunnelas(faces=faces):
            return texts("analysis.expose", cards=shown_cards(faces, texts))
        case DeclineTunnelas():
            return texts("analysis.decline")
        case CutTiplu():
            return texts("analysis.cut")


def decision_words(decision: Decision, top: Card | None, texts: Texts) -> str:
    """One line: its class, its place in the replay, what was chosen, and, if that was not the best, what it lost."""
    chosen = action_words(decision.chosen.action, top, texts)
    said = texts("analysis.line", sign=SIGNS[decision.verdict], step=decision.step + 1, chosen=chosen)
    if decision.loss < _TOLD_FROM:
        return said
    better = action_words(decision.best.action, top, texts)
    return said + texts("analysis.line_better", better=better, loss=decimal(decision.loss))


def explained(decision: Decision, top: Card | None, texts: Texts) -> str:
    """A wrong decision in a few sentences that a beginner understands."""
    chosen, better = (action_words(option.action, top, texts) for option in (decision.chosen, decision.best))
    head = texts(
        "analysis.worst",
        sign=SIGNS[decision.verdict],
        verdict=texts(f"analysis.{decision.verdict}"),
        step=decision.step + 1,
        loss=decimal(decision.loss),
    )
    return "\n".join((head, texts("analysis.instead", chosen=chosen, better=better), _why(decision, texts)))


def _why(decision: Decision, texts: Texts) -> str:
    chosen, best = decision.chosen, decision.best
    if decision.missed_finish:
        return texts("analysis.why_finish")
    if decision.missed_show:
        return texts("analysis.why_show")
    if isinstance(best.action, ExposeTunnelas):
        return texts("analysis.why_expose")
    if chosen.missing is not None and best.missing is not None and chosen.missing > best.missing:
        return texts("analysis.why_missing", count=chosen.missing, fewer=best.missing)
    if isinstance(best.action, DrawStock):
        return texts("analysis.why_stock")
    if chosen.outs is not None and best.outs is not None and chosen.outs < best.outs:
        return texts("analysis.why_outs", count=chosen.outs, more=best.outs)
    return texts("analysis.why_worth")
