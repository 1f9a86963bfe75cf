"""Whether one person plays alone with computers: then nobody else at the table could learn anything from what they do."""

from collections.abc import Sequence

from data.values import SeatRow, TableRow


def plays_alone(table: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Whether at most one seat belongs to a person, and nobody plays the same cards at another table."""
    people = sum(row.person_id is not None for row in seats)
    shares_cards = table.kind.shares_boards and table.options.board_set is not None
    return people <= 1 and not shares_cards
