"""The circle around a table: its seats, and between them the people on its bench.

The seats belong to the players of the deal in play, or of the last one, even when people come and go meanwhile. On the
bench are the people who sit out and those who play from the next deal on. Seats are assigned anew before each deal.
"""

from collections.abc import Sequence

from data.values import BenchRow, SeatRow, TableStatus
from league.ids import PersonId
from marriage.rules import SEATS_MAX, SEATS_MIN

Place = SeatRow | BenchRow


def around(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[Place]:
    """Everybody in the order in which they sit around the table."""
    circle: list[Place] = []
    for number, seat in enumerate(seats):
        circle += [*(row for row in bench if row.place == number), seat]
    return [*circle, *(row for row in bench if row.place >= len(seats))]


def lineup(circle: Sequence[Place]) -> list[Place]:
    """The players of the next deal. Computers make room for people, the last computer in the circle first."""
    players = [place for place in circle if _plays(place)]
    computers = [place for place in players if place.person_id is None]
    spare = computers[::-1][: max(0, len(players) - SEATS_MAX)]
    return [place for place in players if place not in spare]


def making_room(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[SeatRow]:
    """The computers that leave before the next deal, to make room for people."""
    players = lineup(around(seats, bench))
    return [seat for seat in seats if _plays(seat) and seat not in players]


def is_deal(players: Sequence[Place]) -> bool:
    """Whether these players can play a deal: at least two of them, and not only computers."""
    return len(players) >= SEATS_MIN and any(place.person_id is not None for place in players)


def has_room(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> bool:
    """Whether one more person may sit down. People who sit out keep their place, people who left do not."""
    people = [seat for seat in seats if seat.person_id is not None and not seat.left]
    return len(people) + len(bench) < SEATS_MAX


def on_bench(bench: Sequence[BenchRow], person_id: PersonId) -> BenchRow | None:
    """This person's row on the bench; None if they are not on it."""
    return next((row for row in bench if row.person_id == person_id), None)


def why_no_seat(status: TableStatus, bench: Sequence[BenchRow], person_id: PersonId) -> str:
    """Why this person has no seat at a table of this status, as a message key."""
    row = on_bench(bench, person_id)
    if row is None:
        return "sorry.sit_down_first" if status == "lobby" else "sorry.not_seated"
    return "sorry.comes_next" if row.comes else "sorry.sits_out"


def _plays(one: Place) -> bool:
    return one.comes if isinstance(one, BenchRow) else not (one.left or one.sits_out)
