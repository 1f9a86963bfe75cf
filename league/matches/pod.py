"""A pod and the fold of the events of its match."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from league.events import (
    Adjudicated,
    DealsReplayed,
    DealVoided,
    MatchFinished,
    NoShowBooked,
    PodId,
    Points,
    ReplayOrdered,
    Result,
    ResultCorrected,
    SubstituteSet,
    Verdict,
)
from league.members import PlayerMoved
from league.results import Player

PodEvent = (
    MatchFinished
    | ResultCorrected
    | DealVoided
    | ReplayOrdered
    | DealsReplayed
    | Adjudicated
    | NoShowBooked
    | SubstituteSet
)


@dataclass(frozen=True, slots=True)
class Report:
    """A result that a player of the pod has reported, and the answers of the others."""

    result: Result
    by: Player
    at: int
    """In UTC milliseconds."""
    agreed: frozenset[Player]
    due: int
    """When it counts if no one objects, in UTC milliseconds.

    After an objection, the end of the staff's time to decide, or, without a limit, when the objection was
    made.
    """
    against: Player | None = None
    """The player who objected."""


@dataclass(frozen=True, slots=True)
class Pod:
    """A table of a round and its outcome."""

    id: PodId
    round: int
    drawn: tuple[Player, ...]
    players: tuple[Player, ...]
    """The players as drawn, with substitutes in place of those they replace."""
    division: int = 0
    stage: int = 0
    table: int | None = None
    result: Result | None = None
    report: Report | None = None
    """A report that waits for confirmation."""
    set_aside: Report | None = None
    """The report that a ruling or an entered result has replaced: it waits again if that is taken back."""
    void: frozenset[int] = frozenset()
    """The deals that do not count."""
    verdicts: Mapping[Player, Verdict] = field(default_factory=dict[Player, Verdict])
    missed: frozenset[Player] = frozenset()
    """The players who were drawn and did not come."""
    boards: tuple[int, ...] = ()
    """The board of each deal, 0 for none; empty unless all tables have finished a duplicate round."""
    due: int = 0
    """Its own deadline, in UTC milliseconds; 0 for that of the round."""
    again: tuple[int, ...] = ()
    """The void deals that are to be replayed."""
    before: "Pod | None" = None
    """The pod before the latest order to replay it."""
    seated: frozenset[Player] = frozenset()
    """Everyone who had a seat when a match of the pod began, whatever became of the match."""

    @property
    def involved(self) -> frozenset[Player]:
        """Everyone who was drawn, has a seat, or had one when a match began."""
        return self.seated.union(self.drawn, self.players)

    @property
    def expected(self) -> tuple[Player, ...]:
        """Who has to come: the players as drawn, or those who played the deals to be replayed."""
        return self.result.players if self.again and self.result is not None else self.players

    @property
    def no_shows(self) -> frozenset[Player]:
        """The no-shows, by the staff's result or by the ruling; a player who played is not one."""
        if self.result is not None:
            missed = frozenset(self.result.absent) if self.result.entered else self.missed
            return missed - frozenset(self.result.players)
        ruled = frozenset(player for player, verdict in self.verdicts.items() if verdict == "no_show")
        return ruled | (self.missed - self.verdicts.keys())

    @property
    def over(self) -> bool:
        """Whether nothing is left to play or to decide."""
        return bool(self.verdicts) or (self.result is not None and not self.again)

    @property
    def is_disputed(self) -> bool:
        """Whether someone has objected to the pending report and no one has decided yet."""
        return self.report is not None and self.report.against is not None and not self.over


def opened_again(pod: Pod, due: int) -> Pod:
    """Return the pod as if it had never been played: without rulings, void deals and boards."""
    return replace(
        pod,
        table=None,
        report=None,
        set_aside=None,
        void=frozenset(),
        verdicts={},
        missed=frozenset(),
        boards=(),
        due=due,
    )


def pod_after(
    pod: Pod,
    event: PodEvent,
) -> Pod:
    """Return the pod after an event about its match."""
    if isinstance(event, ResultCorrected) and event.void is not None:
        pod = replace(pod, void=frozenset(event.void), again=())
    match event:
        case MatchFinished(result=result):
            return replace(pod, result=result, report=None, set_aside=None)
        case ResultCorrected(new=new):
            return _decided(replace(pod, result=new, again=_still_again(pod, new)))
        case DealVoided(deal=deal, void=void):
            again = tuple(waiting for waiting in pod.again if void or waiting != deal)
            return replace(pod, void=pod.void | {deal} if void else pod.void - {deal}, again=again)
        case ReplayOrdered():
            return _ordered_again(pod, event)
        case DealsReplayed(deals=deals):
            return _replayed(pod, deals)
        case Adjudicated(verdicts=verdicts):
            return _decided(replace(pod, verdicts=verdicts or {}))
        case NoShowBooked(player=player, missed=missed):
            return replace(pod, missed=pod.missed | {player} if missed else pod.missed - {player})
        case SubstituteSet(player=player, substitute=substitute):
            players = tuple(substitute if seated == player else seated for seated in pod.players)
            return replace(pod, players=players)


def _decided(pod: Pod) -> Pod:
    """Return the pod with its report set aside once it is decided, and waiting again if that was taken back."""
    report = pod.report or pod.set_aside
    waits, aside = (None, report) if pod.over else (report, None)
    return replace(pod, report=waits, set_aside=aside)


def moved(pod: Pod, to: Pod, event: PlayerMoved) -> dict[PodId, Pod]:
    """Return both pods after a player moved from one to the other, possibly in exchange for another player."""

    def left(players: tuple[Player, ...]) -> tuple[Player, ...]:
        coming = () if event.other is None else (event.other,)
        return (*players[: event.former], *coming, *players[event.former + 1 :])

    def joined(players: tuple[Player, ...]) -> tuple[Player, ...]:
        after = event.seat if event.other is None else event.seat + 1
        return (*players[: event.seat], event.player, *players[after:])

    return {
        pod.id: replace(pod, drawn=left(pod.drawn), players=left(pod.players)),
        to.id: replace(to, drawn=joined(to.drawn), players=joined(to.players)),
    }


def exchanged(pod: Pod, first: Player, second: Player) -> Pod:
    """Return the pod with two players exchanged."""
    other = {first: second, second: first}
    drawn, players = (
        tuple(other.get(player, player) for player in seats) for seats in (pod.drawn, pod.players)
    )
    return replace(pod, drawn=drawn, players=players)


def in_seats(pod: Pod) -> tuple[Player, ...]:
    """Return the players of a pod by seat.

    For replayed deals, the seats are rotated so that the same player deals as before.
    """
    players = pod.expected
    turned = pod.again[0] % len(players) if pod.again else 0
    return players[turned:] + players[:turned]


def deals_replayed(pod: Pod, played: Result | None) -> DealsReplayed:
    """Return the replayed deals from the match at their table; none unless the same players played it."""
    if played is None or pod.result is None or {*played.players} != {*pod.result.players}:
        return DealsReplayed(pod.id, {})
    seats = [played.players.index(player) for player in pod.result.players]
    deals = [tuple(points[seat] for seat in seats) for points in played.deals]
    return DealsReplayed(pod.id, dict(zip(pod.again, deals, strict=False)))


def _ordered_again(pod: Pod, event: ReplayOrdered) -> Pod:
    """Return the pod waiting for the match or some of its deals, or the pod before that order."""
    if not event.on:
        return replace(pod.before or pod, seated=pod.seated)
    if not event.deals:
        return replace(opened_again(pod, event.due), result=None, before=pod)
    return replace(
        pod,
        void=pod.void | {*event.deals},
        again=event.deals,
        due=event.due,
        table=None,
        report=None,
        set_aside=None,
        verdicts={},
        before=pod,
    )


def _replayed(pod: Pod, deals: Mapping[int, Points]) -> Pod:
    """Return the pod with the replayed deals counting in place of the void ones."""
    if pod.result is None:
        return replace(pod, again=())
    points = tuple(deals.get(number, was) for number, was in enumerate(pod.result.deals))
    return replace(pod, result=replace(pod.result, deals=points), void=pod.void - {*deals}, again=())


def _still_again(pod: Pod, new: Result | None) -> tuple[int, ...]:
    """Return the deals still to be replayed after points are corrected: none unless the deals are the same."""
    old = pod.result
    same = old and new and old.players == new.players and len(old.deals) == len(new.deals)
    return pod.again if same else ()
