"""The ledger of a match, from results alone."""

import pytest

from bot.table.core.table import MatchLedger, ledger_of
from data.values import ResultRow
from marriage.scoring.settle_up import Payment
from marriage.sheet import Status

RAM, SITA = (11, "Ram"), (12, "Sita")
COMPUTER = (None, "Makalu")


def deal(number: int, *nets: tuple[tuple[int | None, str], int], pause: int | None = None) -> list[ResultRow]:
    """Return the results of a deal; the player at index `pause` sat out."""
    return [
        ResultRow(
            1, number, place, *who, Status.PAUSE if place == pause else Status.SEEN, 0, 0, net, winner=False
        )
        for place, (who, net) in enumerate(nets)
    ]


def test_before_the_first_deal_is_over_there_is_nothing():
    assert ledger_of([]) == MatchLedger()
    assert (
        MatchLedger().deals,
        MatchLedger().standing,
        MatchLedger().payments,
        MatchLedger().total_of(11),
    ) == (0, (), (), 0)


def test_points_go_by_player_whatever_the_name_of_the_seat():
    ledger = ledger_of(
        [
            *deal(1, (RAM, -10), (SITA, 4), (COMPUTER, 6)),
            *deal(4, (SITA, 5), (COMPUTER, -5)),
            *deal(5, (COMPUTER, 3), ((12, "Sita Devi"), -3)),
        ]
    )
    assert [account.name for account in ledger.accounts] == ["Ram", "Sita Devi", "Makalu"]
    assert [account.gains for account in ledger.accounts] == [(-10, None, None), (4, 5, -3), (6, -5, 3)]
    assert ledger.deals == 3
    assert [ledger.total_of(player) for player in (11, 12, "Makalu", 13)] == [-10, 6, 4, 0]
    assert ledger.payments == (Payment(0, 1, 6), Payment(0, 2, 4))


def test_a_person_and_a_computer_of_one_name_are_two():
    ledger = ledger_of(deal(1, ((11, "Makalu"), 8), (COMPUTER, -8)))
    assert [account.total for account in ledger.accounts] == [8, -8]


def test_equal_totals_share_a_place():
    ledger = ledger_of(deal(1, (RAM, 5), (SITA, 5), (COMPUTER, -10)))
    assert [(place, account.name) for place, account in ledger.standing] == [
        (1, "Ram"),
        (1, "Sita"),
        (3, "Makalu"),
    ]


@pytest.mark.parametrize(("net", "shown"), [(-15, -15), (0, None)])
def test_a_player_who_only_owes_a_foul_has_a_line_after_paying(net: int, shown: int | None):
    ledger = ledger_of([*deal(1, (RAM, 0), (SITA, 0)), *deal(2, (SITA, -net), (RAM, net), pause=1)])
    assert ledger.accounts[0].gains == (0, shown)
    assert ledger.accounts[0].total == net
