"""Rules: how they are written, and which preset is nearest to them."""

import pytest

from marriage.rules import PRESETS, Rules, nearest_preset, preset


def test_values_of_ones_own_may_be_written_as_an_object():
    rows = (("tiplu", (4, 9)), ("tunnela", (6,)))
    assert Rules(custom_points={"tiplu": (4, 9), "tunnela": (6,)}).custom_points == rows
    assert Rules(custom_points=rows).custom_points == rows
    read = Rules.model_validate_json('{"custom_points": {"tiplu": [4, 9], "tunnela": [6]}}')
    assert read == Rules(custom_points=rows)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_nearest_to_the_preset_from_which_they_differ_least(name: str):
    assert nearest_preset(PRESETS[name]) == (name, {})
    other = preset(name, reshuffle_cap=7)
    assert nearest_preset(other) == (name, {"reshuffle_cap": 7})
    assert nearest_preset(other, {"reshuffle_cap"}) == (name, {})


def test_of_equally_near_presets_the_first_is_named():
    """Without its own rule on the maal of the unseen, the game called murder is the one of Pagat."""
    assert nearest_preset(preset("murder", unseen_maal="void")) == ("pagat", {"unseen_maal": "void"})
