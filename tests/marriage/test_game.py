"""The object for a deal does the same as the engine's functions, forwards and backwards."""

from collections import Counter
from random import Random

import pytest

from marriage.actions import DeclineTunnelas, Discard, DrawStock, Finish, FinishDublees, Show, ShowDublees
from marriage.apply import replay
from marriage.cards import CARDS, MAN, Card
from marriage.decide import start
from marriage.errors import IllegalActionError, Refusal
from marriage.events import ClaimFailed
from marriage.game import Game
from marriage.legal import legal_actions
from marriage.notation import Deal
from marriage.rules import preset
from marriage.shuffle import DealSeed
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer, RandomPlayer
from marriage.view import view

SEED = bytes(range(32))
PAGAT = preset("pagat")


def new(players: int = 3, seed: int = 0, **options: object) -> Game:
    return Game.new(preset("pagat", **options), players, seed.to_bytes(32))


def play(game: Game, stop: Phase = Phase.OVER, player: object = None) -> Game:
    """Let computers play until this phase."""
    player = player or GreedyPlayer()
    while game.state.phase is not stop:
        seat = game.acting[0]
        game.push(player.choose(game.view(seat)), seat)
    return game


def test_new_cards_are_those_of_the_seed_and_the_dealer():
    game = Game.new(PAGAT, 4, SEED, dealer=2)
    key = DealSeed(SEED, "game", 1)
    assert game.events == tuple(start(PAGAT, 4, 2, key))
    assert game.state == replay(game.events)
    assert game.moves == ()
    assert Game.new(PAGAT, 4, SEED).state.dealer == 0
    with pytest.raises(ValueError, match="2 to 5 seats"):
        Game.new(PAGAT, 6, SEED)
    for wrong in (b"", SEED[1:], SEED + b"0"):  # a deal of such a seed could be written, and not read again
        with pytest.raises(ValueError, match=f"a seed has 32 bytes, not {len(wrong)}"):
            Game.new(PAGAT, 3, wrong)


def test_who_acts_is_everybody_who_has_not_answered_and_then_the_one_whose_turn_it_is():
    game = new()
    assert game.acting == (0, 1, 2)
    game.push(DeclineTunnelas(), 1)
    assert game.acting == (0, 2)
    with pytest.raises(ValueError, match="2 seats may act now"):
        game.push(DeclineTunnelas())
    game.push(DeclineTunnelas(), 0)
    game.push(DeclineTunnelas())
    assert game.state.phase is Phase.DRAW
    assert game.acting == (game.state.turn,)
    play(game)
    assert game.acting == ()
    with pytest.raises(ValueError, match="0 seats may act now"):
        game.view()


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_does_not_exist_is_refused(seat: int):
    with pytest.raises(ValueError, match=f"there is no seat {seat}"):
        new().view(seat)


def test_a_view_and_the_legal_actions_are_those_of_a_seat():
    game = play(new(), Phase.PLAY)
    for seat in range(3):
        assert game.view(seat) == view(game.state, seat)
        assert game.legal_actions(seat) == legal_actions(game.view(seat))
    assert game.legal_actions() == game.legal_actions(game.state.turn) != ()
    assert game.legal_actions((game.state.turn + 1) % 3) == ()


def test_a_move_that_the_rules_refuse_changes_nothing():
    game = play(new(), Phase.DRAW)
    before = game.state
    with pytest.raises(IllegalActionError) as refused:
        game.push(Discard(Card.parse("2S")))
    assert refused.value.code is Refusal.DRAW_FIRST
    assert game.state is before
    assert game.is_legal(DrawStock())
    assert not game.is_legal(DrawStock(), (game.state.turn + 1) % 3)


def test_a_false_claim_is_not_legal_though_it_can_be_made():
    game = play(new(false_claim="foul", foul="next"), Phase.PLAY)
    claim = Show((game.view().hand[:3],))
    assert not game.is_legal(claim)
    assert isinstance(game.push(claim)[0], ClaimFailed)


def test_moves_are_taken_back_one_by_one():
    game = new()
    states, move_by_move = [game.state], [game.events]
    player = RandomPlayer(Random(3))
    for _ in range(40):
        seat = game.acting[0]
        caused = game.push(player.choose(game.view(seat)), seat)
        assert game.events == (*move_by_move[-1], *caused)
        states.append(game.state)
        move_by_move.append(game.events)
    moves = list(game.moves)
    while moves:
        assert (game.state, game.events) == (states.pop(), move_by_move.pop())
        assert game.pop() == moves.pop()
    assert game.state == states.pop()
    with pytest.raises(IndexError):
        game.pop()
    assert game.state.phase is Phase.WINDOW


def test_what_is_returned_can_be_changed_without_harm():
    game = play(new(), Phase.DRAW)
    game.push(DrawStock()).clear()
    assert replay(game.events) == game.state


def test_a_deal_ends_with_its_sheet():
    game = play(new())
    assert game.is_over
    assert game.sheet is game.state.sheet
    assert sum(line.net for line in game.sheet.lines) == 0
    assert new().sheet is None
    assert not new().is_over


def test_a_deal_is_written_and_read():
    game = play(Game(Deal(PAGAT, DealSeed(SEED, "T", 4), 3, 1, better=True, carry=(2,))))
    again = Game.read(game.write())
    assert (again.events, again.moves) == (game.events, game.moves)
    assert again.write() == game.write()
    game.pop()
    assert Game.read(game.write()).state == game.state
    with pytest.raises(ValueError, match="deal"):
        Game.read("nothing")
    with pytest.raises(IllegalActionError):
        Game.read(game.write() + "0 decline\n")


def test_every_show_and_every_finish_is_listed_and_each_is_legal():
    player, found = GreedyPlayer(dublees_from=(5, 5, 5)), Counter[type]()
    for seed in range(4, 7):
        game = new(seed=seed)
        while not game.is_over:
            seat = game.acting[0]
            shows, finishes, offered = [*game.shows(seat)], [*game.finishes(seat)], game.legal_actions(seat)
            for listed, kinds in ((shows, (Show, ShowDublees)), (finishes, (Finish, FinishDublees))):
                assert {type(one) for one in listed} == {
                    type(one) for one in offered if isinstance(one, kinds)
                }
                assert all(game.is_legal(one, seat) for one in listed)
                assert len({*listed}) == len(listed)
                found.update(map(type, listed))
            assert not finishes or finishes[0] in offered
            game.push(player.choose(game.view(seat)), seat)
    assert found == {Show: 9, ShowDublees: 1, Finish: 4, FinishDublees: 6}


def test_a_finish_is_listed_for_each_closing_discard_and_no_other():
    game = new(seed=5)
    player = GreedyPlayer(dublees_from=(5, 5, 5))
    while not [*game.finishes(game.acting[0])]:
        seat = game.acting[0]
        game.push(player.choose(game.view(seat)), seat)
    possible = {FinishDublees(face, discard) for face in CARDS for discard in CARDS}
    assert {*game.finishes()} == {action for action in possible if game.is_legal(action)}


def test_nobody_finishes_out_of_turn_though_they_hold_an_eighth_dublee():
    game, finish = drawn_an_eighth_dublee()
    seat = game.state.turn
    game.push(Discard(finish.discard))
    assert [*game.finishes(seat)] == []
    game.push(DrawStock())
    assert [*game.finishes(seat)] == []


def drawn_an_eighth_dublee() -> tuple[Game, FinishDublees]:
    """Return a game in which the seat in turn has drawn its eighth dublee from the stock, and its finish."""
    player, game = GreedyPlayer(dublees_from=(5, 5, 5), count_outs=False), new(seed=9)
    while not game.is_over:
        seat = game.acting[0]
        for finish in game.finishes(seat):
            if isinstance(finish, FinishDublees) and game.state.taken is None:
                return game, finish
        game.push(player.choose(game.view(seat)), seat)
    raise AssertionError("nobody draws an eighth dublee")


def test_two_man_cards_alone_are_no_show():
    games = (new(seed=seed, man_cards=6) for seed in range(100))
    game = next(game for game in games if game.state.seats[1].cards.count(MAN) == 2)
    play(game, Phase.DRAW).push(DrawStock())
    assert game.view().hand.count(MAN) == 2
    assert {type(show) for show in game.shows()} == {Show}


def test_nobody_shows_or_finishes_out_of_turn():
    game = new()
    while not any(seat.shown for seat in game.state.seats):
        seat = game.acting[0]
        game.push(GreedyPlayer().choose(game.view(seat)), seat)
    for seat in range(3):
        if seat != game.state.turn:
            assert (list(game.shows(seat)), list(game.finishes(seat))) == ([], [])
