"""The rulings of a league's staff, each as an event. All functions raise UserError for impossible rulings."""

from collections.abc import Callable, Collection
from dataclasses import replace

from bot.errors import UserError
from bot.league.number_settings import CLOCK, changed, read_clock
from bot.words.names import shown_name
from data.preferences import Pace
from data.season_rows import SeasonEventRow
from league.events import (
    AbsenceBooked,
    Adjudicated,
    DeadlineMoved,
    DealVoided,
    Event,
    MatchFinished,
    NoShowBooked,
    NumbersChanged,
    PenaltyAdded,
    PodId,
    PodReopened,
    ReplayOrdered,
    Result,
    ResultCorrected,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SeasonPaused,
    SeasonResumed,
    SubstituteSet,
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
from league.results import Player
from league.rulings import another_sheet, fallen_apart
from league.season import Pod, Season
from league.settings import CHANGED_LATER
from league.standings import last_round
from league.standins import knowing
from league.times import DAY
from league.undoing import inverse, taken_in
from marriage.rules import SEATS_MAX, SEATS_MIN

MOST_POINTS = 10_000
MOST_CONDUCT = 10
COMMENT = "#"
"""The prefix of lines that are ignored when deals are parsed."""
_BY_RULE = (MatchFinished, ResultCorrected, Adjudicated, NoShowBooked, AbsenceBooked, SeasonClosed, Banned)
"""Automatic events that staff can take back like their own acts."""
_MOST_NET = 1_000
MESSAGES_A_DAY = 3
"""The most messages that a player gets from the staff within a day."""


class InvalidPointsError(Exception):
    """Raised unless the points are one number for each of these players, by seat, with a sum of 0."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        super().__init__(f"points of {players}")
        self.players = players


def corrected(season: Season, pod_id: PodId, deal: int, typed: str) -> Event:
    """Return a correction of a deal, counted from 1: the points by seat, which add up to 0.

    Raises InvalidPointsError.
    """
    pod = _pod(season, pod_id)
    points = read_points(typed)
    if pod.result is None or not 1 <= deal <= len(pod.result.deals):
        raise UserError("league.no_deal", pod=pod_id, deal=deal)
    if len(points) != len(pod.result.players) or sum(points):
        raise InvalidPointsError(pod.result.players)
    deals = (*pod.result.deals[: deal - 1], points, *pod.result.deals[deal:])
    return ResultCorrected(pod_id, pod.result, replace(pod.result, deals=deals))


def entered(season: Season, pod_id: PodId, typed: str, missing: Collection[Player] = ()) -> Event:
    """Return the result of a match: deals separated by `;` or lines, each with its players' points by seat.

    It replaces any ruling on the match and its deals, and has no more deals than a match has. The `missing` players
    did not come; those of them who have left the season are not no-shows. Raises InvalidPointsError.
    """
    pod = _pod(season, pod_id)
    if not set(missing) <= set(pod.players):
        raise UserError("league.not_in_pod", pod=pod_id)
    players = tuple(player for player in pod.players if player not in missing)
    deals = tuple(read_deals(typed))
    if len(players) < SEATS_MIN:
        raise UserError("league.too_few_came", pod=pod_id)
    if not deals or any(len(points) != len(players) or sum(points) for points in deals):
        raise InvalidPointsError(players)
    if len(deals) > (most := season.settings.deals(len(players))):
        raise UserError("league.too_many_deals", count=len(deals), most=most)
    absent = tuple(player for player in pod.players if player in missing and not season.has_left(player))
    return another_sheet(pod, Result(players, deals, entered=True, absent=absent))


def accepted(season: Season, pod_id: PodId) -> Event:
    """Return the acceptance of a reported result despite an objection; players not in it are no-shows."""
    pod = _pod(season, pod_id)
    if pod.report is None or pod.over:
        raise UserError("league.other_report")
    players = pod.report.result.players
    absent = tuple(player for player in pod.players if player not in players and not season.has_left(player))
    return another_sheet(pod, replace(pod.report.result, entered=True, absent=absent))


def voided(season: Season, pod_id: PodId, deal: int) -> Event:
    """Return the voiding of a deal, counted from 1."""
    pod = _pod(season, pod_id)
    if pod.result is None or not 1 <= deal <= len(pod.result.deals) or deal - 1 in pod.void:
        raise UserError("league.no_deal", pod=pod_id, deal=deal)
    return DealVoided(pod_id, deal - 1)


def replayed(season: Season, pod_id: PodId, deal: int | None, due: int) -> Event:
    """Return an order to void and replay one deal, counted from 1, or the whole match.

    The deadline is in milliseconds of UTC.
    """
    pod = _pod(season, pod_id)
    if pod.result is None or not pod.over:
        raise UserError("league.nothing_played", pod=pod_id)
    if deal is not None and not 1 <= deal <= len(pod.result.deals):
        raise UserError("league.no_deal", pod=pod_id, deal=deal)
    if deal is not None and season.settings.duplicate:
        raise UserError("league.replay_boards")
    if not season.settings.format.has_draw:
        raise UserError("league.replay_ladder")
    _require_no_stage_after(season, pod)
    players = pod.players if deal is None else pod.result.players
    if sum(not season.has_left(player) for player in players) < SEATS_MIN:
        raise UserError("league.too_few_left", pod=pod_id)
    return ReplayOrdered(pod_id, due, () if deal is None else (deal - 1,))


def closing(season: Season) -> Event:
    """Return the end of the season with the current table. Its seed is filled in when it ends."""
    if not season.open:
        raise UserError("league.closed", league=shown_name(season.name))
    return SeasonClosed()


def penalised(season: Season, player: Player | None, points: int, conduct: int) -> Event:
    """Return a penalty: deducted whole league points, and conduct points. It counts in the current table."""
    if not points and not conduct:
        raise UserError("league.no_penalty")
    return booked(season, player, -points, conduct)


def booked(season: Season, player: Player | None, points: int, conduct: int = 0) -> Event:
    """Return whole league points given or taken by hand, and conduct points.

    They count in the current table.
    """
    if player is None or player not in season.members:
        raise UserError("league.not_a_member")
    if abs(100 * points) > MOST_POINTS or not 0 <= conduct <= MOST_CONDUCT or not (points or conduct):
        raise UserError("league.bad_booking", most=MOST_POINTS // 100, conduct=MOST_CONDUCT)
    number = max(season.penalties, default=0) + 1
    return PenaltyAdded(number, player, max(last_round(season), 1), 100 * points, conduct)


def ruled(season: Season, pod_id: PodId, missing: Collection[Player]) -> Event:
    """Return the ruling on an unplayed match: the `missing` players are no-shows, the others get Average+."""
    pod = _pod(season, pod_id)
    if pod.result is not None:
        raise UserError("league.has_result", pod=pod_id)
    if not set(missing) <= set(pod.players):
        raise UserError("league.not_in_pod", pod=pod_id)
    gone = [player for player in pod.players if season.has_left(player) and player not in missing]
    there = [player for player in pod.players if player not in missing and player not in gone]
    return fallen_apart(pod, there, gone)


def reopened(season: Season, pod_id: PodId, due: int) -> Event:
    """Return the reopening of a match whose table was closed, with a deadline in milliseconds since 1970."""
    pod = _pod(season, pod_id)
    if pod.result is not None:
        raise UserError("league.begun_or_over", pod=pod_id)
    _require_no_stage_after(season, pod)
    if len(pod.players) - sum(map(season.has_left, pod.players)) < SEATS_MIN:
        raise UserError("league.too_few_left", pod=pod_id)
    return PodReopened(pod_id, due)


def withdrawn(season: Season, player: Player | None) -> Event:
    """Return the withdrawal of a player from the season; before it begins, the refusal of their sign-up."""
    if player is None or player not in season.members or season.has_left(player):
        raise UserError("league.not_a_member")
    if not season.drawn and season.settings.format.has_draw:
        return MemberSet(player, "removed", season.members[player].status)
    return Withdrawn(player)


def kept_apart(season: Season, player: Player | None, other: Player | None) -> Event:
    """Return the order to keep two members from being drawn together."""
    if player not in season.members or other not in season.members or player is None or other is None:
        raise UserError("league.not_a_member")
    if player == other or frozenset((player, other)) in season.apart:
        raise UserError("league.apart_already")
    return KeptApart(player, other)


def added(season: Season, player: Player) -> Event:
    """Return the admission of a player by the staff, whether they have signed up, have not, or have left."""
    member = season.members.get(player)
    if player in season.banned:
        raise UserError("league.is_banned")
    if season.drawn and season.settings.format.draws_all_rounds:
        raise UserError("league.all_drawn")
    if member is not None and member.withdrawn is not None:
        return Returned(player)
    if member is not None and member.plays:
        raise UserError("league.plays_already")
    return MemberSet(player, "confirmed", member.status if member else "removed")


def seeded(season: Season, player: Player, seed: int) -> Event:
    """Return a player's place among newcomers, before the first draw."""
    member = season.members.get(player)
    if season.drawn:
        raise UserError("league.fixed")
    if member is None or season.has_left(player):
        raise UserError("league.not_a_member")
    return Seeded(player, seed, member.seed)


def banned(season: Season, player: Player) -> Event:
    """Return the ban of a person from this season and later ones."""
    if player in season.banned:
        raise UserError("league.is_banned")
    return Banned(player)


def substituted(season: Season, pod_id: PodId, player: Player | None, other: Player | None) -> Event:
    """Return the substitution of one player for another, who has not left, before the match has begun."""
    if other in season.banned:
        raise UserError("league.is_banned")
    if other is not None and season.has_left(other):
        raise UserError("league.not_a_member")
    return _require_substitutable(season, pod_id, player, other)


def _require_substitutable(
    season: Season, pod_id: PodId, player: Player | None, other: Player | None
) -> Event:
    """Return the substitution if the match has not begun. A player who has left comes back only by `undo`."""
    pod = _pod(season, pod_id)
    if player is None or other is None or player not in pod.players or other in pod.players:
        raise UserError("league.not_in_pod", pod=pod_id)
    if pod.report is not None:
        raise UserError("league.report_pending", pod=pod_id)
    if not takes_substitutes(pod):
        raise UserError("league.over_ruled" if pod.result or pod.over else "league.begun", pod=pod_id)
    require_other_boards(season, other, pod)
    return SubstituteSet(pod_id, player, other)


def moved(season: Season, player: Player, pod_id: PodId | None, other: Player | None = None) -> Event:
    """Return a move of a player to another pod of their round, or an exchange of seats with `other`.

    The match must not have begun. `pod_id` is the pod they move to; it may be omitted with `other`. Players
    of different divisions exchange their places in all rounds.
    """
    if other is not None and _are_divided(season, player, other):
        return _require_exchange(season, DivisionsExchanged(player, other))
    source = waiting_pod(season, player)
    if other is not None:
        to = waiting_pod(season, other, source.round)
    elif pod_id is not None:
        to = _pod(season, pod_id)
    else:
        raise UserError("league.move_where")
    seat = len(to.players) if other is None else to.players.index(other)
    return require_movable(
        season, PlayerMoved(player, source.id, to.id, seat, source.players.index(player), other)
    )


def require_movable(season: Season, event: PlayerMoved) -> Event:
    """Return the same move if it is possible in the current season; raises UserError."""
    source, to = _pod(season, event.pod), _pod(season, event.to)
    for pod in (source, to):
        if is_touched(pod) or pod.stage:
            raise UserError("league.begun_or_over", pod=pod.id)
    if source.id == to.id or source.round != to.round or source.division != to.division:
        raise UserError("league.move_elsewhere", pod=to.id)
    seats = ((source, event.former, event.player), (to, event.seat, event.other))
    for pod, seat, player in seats:
        if player is not None and (pod.players[seat : seat + 1], pod.drawn[seat : seat + 1]) != (
            (player,),
            (player,),
        ):
            raise UserError("league.not_in_pod", pod=pod.id)
    if event.other is None and season.settings.duplicate:
        raise UserError("league.move_boards")
    for player in (event.player, event.other):
        if player is not None:
            require_other_boards(season, player, source, to)
    if event.other is None and not (len(source.players) > SEATS_MIN and len(to.players) < SEATS_MAX):
        raise UserError("league.move_size", least=SEATS_MIN, most=SEATS_MAX)
    return event


def require_other_boards(season: Season, player: Player, *pods: Pod) -> None:
    """Raise UserError if this player may know the boards of these pods of one round."""
    known_from = knowing(season, *pods).get(player)
    if known_from is not None:
        raise UserError("league.knows_boards", pod=known_from)


def _require_exchange(season: Season, event: DivisionsExchanged) -> Event:
    """Return the same exchange if neither player has played anything; raises UserError."""
    players = {event.player, event.other}
    for pod in season.pods.values():
        if players & pod.involved and (is_touched(pod) or pod.drawn != pod.players):
            raise UserError("league.begun_or_over", pod=pod.id)
    if not all(player in season.members and season.members[player].plays for player in players):
        raise UserError("league.not_a_member")
    return event


def renumbered(season: Season, pace: Pace, name: str, typed: str) -> Event:
    """Return a change of one number or the clock of a season that has begun; raises UserError."""
    settings = season.settings
    if name == CLOCK:
        event = NumbersChanged(settings, settings, read_clock(typed), pace)
    else:
        event = NumbersChanged(changed(settings, name, typed), settings)
    if event.settings == settings and event.pace == event.former_pace:
        raise UserError("league.same_number", setting=name)
    _require_numbers(season, event)
    return event


def _require_numbers(season: Season, event: NumbersChanged) -> None:
    """Raise UserError for a number that would change what was played or what is already past."""
    names, settings = event.settings.differing(event.former), event.settings
    if not CHANGED_LATER.issuperset(names):
        raise UserError("league.fixed")
    if event.former != season.settings:
        raise UserError("league.moved_on")
    has_finals = any(drawn.stage for drawn in season.rounds.values())
    if has_finals and {"rounds", "cut_to", "final_matches"} & {*names}:
        raise UserError("league.fixed")
    if "rounds" in names and (settings.rounds < season.drawn or settings.format.draws_all_rounds):
        raise UserError("league.fixed")
    if not settings.format.has_draw and {"rounds", "round_days", "timezone"} & {*names}:
        raise UserError("league.fixed")


def require_still(season: Season, event: Event) -> None:
    """Raise UserError unless a substitution, move, exchange or redraw is possible in the current season."""
    match event:
        case SubstituteSet(pod=pod, player=player, substitute=other):
            _require_substitutable(season, pod, player, other)
        case PlayerMoved():
            require_movable(season, event)
        case DivisionsExchanged():
            _require_exchange(season, event)
        case RoundCancelled():
            redrawn(season)
        case NumbersChanged():
            _require_numbers(season, event)
        case _:
            pass


def is_touched(pod: Pod) -> bool:
    """Return whether anything has happened in a pod.

    Its match, or one that it replays, has begun, was reported or ruled on, or someone did not come.
    """
    return pod.over or bool(pod.seated or pod.before or pod.report or pod.missed)


def takes_substitutes(pod: Pod) -> bool:
    """Return whether a substitute can take a seat of a pod: its match has yet to begin, and no report of it waits."""
    return not (pod.over or pod.again or pod.report) and pod.table is None


def _are_divided(season: Season, player: Player, other: Player) -> bool:
    both = (season.members.get(player), season.members.get(other))
    first, second = (member.division if member else 0 for member in both)
    return bool(season.drawn) and first != second


def waiting_pod(season: Season, player: Player, number: int | None = None) -> Pod:
    """Return a player's earliest untouched pod, of that round if given; raises UserError."""
    return _earliest(season, player, lambda pod: not is_touched(pod) and number in {None, pod.round})


def substituted_pod(season: Season, player: Player) -> Pod:
    """Return the earliest pod where a substitute can take a player's seat; raises UserError."""
    return _earliest(season, player, takes_substitutes)


def _earliest(season: Season, player: Player, fits: Callable[[Pod], bool]) -> Pod:
    for pod in sorted(season.pods.values(), key=lambda pod: (pod.round, pod.id)):
        if player in pod.players and fits(pod):
            return pod
    raise UserError("league.move_nothing")


def redrawn(season: Season) -> Event:
    """Return an order to redraw the latest round, if none of it was played, and none of its pods was reopened.

    With divisions it applies to all rounds, in finals to all rounds of the stage.
    """
    if not season.drawn or season.settings.is_sitting:
        raise UserError("league.redraw_nothing")
    if season.paused_at is not None:
        raise UserError("league.is_paused")
    stage = season.rounds[max(season.rounds)].stage
    if stage:
        first = min(number for number, drawn in season.rounds.items() if drawn.stage == stage)
    else:
        first = 1 if season.settings.format.draws_all_rounds else season.drawn
    drawn = [pod for pod in season.pods.values() if pod.round >= first]
    if touched := [pod.id for pod in drawn if is_touched(pod) or pod.due]:
        raise UserError("league.redraw_played", pod=min(touched))
    return RoundCancelled(season.rounds[first])


def written_to(
    season: Season, entries: Collection[SeasonEventRow], text: str, players: Collection[Player], now: int
) -> Event:
    """Return a message to these players.

    Raises UserError without players or text, or if a player has already had enough messages today.
    """
    if not players or not text.strip():
        raise UserError("league.write_nobody")
    today = [entry.body for entry in entries if entry.at > now - DAY]
    had = [player for body in today if isinstance(body, MembersWritten) for player in body.players]
    if any(had.count(player) >= MESSAGES_A_DAY for player in players):
        raise UserError("league.write_enough", most=MESSAGES_A_DAY)
    if not set(players) <= set(season.members):
        raise UserError("league.not_a_member")
    return MembersWritten(text, tuple(sorted(players)))


def undone(entries: Collection[SeasonEventRow], number: int) -> Event:
    """Return the inverse of the event with that number, if it was not taken back yet."""
    row = next((entry for entry in entries if entry.id == number), None)
    event = None if row is None else _inverse(row, entries)
    if row is not None and isinstance(row.body, MembersWritten):
        raise UserError("league.unsent", number=number)
    if event is None:
        raise UserError("league.stands", number=number)
    return event


def taken_back(season: Season, number: int, event: Event, starts_at: int) -> Event:
    """Adapt `event`, the inverse of event `number`, to later changes; raises UserError if it does not fit.

    The effects of a later ruling on the same match or deadline stay. If the two cannot be separated, the
    later one has to be taken back first, as a ban before its player comes back. `starts_at` is when the first round is drawn.
    """
    if taken_in(event) in season.banned:
        raise UserError("league.later_first", number=number)
    match event:
        case ResultCorrected(pod=pod_id):
            return _result_taken_back(number, event, _pod(season, pod_id))
        case Adjudicated(pod=pod_id, verdicts=verdicts, former=former):
            pod = _pod(season, pod_id)
            fits = dict(pod.verdicts) == dict(former or {}) and {*(verdicts or pod.players)} == {*pod.players}
        case ReplayOrdered(pod=pod_id, on=False):
            pod = _pod(season, pod_id)
            fits = pod.before is None or pod.before.drawn == pod.drawn
        case DealVoided(pod=pod_id, deal=deal, void=void):
            fits = (deal in _pod(season, pod_id).void) is not void
        case DeadlineMoved(round=round_number, due=due, former=former):
            drawn = season.rounds.get(round_number)
            now = starts_at if drawn is None else drawn.due
            return replace(event, due=now + due - former, former=now)
        case MemberSet(player=player, status="asking" | "waiting"):
            fits = not any(player in pod.players for pod in season.pods.values())
        case Withdrawn(player=player) | Returned(player=player):
            fits = season.has_withdrawn(player) is isinstance(event, Returned)
        case _:
            fits = True
    if not fits:
        raise UserError("league.later_first", number=number)
    return event


def _result_taken_back(number: int, event: ResultCorrected, pod: Pod) -> ResultCorrected:
    """Return the inverse of a correction: only for its own deals, if others were corrected later."""
    now, was, becomes = pod.result, event.old, event.new
    if now == was and (becomes is None or {*becomes.players} <= {*pod.players}):
        return event
    if now is None or was is None or becomes is None or {now.players, was.players} != {becomes.players}:
        raise UserError("league.later_first", number=number)
    if not len(now.deals) == len(was.deals) == len(becomes.deals):
        raise UserError("league.later_first", number=number)
    deals = list(now.deals)
    for place, (wrong, right) in enumerate(zip(was.deals, becomes.deals, strict=True)):
        if wrong != right and deals[place] != wrong:
            raise UserError("league.later_first", number=number)
        if wrong != right:
            deals[place] = right
    return replace(event, old=now, new=replace(now, deals=tuple(deals)))


def undoable(entries: Collection[SeasonEventRow]) -> list[SeasonEventRow]:
    """Return everything that moved points and can still be taken back, the latest first.

    These are rulings, results, no-shows and absences.
    """
    acts = (row for row in entries if row.staff or isinstance(row.body, _BY_RULE))
    return [row for row in acts if _inverse(row, entries) is not None][::-1]


def _inverse(row: SeasonEventRow, entries: Collection[SeasonEventRow]) -> Event | None:
    """Return the inverse of an event; None if it was already taken back, or cannot be."""
    if any(entry.corrects == row.id or _went_with(row, entry) for entry in entries):
        return None
    if isinstance(row.body, ReplayOrdered) and _ordered_later(row, row.body, entries):
        return None
    if isinstance(row.body, SeasonPaused) and any(
        entry.id > row.id and isinstance(entry.body, SeasonResumed) for entry in entries
    ):
        return None
    event = inverse(row.body)
    return None if isinstance(event, RoundCancelled | RoundDrawn) else event


def _ordered_later(row: SeasonEventRow, order: ReplayOrdered, entries: Collection[SeasonEventRow]) -> bool:
    """Return whether a later replay order for the same pod still counts: it has to be taken back first."""
    taken_back = {entry.corrects for entry in entries}
    return any(
        isinstance(entry.body, ReplayOrdered) and entry.body.on and entry.body.pod == order.pod
        for entry in entries
        if entry.id > row.id and entry.id not in taken_back
    )


def _went_with(row: SeasonEventRow, entry: SeasonEventRow) -> bool:
    """Return whether an event is gone because it resulted from a replay order that this entry takes back."""
    event = entry.body
    return (
        isinstance(event, ReplayOrdered)
        and not event.on
        and entry.corrects is not None
        and entry.corrects < row.id < entry.id
        and getattr(row.body, "pod", None) == event.pod
    )


def _require_no_stage_after(season: Season, pod: Pod) -> None:
    """Raise UserError for a match whose result has already decided a drawn stage."""
    stages = (drawn.stage for drawn in season.rounds.values() if drawn.stage)
    if any(not pod.stage or stage < pod.stage for stage in stages):
        raise UserError("league.finals_drawn", pod=pod.id)


def _pod(season: Season, pod_id: PodId) -> Pod:
    pod = season.pods.get(pod_id)
    if pod is None:
        raise UserError("league.no_pod", pod=pod_id)
    return pod


def read_points(typed: str) -> tuple[int, ...]:
    """Parse integers separated by spaces or commas; raises UserError."""
    try:
        numbers = tuple(int(word.replace("−", "-")) for word in typed.replace(",", " ").split())
    except ValueError:
        numbers = ()
    if not numbers or any(abs(number) > _MOST_NET for number in numbers):
        raise UserError("league.unread_points")
    return numbers


def read_deals(typed: str) -> list[tuple[int, ...]]:
    r"""Read the points of every deal, separated by lines or `;`; raises UserError.

    Lines that begin with `#` are comments.

    >>> read_deals("# Asha, Bikram\n8 -8\n-3, 3")
    [(8, -8), (-3, 3)]
    """
    lines = [line.strip() for line in typed.replace(";", "\n").splitlines()]
    return [read_points(line) for line in lines if line and not line.startswith(COMMENT)]
