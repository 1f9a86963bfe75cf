"""Moves in words, from masked events, so that everybody may read them."""

from collections.abc import Sequence

from bot.words.names import seat_name, shown_name
from bot.words.texts import Texts, shown_card, shown_cards
from data.values import SeatRow
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
    """The latest events of a spectator's log as sentences, the oldest first."""
    names = [shown_name(seat_name(seat.person_id, seat.name, texts)) for seat in seats]
    sentences = [sentence for event in events if (sentence := describe(event, names, texts))]
    return tuple(sentences[-SHOWN:])


def describe(event: Event, names: Sequence[str], texts: Texts) -> str | None:  # noqa: C901 - a case an event
    """One masked event as a sentence; None for events that are not worth a sentence."""
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
