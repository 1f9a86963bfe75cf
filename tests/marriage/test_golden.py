"""Golden deals play as they always did; `golden_deals` explains how to write them again."""

import pytest

from marriage.apply import apply
from marriage.events import EVENT
from marriage.invariants import check
from marriage.notation import deal_of, play, read_deal, write_deal
from marriage.state import OVER, State
from tests.marriage.golden_deals import DEALS, GOLDEN, events_text, sheet_text, written


def kept(name: str, ending: str) -> str:
    return (GOLDEN / f"{name}.{ending}").read_text(encoding="utf-8")


def test_every_golden_deal_is_kept_and_no_other() -> None:
    files = {f"{name}.{ending}" for name in DEALS for ending in ("deal", "events", "sheet")}
    assert {path.name for path in GOLDEN.iterdir()} == files


@pytest.mark.parametrize("name", DEALS)
def test_the_moves_cause_the_same_events_and_the_same_score(name: str) -> None:
    text = kept(name, "deal")
    deal = read_deal(text)
    assert write_deal(deal) == text
    events = play(deal)
    assert events_text(events).splitlines() == kept(name, "events").splitlines()
    assert sheet_text(events) == kept(name, "sheet")


@pytest.mark.parametrize("name", DEALS)
def test_the_events_lead_to_the_same_end(name: str) -> None:
    state: State | None = None
    events = [EVENT.validate_json(line) for line in kept(name, "events").splitlines()]
    for event in events:
        state = apply(state, event)
        check(state)
    assert state is not None
    assert state.phase is OVER
    assert write_deal(deal_of(events)) == kept(name, "deal")


@pytest.mark.parametrize("name", DEALS)
def test_the_players_play_as_they_did(name: str) -> None:
    assert written(name) == {ending: kept(name, ending) for ending in ("deal", "events", "sheet")}
