"""The circle around a table: its seats, and between them those who are on its bench.

The seats are always those who play the deal, or played the last one, whoever comes or goes meanwhile. Who sits out, and
who is to play from the next deal on, is on the bench; before a deal everybody in the circle takes his seat, or leaves it.
"""

from collections.abc import Sequence

from data.values import BenchRow, SeatRow, TableStatus
from marriage.rules import SEATS_MAX, SEATS_MIN

Place = SeatRow | BenchRow


def around(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[Place]:
    """Everybody in the order in which they sit around the table."""
    circle: list[Place] = []
    for number, seat in enumerate(seats):
        circle += [*(row for row in bench if row.place == number), seat]
    return [*circle, *(row for row in bench if row.place >= len(seats))]


def lineup(circle: Sequence[Place]) -> list[Place]:
    """Who of the circle plays the next deal. Computers make room for people, the last one in the circle first."""
    players = [one for one in circle if _plays(one)]
    computers = [one for one in players if one.person_id is None]
    spare = computers[::-1][: max(0, len(players) - SEATS_MAX)]
    return [one for one in players if one not in spare]


def making_room(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[SeatRow]:
    """The computers that go before the next deal, for people who come."""
    players = lineup(around(seats, bench))
    return [seat for seat in seats if _plays(seat) and seat not in players]


def is_deal(players: Sequence[Place]) -> bool:
    """Whether these can play a deal: two at least, and not computers alone."""
    return len(players) >= SEATS_MIN and any(one.person_id is not None for one in players)


def has_room(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> bool:
    """Whether one more person may sit down. The place of one who sits out is kept, that of one who left is not."""
    people = [seat for seat in seats if seat.person_id is not None and not seat.left]
    return len(people) + len(bench) < SEATS_MAX


def on_bench(bench: Sequence[BenchRow], person_id: int) -> BenchRow | None:
    """The place of this person on the bench."""
    return next((row for row in bench if row.person_id == person_id), None)


def why_no_seat(status: TableStatus, bench: Sequence[BenchRow], person_id: int) -> str:
    """Why somebody has no seat at a table of this status, as the key of what to say."""
    row = on_bench(bench, person_id)
    if row is None:
        return "sorry.sit_down_first" if status == "lobby" else "sorry.not_seated"
    return "sorry.comes_next" if row.comes else "sorry.sits_out"


def _plays(one: Place) -> bool:
    return one.comes if isinstance(one, BenchRow) else not (one.left or one.sits_out)
