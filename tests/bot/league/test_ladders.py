"""Which people of an ordinary table's match may count in a ladder."""

from bot.league.pod_tables import who_played
from data.values import BenchRow, ResultRow, SeatRow
from marriage.sheet import Status


def seat(number: int, person_id: int | None) -> SeatRow:
    return SeatRow(1, number, person_id, "A", None if person_id else "steady")


def played(deal: int, *people: int | None) -> list[ResultRow]:
    return [
        ResultRow(1, deal, number, person, "A", Status.SEEN, 0, 0, 0, winner=False)
        for number, person in enumerate(people)
    ]


def waiting(person_id: int) -> BenchRow:
    return BenchRow(1, 0, person_id, "A", 0, comes=False)


def test_a_match_counts_for_those_who_began_it_even_if_they_sit_out():
    rows = [*played(1, 5, 6, 7), *played(2, 5, 6)]
    assert who_played([seat(0, 5), seat(1, 6)], [waiting(7), waiting(8)], rows) == [5, 6, 7]
    assert who_played([seat(0, 5), seat(1, 6)], [], rows) == [5, 6]


def test_a_match_that_somebody_joined_later_counts_for_nobody():
    rows = [*played(1, 5, 6), *played(2, 5, 6, 7)]
    assert who_played([seat(0, 5), seat(1, 6), seat(2, 7)], [], rows) is None
    assert who_played([seat(0, 5), seat(1, 6)], [waiting(7)], rows) is None


def test_a_match_with_a_computer_counts_for_nobody():
    assert who_played([seat(0, 5), seat(1, None)], [], played(1, 5, None)) is None
