"""Whether one person plays alone with computers: then nobody waits for them, or learns anything from what they do."""

from collections.abc import Sequence

from data.values import BenchRow, SeatRow, TableRow


def plays_alone(table: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Whether at most one seat belongs to a person, and nobody plays the same cards at another table."""
    people = sum(row.person_id is not None for row in seats)
    shares_cards = table.kind.shares_boards and table.options.board_set is not None
    return people <= 1 and not shares_cards


def is_alone(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> bool:
    """Whether nobody else waits for a person's move, in the deal or for the next one."""
    return sum(row.person_id is not None for row in seats) + len(bench) < 2
