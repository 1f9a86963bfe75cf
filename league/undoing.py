"""Taking events back: the inverse of every event that has one."""

from dataclasses import replace

from league.events import (
    AbsenceBooked,
    Adjudicated,
    AlwaysIn,
    CheckedIn,
    Confirmed,
    DeadlineMoved,
    DealVoided,
    DivisionSet,
    Event,
    MatchFinished,
    NoShowBooked,
    NumbersChanged,
    PenaltyAdded,
    PenaltyRemoved,
    ReplayOrdered,
    ResultCorrected,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
    SignedUp,
    SignupRemoved,
    SubstituteSet,
    Unconfirmed,
    Withdrawn,
)
from league.members import Banned, DivisionsExchanged, MemberSet, PlayerMoved, Seeded
from league.pairing.pods import KeptApart
from league.results import Player


def inverse(event: Event) -> Event | None:
    """Return the event that takes this one back; None if it cannot be undone, like the start of a match."""
    return _of_signups(event) or _of_presence(event) or _of_matches(event) or _of_the_season(event)


def taken_in(event: Event) -> Player | None:
    """Return the player whom this event lets into the season, or back into it; None for any other event."""
    match event:
        case SignedUp(player=player) | Confirmed(player=player) | Returned(player=player):
            return player
        case MemberSet(player=player, status=status) if status != "removed":
            return player
        case _:
            return None


def _of_signups(event: Event) -> Event | None:
    match event:
        case SignedUp(player=player):
            return SignupRemoved(player)
        case SignupRemoved(player=player):
            return SignedUp(player)
        case Confirmed(player=player):
            return Unconfirmed(player)
        case Unconfirmed(player=player):
            return Confirmed(player)
        case Withdrawn(player=player):
            return Returned(player)
        case Returned(player=player):
            return Withdrawn(player)
        case MemberSet(player=player, status=status, former=former):
            return MemberSet(player, former, status)
        case Seeded(player=player, seed=seed, former=former):
            return Seeded(player, former, seed)
        case Banned(on=on):
            return replace(event, on=not on)
        case _:
            return None


def _of_presence(event: Event) -> Event | None:
    match event:
        case DivisionSet(division=division, former=former):
            return replace(event, division=former, former=division)
        case DivisionsExchanged():
            return event
        case CheckedIn(coming=coming):
            return replace(event, coming=not coming)
        case AlwaysIn(on=on):
            return replace(event, on=not on)
        case KeptApart(apart=apart):
            return replace(event, apart=not apart)
        case AbsenceBooked(absent=absent):
            return replace(event, absent=not absent)
        case _:
            return None


def _of_matches(event: Event) -> Event | None:
    match event:
        case NoShowBooked(missed=missed):
            return replace(event, missed=not missed)
        case SubstituteSet(pod=pod, player=player, substitute=substitute):
            return SubstituteSet(pod, substitute, player)
        case PlayerMoved(pod=pod, to=to, seat=seat, former=former):
            return replace(event, pod=to, to=pod, seat=former, former=seat)
        case MatchFinished(pod=pod, result=result):
            return ResultCorrected(pod, result, None)
        case ResultCorrected(pod=pod, old=old, new=new, void=void, former_void=former):
            return ResultCorrected(pod, new, old, former, void)
        case DealVoided(void=void):
            return replace(event, void=not void)
        case ReplayOrdered(on=on):
            return replace(event, on=not on)
        case Adjudicated(verdicts=verdicts, former=former):
            return replace(event, verdicts=former, former=verdicts)
        case _:
            return None


def _of_the_season(event: Event) -> Event | None:
    match event:
        case RoundDrawn():
            return RoundCancelled(event)
        case RoundCancelled(drawn=drawn):
            return drawn
        case PenaltyAdded():
            return PenaltyRemoved(event)
        case PenaltyRemoved(added=added):
            return added
        case NumbersChanged(settings=settings, former=former, pace=pace, former_pace=former_pace):
            return NumbersChanged(former, settings, former_pace, pace)
        case SeasonClosed():
            return SeasonReopened()
        case SeasonPaused():
            return SeasonResumed()
        case DeadlineMoved(due=due, former=former) if former:
            return replace(event, due=former, former=due)
        case _:
            return None
