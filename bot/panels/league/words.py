"""A season in words, for several of its messages: points, the tables of the finals, events and rulings, conditions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.league.number_settings import CLOCK, shown_value
from bot.league.season import SeasonView
from bot.panels.pages import listed
from bot.words.names import season_address, shown_name
from bot.words.rules import preset_name
from bot.words.texts import Texts
from data.season_rows import SeasonEventRow
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
from league.finals import StageRow, cut_of, stage_over, stage_tables
from league.members import Banned, DivisionsExchanged, MemberSet, MembersWritten, PlayerMoved, Seeded
from league.numbers import LAST_STAGE
from league.pairing.pods import KeptApart
from marriage.rules import nearest_preset


def points(hundredths: int, *, sign: bool = False) -> str:
    """Format league points as people write them.

    >>> points(1234), points(-5, sign=True), points(0, sign=True)
    ('12.34', '−0.05', '0.00')
    """
    whole, rest = divmod(abs(hundredths), 100)
    plus = "+" if sign and hundredths > 0 else ""
    return f"{'−' if hundredths < 0 else plus}{whole}.{rest:02}"


_NAMES: Final = 400
"""The maximum length of the names of tied players in a message, in characters."""


def stage_title(view: SeasonView, stage: int, texts: Texts) -> str:
    """Return the heading of a stage."""
    key = "league.after_final" if stage == LAST_STAGE else "league.after_stage"
    return texts(key, league=view.title, players=stage)


def round_name(view: SeasonView, number: int, texts: Texts) -> str:
    """Return the name of a round: its number, or in the finals its stage, with the match if there are several."""
    drawn = view.season.rounds.get(number)
    if drawn is None or not drawn.stage:
        return texts("league.name_round", round=number)
    of_stage = sorted(other.round for other in view.season.rounds.values() if other.stage == drawn.stage)
    key = "league.name_final" if drawn.stage == LAST_STAGE else "league.name_stage"
    name = texts(key, players=drawn.stage)
    if len(of_stage) == 1:
        return name
    return texts("league.name_leg", name=name, match=of_stage.index(number) + 1, matches=len(of_stage))


def cut_words(view: SeasonView, texts: Texts) -> str | None:
    """Say who was tied for the last place in the finals, and what decided; None if there was no tie."""
    cut = cut_of(view.season)
    if cut is None:
        return None
    return texts(
        "league.cut_lot" if cut.by == "lot" else "league.cut",
        names=listed([view.name(player) for player in cut.tied], texts, _NAMES),
        points=points(cut.points, sign=True),
        by=texts(f"league.by_{cut.by}"),
        going=view.names(player for player in cut.tied if player in cut.going),
    )


def stage_words(view: SeasonView, stage: int, texts: Texts) -> str:
    """List the rows of every table of a stage, by place."""
    over = stage_over(view.season, stage)
    return "\n\n".join(
        "\n".join(
            _line(view, row, texts, goes_on=over and row.advances and stage != LAST_STAGE) for row in rows
        )
        for rows in stage_tables(view.season, stage)
    )


def _line(view: SeasonView, row: StageRow, texts: Texts, *, goes_on: bool) -> str:
    said = texts(
        "league.stage_row",
        place=row.place,
        name=view.name(row.player),
        points=points(row.points, sign=True),
        carried=points(row.carried, sign=True),
        won=points(row.won, sign=True),
    )
    if row.missed:
        said += texts("league.stage_missed", count=row.missed)
    return texts("league.goes_on", line=said) if goes_on else said


def event_words(view: SeasonView, event: Event, texts: Texts) -> str:
    """Describe one event."""
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
    """Return each number that changed, with its former and its new value."""
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
    """Describe a result that was entered, removed or changed; for a single deal, its changed points.

    While the boards of the round are sealed, only the totals are stated.
    """
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
    pod = view.season.pods.get(event.pod)
    is_sealed = pod is not None and view.season.has_sealed_boards(pod.round)
    is_one = old.players == new.players and len(old.deals) == len(new.deals) and len(differing) == 1
    if is_sealed or not is_one:
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
    """List every player's total over all deals, the best first."""
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
    """State a penalty in league points, conduct points, or both."""
    key = "conduct" if not event.points else "both" if event.conduct else "points"
    return texts(f"league.penalty_{key}", points=points(event.points, sign=True), conduct=event.conduct)


def about_words(view: SeasonView, texts: Texts) -> str:
    """Describe the format, rules, length and pace of a season."""
    settings = view.season.settings
    preset, differing = nearest_preset(view.row.rules)
    drawn = "league.about_sitting" if settings.is_sitting else "league.about"
    return texts(
        drawn if settings.format.has_draw else "league.about_ladder",
        format=texts(f"league.format_{settings.format.name}"),
        preset=preset_name(preset, texts),
        variations=texts("league.variations", count=len(differing)) if differing else "",
        rounds=settings.rounds,
        days=settings.round_days,
        minutes=settings.round_minutes,
        deals=settings.deals(4),
        pace=texts(f"pace.{view.row.pace}"),
    )


def staff_mention(view: SeasonView) -> str:
    """Return the mention of the staff, followed by a space: their role, or else the season's opener."""
    if view.staff_role_id is not None:
        return f"<@&{view.staff_role_id}> "
    return "" if view.called_id is None else f"<@{view.called_id}> "


def page_words(view: SeasonView, pages_url: str | None, texts: Texts) -> str | None:
    """Return the link to the season's public page; None if it has none or the pages' address is unknown."""
    if pages_url is None or not view.season.settings.public_page:
        return None
    return texts("league.page", address=season_address(pages_url, view.row.id))


def ruling_words(view: SeasonView, event_id: int, texts: Texts) -> str:
    """Announce one action of the staff with its reason."""
    act = next(act for act in view.acts if act.id == event_id)
    return texts("league.ruling", league=view.title, what=act_words(view, act, texts))


def act_words(view: SeasonView, act: SeasonEventRow, texts: Texts) -> str:
    """Say who did what, when and why, and which earlier action it reverses.

    An action without a number is still a draft. Automatic rulings of the season have no name.
    """
    if not act.staff:
        return texts("league.act_by_rule", id=act.id, at=act.at, what=event_words(view, act.body, texts))
    key = "league.act_line" if act.id else "league.act_to_be"
    return texts(
        key if act.corrects is None else f"{key}_back",
        id=act.id,
        at=act.at,
        who=view.name(act.actor) if act.actor is not None else "–",
        what=event_words(view, act.body, texts),
        reason=shown_name(act.reason) or "–",
        corrects=act.corrects,
    )
