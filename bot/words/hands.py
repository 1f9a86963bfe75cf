"""A hand and what its holder does with it, in words: its cards, moves, the decisions of an analysed deal, and hints.

The cards come line by line in the order of their layout, for people who cannot or do not want to see a picture. A decision
says what was chosen, what was better, and why. A hint says what to do, what it brings, and which cards to hope for.

Moves are put into words from masked events, so that everybody may read them.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from bot.words.names import seat_name, shown_name
from bot.words.texts import Texts, shown_card, shown_cards
from data.values import SeatRow
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
from marriage.analysis.hint import Hint, fewer_outs
from marriage.analysis.verdicts import Verdict
from marriage.cards import MAN, MASTER, RANKS, Card, Cards
from marriage.events import (
    ClaimFailed,
    Discarded,
    Dismissed,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    FoulLifted,
    FoulRuled,
    Reshuffled,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    Took,
    TunnelasExposed,
    WindowClosed,
)
from marriage.legal import may_take, shows
from marriage.maal import role
from marriage.state import ShowKind
from marriage.strategy.advice import Advice, Missing
from marriage.strategy.discards import Aim, DiscardOption
from marriage.view import SeatView, View
from render.drawing.deck import ace_high, open_groups, tunnelas
from render.hand_layout import Heap, HeapKind, Layout
from render.words import decimal

_SPECIALS = {MAN: "man", MASTER: "master"}
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_SET = 3


def hand_words(layout: Layout, view: View, texts: Texts) -> str:
    """Describe every card of the viewer: their heaps, the new card, what they could show, and their open cards."""
    return "\n".join(_lines(layout, view, texts)) or texts("words.none")


def _lines(layout: Layout, view: View, texts: Texts) -> Iterator[str]:
    for kind, heaps in groupby(layout.heaps, key=lambda heap: heap.kind):
        if kind is HeapKind.ORDERED:
            laid = _groups((heap.cards for heap in heaps), view, texts)
            yield texts("words.line", what=texts("heap.ordered"), cards=laid)
        else:
            yield from (_heap_words(heap, view, texts) for heap in heaps)
    if layout.drawn is not None:
        key = "words.taken" if view.taken == layout.drawn else "words.drawn"
        yield texts("words.line", what=texts(key), cards=_listed((layout.drawn,), view, texts))
    if layout.sets:
        key = "words.sets" if len(layout.sets[0]) >= _SET else "words.dublees"
        yield texts("words.line", what=texts(key), cards=_groups(map(ace_high, layout.sets), view, texts))
    yield from _open_words(view.own, view, texts)


def _heap_words(heap: Heap, view: View, texts: Texts) -> str:
    first = heap.cards[0]
    match heap.kind:
        case HeapKind.SUIT if first.is_pack:
            what = texts(f"suit.{_SUITS[first.suit]}")
            return texts("words.line", what=what, cards=_ranks(heap.cards, view, texts))
        case HeapKind.RANK if first.is_pack:
            suits = ", ".join(
                _noted(texts(f"suit.{_SUITS[card.suit]}"), card, view, texts) for card in heap.cards
            )
            return texts("words.line", what=RANKS[first.rank], cards=suits)
        case HeapKind.SUIT | HeapKind.RANK:
            return texts("words.line", what=texts("heap.rest"), cards=_listed(heap.cards, view, texts))
        case _:
            return texts(
                "words.line", what=texts(f"heap.{heap.kind}"), cards=_listed(heap.cards, view, texts)
            )


def _open_words(seat_view: SeatView, view: View, texts: Texts) -> Iterator[str]:
    groups, exposed = open_groups(seat_view), tunnelas(seat_view)
    if groups:
        pairs = seat_view.shown is ShowKind.DUBLEES
        what = texts("words.shown_dublees" if pairs else "words.shown")
        yield texts("words.line", what=what, cards=_groups(groups, view, texts))
    if exposed:
        yield texts("words.line", what=texts("heap.tunnela"), cards=_groups(exposed, view, texts))


def _groups(groups: Iterable[Cards], view: View, texts: Texts) -> str:
    return " · ".join(_listed(group, view, texts) for group in groups)


def _listed(cards: Cards, view: View, texts: Texts) -> str:
    """Name the cards in order, naming a suit once for consecutive cards."""
    return "; ".join(_one_suit(tuple(members), view, texts) for _, members in groupby(cards, key=_suit))


def _one_suit(cards: Cards, view: View, texts: Texts) -> str:
    first = cards[0]
    if not first.is_pack:
        return ", ".join(texts(f"role.{_SPECIALS[card]}") for card in cards)
    return texts("words.of_suit", suit=texts(f"suit.{_SUITS[first.suit]}"), cards=_ranks(cards, view, texts))


def _ranks(cards: Cards, view: View, texts: Texts) -> str:
    return ", ".join(_noted(RANKS[card.rank], card, view, texts) for card in cards)


def _noted(words: str, card: Card, view: View, texts: Texts) -> str:
    """Add the card's points to the words, if the viewer knows the tiplu."""
    known = None if view.tiplu is None else role(card, view.tiplu, view.rules)
    return words if known is None else texts("words.noted", card=words, role=texts(f"role.{known}"))


def _suit(card: Card) -> int:
    return card.suit if card.is_pack else int(card)


def missing_words(missing: Missing, texts: Texts) -> str:
    """Say how many cards a hand still needs, or that it lacks none."""
    if missing.cards:
        return texts(f"hand.short_{missing.aim}", count=missing.cards)
    return texts("hand.can_finish" if missing.aim is Aim.FINISH else "hand.can_show")


_WORTH_TELLING = 0.05
"""The smallest difference to mention: smaller ones round to zero."""
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
    """Describe a decision in one line: its class, its place in the replay, the choice, and any loss."""
    chosen = action_words(decision.chosen.action, top, texts)
    said = texts("analysis.line", sign=SIGNS[decision.verdict], step=decision.step + 1, chosen=chosen)
    if decision.loss < _WORTH_TELLING:
        return said
    better = action_words(decision.best.action, top, texts)
    return said + texts("analysis.line_better", better=better, loss=decimal(decision.loss))


def explained(decision: Decision, top: Card | None, texts: Texts) -> str:
    """Explain a wrong decision in a few sentences that a beginner understands."""
    chosen, better = (action_words(option.action, top, texts) for option in (decision.chosen, decision.best))
    head = texts(
        "analysis.worst",
        sign=SIGNS[decision.verdict],
        verdict=texts(f"analysis.{decision.verdict}"),
        step=decision.step + 1,
        loss=decimal(decision.loss),
    )
    return "\n".join(
        (head, texts("analysis.instead", chosen=chosen, better=better), _why_better(decision, texts))
    )


def _why_better(decision: Decision, texts: Texts) -> str:
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


_MOST_NAMED = 8
_CLEARLY_WORSE = 0.3
"""The smallest cost, in points, that a hint states: less is within the estimate's margin of error."""
_NO_CARD_COMES = (ExposeTunnelas, DeclineTunnelas, CutTiplu)
"""Actions that do not change the wanted sets. Hints for them name no cards to hope for."""


def hint_words(view: View, hint: Hint, texts: Texts) -> str:
    """Return the hint for the viewer in words."""
    advice = hint.advice
    hope = "" if isinstance(advice.action, _NO_CARD_COMES) else _cards_to_hope_for(advice, texts)
    kept = texts("hint.keeps") if isinstance(advice.action, Discard) and advice.after == advice.before else ""
    parts = [
        _advice_words(advice, view, texts),
        kept,
        hope,
        _second_hint(hint, view, texts),
        texts("hint.only_you"),
    ]
    return "\n".join(part for part in parts if part)


def _advice_words(advice: Advice, view: View, texts: Texts) -> str:  # noqa: C901 - a case an action
    match advice.action:
        case None:
            return _hint_standing("hint.wait", advice, texts)
        case ExposeTunnelas(faces):
            return texts("hint.expose", cards=", ".join(shown_cards((face,) * 3, texts) for face in faces))
        case DeclineTunnelas():
            return texts("hint.decline")
        case DrawStock():
            return _draw_hint(advice, view, texts)
        case TakeDiscard():
            return _take_hint(advice, view, texts)
        case CutTiplu():
            return texts("hint.cut")
        case Show():
            return _show_hint(advice.action, view, texts)
        case ShowDublees():
            return texts("hint.show_dublees")
        case Finish() | FinishDublees():
            return texts("hint.finish", card=shown_card(advice.action.discard, texts))
        case Discard(card):
            return _hint_standing("hint.discard", advice, texts, card=shown_card(card, texts))


def _hint_standing(key: str, advice: Advice, texts: Texts, **values: str) -> str:
    """Return the sentence with that key, followed by the hand's distance from its aim after the move."""
    missing = f"missing.{advice.aim}" if advice.after else f"missing.{advice.aim}_none"
    return f"{texts(key, **values)} {texts(missing, count=advice.after)}"


def _draw_hint(advice: Advice, view: View, texts: Texts) -> str:
    if not view.pile:
        return _hint_standing("hint.draw", advice, texts)
    key = "hint.draw_no_use" if may_take(view) else "hint.draw_not_allowed"
    return _hint_standing(key, advice, texts, card=shown_card(view.pile[-1], texts))


def _take_hint(advice: Advice, view: View, texts: Texts) -> str:
    later = "hint.take_wider" if advice.aim is Aim.FINISH else "hint.take_later"
    key = "hint.take" if advice.after < advice.before else later
    return _hint_standing(key, advice, texts, card=shown_card(view.pile[-1], texts))


def _show_hint(action: Show, view: View, texts: Texts) -> str:
    groups = " · ".join(shown_cards(ace_high(group), texts) for group in action.groups)
    found = next((show.groups for show in shows(view) if isinstance(show, Show)), ())
    same = sorted(map(sorted, found)) == sorted(map(sorted, action.groups))
    return texts("hint.show" if same else "hint.show_chosen", groups=groups)


def _cards_to_hope_for(advice: Advice, texts: Texts) -> str:
    """Return the cards that bring the hand closer; only their number if there are very many."""
    if not advice.helpful:
        return texts("hint.no_help") if advice.after and advice.action is None else ""
    if len(advice.helpful) > _MOST_NAMED:
        return texts("hint.hope_many", outs=advice.outs, count=len(advice.helpful))
    return texts("hint.hope", outs=advice.outs, cards=shown_cards(advice.helpful, texts))


def _second_hint(hint: Hint, view: View, texts: Texts) -> str:
    """Return the second-best option and what it costs, also in points."""
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
    return (
        texts("hint.costs", points=decimal(points))
        if points >= _CLEARLY_WORSE
        else texts("hint.costs_little")
    )


SHOWN = 5
_TOLD = (
    TunnelasExposed,
    WindowClosed,
    Drew,
    Took,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    Discarded,
    Reshuffled,
    Finished,
    FinishedDublees,
    ClaimFailed,
    FoulRuled,
    FoulLifted,
    Dismissed,
)


def is_told(event: Event) -> bool:
    """Return whether there is a sentence for this event."""
    return isinstance(event, _TOLD)


def last_moves(events: Sequence[Event], seats: Sequence[SeatRow], texts: Texts) -> tuple[str, ...]:
    """Return the latest events of a spectator's log as sentences, the oldest first."""
    names = [shown_name(seat_name(seat.person_id, seat.name, texts)) for seat in seats]
    sentences = [sentence for event in events if (sentence := describe(event, names, texts))]
    return tuple(sentences[-SHOWN:])


def describe(event: Event, names: Sequence[str], texts: Texts) -> str | None:  # noqa: C901 - a case an event
    """Describe one masked event in a sentence; None for events that are not worth a sentence."""
    match event:
        case TunnelasExposed():
            return texts(
                "moves.exposed",
                name=names[event.seat],
                cards=shown_cards((f for f in event.faces for _ in "123"), texts),
            )
        case WindowClosed():
            return texts("moves.window_closed")
        case Drew():
            return texts("moves.drew", name=names[event.seat])
        case Took():
            return texts("moves.took", name=names[event.seat], card=shown_card(event.card, texts))
        case Showed():
            return texts("moves.showed", name=names[event.seat])
        case ShowedDublees():
            return texts("moves.showed_dublees", name=names[event.seat])
        case TipluCut():
            return texts("moves.tiplu_cut", name=names[event.seat])
        case TipluSeen():
            return texts("moves.tiplu_seen", name=names[event.seat])
        case Discarded():
            return texts("moves.discarded", name=names[event.seat], card=shown_card(event.card, texts))
        case Reshuffled():
            return texts("moves.reshuffled")
        case Finished() | FinishedDublees():
            return texts("moves.finished", name=names[event.seat])
        case ClaimFailed():
            return texts("moves.claim_failed", name=names[event.seat])
        case FoulRuled():
            key = "moves.foul_ruled" if event.by is None else "moves.foul_ruled_by"
            by = "" if event.by is None else names[event.by]
            return texts(key, name=names[event.seat], by=by, why=texts(f"foul_reason.{event.why}"))
        case FoulLifted():
            return texts("moves.foul_lifted", name=names[event.seat])
        case Dismissed():
            return texts("moves.dismissed")
        case _:
            return None
