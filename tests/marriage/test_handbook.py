"""The generated tables of the rules: their headers, and a row of each kind."""

import pytest

from marriage.handbook import maal, options, points, written
from marriage.rules import PRESETS, Rules


def rows(table: str) -> dict[str, str]:
    """Return the rows of a table after the header and its rule, by their first cell."""
    return {line.split(" | ")[0].removeprefix("| "): line for line in table.split("\n")[2:]}


def test_a_row_of_options_has_its_values_and_that_of_each_preset() -> None:
    table = options()
    header, rule, *_ = table.split("\n")
    assert header == f"| option | what it does | values | {' | '.join(PRESETS)} |"
    assert rule == f"| {' | '.join(['---'] * (3 + len(PRESETS)))} |"
    told = rows(table)
    assert [*told] == [f"`{name}`" for name in Rules.model_fields]
    for name, values in [
        ("direction", "`clockwise`, `anticlockwise`"),
        ("man_cards", "0 to 6"),
        ("alter", "yes, no"),
        ("custom_points", "rows"),
    ]:
        assert f". | {values} | " in told[f"`{name}`"]
    assert told["`man_cards`"].startswith(f"| `man_cards` | {Rules.model_fields['man_cards'].description} | ")
    assert told["`alter`"].endswith(f"| {' | '.join('yes' if r.alter else 'no' for r in PRESETS.values())} |")
    assert told["`foul`"].endswith(f" | {' | '.join(rules.foul for rules in PRESETS.values())} |")
    assert told["`custom_points`"].endswith(f"rows{' | –' * len(PRESETS)} |")


def test_the_points_of_a_kind_stand_side_by_side_for_each_table() -> None:
    table = points()
    assert table.startswith(
        "| of one kind: 1 / 2 / 3 | `pagat` | `w1` | `w2` | `w3` |\n| --- | --- | --- | --- | --- |\n"
    )
    told = rows(table)
    assert told["tiplu"] == "| tiplu | 3 / 7 | 3 / 8 | 3 / 7 | 3 / 8 |"
    assert told["laid marriage"] == "| laid marriage | 15 / 35 | 15 / 35 | 15 / 35 | 15 / 35 |"
    assert told["alter tunnela"] == "| alter tunnela | 35 | 30 | – | 35 |"


def test_poplu_and_jhiplu_are_the_neighbours_of_the_tiplu() -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    header, _, jhiplu, poplu = (line.strip("| ").split(" | ") for line in maal().split("\n"))
    assert header == ["tiplu", *ranks]
    assert jhiplu == ["jhiplu", *ranks[-1:], *ranks[:-1]]
    assert poplu == ["poplu", *ranks[1:], *ranks[:1]]


def test_only_the_generated_parts_of_a_text_are_replaced() -> None:
    text = "before\n<!-- maal -->\nold\nrows\n<!-- end -->\nbetween\n<!-- points -->\n<!-- end -->\nafter"
    assert written(text) == (
        f"before\n<!-- maal -->\n{maal()}\n<!-- end -->\nbetween\n<!-- points -->\n{points()}\n<!-- end -->\nafter"
    )
    assert written(written(text)) == written(text)
    assert written("<!-- Other --> <!-- end -->") == "<!-- Other --> <!-- end -->"
    with pytest.raises(KeyError, match="recipes"):
        written("<!-- recipes -->\n<!-- end -->")
