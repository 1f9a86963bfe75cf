"""What several messages of a season say alike: its conditions, points, rulings."""

from bot.league.view import SeasonView
from bot.words.names import shown_name
from bot.words.texts import Texts
from data.league_rows import SeasonEventRow
from league.events import (
    Adjudicated,
    Confirmed,
    DealVoided,
    NoShowBooked,
    PenaltyAdded,
    PenaltyRemoved,
    PodReopened,
    ResultCorrected,
    Returned,
    SignupRemoved,
    SubstituteSet,
    Unconfirmed,
    Withdrawn,
)
from marriage.rules import nearest_preset


def points(hundredths: int, *, sign: bool = False) -> str:
    """League points as people write them.

    >>> points(1234), points(-5, sign=True), points(0, sign=True)
    ('12.34', '−0.05', '0.00')
    """
    whole, rest = divmod(abs(hundredths), 100)
    plus = "+" if sign and hundredths > 0 else ""
    return f"{'−' if hundredths < 0 else plus}{whole}.{rest:02}"


def about_words(view: SeasonView, texts: Texts) -> str:
    """Format, rules, length, pace."""
    settings = view.season.settings
    preset, differing = nearest_preset(view.row.rules)
    return texts(
        "league.about",
        format=texts(f"league.format_{settings.format}"),
        preset=preset,
        variations=texts("league.variations", count=len(differing)) if differing else "",
        rounds=settings.rounds,
        days=settings.round_days,
        deals=settings.deals(4),
        pace=texts(f"pace.{view.row.pace}"),
    )


def ruling_words(view: SeasonView, event_id: int, texts: Texts) -> str:
    """One act of the staff, announced with its reason."""
    act = next(own for own in view.acts if own.id == event_id)
    return texts("league.ruling", league=view.title, what=act_words(view, act, texts))


def act_words(view: SeasonView, act: SeasonEventRow, texts: Texts) -> str:
    """Who did what, when and why; what takes back an earlier act says which."""
    event = act.body
    values: dict[str, object] = {"player": "", "other": "", "pod": "", "round": "", "points": "", "deal": ""}
    match event:
        case SubstituteSet(pod=pod, player=player, substitute=substitute):
            values |= {"player": view.name(player), "other": view.name(substitute), "pod": pod}
        case PenaltyAdded():
            values |= {"player": view.name(event.player), "points": points(event.points, sign=True)}
        case PenaltyRemoved(added=added):
            values |= {"player": view.name(added.player), "points": points(added.points, sign=True)}
        case NoShowBooked(pod=pod, player=player):
            values |= {"player": view.name(player), "pod": pod}
        case DealVoided(pod=pod, deal=deal):
            values |= {"pod": pod, "deal": deal + 1}
        case ResultCorrected(pod=pod) | Adjudicated(pod=pod) | PodReopened(pod=pod):
            values |= {"pod": pod}
        case Withdrawn(player=player) | Returned(player=player) | Confirmed(player=player):
            values |= {"player": view.name(player)}
        case SignupRemoved(player=player) | Unconfirmed(player=player):
            values |= {"player": view.name(player)}
        case _:
            pass
    key = f"league.act_{event.event}"
    if (isinstance(event, DealVoided) and not event.void) or (
        isinstance(event, Adjudicated) and not event.verdicts
    ):
        key += "_back"
    said = texts(key, **values)
    return texts(
        "league.act_line" if act.corrects is None else "league.act_line_back",
        id=act.id,
        at=act.at // 1000,
        who=view.name(act.actor) if act.actor is not None else "–",
        what=said,
        reason=shown_name(act.reason) or "–",
        corrects=act.corrects,
    )
