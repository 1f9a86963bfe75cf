"""Par: the measured table, and which of its figures a table's rules have."""

import pytest

from league.statistics.par import pars, preset_par, table
from marriage.rules import PRESETS


def test_every_preset_and_table_size_is_measured():
    found = table()
    assert {(row.preset, row.seats) for row in found.rows} == {
        (name, seats) for name in PRESETS for seats in (2, 3, 4, 5)
    }
    assert all(row.deals >= 500 and row.error / row.par < 0.05 for row in found.rows)
    assert found.version == 1


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
