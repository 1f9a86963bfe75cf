import pytest
from hypothesis import given
from hypothesis import strategies as st

from marriage.cards import Card, parse_cards
from marriage.rules import PRESETS, preset
from marriage.scoring.home_game import (
    HomeDeal,
    HomeGameFault,
    HomeSeat,
    InvalidDealError,
    check,
    evening,
    score,
)
from marriage.sheet import Ending, Status, What

SEEN, UNSEEN, FOUL, PAUSE = Status.SEEN, Status.UNSEEN, Status.FOUL, Status.PAUSE


def counted(*points: tuple[Status, int], winner: int | None = 0, **rest) -> HomeDeal:
    return HomeDeal.of((HomeSeat(status=status, points=total) for status, total in points), winner, **rest)


def nets(deal: HomeDeal, rules, carry=()) -> list[int]:
    return [line.net for line in score(deal, rules, carry).lines]


def test_points_counted_at_the_table_come_to_pagats_example() -> None:
    deal = counted((SEEN, 2), (SEEN, 5), (SEEN, 3), (UNSEEN, 0), winner=2)
    assert nets(deal, preset("pagat")) == [-5, 7, 18, -20]


def test_a_winner_who_showed_dublees_finished_by_dublees() -> None:
    won = HomeDeal.of(
        [HomeSeat(status=SEEN, points=10, dublees=True), HomeSeat(status=SEEN), HomeSeat(status=UNSEEN)], 0
    )
    assert score(won, preset("pagat")).ending is Ending.DUBLEES
    assert sum(nets(won, preset("pagat"))) == 0


def test_maal_is_worked_out_from_the_cards() -> None:
    winner = HomeSeat(status=SEEN, cards=parse_cards("10C JC QC 6H 6H 6H"), exposed=parse_cards("6H"))
    deal = HomeDeal.of([winner, HomeSeat(status=SEEN, points=5)], 0, tiplu=Card.parse("JC"))
    sheet = score(deal, preset("pagat"))
    assert [line.points for line in sheet.lines] == [15, 5]
    assert {item.what for item in sheet.lines[0].items} == {What.MARRIAGE, What.TUNNELA}
    laid = HomeDeal.of(
        [HomeSeat(status=SEEN, cards=parse_cards("10C JC QC"), marriages=1), HomeSeat(status=UNSEEN)],
        0,
        tiplu=Card.parse("JC"),
    )
    assert [line.points for line in score(laid, preset("wikipedia")).lines] == [15, 0]


def test_kidnapped_cards_are_counted_together_also_if_the_winner_holds_no_maal() -> None:
    poplu = HomeSeat(status=UNSEEN, cards=parse_cards("QC"))
    deal = HomeDeal.of([HomeSeat(status=SEEN), poplu, poplu], 0, tiplu=Card.parse("JC"))
    assert nets(deal, preset("pagat", unseen_maal="kidnap_cards")) == [30, -15, -15]  # two poplus are worth 5


def test_a_foul_is_owed_to_the_winner_of_the_next_deal() -> None:
    rules = preset("kathmandu")
    fouled = counted((SEEN, 0), (FOUL, 0), (SEEN, 0))
    dismissed = counted((SEEN, 0), (SEEN, 0), (SEEN, 0), winner=None)
    won = counted((SEEN, 0), (SEEN, 0), (SEEN, 0), winner=2)
    sheets = evening([fouled, dismissed, won], rules)
    assert [sheet.owing for sheet in sheets] == [(1,), (1,), ()]
    assert [line.foul for line in sheets[2].lines] == [0, -15, 15]


def test_who_owes_a_foul_pays_it_or_goes_on_owing_it() -> None:
    rules = preset("kathmandu", foul="next")
    won, dismissed = (
        counted((SEEN, 0), (SEEN, 0), (SEEN, 0)),
        counted((SEEN, 0), (SEEN, 0), (SEEN, 0), winner=None),
    )
    assert [line.foul for line in score(won, rules, (1,)).lines] == [15, -15, 0]
    assert score(dismissed, rules, (1,)).owing == (1,)


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        (counted((SEEN, 3), (PAUSE, 0)), HomeGameFault.TOO_FEW),
        (counted((UNSEEN, 3), (SEEN, 0)), HomeGameFault.WINNER_UNSEEN),
        (counted((FOUL, 0), (SEEN, 0)), HomeGameFault.WINNER_UNSEEN),
        (counted((SEEN, 3), (FOUL, 2)), HomeGameFault.NO_MAAL_HERE),
        (counted((SEEN, 3), (SEEN, 2), (PAUSE, 1)), HomeGameFault.NO_MAAL_HERE),
        (HomeDeal.of([HomeSeat(status=SEEN), HomeSeat(status=UNSEEN, dublees=True)], 0), HomeGameFault.UNSEEN_SHOWED),
        (HomeDeal.of([HomeSeat(status=SEEN), HomeSeat(status=SEEN, threw=True)], 0), HomeGameFault.NO_THROW_FOUL),
        (HomeDeal.of([HomeSeat(status=SEEN, cards=parse_cards("5H")), HomeSeat(status=SEEN)], 0), HomeGameFault.NO_TIPLU),
        (counted((SEEN, 0), (SEEN, 0), tiplu=Card.parse("MAN")), HomeGameFault.TIPLU_OUT_OF_PACK),
        (
            HomeDeal.of(
                [HomeSeat(status=SEEN, cards=parse_cards("5H " * 3)), HomeSeat(status=SEEN)],
                0,
                tiplu=Card.parse("5H"),
            ),
            HomeGameFault.TOO_MANY_COPIES,
        ),
        (
            HomeDeal.of(
                [HomeSeat(status=SEEN, cards=parse_cards("MAN")), HomeSeat(status=SEEN)],
                0,
                tiplu=Card.parse("5H"),
            ),
            HomeGameFault.TOO_MANY_COPIES,
        ),
        (
            HomeDeal.of(
                [HomeSeat(status=SEEN, cards=parse_cards("2S 3S 4S 5S 6S 7S 8S 9S " * 3)), HomeSeat(status=SEEN)],
                0,
                tiplu=Card.parse("5H"),
            ),
            HomeGameFault.TOO_MANY_CARDS,
        ),
        (
            HomeDeal.of(
                [HomeSeat(status=SEEN, cards=parse_cards("4H 5H"), marriages=1), HomeSeat(status=SEEN)],
                0,
                tiplu=Card.parse("5H"),
            ),
            HomeGameFault.MARRIAGE_NOT_HELD,
        ),
        (
            HomeDeal.of(
                [HomeSeat(status=SEEN, cards=parse_cards("KH AH 2H"), marriages=1), HomeSeat(status=SEEN)],
                0,
                tiplu=Card.parse("AH"),
            ),
            HomeGameFault.ACE_MARRIAGE,
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_so_is_refused(deal: HomeDeal, fault: HomeGameFault) -> None:
    with pytest.raises(InvalidDealError) as refused:
        check(deal, preset("pagat"))
    assert refused.value.fault is fault


def test_dublees_need_rules_that_know_them() -> None:
    deal = HomeDeal.of([HomeSeat(status=SEEN, dublees=True), HomeSeat(status=SEEN)], 0)
    check(deal, preset("pagat"))
    assert deal.early_dublees(preset("pagat")) == ()
    with pytest.raises(InvalidDealError, match="no_dublees"):
        check(deal, preset("wikipedia-2010"))
    check(deal, preset("kathmandu"))  # if it needs four players, the table decides
    assert deal.early_dublees(preset("kathmandu")) == (0,)


@pytest.mark.parametrize("status", [UNSEEN, PAUSE])
def test_only_a_seen_player_can_throw_a_foul(status: Status) -> None:
    rules = preset("kathmandu", throw_foul=True)
    table = [HomeSeat(status=SEEN), HomeSeat(status=SEEN, threw=True), HomeSeat(status=status)]
    check(HomeDeal.of(table, 0), rules)
    table[2] = HomeSeat(status=status, threw=True)
    with pytest.raises(InvalidDealError, match="unseen_threw"):
        check(HomeDeal.of(table, 0), rules)


def test_who_showed_dublees_has_laid_no_marriage() -> None:
    marriage = parse_cards("10C JC QC")
    both = HomeSeat(status=SEEN, cards=marriage, marriages=1, dublees=True)
    with pytest.raises(InvalidDealError, match="dublees_lay_no_sets"):
        check(HomeDeal.of([both, HomeSeat(status=SEEN)], 0, tiplu=Card.parse("JC")), preset("pagat"))


SEATS = st.one_of(
    st.builds(HomeSeat, status=st.just(SEEN), points=st.integers(0, 40), threw=st.booleans()),
    st.builds(HomeSeat, status=st.just(UNSEEN), points=st.integers(0, 40)),
)
RULES = st.sampled_from([rules for rules in PRESETS.values() if rules.foul != "off"]).map(
    lambda rules: rules.with_options(throw_foul=True)
)


@given(RULES, st.lists(st.lists(SEATS, min_size=6, max_size=6), max_size=6), st.booleans())
def test_an_evening_is_zero_sum_for_six(rules, rounds: list[list[HomeSeat]], better: bool) -> None:
    deals = [
        HomeDeal.of(
            seats,
            next((number for number, seat in enumerate(seats) if seat.status is SEEN), None),
            better=better,
        )
        for seats in rounds
    ]
    for sheet in evening(deals, rules):
        assert sum(line.net for line in sheet.lines) == 0
    for deal in deals:
        assert HomeDeal.model_validate_json(deal.model_dump_json()) == deal


@pytest.mark.parametrize(("seats", "winner"), [(2, 2), (3, 5)])
def test_the_winner_sits_at_the_table(seats: int, winner: int) -> None:
    with pytest.raises(ValueError, match="the winner has no seat"):
        counted(*[(SEEN, 0)] * seats, winner=winner)


HERE = HomeSeat(status=SEEN)
JACK = Card.parse("JC")


def beside(seat: HomeSeat, **rest) -> HomeDeal:
    """Return a deal whose third seat is the one to examine; the first has won."""
    return HomeDeal.of([HERE, HERE, seat], 0, **rest)


@pytest.mark.parametrize(
    ("deal", "details"),
    [
        (counted((SEEN, 3), (PAUSE, 0)), {"least": 2}),
        (counted((SEEN, 0), (UNSEEN, 3), winner=1), {"seat": 1}),
        (beside(HomeSeat(status=FOUL, points=2)), {"seat": 2}),
        (beside(HomeSeat(status=UNSEEN, dublees=True)), {"seat": 2}),
        (beside(HomeSeat(status=UNSEEN, threw=True)), {"seat": 2}),
        (beside(HomeSeat(status=SEEN, dublees=True, marriages=1)), {"seat": 2}),
        (beside(HomeSeat(status=SEEN, marriages=1, cards=parse_cards("QC JC")), tiplu=JACK), {"seat": 2}),
        (
            beside(HomeSeat(status=SEEN, cards=parse_cards("2S 3S " * 11)), tiplu=JACK),
            {"seat": 2, "most": 21},
        ),
        (
            beside(HomeSeat(status=SEEN, cards=parse_cards("JC JC JC")), tiplu=JACK),
            {"card": JACK, "count": 4, "most": 3},
        ),
    ],
)
def test_who_and_what_is_wrong_is_told(deal: HomeDeal, details: dict[str, object]) -> None:
    with pytest.raises(InvalidDealError) as refused:
        check(deal, preset("wikipedia", dublee_min_players=2))
    assert refused.value.details == details


def test_what_is_just_possible_is_no_fault() -> None:
    every = parse_cards("2S 3S 4S 5S 6S 7S 8S " * 3)
    assert len(every) == 21
    possible = [
        beside(HomeSeat(status=SEEN, cards=every), tiplu=JACK),
        beside(HomeSeat(status=SEEN, cards=parse_cards("JC JC")), tiplu=JACK),
        beside(HomeSeat(status=SEEN, cards=parse_cards("KH AH 2H")), tiplu=Card.parse("AH")),
    ]
    for deal in possible:
        check(deal, preset("pagat"))


@pytest.mark.parametrize(
    ("held", "options", "possible"),
    [
        ("MASTER", {}, False),
        ("MASTER", {"master_card": "after_seeing"}, True),
        ("MASTER MASTER", {"master_card": "after_seeing"}, False),
        ("MAN MAN", {"man_cards": 2}, True),
        ("MAN MAN MAN", {"man_cards": 2}, False),
    ],
)
def test_there_are_as_many_man_and_master_cards_as_the_rules_have(held, options, possible: bool) -> None:
    deal = beside(HomeSeat(status=SEEN, cards=parse_cards(held)), tiplu=JACK)
    if possible:
        check(deal, preset("pagat", **options))
    else:
        with pytest.raises(InvalidDealError, match="too_many_copies"):
            check(deal, preset("pagat", **options))


def test_what_is_recorded_of_a_seat_and_a_deal_is_settled() -> None:
    """Fouls of this deal, won or dismissed; better deals; and deals with shown dublees."""
    fouls = preset("pagat", foul="each", throw_foul=True)
    threw = HomeSeat(status=SEEN, threw=True)
    for winner in (0, None):
        assert [line.foul for line in score(HomeDeal.of([HERE, threw], winner), fouls).lines] == [15, -15]
    plain, better = (
        score(counted((SEEN, 4), (SEEN, 0), better=kind), preset("pagat")) for kind in (False, True)
    )
    assert (plain.factor, better.factor) == (1, 2)
    assert better.lines[0].net == 2 * plain.lines[0].net
    doubled = HomeDeal.of([HERE, HomeSeat(status=SEEN, dublees=True)], 0)
    assert score(doubled, preset("pagat", dublee_game="double")).factor == 2
