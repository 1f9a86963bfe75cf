"""Puzzles from whole deals: against the same question by brute force, and what their seat may know."""

import random
from itertools import chain, combinations, islice

import pytest

from marriage.actions import Discard, Finish, Show
from marriage.apply import replay
from marriage.cards import CARDS, UNKNOWN, contains, without
from marriage.decide import decide
from marriage.events import Settled, Took
from marriage.groups import is_group, is_primary
from marriage.legal import wilds
from marriage.maal import wild_faces
from marriage.notation import read_position
from marriage.puzzles import (
    PUZZLE,
    PuzzleKind,
    deal_between_computers,
    puzzles_in,
    puzzles_of,
    search_computers,
    view_of,
)
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distance, show_distance
from marriage.view import view
from tests.marriage import oracle
from tests.marriage.pausing import worked_out
from tests.marriage.test_resample import told_anew

pytestmark = pytest.mark.xdist_group("puzzles")
"""One process finds the puzzles for all tests."""
DEALS = range(10)


@pytest.fixture(scope="module")
def deals():
    return {number: tuple(deal_between_computers(number)) for number in DEALS}


@pytest.fixture(scope="module")
def found(deals):
    """Return every puzzle of these deals, each with the number of its deal."""
    return [
        (number, puzzle)
        for number, events in deals.items()
        for puzzle in puzzles_in(events, range(len(events[0].hands)))
    ]


def of_kind(found, kind, most=12):
    """Return some puzzles of one kind, each with its view."""
    some = [(number, made) for number, made in found if made.puzzle.kind is kind]
    step = max(1, len(some) // most)
    return [(number, made, view_of(made.position, made.seat)) for number, made in some[::step]]


def test_every_kind_is_found_and_may_be_answered_by_going_on(found):
    kinds = [made.puzzle.kind for _, made in found]
    assert set(kinds) == set(PuzzleKind)
    finishing = [made.puzzle.answer for _, made in found if made.puzzle.kind is PuzzleKind.FINISH]
    assert {option.card is None for option in finishing} == {True, False}


def test_options_come_in_an_order_that_gives_nothing_away(found):
    for _, made in found:
        puzzle = made.puzzle
        keys = [(option.card is None, option.card or 0, option.sets) for option in puzzle.options]
        if puzzle.kind is PuzzleKind.FINISH:
            keys = [key[:2] for key in keys]
        assert keys == sorted(keys)
        assert len(set(keys)) == len(keys)
        assert len(keys) <= 25


def test_the_view_of_a_puzzle_is_what_its_seat_knew_then(deals, found):
    for number, made in found[::7]:
        state = replay(deals[number][: made.step])
        assert view_of(made.position, made.seat) == view(state, made.seat)
        assert made.puzzle in puzzles_of(view(state, made.seat))


def test_a_stored_position_holds_no_card_that_the_seat_did_not_know(deals, found):
    for number, made in found:
        taken = {event.card for event in deals[number][: made.step] if isinstance(event, Took)}
        state = read_position(made.position)
        assert set(state.stock) == {UNKNOWN}
        for index, seat in enumerate(state.seats):
            hidden = without(seat.cards, seat.locked().elements())
            assert index == made.seat or set(hidden) <= {UNKNOWN} | taken  # everyone saw who took what
        assert state.tiplu in (None, UNKNOWN) or state.seats[made.seat].seen
        assert "seed" not in made.position


def test_other_hidden_cards_pose_the_same_puzzle(deals, found):
    chance = random.Random(13)
    for number, made in found[::9]:
        events = list(deals[number][: made.step])
        anew = told_anew(events, made.seat, chance)
        assert anew != events
        assert made in puzzles_in(anew, [made.seat])


def test_a_search_that_pauses_finds_the_same(deals, found):
    for number in (0, 1):
        made, pauses = worked_out(search_computers(number))
        assert list(made) == [made for of, made in found if of == number]
        assert pauses > len(deals[number])


def test_puzzles_are_written_and_read(found):
    for _, made in found:
        assert PUZZLE.validate_json(PUZZLE.dump_json(made.puzzle)) == made.puzzle


def test_every_option_is_a_legal_move(deals, found):
    for number, made in found[::5]:
        state = replay(deals[number][: made.step])
        for option in made.puzzle.options:
            match made.puzzle.kind:
                case PuzzleKind.SETS:
                    assert decide(state, made.seat, Show(option.sets))
                case PuzzleKind.FINISH if option.sets:
                    assert option.card is not None
                    assert decide(state, made.seat, Finish(option.sets, option.card))
                case _:
                    assert option.card is None or decide(state, made.seat, Discard(option.card))


# Which card


def test_no_other_card_offered_is_near_the_best(found):
    for _, made, seen in of_kind(found, PuzzleKind.CARD):
        best = made.puzzle.answer
        counted = {option.card: brute_outs(seen, option.card, best.missing) for option in made.puzzle.options}
        for option in made.puzzle.options:
            missing, outs = counted[option.card]
            assert missing == option.missing
            assert option.outs in (None, outs)
            if option is not best:
                assert missing > best.missing or outs * 1.2 <= counted[best.card][1]


def brute_outs(seen, thrown, least):
    """Return the cards missing without this card, and the unseen cards that leave fewer than `least`."""
    hand, rules = Hand.of(seen), seen.rules
    measure = show_distance if seen.own.shown is None else distance
    rest = hand._replace(concealed=without(hand.concealed, [thrown]), dead=(*hand.dead, thrown))
    left = rest.left(rules)
    outs = 0
    for card in CARDS[:-1]:
        if left[card] and measure(rest._replace(concealed=(*rest.concealed, card)), rules) < least:
            outs += left[card]
    return measure(rest, rules), outs


def test_the_distances_after_a_discard_agree_with_the_oracle(found):
    for _, made, seen in of_kind(found, PuzzleKind.CARD, most=6):
        hand, rules = Hand.of(seen), seen.rules
        showing = seen.own.shown is None
        for option in made.puzzle.options:
            missing = oracle.distance(
                without(hand.concealed, [option.card]),
                rules,
                primary=hand.open_primary,
                total=hand.open_primary * 3 if showing else hand.open_cards,
                tiplu=hand.tiplu,
                gone=(*hand.elsewhere, option.card),
            )
            assert missing == option.missing


# Which sets


def test_no_other_show_is_better_whatever_the_tiplu(found):
    for _, made, seen in of_kind(found, PuzzleKind.SETS, most=3):
        hand, rules = Hand.of(seen), seen.rules
        left = hand.left(rules)
        tiplus = [card for card in CARDS[:52] if left[card]]
        best = brute_missing(seen, made.puzzle.answer.sets, tiplus)
        offered = {rest_of(seen, option.sets) for option in made.puzzle.options}
        rests = {rest_of(seen, sets): sets for sets in brute_shows(seen)}
        assert offered <= set(rests)
        for rest, sets in rests.items():
            other = brute_missing(seen, sets, tiplus)
            assert all(mine <= theirs for mine, theirs in zip(best, other, strict=True))
            assert rest == rest_of(seen, made.puzzle.answer.sets) or best != other


def rest_of(seen, sets):
    exposed = [card for face in seen.own.exposed for card in [face] * 3]
    return without((*seen.hand, *exposed), chain.from_iterable(sets))


def brute_missing(seen, sets, tiplus):
    """Return the cards missing for a finish after this show, by tiplu."""
    rest = Hand.of(seen)._replace(concealed=rest_of(seen, sets), laid=sets)
    return [distance(rest._replace(tiplu=tiplu), seen.rules) for tiplu in tiplus]


def brute_shows(seen):
    """Yield every three primary sets: the exposed tunnelas first, then any cards in hand."""
    exposed = tuple((face,) * 3 for face in seen.own.exposed)
    sizes = (3,) if seen.rules.group_size == "three" else (3, 4, 5)
    groups = {
        group for size in sizes for group in combinations(seen.hand, size) if is_primary(group, seen.rules)
    }
    for laid in combinations(sorted(groups), 3 - len(exposed)):
        if contains(seen.hand, chain.from_iterable(laid)):
            yield (*exposed, *laid)


# Finish now


def test_a_hand_finishes_with_exactly_the_cards_that_the_puzzle_says(found):
    for _, made, seen in of_kind(found, PuzzleKind.FINISH):
        if seen.rules.group_size != "three":
            continue
        for option in made.puzzle.options:
            if option.card is not None:
                rest = without(seen.hand, [option.card])
                assert bool(option.sets) == splits(rest, wilds(seen), seen.rules)


def splits(cards, wild, rules):
    """Return whether the cards split into sets of three, by trying every way."""
    if not cards:
        return True
    first, *others = cards
    return any(
        is_group((first, *pair), wild, rules) and splits(without(others, pair), wild, rules)
        for pair in set(combinations(others, 2))
    )


def test_a_finish_has_the_points_that_the_sheet_will_say(deals, found):
    finishing = [
        (number, made)
        for number, made in found
        if made.puzzle.kind is PuzzleKind.FINISH and made.puzzle.waiting
    ]
    assert finishing
    for number, made in finishing:
        state = replay(deals[number][: made.step])
        for option in made.puzzle.options:
            if option.sets:
                assert option.card is not None
                *_, last = decide(state, made.seat, Finish(option.sets, option.card))
                assert isinstance(last, Settled)
                assert last.sheet.lines[made.seat].points == option.points


def test_waiting_a_turn_never_brings_more_than_the_bound(found):
    finishing = [made for _, made in found if made.puzzle.waiting]
    for made in islice(finishing, 3):
        seen, waiting = view_of(made.position, made.seat), made.puzzle.waiting
        left = Hand.of(seen).left(seen.rules)
        now = made.puzzle.answer.points
        gained = sum(
            copies * max(0, most_points(seen, card) - now)
            for card, copies in zip(CARDS, left, strict=False)
            if copies
        )
        assert gained / sum(left) * (seen.players - 1) <= waiting.gain + 1e-9
        assert 0 < waiting.break_even <= 0.05


def most_points(seen, drawn):
    """Return the most points for throwing a card now, drawing this one, and finishing with any card."""
    own, best = seen.own, 0
    for now in set(seen.hand):
        then = without((*seen.hand, drawn), [now])
        for last in {card for card in then if card in wild_faces(seen.tiplu)} or {then[0]}:
            cards = without((*own.cards, drawn), [now, last])
            laid = laid_marriages(own.laid, seen.tiplu)
            best = max(best, points_of(score_hand(cards, own.exposed, laid, seen.tiplu, seen.rules)))
        keeps = [card for card in then if card not in wild_faces(seen.tiplu)]
        if keeps:
            cards = without((*own.cards, drawn), [now, keeps[0]])
            laid = laid_marriages(own.laid, seen.tiplu)
            best = max(best, points_of(score_hand(cards, own.exposed, laid, seen.tiplu, seen.rules)))
    return best


def test_a_view_of_another_turn_poses_nothing(deals):
    state = replay(deals[0][:1])
    assert puzzles_of(view(state, 0)) == ()
    assert puzzles_of(view(state, None)) == ()
