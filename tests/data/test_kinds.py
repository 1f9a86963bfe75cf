"""The kinds of tables: which options define each kind, and what only some kinds allow."""

import pytest

from data.preferences import DAILY, LEAGUE, OPEN, PRIVATE, TableKind, TableOptions


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({}, OPEN),
        ({"board_set": 3}, OPEN),
        ({"private": True}, PRIVATE),
        ({"private": True, "league": True}, LEAGUE),
        ({"private": True, "league": True, "board_set": 3}, LEAGUE),
        ({"daily": "2026-11-21", "board_set": 3}, DAILY),
    ],
)
def test_the_options_of_a_table_say_its_kind(options: dict, kind: TableKind):
    assert TableOptions(**options).kind is kind


def test_what_is_stored_does_not_name_the_kind():
    assert "kind" not in TableOptions(league=True).model_dump()


def test_who_may_sit_down_and_who_may_come_and_go():
    assert [kind.by_invitation for kind in (OPEN, PRIVATE, LEAGUE, DAILY)] == [False, True, True, False]
    assert [kind.may_come_and_go for kind in (OPEN, PRIVATE, LEAGUE, DAILY)] == [True, True, False, False]


def test_a_league_runs_its_own_tables():
    asked = (
        "is_hosted",
        "host_starts",
        "has_rematch",
        "closes_when_idle",
        "finds_first_dealer",
        "opened_by_command",
    )
    for question in asked:
        assert [getattr(kind, question) for kind in (OPEN, PRIVATE, LEAGUE, DAILY)] == [
            True,
            True,
            False,
            True,
        ]
    assert LEAGUE.waits_for_invited


def test_the_deal_of_the_day_stands_nowhere_and_counts_for_nothing():
    asked = (
        "has_message",
        "has_clocks",
        "may_be_left",
        "has_fouls",
        "is_counted",
        "shares_boards",
        "computers_pause",
    )
    for question in asked:
        assert [getattr(kind, question) for kind in (OPEN, PRIVATE, LEAGUE, DAILY)] == [
            True,
            True,
            True,
            False,
        ]
