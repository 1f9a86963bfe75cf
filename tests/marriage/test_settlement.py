"""From points and final hands to nets: payments, unseen maal, dead hands, fouls."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter

from marriage.cards import Card, parse_cards
from marriage.rules import Rules
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.scoring.settlement import settle, settle_dismissed
from marriage.sheet import Ending, Sheet, SheetItem, Status, What

JC = Card.parse("JC")
SEEN, UNSEEN, FOUL, PAUSE = Status.SEEN, Status.UNSEEN, Status.FOUL, Status.PAUSE


def counted(points: int, status: Status = SEEN, *, dublees: bool = False) -> FinalSeat:
    return FinalSeat(points=points, status=status, dublees=dublees)


def held(cards: str, status: Status = SEEN, *, exposed: str = "", laid: tuple[str, ...] = ()) -> FinalSeat:
    groups = tuple(map(parse_cards, laid))
    return FinalSeat(parse_cards(cards), parse_cards(exposed), groups, status)


def sheet(*seats: FinalSeat, winner: int = 0, by: Ending = Ending.GROUPS, **more: Any) -> Sheet:
    known = {"better", "carry", "thrown"}
    options = {name: value for name, value in more.items() if name not in known}
    rest = {name: value for name, value in more.items() if name in known}
    return sheet_of(seats, JC, winner, by, Rules(**options), **rest)


def nets(result: Sheet) -> list[int]:
    return [line.net for line in result.lines]


def points(result: Sheet) -> list[int]:
    return [line.points for line in result.lines]


# Maal and payments


def test_pagats_example():
    result = sheet(counted(2), counted(5), counted(3), counted(0, UNSEEN), winner=2)
    assert nets(result) == [-5, 7, 18, -20]
    assert [line.maal for line in result.lines] == [-2, 10, 2, -10]
    assert [line.payment for line in result.lines] == [-3, -3, 16, -10]
    assert (result.total, result.factor, result.winner) == (10, 1, 2)


@pytest.mark.parametrize(("by", "expected"), [("groups", [31, -9, -22]), ("dublees", [41, -14, -27])])
def test_payments_to_the_winner(by, expected):
    assert nets(sheet(counted(10), counted(2), counted(0, UNSEEN), by=Ending(by))) == expected


@pytest.mark.parametrize(
    ("unseen_maal", "expected"),
    [
        ("count", [20, -11, -9]),
        ("murder", [28, -3, -25]),
        ("murder_payback", [36, 5, -41]),
        ("kidnap_points", [44, -11, -33]),
        ("kidnap_cards", [44, -11, -33]),
        ("void", [28, -3, -25]),
    ],
)
def test_points_without_cards_of_an_unseen_seat(unseen_maal, expected):
    assert nets(sheet(counted(10), counted(5), counted(8, UNSEEN), unseen_maal=unseen_maal)) == expected


@pytest.mark.parametrize(
    ("dublee_exempt", "better", "expected"),
    [(False, False, [21, -3, -18]), (True, False, [18, 0, -18]), (True, True, [36, 0, -36])],
)
def test_a_dublee_loser(dublee_exempt, better, expected):
    seats = counted(10), counted(5, dublees=True), counted(0)
    assert nets(sheet(*seats, dublee_exempt=dublee_exempt, better=better)) == expected


def test_an_exempt_dublee_loser_pays_the_bonus():
    seats = counted(10, dublees=True), counted(5, dublees=True), counted(0)
    result = sheet(*seats, dublee_exempt=True, by=Ending.DUBLEES)
    assert [line.payment for line in result.lines] == [13, -5, -8]


@pytest.mark.parametrize(
    ("dublee_game", "better", "factor"),
    [("off", False, 1), ("mark", False, 1), ("double", False, 3), ("double", True, 3), ("off", True, 3)],
)
def test_a_better_deal_counts_the_factor_once(dublee_game, better, factor):
    result = sheet(
        counted(10), counted(5, dublees=True), dublee_game=dublee_game, better=better, better_factor=3
    )
    assert result.factor == factor
    assert nets(result) == [8 * factor, -8 * factor]
    assert points(result) == [10, 5]


def test_a_dublee_game_needs_a_show_by_dublees():
    assert sheet(counted(10), counted(5), dublee_game="double").factor == 1


def test_the_winner_may_lose():
    assert nets(sheet(counted(0), counted(20), counted(0, UNSEEN))) == [-7, 37, -30]


@pytest.mark.parametrize("status", [UNSEEN, FOUL, PAUSE])
def test_only_a_seat_that_has_seen_can_win(status):
    with pytest.raises(ValueError, match="seen"):
        sheet(counted(0, status), counted(0))


# Unseen maal, card by card: the winner holds one poplu, the second has seen, the third not

UNSEEN_HAND = "QC QC 10C JC 6H 6H 6H 2S"


@pytest.mark.parametrize(
    ("unseen_maal", "tunnel_pachaunu", "expected"),
    [
        ("count", True, [2, 3, 12]),
        ("count", False, [2, 3, 17]),
        ("void", True, [2, 3, 0]),
        ("void", False, [2, 3, 5]),
        ("murder", True, [2, 3, 0]),
        ("murder", False, [2, 3, 0]),
        ("murder_payback", True, [2, 3, -12]),
        ("murder_payback", False, [2, 3, -12]),
        ("kidnap_points", True, [14, 3, 0]),
        ("kidnap_points", False, [19, 3, 0]),
        ("kidnap_cards", True, [15, 3, 0]),
        ("kidnap_cards", False, [20, 3, 0]),
    ],
)
def test_the_maal_of_an_unseen_seat(unseen_maal, tunnel_pachaunu, expected):
    result = sheet(
        held("QC 4S"),
        held("JC 5S"),
        held(UNSEEN_HAND, UNSEEN, exposed="6H"),
        unseen_maal=unseen_maal,
        tunnel_pachaunu=tunnel_pachaunu,
    )
    assert points(result) == expected
    assert result.total == sum(expected)


@pytest.mark.parametrize(("table", "tunnela_row"), [("pagat", 20), ("w1", 15), ("w2", 5), ("w3", 15)])
def test_void_leaves_the_row_of_the_tunnelas_alone(table, tunnela_row):
    """As cards the hand would be worth more; of void cards only the tunnela is left."""
    result = sheet(
        held("4S"),
        held("QC QC QC JC JC 10C 10C", UNSEEN, exposed="QC"),
        unseen_maal="void",
        tunnel_pachaunu=False,
        point_table=table,
    )
    assert points(result) == [0, tunnela_row]


@pytest.mark.parametrize(("table", "total"), [("pagat", 7), ("w3", 8)])
def test_kidnapping_cards_is_more_than_kidnapping_points(table, total):
    seats = held("JC 2S"), held("JC 4S", UNSEEN)
    assert points(sheet(*seats, unseen_maal="kidnap_cards", point_table=table)) == [total, 0]
    assert points(sheet(*seats, unseen_maal="kidnap_points", point_table=table)) == [6, 0]
    assert nets(sheet(*seats, unseen_maal="kidnap_points")) == [16, -16]


def test_kidnapped_tunnelas_go_into_the_winners_rows():
    seats = held("6H 6H 6H", exposed="6H"), held("6D 6D 6D", UNSEEN, exposed="6D")
    options = {"point_table": "w3", "unseen_maal": "kidnap_cards"}
    assert points(sheet(*seats, **options, tunnel_pachaunu=False)) == [15, 0]
    assert points(sheet(*seats, **options, tunnel_pachaunu=True)) == [5, 0]


def test_several_unseen_seats_are_kidnapped_together():
    seats = held("QC"), held("QC", UNSEEN), held("QC 10C", UNSEEN)
    assert points(sheet(*seats, unseen_maal="kidnap_cards")) == [12, 0, 0]
    assert points(sheet(*seats, unseen_maal="kidnap_points")) == [8, 0, 0]


@pytest.mark.parametrize("unseen_maal", ["murder", "murder_payback", "kidnap_points", "kidnap_cards"])
def test_a_dead_hand_is_neither_murdered_nor_kidnapped(unseen_maal):
    seats = held("QC"), held("QC QC", FOUL), held("JC")
    assert points(sheet(*seats, unseen_maal=unseen_maal)) == [2, 0, 3]


def test_items_say_what_became_of_unseen_maal():
    seats = held("QC 4S"), held("QC JC", UNSEEN)
    by_points = sheet(*seats, unseen_maal="kidnap_points")
    assert by_points.lines[0].items[-1] == SheetItem(What.KIDNAPPED, (), 5)
    assert by_points.lines[1].items[-1] == SheetItem(What.UNSEEN, (), -5)
    by_cards = sheet(*seats, unseen_maal="kidnap_cards")
    assert by_cards.lines[0].items == (
        SheetItem(What.TIPLU, (JC,), 3),
        SheetItem(What.POPLU, parse_cards("QC QC"), 5),
        SheetItem(What.KIDNAPPED, parse_cards("JC QC"), 0),
    )
    assert by_cards.lines[1].items == (SheetItem(What.UNSEEN, parse_cards("JC QC"), 0),)
    paid_back = sheet(*seats, unseen_maal="murder_payback").lines[1]
    assert [item.points for item in paid_back.items] == [3, 2, -10]


def test_a_laid_marriage_counts_from_the_groups_shown():
    winner = held("10C JC QC 2S", laid=("10C JC QC", "3S 4S 5S", "6H 6H 6H"))
    assert points(sheet(winner, held("4S"), laid_marriage=True)) == [15, 0]
    assert points(sheet(replace(winner, laid=()), held("4S"), laid_marriage=True)) == [10, 0]


def test_cards_need_a_tiplu():
    with pytest.raises(ValueError, match="tiplu"):
        sheet_of([held("QC"), held("4S")], None, 0, Ending.GROUPS, Rules())


# Dead hands, pauses and fouls


def test_a_dead_hand_pays_maal_and_bonus_but_not_three_or_ten():
    assert nets(sheet(counted(10), counted(7, FOUL), foul="next")) == [10, -10]
    assert nets(sheet(counted(10), counted(0, FOUL), by=Ending.DUBLEES, foul="next")) == [15, -15]


@pytest.mark.parametrize(
    ("options", "points", "better", "paid"),
    [
        ({"foul": "total"}, 0, False, 10),  # as an honest player who has not seen
        ({"foul": "total"}, 3, False, 4),  # 6 of 10 go to the two others
        ({"foul": "total"}, 9, False, 0),
        ({"foul": "each"}, 0, False, 0),
        ({"foul": "next"}, 0, False, 0),
        ({"foul": "next", "foul_points": 4}, 0, False, 6),
        ({"foul": "next"}, 0, True, 5),  # an unseen loser of a better deal pays 20
        ({"foul": "total", "dead_hand": "spared"}, 0, False, 0),
    ],
)
def test_a_foul_never_costs_less_than_not_having_seen(options, points, better, paid):
    seats = counted(points), counted(0, FOUL), counted(0)
    options = {"dead_hand": "pays"} | options
    assert sheet(*seats, better=better, **options).lines[1].payment == -paid


def test_a_seat_that_pauses_is_no_player():
    result = sheet(counted(10), counted(2), counted(0, PAUSE), by=Ending.DUBLEES, foul="each", thrown=[1])
    assert nets(result) == [31, -31, 0]


def test_each():
    result = sheet(counted(10), counted(2), counted(0, FOUL), foul="each", foul_points=20)
    assert [line.foul for line in result.lines] == [20, 20, -40]


def test_total():
    result = sheet(counted(3), counted(6), counted(0, FOUL), winner=1, foul="total", better=True)
    assert [line.foul for line in result.lines] == [9, 9, -18]
    assert [line.maal for line in result.lines] == [0, 18, -18]


def test_a_total_below_nothing_is_nothing():
    seats = counted(0), counted(5, UNSEEN), counted(0, FOUL)
    result = sheet(*seats, foul="total", unseen_maal="murder_payback")
    assert result.total == -5
    assert [line.foul for line in result.lines] == [0, 0, 0]


def test_several_foulers_pay_each_other_and_nobody_twice():
    result = sheet(counted(0), counted(0, FOUL), counted(0), foul="each", thrown=[2, 1, 2])
    assert [line.foul for line in result.lines] == [30, -15, -15]


def test_a_foul_is_carried_to_the_next_deal():
    first = sheet(counted(0), counted(0, FOUL), counted(0), foul="next", throw_foul=True, thrown=[2])
    assert [line.foul for line in first.lines] == [0, 0, 0]
    assert first.owing == (1, 2)
    second = sheet(counted(0), counted(0), counted(0), winner=2, foul="next", carry=first.owing)
    assert [line.foul for line in second.lines] == [0, -15, 15]
    assert second.owing == ()


def test_a_carried_foul_waits_for_a_deal_that_somebody_wins():
    seats = [counted(0), counted(0, FOUL), counted(0, FOUL)]
    dismissed = dismissed_sheet(seats, Rules(foul="next"), carry=[1])
    assert nets(dismissed) == [0, 0, 0]
    assert dismissed.owing == (1, 1, 2)
    after = sheet(counted(0), counted(0), counted(0), foul="next", carry=dismissed.owing)
    assert [line.foul for line in after.lines] == [45, -30, -15]


def test_a_carried_foul_is_owed_by_a_seat_that_pauses_and_not_multiplied():
    result = sheet(counted(1), counted(0), counted(0, PAUSE), foul="next", carry=[2], better=True)
    assert nets(result) == [23, -8, -15]


@pytest.mark.parametrize(
    ("foul", "expected"),
    [("off", [0, 0, 0]), ("next", [0, 0, 0]), ("each", [15, 15, -30]), ("total", [0] * 3)],
)
def test_a_dismissed_deal(foul, expected):
    seats = [held("QC QC"), held("JC", UNSEEN), held("10C", FOUL)]
    result = dismissed_sheet(seats, Rules(foul=foul))
    assert nets(result) == expected
    assert (result.ending, result.winner, result.total) == (Ending.DISMISSED, None, 0)
    assert all(line.points == line.maal == line.payment == 0 and not line.items for line in result.lines)
    assert [line.status for line in result.lines] == [SEEN, UNSEEN, FOUL]
    assert result.owing == ((2,) if foul == "next" else ())


def test_fouls_cost_nothing_where_they_are_off():
    result = sheet(counted(0), counted(0, FOUL), thrown=[0])
    assert [line.foul for line in result.lines] == [0, 0]
    assert result.owing == ()


def test_a_sheet_is_plain_values():
    result = sheet(held("QC QC"), held("JC 6H 6H 6H", UNSEEN, exposed="6H"), foul="next", carry=[1])
    adapter = TypeAdapter(Sheet)
    assert adapter.validate_json(adapter.dump_json(result)) == result


def test_settling_by_hand():
    shares = settle([10, 2, 0], [SEEN, SEEN, UNSEEN], 0, Rules())
    assert [share.net for share in shares] == [31, -9, -22]
    assert [share.net for share in settle_dismissed([SEEN, FOUL], Rules(foul="each"))] == [15, -15]


# The lines of the sheet


def test_points_that_were_counted_at_the_table_are_a_line_of_their_own() -> None:
    assert sheet(counted(7), counted(0)).lines[0].items == (SheetItem(What.COUNTED, (), 7),)


def test_every_unseen_seat_loses_its_maal_also_after_one_that_has_none() -> None:
    found = sheet(held(""), held("", UNSEEN), held("QC", UNSEEN), unseen_maal="murder")
    assert points(found) == [0, 0, 0]
    assert found.lines[2].items[-1] == SheetItem(What.UNSEEN, (), -2)


@pytest.mark.parametrize("unseen_maal", ["count", "void", "murder", "murder_payback"])
def test_who_has_not_seen_has_laid_no_marriage(unseen_maal: str) -> None:
    found = sheet(held(""), held("10C JC QC", UNSEEN), unseen_maal=unseen_maal, laid_marriage=True)
    assert found.lines[1].items[0] == SheetItem(What.MARRIAGE, parse_cards("10C JC QC"), 10)


@pytest.mark.parametrize(("tunnel_pachaunu", "taken", "points"), [(False, "QC 6H 6H 6H", 7), (True, "QC", 2)])
def test_kidnapped_cards_are_the_maal_and_the_tunnelas_that_count(
    tunnel_pachaunu: bool, taken: str, points: int
) -> None:
    """The five of spades and the jack of hearts, an ordinary joker, are worth nothing."""
    robbed = held("QC 5S JH 6H 6H 6H", UNSEEN, exposed="6H")
    found = sheet(held(""), robbed, unseen_maal="kidnap_cards", tunnel_pachaunu=tunnel_pachaunu)
    assert sorted(found.lines[1].items[-1].cards) == sorted(parse_cards(taken))
    assert [line.points for line in found.lines] == [points, 0]


def test_fouls_of_a_deal_without_a_winner_are_paid() -> None:
    paid = dismissed_sheet([held(""), held(""), held("")], Rules(foul="each", throw_foul=True), thrown=[1])
    assert [line.foul for line in paid.lines] == [15, -30, 15]


def test_what_cannot_be_settled_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^only a seat that has seen can win$"):
        sheet(held("", UNSEEN), held(""))
    with pytest.raises(ValueError, match=r"^cards cannot be counted without the tiplu$"):
        sheet_of([held(""), held("")], None, 0, Ending.GROUPS, Rules())
