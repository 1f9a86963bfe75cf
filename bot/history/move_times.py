"""The times of people's presses, read from their stored moves."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from data.repositories.statistics.fair_play import Moment
from league.ids import TableId
from league.results import DealId, Player
from league.statistics.facts import DealFacts
from league.statistics.timing import Answer

_PRESSED: Final = {"drew", "took", "discarded"}


@dataclass(slots=True)
class MoveTimes:
    """The times of the moves that people made themselves."""

    presses: defaultdict[tuple[Player, TableId], list[int]] = field(default_factory=lambda: defaultdict(list))
    """The times of presses by player and table, in milliseconds of UTC."""
    answers: list[Answer] = field(default_factory=list[Answer])


def own_seats(facts: DealFacts) -> tuple[Player | None, ...]:
    """Return the player of each seat, without those for whom a computer played any part of the deal."""
    return tuple(None if seat.stand_in is not None else seat.person for seat in facts.seats)


def move_times(moments: Iterable[Moment], seats: Mapping[DealId, Sequence[Player | None]]) -> MoveTimes:
    """Return the presses and answers in these deals, whose moments are consecutive; `seats` has the players of each deal."""
    times = MoveTimes()
    for deal, happened in groupby(moments, key=lambda moment: moment.deal):
        if deal in seats:
            _add(times, deal[0], seats[deal], happened)
    return times


def _add(
    times: MoveTimes, table: TableId, people: Sequence[Player | None], happened: Iterable[Moment]
) -> None:
    """Add moments. The first event at a moment caused the others: a card that is drawn ahead is not a press."""
    before: int | None = None
    discarder: Player | None = None
    thrown_at = 0
    for moment in happened:
        by_press, before = moment.at != before, moment.at
        player = people[moment.actor] if moment.actor is not None else None
        if moment.type not in _PRESSED:
            continue
        if by_press and moment.actor is not None:
            if player is not None:
                times.presses[player, table].append(moment.at)
                if discarder is not None:
                    times.answers.append(Answer(table, player, discarder, moment.at - thrown_at))
            discarder = None
        if moment.type == "discarded":
            discarder, thrown_at = player, moment.at
