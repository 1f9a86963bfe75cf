"""Deals of the first version of the rules, still in the store, mean what they meant then."""

from pathlib import Path

import pytest

from marriage.apply import apply
from marriage.events import EVENT, Dismissed, Finished, FinishedDublees
from marriage.invariants import check
from marriage.moves import dismissed, ended
from marriage.rules import Rules
from marriage.state import State

FIRST = Path(__file__).parent / "golden_first"
NAMES = sorted(path.stem for path in FIRST.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_stored_by_the_first_version_is_counted_as_it_was(name: str) -> None:
    text = (FIRST / f"{name}.events").read_text(encoding="utf-8").splitlines()
    assert not all(f'"{option}"' in text[0] for option in Rules.model_fields)
    *events, settled = [EVENT.validate_json(line) for line in text]
    state: State | None = None
    counted = None
    for event in events:
        if state is not None and isinstance(event, Finished | FinishedDublees):
            counted = ended(state, event)[-1]
        elif state is not None and isinstance(event, Dismissed):
            counted = dismissed(state)[-1]
        state = apply(state, event)
        check(state)
    assert counted == settled


def test_what_is_stored_without_the_newer_options_has_the_first_version_of_them() -> None:
    rules = Rules.model_validate({})
    assert (rules.dead_hand, rules.first_dealer) == ("spared", 1)
