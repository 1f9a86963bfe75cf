"""The three questions of puzzles on small hands: what is offered, what is right, and the figures that say so."""

from itertools import chain, islice
from typing import Any, Final

import pytest

from marriage.actions import TakeDiscard
from marriage.cards import CARDS, FACES, Card, Cards, format_cards, sort_cards, without
from marriage.events import Dealt
from marriage.legal import legal_discards
from marriage.puzzles import (
    Puzzle,
    PuzzleKind,
    deal_between_computers,
    puzzles_in,
    puzzles_of,
    search_computers,
    search_deal,
    view_of,
)
from marriage.puzzles.finding import finish_now, which_card, which_sets
from marriage.rules import PRESETS, preset
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.shuffle import DealSeed
from marriage.solver import Hand, distance
from marriage.strategy.showable_sets import showable_sets
from marriage.view import View
from tests.marriage.dealing import Script, arranged, expose, groups_of, show
from tests.marriage.example_hands import LAID, PRIMARY, REST, begun
from tests.marriage.pausing import worked_out
from tests.marriage.test_no_puzzle import shown, turn, with_other
from tests.marriage.test_options_worth import shown_dublees, unseen, with_unseen

HIGH_STAKES: Final[dict[str, Any]] = {"seen_pay": 50, "unseen_pay": 50}
"""Under these options no waiting is worth its risk."""
TUNNELAS = "KS KS KS JH JH JH 4C 4C 4C"
"""No wild card stands in for one of these cards, since the other two are identical."""


def throws(puzzle: Puzzle | None) -> list[tuple[str, float, int | None]]:
    """Return the cards that a puzzle offers, with what the hand then lacks, and its outs."""
    assert puzzle is not None
    return [(str(option.card), option.missing, option.outs) for option in puzzle.options]


def points_by(puzzle: Puzzle) -> dict[str, float | None]:
    return {str(option.card): option.points for option in puzzle.options}


# Finish now


def marriage_or_diamond(**options: Any) -> View:
    """Return the view of a seat that finishes by throwing the 8 of diamonds, or a card of its marriage."""
    hand = f"{PRIMARY} {TUNNELAS} AD 2D 3D"
    table = begun(hand, "", stock="8D 2D", **HIGH_STAKES | options)
    return table.draw().do(LAID).cut_to("2D").view(0)


def worth(**items: int) -> dict[str, Any]:
    """Return the option that gives these items another value."""
    return {"custom_points": tuple((item, (value,)) for item, value in items.items())}


def test_the_best_finish_keeps_the_most_points() -> None:
    """The marriage counts 10; without one of its cards only the other two count."""
    puzzle = finish_now(marriage_or_diamond())
    assert puzzle is not None
    assert puzzle.kind is PuzzleKind.FINISH
    assert str(puzzle.answer.card) == "8D"
    assert points_by(puzzle) == {
        "KS": None,
        "JH": None,
        "AD": 5,
        "2D": 4,
        "3D": 5,
        "8D": 10,
        "4C": None,
        "None": None,
    }


def test_a_throw_that_finishes_has_its_sets_and_another_what_it_lacks() -> None:
    puzzle = finish_now(marriage_or_diamond())
    assert puzzle is not None
    for option in puzzle.options:
        used = sort_cards(chain.from_iterable(option.sets))
        if option.points is None or option.card is None:
            assert (used, option.missing) == ((), 0 if option.card is None else 1)
        else:
            assert used == without(marriage_or_diamond().hand, [option.card])


def test_two_points_more_make_a_finish_clearly_the_best() -> None:
    assert finish_now(marriage_or_diamond(**worth(marriage=0))) is not None
    assert finish_now(marriage_or_diamond(**worth(marriage=0, poplu=1))) is None


def test_the_points_of_the_next_best_finish_count() -> None:
    """The marriage alone counts 2; in the second deal its cards count one without it."""
    nothing = {"tiplu": 0, "poplu": 0, "marriage": 2}
    assert finish_now(marriage_or_diamond(**worth(jhiplu=0, **nothing))) is not None
    assert finish_now(marriage_or_diamond(**worth(jhiplu=1, **nothing))) is None


def test_a_laid_marriage_counts_in_the_points_of_a_finish() -> None:
    table = begun(f"{PRIMARY} {REST}", "", stock="6C 2S", laid_marriage=True, **HIGH_STAKES)
    puzzle = finish_now(table.draw().do(LAID).cut_to("2S").view(0))
    assert puzzle is not None
    assert points_by(puzzle)["6C"] == 15


def test_a_tunnela_beyond_the_three_shown_is_a_set_of_the_finish() -> None:
    hand = "AS AS AS 5H 5H 5H 9C 9C 9C JD JD JD 2D 3D 4D JS QS KS 7H 8H 9H"
    table = Script(arranged(hand, "", stock="6C QD", rules=preset("pagat", **HIGH_STAKES)))
    table.do(expose("AS 5H 9C JD"), seat=0).close_window().draw().do(show("AS AS AS | 5H 5H 5H | 9C 9C 9C"))
    puzzle = finish_now(table.cut_to("QD").view(0))
    assert puzzle is not None
    assert str(puzzle.answer.card) == "6C"
    assert set(puzzle.answer.sets) == set(groups_of("7H 8H 9H | 2D 3D 4D | JS QS KS"))


def test_waiting_gains_what_the_next_card_brings_on_average() -> None:
    """Two tiplus at 3, three jhiplus and two poplus at 2; then also two man cards at 5 and the master card at 10."""
    plain, with_jokers = (
        shown().view(0),
        shown(man_cards=2, master_card="after_seeing", **HIGH_STAKES).view(0),
    )
    assert gain(plain) == pytest.approx(16 / unseen(plain))
    assert gain(with_jokers) == pytest.approx(36 / unseen(with_jokers))


def test_waiting_gains_from_every_opponent() -> None:
    hand = f"{PRIMARY} {REST}"
    table = begun(hand, "", "", stock="6C QD", **HIGH_STAKES).draw().do(LAID).cut_to("QD")
    assert gain(table.view(0)) == pytest.approx(2 * gained(table.view(0), 0))


def test_a_risk_of_one_round_in_twenty_is_still_small() -> None:
    """One of three unseen cards brings 3 points, which is one on average, and waiting may cost 19."""
    seen = with_unseen(shown(unseen_pay=16).view(0), "QD 2C 4C")
    puzzle = finish_now(seen)
    assert puzzle is not None
    assert puzzle.waiting is not None
    assert puzzle.waiting.break_even == 0.05


def gained(seen: View, now: int) -> float:
    """Return the points that the next card brings on average."""
    left, own = Hand.of(seen).left(seen.rules), seen.own
    assert seen.tiplu is not None
    more = 0
    for drawn in CARDS[:FACES]:
        cards = sort_cards((*(own.cards or ()), drawn))
        if left[drawn]:
            more += left[drawn] * (points_of(score_hand(cards, (), 0, seen.tiplu, seen.rules)) - now)
    return more / unseen(seen)


def gain(seen: View) -> float:
    puzzle = finish_now(seen)
    assert puzzle is not None
    assert puzzle.waiting is not None
    return puzzle.waiting.gain


def test_waiting_gains_only_what_the_finish_does_not_have_yet() -> None:
    """One tiplu at 3, and two poplus and two jhiplus at 2, are left beside the marriage."""
    seen = marriage_or_diamond()
    assert gain(seen) == pytest.approx(11 / unseen(seen))
    assert gain(seen) == pytest.approx(gained(seen, 10))


def test_where_nothing_is_to_be_gained_or_paid_there_is_nothing_to_ask() -> None:
    nothing = worth(tiplu=0, poplu=0, jhiplu=0)
    seen = shown(seen_pay=0, **nothing).view(0)
    assert finish_now(seen) is not None
    assert finish_now(with_other(seen, out=True)) is None


def test_before_a_show_by_groups_there_is_no_finish_to_ask_about() -> None:
    before = shown(open_tiplu=True).events[:-1]
    assert finish_now(Script(*before).view(0)) is None
    assert finish_now(shown_dublees().draw().view()) is None


# Which card


@pytest.mark.parametrize(
    ("hand", "best", "offered"),
    [
        (
            "AS 2S 7S 10S JS 2H 4H 5H 6H 10H QH 3D 5D 6D 8D 8D 9D 10D 2C 5C QC QC",
            "7S",
            [("7S", 1, 19), ("10S", 1, 13), ("JS", 1, 13), ("4H", 2, None), ("5H", 2, None)],
        ),
        (
            "4S 7S 7S 9S JS QS AH 2H 6H 8H 9H JH KH 2D 8D 8D 8D 9D 9D 2C 5C KC",
            "5C",
            [("JS", 2, 17), ("8D", 3, None), ("5C", 2, 23)],
        ),
        (
            "AS 7S 8S 10S KS 4H 8H 10H 10H QH AD 2D 4D 4D 4D JD QD AC 3C 4C 6C 8C",
            "4H",
            [("8S", 2, 28), ("4H", 2, 34), ("4D", 3, None), ("QD", 2, 28)],
        ),
        (
            "AS AS 2S 5S 5S 5S 6S 10S 2H 5H 7H 9H 10H JH QH 2D 7D 7D 3C QC QC KC",
            "3C",
            [("2S", 1, 15), ("5H", 1, 15), ("9H", 1, 15), ("QH", 1, 15), ("3C", 1, 18)],
        ),
    ],
)
def test_the_best_card_is_offered_with_the_hardest_of_those_that_are_clearly_worse(
    hand: str, best: str, offered: list[tuple[str, float, int | None]]
) -> None:
    """Worse cards leave the hand further away, or with three outs and a fifth less: 15 of 18 is just enough."""
    puzzle = which_card(turn(hand))
    assert throws(puzzle) == offered
    assert puzzle is not None
    assert puzzle.kind is PuzzleKind.CARD
    assert str(puzzle.answer.card) == best


def test_too_few_cards_of_difference_are_not_clearly_worse() -> None:
    """The best discards have three outs, the others two."""
    hand = "AS AS 2S 5S 5S 5S 6S 10S 2H 5H 7H 9H 10H JH QH 2D 7D 7D 3C QC QC KC"
    assert which_card(with_unseen(turn(hand, dublee=False), "6S 10S JS 4H 5H 10H AD 6D JD 5C")) is None


def test_three_outs_are_clearly_better_than_none() -> None:
    """The 7 of spades waits for the 5 and 6 beside it, the only cards that can help."""
    hand = "AS 2S 7S 10S JS 2H 4H 5H 6H 10H QH 3D 5D 6D 8D 8D 9D 10D 2C 5C QC QC"
    puzzle = which_card(with_unseen(turn(hand, dublee=False), "3H 5S 5S 6S"))
    assert ("7S", 2, 0) in throws(puzzle)
    assert puzzle is not None
    assert puzzle.answer.outs == 3


def test_a_hand_that_lacks_three_cards_has_too_many_ways() -> None:
    hand = "5S 5S 7S 2H 3H 5H 5H 7H 9H 9H JH JH KH 2D 4D 9D QD KD 6C 7C 9C 10C"
    assert which_card(turn(hand, dublee=False)) is None


def test_where_a_card_to_keep_has_more_outs_there_is_no_clear_answer() -> None:
    hand = "7S 7S 7S JS 2H 2H 4H 5H 7H 9H 9H JH 2D JD QD AC 2C 4C 10C 10C QC KC"
    assert which_card(turn(hand)) is None


def test_where_all_cards_are_nearly_alike_there_is_no_clear_answer() -> None:
    hand = "AS 2S 5S 5S 6S QS 2H 3H 5H 5H 7H 8H 5D 6D 8D 10D JD 7C 10C JC JC QC"
    assert which_card(turn(hand)) is None


@pytest.mark.parametrize(
    "hand",
    [
        "3S 3S 9S 9S 10S JS AH 3H 3H 4H 6H JH 3D 5D 10D QD KD 6C 10C 10C JC KC",
        "3S 6S 6S 9S JS JS QS KS 5H 10H JH JH 3D 3D 4D 7D 7D KD AC 5C 6C 8C",
        "2S 3H 10H JH QH QH QH 5D 5D 9D JD JD JD 3C 3C 5C 5C 6C 9C 10C 10C KC",
    ],
    ids=["four pairs", "five pairs", "six pairs"],
)
def test_where_dublees_are_hardly_further_away_there_is_no_clear_answer(hand: str) -> None:
    assert which_card(turn(hand)) is None
    assert which_card(turn(hand, dublee=False)) is not None


def test_whoever_collects_dublees_gets_no_question_about_groups() -> None:
    assert which_card(shown_dublees().pass_turn().draw().view(0)) is None


def test_after_a_show_pairs_do_not_matter() -> None:
    rest = "4H 6D 10S 6S 10S QC 6S JD QC 6D 4H 4C"
    seen = begun(f"{PRIMARY} {rest}", "", stock="4C QD").draw().do(LAID).cut_to("QD").view(0)
    puzzle = which_card(seen)
    assert puzzle is not None
    assert str(puzzle.answer.card) == "10S"


def test_whoever_must_show_has_no_card_to_choose() -> None:
    seen = taken(unseen_pickup="show_only")
    assert legal_discards(seen) == ()
    assert which_card(seen) is None


# Which sets

TWO_WAYS = "8S 8S 9S 9S JS KS 9H 10H QH 8D 9D 9D 9D JD QD QD 8C 9C 10C JC JC"
"""With the king of diamonds, this hand shows in two ways."""
MANY_WAYS = "3S 3S 4S 5S 5S 5S 2H 3H 3H 4H 5H 6H 2D 2D 3D 4D 4D 6D 2C 3C 3C 5C"
FOUR_WAYS = "9S 9S 9S 10S QS 7H 7H 8H 9H 9H 10H QH 7D 9D 10D JD QD QD 7C 9C 10C QC"


def taken(**options: Any) -> View:
    """Return the view of a seat that took the king of diamonds from the pile and can show in two ways."""
    return begun(TWO_WAYS, "", up="KD", **options).do(TakeDiscard()).view(0)


def lacking(seen: View, sets: tuple[Cards, ...]) -> dict[Card, int]:
    """Return how many cards this show leaves missing for a finish, by tiplu."""
    hand = Hand.of(seen)
    concealed = without(hand.concealed, [each for group in sets for each in group])
    rest = hand._replace(concealed=concealed, laid=sets)
    return {tiplu: distance(rest._replace(tiplu=tiplu), seen.rules) for tiplu in tiplus(seen)}


def tiplus(seen: View) -> dict[Card, int]:
    left = Hand.of(seen).left(seen.rules)
    return {each: left[each] for each in CARDS[:FACES] if left[each]}


def test_the_figures_of_a_show_are_means_over_the_cards_that_the_tiplu_may_be() -> None:
    seen = turn(FOUR_WAYS)
    puzzle = which_sets(seen)
    assert puzzle is not None
    assert len(puzzle.options) == 4
    copies = tiplus(seen)
    for option in puzzle.options:
        lacks = lacking(seen, option.sets)
        mean = sum(copies[each] * lacks[each] for each in copies) / sum(copies.values())
        at_once = sum(copies[each] for each in copies if not lacks[each]) / sum(copies.values())
        assert (option.missing, option.at_once) == (pytest.approx(mean), pytest.approx(at_once))
        assert option.points is None


def test_the_nearest_shows_are_offered_in_the_order_of_their_sets() -> None:
    puzzle = which_sets(turn(MANY_WAYS))
    assert puzzle is not None
    assert puzzle.kind is PuzzleKind.SETS
    assert [" | ".join(map(format_cards, option.sets)) for option in puzzle.options] == [
        "3S 4S 5S | 2H 3H 4H | 2D 3D 4D",
        "3S 4S 5S | 3H 4H 5H | 2D 3D 4D",
        "3S 4S 5S | 4H 5H 6H | 2D 3D 4D",
        "5S 5S 5S | 3H 4H 5H | 2D 3D 4D",
        "5S 5S 5S | 4H 5H 6H | 2D 3D 4D",
    ]
    assert puzzle.best == 4


@pytest.mark.parametrize(
    "hand",
    [
        "AS 2S 6S 9S QS KS 9H 10H JH 2D 2D 4D 7D JD 2C 6C 6C 8C 9C 10C 10C JC",
        "7S 8S 9S 9S JS 7H 8H 9H 9H 9H JH 7D 7D 8D 8D 10D 7C 7C 8C 8C 9C QC",
    ],
    ids=["hardly nearer", "further away under a tiplu"],
)
def test_a_show_that_is_not_clearly_the_best_is_no_answer(hand: str) -> None:
    assert which_sets(turn(hand)) is None


def test_a_show_that_is_nearer_under_three_of_twenty_tiplus_is_clearly_the_best() -> None:
    cards = "AS 7S 10S JS JS 7H 9H KH 7D 7D 8D 9D 10D KD 6C 8C 9C JC QC QC"
    puzzle = which_sets(with_unseen(turn(FOUR_WAYS), cards))
    assert puzzle is not None
    assert [option.missing for option in puzzle.options] == [0.15, 0.0, 0.45, 0.2]


def test_a_show_that_lays_fewer_marriages_is_no_clear_answer() -> None:
    hand = f"{TWO_WAYS} KD"
    assert which_sets(turn(hand)) is not None
    assert which_sets(turn(hand, laid_marriage=True)) is None


def test_three_tunnelas_and_three_sequences_of_the_same_cards_differ_where_laid_marriages_count() -> None:
    hand = "QS 4H 4H 4H 5H 5H 5H 6H 6H 6H JH 5D 5D 5D 9D JD QD KD 5C 7C 10C QC"
    puzzle = which_sets(with_unseen(turn(hand, laid_marriage=True), "4D 4D 4D"))
    assert puzzle is not None
    offered = {" | ".join(map(format_cards, option.sets)) for option in puzzle.options}
    assert offered >= {"4H 4H 4H | 5H 5H 5H | 6H 6H 6H", "4H 5H 6H | 4H 5H 6H | 4H 5H 6H"}


def test_a_hand_with_too_many_sets_is_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = turn(FOUR_WAYS)
    sets = len(showable_sets(seen))
    monkeypatch.setattr("marriage.puzzles.finding._MOST_SETS", sets)
    assert which_sets(seen) is not None
    monkeypatch.setattr("marriage.puzzles.finding._MOST_SETS", sets - 1)
    assert which_sets(seen) is None


def test_laid_marriages_are_told_with_the_points_that_they_bring_on_average() -> None:
    seen = turn("2S 4S 4S 5S 5S 2H 2H 3H 3H 5H 2D 2D 2D 3D 4D 4D 4D 5D 2C 4C 5C 6C", laid_marriage=True)
    puzzle = which_sets(seen)
    assert puzzle is not None
    copies = tiplus(seen)

    def more(tiplu: Card, sets: tuple[Cards, ...]) -> int:
        laid = laid_marriages(sets, tiplu)
        with_laid, without_laid = (score_hand(seen.hand, (), count, tiplu, seen.rules) for count in (laid, 0))
        return points_of(with_laid) - points_of(without_laid)

    for option in puzzle.options:
        points = sum(copies[each] * more(each, option.sets) for each in copies) / sum(copies.values())
        assert option.points == pytest.approx(points)
    assert puzzle.answer.points == max(option.points or 0 for option in puzzle.options) > 0


def test_an_exposed_tunnela_is_a_set_of_every_show() -> None:
    dealt = arranged("9S 9S 9S 7H 8H 9H 10H 10D JD QD 9D 7H 9H QH 7D QD 7C 9C 10C QC 10S", "", stock="QS")
    table = Script(dealt).do(expose("9S"), seat=0).close_window().draw()
    puzzle = which_sets(table.view(0))
    assert puzzle is not None
    tunnela = groups_of("9S 9S 9S")[0]
    assert [option.sets[0] for option in puzzle.options] == [tunnela] * 4
    assert all(len(option.sets) == 3 for option in puzzle.options)
    assert puzzle.answer.missing == min(option.missing for option in puzzle.options)


def test_whoever_must_show_with_the_card_that_they_took_is_not_asked_which_sets() -> None:
    assert which_sets(taken()) is not None
    assert which_sets(taken(unseen_pickup="show_only")) is None


# Moments


def test_before_a_card_is_drawn_there_is_nothing_to_ask() -> None:
    table = begun(TWO_WAYS, "", up="2D", stock="KD")
    assert puzzles_of(table.view(0)) == ()
    assert [puzzle.kind for puzzle in puzzles_of(table.draw().view(0))] == [PuzzleKind.SETS]


def test_a_deal_is_searched_at_every_moment_of_the_seats() -> None:
    events = begun(TWO_WAYS, "", up="2D", stock="KD").draw().throw("KD").draw().events
    asked = Script(*events[:5])
    [found] = puzzles_in(events, [0])
    assert (found.seat, found.step) == (0, 5)
    assert view_of(found.position, 0) == asked.view(0)
    assert (found.puzzle,) == puzzles_of(asked.view(0))


def test_a_deal_is_searched_for_the_seats_that_are_asked_for() -> None:
    events = begun("", TWO_WAYS, up="2D", stock="2C KD").draw().throw("2C").draw().events
    assert [found.seat for found in puzzles_in(events, [1])] == [1]
    assert all(found.seat == 0 for found in puzzles_in(events, [0]))


def test_a_search_of_a_deal_pauses_after_every_moment_and_finds_the_same() -> None:
    events = begun(TWO_WAYS, "", up="2D", stock="KD 9S").draw().throw("KS").pass_turn().draw().events
    found, pauses = worked_out(search_deal(events, [0, 1]))
    assert found == tuple(puzzles_in(events, [0, 1]))
    assert len(found) > 1
    assert pauses == 3


def test_a_search_of_a_deal_between_computers_is_one_for_all_its_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The deal is replaced by the beginning of a shorter one, which poses its puzzle to the last seat."""
    events = begun("", "", TWO_WAYS, up="2D", stock="2C 2S KD").pass_turn().pass_turn().draw().events
    deals = {2: events}
    monkeypatch.setattr("marriage.puzzles.finding.deal_between_computers", lambda number: iter(deals[number]))
    found, pauses = worked_out(search_computers(2))
    assert found == tuple(puzzles_in(events, [0, 1, 2]))
    assert [each.seat for each in found] == [2]
    assert pauses == len(events) + 3


@pytest.mark.parametrize(
    ("number", "name", "seats"),
    [
        (0, "pagat", 4),
        (1, "kathmandu", 4),
        (2, "pagat", 3),
        (3, "kathmandu", 3),
        (5, "kathmandu", 5),
        (6, "pagat", 4),
    ],
)
def test_rules_and_seats_of_the_deals_between_computers_alternate(number: int, name: str, seats: int) -> None:
    dealt, *others = islice(deal_between_computers(number), 8)
    assert isinstance(dealt, Dealt)
    assert dealt.rules == PRESETS[name]
    assert len(dealt.hands) == seats
    assert dealt.dealer == number % seats
    assert dealt.key == DealSeed(b"tiplu/puzzles".ljust(32, b"\0"), "puzzles", number)
    assert len(others) == 7
