"""What is due when."""

from bot.delivery.live_panels import Timetable


def test_keys_come_out_by_the_earliest_time_that_was_noted_for_each():
    table: Timetable[tuple[int, int]] = Timetable()
    assert table.next_at is None
    for key, at in (((1, 1), 50), ((2, 2), 40), ((1, 1), 30), ((2, 2), 90), ((3, 3), 60)):
        table.note(key, at)
    assert table.next_at == 30
    table.drop((3, 3))
    assert table.take(29) is None
    assert [table.take(100) for _ in range(3)] == [(1, 1), (2, 2), None]
    table.note((1, 1), 70)
    assert table.take(100) == (1, 1)
    assert table.next_at is None
