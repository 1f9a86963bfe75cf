"""Fouls ruled by people: the penalty is due, the hand lives, and until the deal ends it can be undone."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from marriage.apply import apply
from marriage.errors import IllegalActionError, Refusal
from marriage.events import EVENT, Dealt, Event, FoulLifted, FoulReason, FoulRuled, Settled
from marriage.moves import dismissed, lift_foul, rule_foul
from marriage.notation import deal_of
from marriage.review import kept_debts, only_ruled, ruled_debts, rulings, steps
from marriage.sheet import Status
from marriage.view import mask, view
from tests.marriage.dealing import Script, finish
from tests.marriage.test_options_fouls import (
    FOUR,
    LAID,
    OTHER,
    OTHER_LAID,
    PRIMARY,
    REST,
    begun,
    sheet_of,
)


def rule(deal: Script, seat: int, why: FoulReason = FoulReason.TOLD, by: int | None = 0) -> Script:
    return entered(deal, rule_foul(deal.state, seat, why, by))


def entered(deal: Script, events: list[Event]) -> Script:
    for event in events:
        deal.events.append(event)
        deal.state = apply(deal.state, event)
    return deal


def table(foul: str = "each") -> Script:
    """Return a deal in which seat 0 of three can finish in its first turn."""
    return begun(f"{PRIMARY} {REST}", "", "", stock="6C QD", foul=foul)


def ended(deal: Script) -> Script:
    return deal.draw().do(LAID).cut_to("QD").do(finish(FOUR, "6C"))


@pytest.mark.parametrize(
    ("foul", "fouls", "owing"),
    [("each", [15, -30, 15], ()), ("next", [0, 0, 0], (1,)), ("total", [4, -8, 4], ())],
)
def test_a_ruled_foul_costs_the_penalty_and_the_hand_lives(
    foul: str, fouls: list[int], owing: tuple[int, ...]
) -> None:
    plain, deal = ended(table(foul)), rule(table(foul), 1)
    assert not deal.state.seats[1].out
    sheet = sheet_of(ended(deal))
    assert [line.foul for line in sheet.lines] == fouls
    assert sheet.owing == owing
    assert sheet.lines[1].status is Status.UNSEEN
    assert [line.payment for line in sheet.lines] == [line.payment for line in sheet_of(plain).lines]


def test_everybody_sees_a_ruling_and_nothing_else_changes() -> None:
    before = table()
    deal = rule(before, 2, FoulReason.LOOKED, None)
    event = deal.events[-1]
    assert event == FoulRuled(seat=2, why=FoulReason.LOOKED, by=None)
    assert EVENT.validate_json(EVENT.dump_json(event)) == event
    for viewer in (None, 0, 1, 2):
        assert mask(event, viewer) == event
        assert view(deal.state, viewer).seats[2].ruled is FoulReason.LOOKED
    assert (deal.state.turn, deal.state.phase) == (before.state.turn, before.state.phase)
    assert steps(deal.events)[-1].notable


def test_what_was_taken_back_costs_nothing_and_may_be_ruled_again() -> None:
    deal = rule(table(), 1)
    entered(deal, lift_foul(deal.state, 1))
    assert deal.events[-1] == FoulLifted(seat=1)
    assert deal.state.seats[1].ruled is None
    again = rule(deal, 1)
    entered(again, lift_foul(again.state, 1))
    assert [line.foul for line in sheet_of(ended(again)).lines] == [0, 0, 0]


def test_any_seat_may_rule_and_be_ruled_against() -> None:
    deal = rule(table(), 0, FoulReason.TOLD, 2)
    assert deal.events[-1] == FoulRuled(seat=0, why=FoulReason.TOLD, by=2)
    assert lift_foul(deal.state, 0) == [FoulLifted(seat=0)]


def test_the_refusal_of_a_seat_that_is_not_there_names_it() -> None:
    for seat in (-1, 3):
        with pytest.raises(IllegalActionError) as refused:
            rule_foul(table().state, seat, FoulReason.OTHER, None)
        assert (refused.value.code, refused.value.details) == (Refusal.NO_SUCH_SEAT, {"seat": seat})


@pytest.mark.parametrize(
    ("deal", "seat", "code"),
    [
        (table("off"), 1, Refusal.NO_FOULS),
        (rule(table(), 1), 1, Refusal.ALREADY_RULED),
        (ended(table()), 1, Refusal.DEAL_OVER),
    ],
)
def test_what_cannot_be_ruled_is_refused(deal: Script, seat: int, code: Refusal) -> None:
    with pytest.raises(IllegalActionError) as refused:
        rule_foul(deal.state, seat, FoulReason.OTHER, None)
    assert refused.value.code is code


def test_only_what_was_ruled_is_taken_back() -> None:
    with pytest.raises(IllegalActionError) as refused:
        lift_foul(table().state, 1)
    assert refused.value.code is Refusal.NOT_RULED


def test_the_rulings_of_a_deal_are_those_that_were_not_lifted() -> None:
    deal = rule(rule(rule(table(), 1, by=0), 2, by=None), 0, by=2)
    entered(deal, lift_foul(deal.state, 0))
    assert rulings(deal.events) == {1: 0, 2: None}
    assert rulings(table().events) == {}


def test_only_ruled_fouls_are_those_that_nobody_would_pay_without_the_ruling() -> None:
    """Seat 1 has a throw foul, so it pays with or without the ruling."""
    deal = begun(PRIMARY, f"{OTHER} QD", stock="6C 4S QD", foul="each", throw_foul=True)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID).throw("QD")
    assert deal.state.seats[1].threw
    entered(rule(rule(deal, 0), 1), dismissed(deal.state))
    assert only_ruled(deal.events) == {0}


def test_a_dead_hand_pays_for_its_false_claim_whatever_is_ruled() -> None:
    deal = rule(rule(table("next"), 1), 2)
    events = [*deal.events, *ended(table("next")).events[-1:]]
    end = events[-1]
    assert isinstance(end, Settled)
    lines = list(end.sheet.lines)
    lines[2] = replace(lines[2], status=Status.FOUL)
    events[-1] = replace(end, sheet=replace(end.sheet, lines=tuple(lines)))
    assert only_ruled(events) == {1}


def owed(events: list[Event], carry: tuple[int, ...]) -> list[Event]:
    """Return the deal as if these seats had owed a foul before it."""
    dealt = events[0]
    assert isinstance(dealt, Dealt)
    return [replace(dealt, carry=carry), *events[1:]]


def test_fouls_stay_owed_after_a_deal_without_a_winner_and_one_knows_which_were_ruled() -> None:
    open_ = rule(table("next"), 1)
    after = Script(owed(open_.events, (2, 0))[0], *open_.events[1:])
    events = [*after.events, *dismissed(after.state)]
    assert kept_debts(events) == (2, 0)
    assert ruled_debts(events, [True, False]) == [True, False, True]
    assert ruled_debts(events, [False, True]) == [False, True, True]


def test_a_winner_collects_what_was_owed() -> None:
    events = ended(rule(table("next"), 1)).events
    assert kept_debts(owed(events, (2,))) == ()
    assert ruled_debts(events, []) == [True]


@pytest.mark.parametrize("ask", [only_ruled, kept_debts])
def test_what_is_owed_is_known_once_the_deal_is_over(ask: Callable[[list[Event]], object]) -> None:
    for events in (table().events, []):
        with pytest.raises(ValueError, match=r"^the deal is not over$"):
            ask(list(events))


def test_a_ruling_is_no_move_of_the_deal_as_text() -> None:
    deal = rule(table(), 1)
    assert deal_of(deal.events).moves == deal_of(deal.events[:-1]).moves
