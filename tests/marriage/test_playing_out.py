"""A deal that players play on from any point: who acts, what each sees, and what comes out."""

from dataclasses import dataclass
from random import Random

from marriage.actions import Action, DeclineTunnelas, DrawStock, ExposeTunnelas
from marriage.apply import replay
from marriage.cards import parse_cards
from marriage.events import Event, Settled
from marriage.legal import legal_actions
from marriage.rules import preset
from marriage.state import Phase
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, RandomPlayer, play_on, play_out
from marriage.view import View
from tests.marriage.dealing import Script, arranged, decided

SEATS = 3


@dataclass
class Watched:
    """A learner at a seat, who keeps what it saw."""

    seat: int
    seen: list[View]

    def choose(self, view: View) -> Action:
        assert view.viewer == self.seat
        self.seen.append(view)
        return BeginnerPlayer().choose(view)


def watched() -> list[Watched]:
    seen: list[View] = []
    return [Watched(seat, seen) for seat in range(SEATS)]


def begun() -> list[Event]:
    """Return a deal that seat 1 can win in its first turn."""
    return [arranged(*decided(SEATS, 1))]


def test_a_deal_is_played_to_its_end_after_what_has_happened() -> None:
    table = Script(*begun()).close_window().draw()
    events = list(play_out(table.events, watched()))
    assert events[: len(table.events)] == table.events
    assert isinstance(events[-1], Settled)
    last = replay(events)
    assert last.sheet is not None
    assert last.sheet.winner == 1


def test_each_seat_acts_in_its_turn_and_in_the_tunnela_window_in_any_case() -> None:
    players = watched()
    list(play_out(begun(), players))
    seen = players[0].seen
    assert [view.viewer for view in seen if view.phase is Phase.WINDOW] == [0, 1, 2]
    assert all(view.viewer == view.turn for view in seen if view.phase is not Phase.WINDOW)
    assert {view.viewer for view in seen if view.phase is Phase.PLAY} == {0, 1}


def test_each_event_comes_with_the_state_after_it() -> None:
    events = begun()
    for event, state in play_on(replay(events), watched()):
        events.append(event)
        assert state == replay(events)
    assert replay(events).phase is Phase.OVER


def test_a_random_player_takes_any_legal_action() -> None:
    seen = Script(*begun()).close_window().draw().view(0)
    chosen = {RandomPlayer(Random(number)).choose(seen) for number in range(300)}
    assert chosen == set(legal_actions(seen))


# Answers about tunnelas


TUNNELA = "5H 5H 5H"
NONE = "AS 3S 5S 7S 9S JS KS AH 3H 5H 7H 9H JH KH AD 3D 5D 7D 9D JD KD"


def test_while_the_window_is_open_the_seat_that_will_begin_answers_too() -> None:
    assert GreedyPlayer().choose(Script(arranged(NONE, "")).view(0)) == DeclineTunnelas()


def test_before_its_own_first_draw_a_seat_exposes_what_it_has() -> None:
    rules = preset("pagat", tunnela_window="own_first_draw")
    table = Script(arranged(TUNNELA, "", rules=rules))
    assert GreedyPlayer().choose(table.view(0)) == ExposeTunnelas(parse_cards("5H"))


def test_with_nothing_to_expose_it_draws_in_its_turn_and_declines_out_of_it() -> None:
    rules = preset("pagat", tunnela_window="own_first_draw")
    player = GreedyPlayer(uses_pile=False)
    table = Script(arranged(NONE, NONE.replace("D", "C"), up="2D", rules=rules))
    assert player.choose(table.view(0)) == DrawStock()
    assert player.choose(table.view(1)) == DeclineTunnelas()


def test_having_answered_it_moves() -> None:
    table = Script(arranged(TUNNELA, "")).do(DeclineTunnelas(), seat=0).do(DeclineTunnelas(), seat=1)
    assert not isinstance(GreedyPlayer().choose(table.view(0)), ExposeTunnelas | DeclineTunnelas)
