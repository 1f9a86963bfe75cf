"""The events of a season in words: for the log of rulings, and for the preview of a ruling."""

from collections.abc import Sequence
from dataclasses import replace

from bot.league.number_settings import CLOCK, shown_value
from bot.league.season_view import SeasonView
from bot.panels.league.finals import round_name
from bot.panels.league.points import points
from bot.words.texts import Texts
from league.events import (
    AbsenceBooked,
    Adjudicated,
    Confirmed,
    DeadlineMoved,
    DealsReplayed,
    DealVoided,
    Event,
    MatchFinished,
    NoShowBooked,
    NumbersChanged,
    PenaltyAdded,
    PenaltyRemoved,
    PodReopened,
    ReplayOrdered,
    Result,
    ResultCorrected,
    Returned,
    RoundCancelled,
    SignupRemoved,
    SubstituteSet,
    Unconfirmed,
    Withdrawn,
)
from league.members import (
    Banned,
    DivisionsExchanged,
    MemberSet,
    MembersWritten,
    PlayerMoved,
    Seeded,
)
from league.pairing.pods import KeptApart


def event_words(view: SeasonView, event: Event, texts: Texts) -> str:
    """One event in words."""
    key = f"league.act_{event.event}"
    match event:
        case ResultCorrected():
            return _correction(view, event, texts)
        case MatchFinished(pod=pod, result=result):
            return texts(key, pod=pod, totals=totals_words(view, result, texts))
        case Adjudicated():
            return _ruling(view, event, texts)
        case DealVoided(pod=pod, deal=deal, void=void):
            return texts(key if void else f"{key}_back", pod=pod, deal=deal + 1)
        case PodReopened(pod=pod, due=due):
            return texts(key, pod=pod, at=due)
        case ReplayOrdered():
            return _order(event, key, texts)
        case PlayerMoved() | DivisionsExchanged() | RoundCancelled() | MembersWritten() | NumbersChanged():
            return _of_the_desk(view, event, key, texts)
        case DealsReplayed():
            return _played_again(view, event, key, texts)
        case DeadlineMoved(round=number, due=due):
            name = round_name(view, number, texts)
            return texts(key if number else f"{key}_first", name=name, at=due)
        case _:
            return _about_somebody(view, event, key, texts)


def _order(event: ReplayOrdered, key: str, texts: Texts) -> str:
    """Say what is to be played again, or that it counts as it was."""
    if not event.on:
        return texts(f"{key}_back", pod=event.pod)
    deals = ", ".join(str(deal + 1) for deal in event.deals)
    return texts(f"{key}_deal" if deals else key, pod=event.pod, deal=deals, at=event.due)


def _played_again(view: SeasonView, event: DealsReplayed, key: str, texts: Texts) -> str:
    """Say how the replayed deals ended."""
    result = view.season.pods[event.pod].result
    if not event.deals or result is None:
        return texts(f"{key}_none", pod=event.pod)
    totals = totals_words(view, replace(result, deals=tuple(event.deals.values())), texts)
    return texts(key, pod=event.pod, deal=", ".join(str(deal + 1) for deal in event.deals), totals=totals)


def _about_somebody(view: SeasonView, event: Event, key: str, texts: Texts) -> str:
    match event:
        case PenaltyAdded():
            return texts(key, player=view.name(event.player), what=_penalty(event, texts))
        case PenaltyRemoved(added=added):
            return texts(key, player=view.name(added.player), what=_penalty(added, texts))
        case SubstituteSet(pod=pod, player=player, substitute=substitute):
            return texts(key, player=view.name(player), other=view.name(substitute), pod=pod)
        case KeptApart(first=first, second=second, apart=apart):
            return texts(key if apart else f"{key}_back", players=view.names((first, second)))
        case NoShowBooked(pod=pod, player=player, missed=missed):
            return texts(key if missed else f"{key}_back", player=view.name(player), pod=pod)
        case AbsenceBooked(player=player, round=number, absent=absent):
            return texts(key if absent else f"{key}_back", player=view.name(player), round=number)
        case MemberSet() | Seeded() | Banned():
            return _about_a_place(event, view.name(event.player), key, texts)
        case Withdrawn() | Returned() | Confirmed() | SignupRemoved() | Unconfirmed():
            return texts(key, player=view.name(event.player))
        case _:
            return texts(key)


def _of_the_desk(
    view: SeasonView,
    event: PlayerMoved | DivisionsExchanged | RoundCancelled | MembersWritten | NumbersChanged,
    key: str,
    texts: Texts,
) -> str:
    match event:
        case NumbersChanged():
            return "; ".join(
                texts(key, name=name, former=former, value=value)
                for name, former, value in changed_numbers(event)
            )
        case RoundCancelled(drawn=drawn):
            return texts(key, name=round_name(view, drawn.round, texts))
        case MembersWritten(players=players):
            return texts(key, count=len(players))
        case DivisionsExchanged(player=player, other=other):
            return texts(key, player=view.name(player), other=view.name(other))
        case PlayerMoved(player=player, pod=pod, to=to, other=other):
            names = {"player": view.name(player), "other": "" if other is None else view.name(other)}
            return texts(key if other is None else f"{key}_exchange", pod=pod, to=to, **names)


def changed_numbers(event: NumbersChanged) -> list[tuple[str, str, str]]:
    """What differs after a change of numbers: each name with the former value and the new one."""
    names = event.settings.differing(event.former)
    found = [
        (name, shown_value(event.former, name), shown_value(event.settings, name).replace("\n", " "))
        for name in names
    ]
    return [*found, (CLOCK, event.former_pace, event.pace)] if event.pace else found


def _about_a_place(event: MemberSet | Seeded | Banned, name: str, key: str, texts: Texts) -> str:
    match event:
        case MemberSet(status=status):
            return texts(f"{key}_{status}", player=name)
        case Seeded(seed=seed):
            return texts(key if seed else f"{key}_back", player=name, seed=seed)
        case Banned(on=on):
            return texts(key if on else f"{key}_back", player=name)


def _correction(view: SeasonView, event: ResultCorrected, texts: Texts) -> str:
    """A result that is entered, removed or changed; if a single deal differs, the changed points in it."""
    old, new = event.old, event.new
    if new is None:
        return texts("league.act_result_gone", pod=event.pod)
    totals = totals_words(view, new, texts)
    if new.absent:
        absent = view.names(new.absent)
        return texts("league.act_result_entered_short", pod=event.pod, totals=totals, missing=absent)
    if old is None:
        return texts("league.act_result_entered", pod=event.pod, totals=totals)
    differing = [
        number for number, pair in enumerate(zip(old.deals, new.deals, strict=False)) if len({*pair}) > 1
    ]
    if old.players != new.players or len(old.deals) != len(new.deals) or len(differing) != 1:
        return texts("league.act_result_corrected", pod=event.pod, totals=totals)
    [deal] = differing
    changes = _changes(view, new.players, old.deals[deal], new.deals[deal], texts)
    return texts("league.act_deal_corrected", pod=event.pod, deal=deal + 1, changes=changes)


def _changes(
    view: SeasonView, players: Sequence[int], old: Sequence[int], new: Sequence[int], texts: Texts
) -> str:
    return ", ".join(
        texts("league.act_points_changed", name=view.name(player), old=before, new=now)
        for player, before, now in zip(players, old, new, strict=True)
        if before != now
    )


def totals_words(view: SeasonView, result: Result, texts: Texts) -> str:
    """Every player's total over all deals, the best first."""
    sums = [sum(points) for points in zip(*result.deals, strict=True)]
    ranked = sorted(zip(result.players, sums, strict=True), key=lambda pair: -pair[1])
    return " · ".join(
        texts("league.reported_total", name=view.name(player), points=total) for player, total in ranked
    )


def _ruling(view: SeasonView, event: Adjudicated, texts: Texts) -> str:
    if not event.verdicts:
        return texts("league.act_adjudicated_back", pod=event.pod)
    missing = [player for player, verdict in event.verdicts.items() if verdict == "no_show"]
    key = "league.act_adjudicated_missing" if missing else "league.act_adjudicated"
    return texts(key, pod=event.pod, missing=view.names(missing))


def _penalty(event: PenaltyAdded, texts: Texts) -> str:
    """League points, conduct points, or both."""
    key = "conduct" if not event.points else "both" if event.conduct else "points"
    return texts(f"league.penalty_{key}", points=points(event.points, sign=True), conduct=event.conduct)
