"""Replacing the cards that a seat cannot see leaves all that it is shown unchanged, byte by byte.

The whole deal is recreated. Hidden cards of the other hands, the stock and the tiplu change places with each
other, and each draw of the others brings the card that now lies there.
"""

import random
from collections import Counter
from dataclasses import replace
from itertools import takewhile

import pytest
from hypothesis import given, settings

from marriage.actions import Action
from marriage.apply import replay
from marriage.arena.ladder import LADDER
from marriage.cards import Card, sort_cards
from marriage.decide import start
from marriage.events import (
    EVENT,
    ClaimFailed,
    Dealt,
    Discarded,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    Reshuffled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    TipluTurned,
    Took,
    TunnelasExposed,
)
from marriage.invariants import check
from marriage.legal import legal_actions
from marriage.rules import preset
from marriage.state import OVER, PLAY
from marriage.strategy.advice import advise, cards_missing
from marriage.strategy.players import GreedyPlayer, difficulty
from marriage.view import View, mask, view
from tests.marriage.dealing import CHANCE, DEALING, DEALS, actor, at_random, play, seed
from tests.marriage.test_view_secrecy import twin

OPENS_HANDS = (Reshuffled, ClaimFailed, Finished, FinishedDublees, Settled)
"""Events at which a deal ends, or hidden cards move to places that no one can follow."""


class Table:
    """The places of a deal's cards by number. Each number keeps its place when the faces change."""

    def __init__(self, dealt: Dealt, viewer: int) -> None:
        self.viewer = viewer
        self.faces: list[Card] = []
        self.hands = [self._numbers(hand) for hand in dealt.hands]
        self.dealt = [list(hand) for hand in self.hands]
        self.pile = self._numbers((dealt.up_card,))
        self.stock = self._numbers(dealt.stock)
        self.order = list(self.stock)
        self.tiplu: int | None = None
        self.laid: set[int] = set()
        self.known = {*self.hands[viewer], *self.pile}

    def _numbers(self, cards: tuple[Card, ...]) -> list[int]:
        self.faces += cards
        return list(range(len(self.faces) - len(cards), len(self.faces)))

    def follow(self, event: Event) -> int | None:  # noqa: C901 - one plain case an event
        """Move the cards, and return the number of the card that the event hides from some."""
        match event:
            case Drew():
                number = self.stock.pop(0)
                self.hands[event.seat].append(number)
                if event.seat == self.viewer:
                    self.known.add(number)
                return number
            case Took():
                self.hands[event.seat].append(self.pile.pop())
            case Discarded():
                number = self._find(event.seat, event.card, {*self.hands[event.seat]} - self.laid)
                self.hands[event.seat].remove(number)
                self.pile.append(number)
            case TunnelasExposed():
                self._lay(event.seat, [face for face in event.faces for _ in range(3)])
            case Showed():
                self._lay(event.seat, [card for group in event.groups for card in group])
            case ShowedDublees():
                self._lay(event.seat, [card for pair in event.pairs for card in pair])
            case TipluCut() | TipluTurned():
                self.tiplu = self.stock.pop(event.place)
                if isinstance(event, TipluTurned) or event.seat == self.viewer:
                    self.known.add(self.tiplu)
                return self.tiplu
            case TipluSeen():
                assert self.tiplu is not None
                if event.seat == self.viewer:
                    self.known.add(self.tiplu)
                return self.tiplu
            case _:
                pass
        return None

    def _lay(self, seat: int, cards: list[Card]) -> None:
        """Lay cards face up. Cards that already lie face up are shown again, not duplicated."""
        free = {*self.hands[seat]}
        for card in cards:
            number = self._find(seat, card, free)
            free.remove(number)
            self.laid.add(number)

    def _find(self, seat: int, card: Card, free: set[int]) -> int:
        """Return a card of a hand that all can see from now on, preferably one already known."""
        there = (number for number in self.hands[seat] if number in free and self.faces[number] == card)
        found = min(there, key=lambda number: (number not in self.laid, number not in self.known))
        self.known.add(found)
        return found

    def resampled(self, chance: random.Random) -> list[Card]:
        """Return the faces, with those that the viewer cannot know shuffled.

        A hidden tiplu is a pack card.
        """
        hidden = [number for number in range(len(self.faces)) if number not in self.known]
        faces = [self.faces[number] for number in hidden]
        chance.shuffle(faces)
        if self.tiplu in hidden:
            place = hidden.index(self.tiplu)
            other = next(index for index, face in enumerate(faces) if face.is_pack)
            if not faces[place].is_pack:
                faces[place], faces[other] = faces[other], faces[place]
        anew = list(self.faces)
        for number, face in zip(hidden, faces, strict=True):
            anew[number] = face
        return anew


def told_anew(events: list[Event], viewer: int, chance: random.Random) -> list[Event]:
    """Return the same deal for this viewer, with all that it cannot know replaced from the beginning."""
    dealt, *others = events
    assert isinstance(dealt, Dealt)
    table = Table(dealt, viewer)
    hidden = [table.follow(event) for event in others]
    faces = table.resampled(chance)
    begun = replace(
        dealt,
        hands=tuple(sort_cards(faces[number] for number in hand) for hand in table.dealt),
        stock=tuple(faces[number] for number in table.order),
        key=seed(chance.getrandbits(32)),
    )
    return [
        begun,
        *(
            event if number is None else replace(event, card=faces[number])
            for event, number in zip(others, hidden, strict=True)
        ),
    ]


@settings(DEALING, max_examples=12)
@given(DEALS, CHANCE)
def test_what_a_seat_cannot_see_changes_nothing_that_it_is_shown(
    events: list[Event], chance: random.Random
) -> None:
    dealt = events[0]
    assert isinstance(dealt, Dealt)
    if dealt.board:
        return  # each seat has its own part of the stock there, and `test_view_secrecy` changes those
    moves = chance.randrange(120)
    for number, (_, _, _, caused) in enumerate(play(replay(events), at_random(chance))):
        events = [*events, *caused]
        if number == moves:
            break
    told = list(takewhile(lambda event: not isinstance(event, OPENS_HANDS), events))
    for viewer in range(len(dealt.hands)):
        other = told_anew(told, viewer, chance)
        assert other != told
        assert shown(other, viewer) == shown(told, viewer)


def shown(events: list[Event], viewer: int) -> list[str]:
    """Return all that a seat is shown of a deal, as text."""
    state = replay(events)
    check(state)
    seen = view(state, viewer)
    return [
        *(EVENT.dump_json(mask(event, viewer)).decode() for event in events),
        repr(seen),
        repr(legal_actions(seen)),
        repr(cards_missing(seen)),
        repr(hints(seen)),
        repr(choices(seen)),
        repr(difficulty(seen)),
    ]


def hints(seen: View) -> object:
    return advise(seen) if seen.phase is PLAY and seen.turn == seen.viewer else None


def choices(seen: View) -> object:
    """Return what every computer player would do now."""
    return [make(random.Random(1)).choose(seen) for make in LADDER.values()] if legal_actions(seen) else None


@pytest.mark.parametrize(
    ("name", "players", "board"),
    [("pagat", 4, False), ("kathmandu", 4, False), ("wikipedia-2010", 4, False), ("pagat", 4, True)],
)
def test_no_computer_player_chooses_by_cards_that_it_cannot_see(name: str, players: int, board: bool) -> None:
    """The deals are played as people play them, to the end.

    Random moves seldom lead to shows, and never to boards here.
    """
    chance, compared = random.Random(f"{name} {players} {board}"), Counter[bool]()
    deals = (start(preset(name), players, 0, seed(number), board=board) for number in (5, 6))
    played = (state for events in deals for state, *_ in play(replay(events), GreedyPlayer().choose))
    for state in played:
        if state.phase is OVER or chance.random() < 0.75:
            continue
        seat = actor(state)
        seen, other = view(state, seat), view(twin(state, seat, chance), seat)
        for player in LADDER:
            assert choice(player, other) == choice(player, seen), player
        compared[seen.own.shown is not None] += 1
    assert compared[False] > 3
    assert compared[True] > 1


def choice(player: str, seen: View) -> Action:
    return LADDER[player](random.Random(1)).choose(seen)
