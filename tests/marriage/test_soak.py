"""`make soak` checks what it says: every event of a deal."""

from dataclasses import replace

import pytest

from marriage.events import Event
from marriage.invariants import check
from marriage.state import Phase, State
from tests.marriage import dealing
from tests.soak import attempt


def test_every_event_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[State] = []

    def look(state: State) -> None:
        seen.append(state)
        check(state)

    monkeypatch.setattr(dealing, "check", look)
    assert attempt(1)[3] is None
    assert [state.version for state in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].phase is Phase.OVER


def test_a_lost_card_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = dealing.apply

    def losing(state: State | None, event: Event) -> State:
        after = apply(state, event)
        return after if after.version < 10 else replace(after, stock=after.stock[1:])

    monkeypatch.setattr(dealing, "apply", losing)
    assert "the deck is not whole" in str(attempt(1)[3])
