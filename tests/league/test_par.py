"""Par: the measured table, and which of its figures apply to a table's rules."""

import pytest

from benchmarks.par import BLOCK, VERSION, grown, measured
from league.statistics.par import pars, preset_par, table
from marriage.rules import PRESETS, nearest_preset


def test_every_preset_and_table_size_is_measured():
    found = table()
    assert {(row.preset, row.seats) for row in found.rows} == {
        (name, seats) for name in PRESETS for seats in (2, 3, 4, 5)
    }
    assert all(row.deals >= 500 and row.error / row.par < 0.05 for row in found.rows)
    assert found.version == VERSION
    for row in found.rows:
        again = measured(row.preset, row.seats, row.deals, row.squares, row.squares_of_squares)
        assert (row.par, row.error) == (again["par"], again["error"])


def test_a_measurement_goes_on_where_it_ended():
    nothing = measured("pagat", 2, 0, 0, 0)
    first = grown(nothing, "greedy")
    assert first == grown(nothing, "greedy")
    second = grown(first, "greedy")
    assert second["deals"] == 2 * first["deals"] == 2 * BLOCK
    assert second["squares"] > first["squares"]
    assert second["squares"] != 2 * first["squares"], "the second block has deals of its own"


@pytest.mark.parametrize("name", PRESETS)
def test_more_seats_spread_more(name):
    found = pars(PRESETS[name])
    assert [*found] == [2, 3, 4, 5]
    assert [*found.values()] == sorted(found.values())
    assert preset_par(name, 4) == found[4] / 100


def test_custom_rules_have_the_figures_of_the_nearest_preset():
    customised = PRESETS["kathmandu"].with_options(seen_pay=5, direction="clockwise")
    assert pars(customised) == pars(PRESETS["kathmandu"])
    assert len({tuple(pars(rules).values()) for rules in PRESETS.values()}) == len(PRESETS)
    with pytest.raises(KeyError):
        preset_par("kathmandu", 6)


def test_what_hardly_changes_points_does_not_choose_the_preset():
    """Turned the other way, these rules are nearest to Gambiter's, from which they differ elsewhere."""
    longer = {"group_size": "three_plus", "seen_pickup_wild": "allow", "same_face_discard": "allow"}
    other_way = PRESETS["pagat"].with_options(direction="anticlockwise", point_table="w3", **longer)
    assert nearest_preset(other_way)[0] == "gambiter"
    assert pars(other_way) == pars(PRESETS["pagat"])
