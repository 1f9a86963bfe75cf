"""Whole deals for tests: dealt from a seed and played at random, or arranged card by card and scripted."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self, get_args

import pytest
from hypothesis import Phase as HypothesisPhase
from hypothesis import settings
from hypothesis import strategies as st

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
)
from marriage.apply import apply, replay
from marriage.cards import CARDS, MAN, MASTER, PACKS, Card, Cards, parse_cards, sort_cards
from marriage.decide import decide, start
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Dealt, Event, TipluTurned
from marriage.invariants import check, check_waiting
from marriage.legal import legal_actions
from marriage.moves import must_show
from marriage.rules import HAND_SIZE, PRESETS, Rules
from marriage.shuffle import DealSeed
from marriage.state import Phase, ShowKind, State
from marriage.view import View, view

Chooser = Callable[[View], Action]


def seed(number: int) -> DealSeed:
    return DealSeed(number.to_bytes(32, "big"), "test", 1)


def deal(number: int, players: int = 4, dealer: int = 0, **options: object) -> tuple[State, list[Event]]:
    events = start(Rules.model_validate(options), players, dealer, seed(number))
    return replay_checked(events), events


def replay_checked(events: Iterable[Event]) -> State:
    """Return the state after these events.

    Every invariant is checked after each of them: no card is lost, no hand has the wrong size.
    """
    state: State | None = None
    for event in events:
        state = apply(state, event)
        check(state)
    assert state is not None
    return state


def actor(state: State) -> int:
    """Return the seat that must act next."""
    if state.phase is Phase.WINDOW:
        return next(seat for seat, held in enumerate(state.seats) if not held.answered)
    return state.turn


def act(state: State, seat: int, action: Action) -> tuple[State, list[Event]]:
    """Return the state after an action, and its events; check every invariant on the way."""
    events = decide(state, seat, action)
    for event in events:
        state = apply(state, event)
        check(state)
    check_waiting(state)
    return state, events


def play(
    state: State, choose: Chooser, most: int = 5_000
) -> Iterator[tuple[State, int, Action, list[Event]]]:
    """Yield the state after every action until the deal is over, with the seat, the action and its events."""
    for _ in range(most):
        if state.phase is Phase.OVER:
            return
        seat = actor(state)
        action = choose(view(state, seat))
        state, events = act(state, seat, action)
        yield state, seat, action, events
    raise AssertionError("the deal does not end")


def at_random(chance: random.Random) -> Chooser:
    """Return a chooser of random legal actions, which mostly shows and finishes when it may.

    If false claims are fouls, it makes one at times.
    """

    def choose(seen: View) -> Action:
        if may_claim_falsely(seen) and chance.random() < 0.05:
            return false_claim(seen)
        actions = legal_actions(seen)
        good = [a for a in actions if isinstance(a, Show | ShowDublees | Finish | FinishDublees)]
        return chance.choice(good if good and chance.random() < 0.7 else actions)

    return choose


def may_claim_falsely(seen: View) -> bool:
    waits = seen.shown_now and not seen.rules.same_turn_finish
    claims = seen.phase is Phase.PLAY and not waits and not must_show(seen)
    return claims and seen.rules.false_claim == "foul"


def false_claim(seen: View) -> Action:
    """Return a finish that leaves cards over or repeats a pair, or a show of nothing."""
    match seen.own.shown:
        case ShowKind.GROUPS:
            return Finish((), (seen.own.concealed or ())[0])
        case ShowKind.DUBLEES:
            return FinishDublees(seen.own.laid[0][0], (seen.own.concealed or ())[0])
        case None:
            return Show(())


def discards(actions: tuple[Action, ...]) -> list[Discard]:
    return [action for action in actions if isinstance(action, Discard)]


# Deals arranged card by card


def arranged(
    *hands: str,
    up: str = "KD",
    stock: str = "",
    last: str = "",
    dealer: int = -1,
    rules: Rules | None = None,
    number: int = 0,
) -> Dealt:
    """Return a deal in which the seats hold at least these cards; a seed draws the rest.

    `stock` gives its top cards, the first on top, and `last` its bottom ones. The last seat deals, so that
    seat 0 begins, unless `dealer` says otherwise.
    """
    rules = rules or Rules.model_validate({})
    left = Counter({card: PACKS for card in CARDS if card.is_pack})
    left += Counter({MAN: rules.man_cards, MASTER: int(rules.master_card != "off")})
    wanted = [parse_cards(text) for text in (*hands, up, stock, last)]
    left.subtract(card for cards in wanted for card in cards)
    if min(left.values()) < 0:
        raise ValueError("a card is wanted more often than the deck has it")
    rest = list(left.elements())
    random.Random(number).shuffle(rest)
    full = [(*cards, *(rest.pop() for _ in range(HAND_SIZE - len(cards)))) for cards in wanted[: len(hands)]]
    return Dealt(
        rules=rules,
        dealer=dealer % len(hands),
        hands=tuple(map(sort_cards, full)),
        up_card=wanted[-3][0],
        stock=(*wanted[-2], *rest, *wanted[-1]),
        key=seed(number),
    )


WINNING = "AS 2S 3S 5S 6S 7S 9S 10S JS AH 2H 3H 5H 6H 7H 9H 10H JH AD 2D 3D"
DULL_FACES = [f"{rank}{suit}" for suit in "SHDC" for rank in ("2", "4", "6", "8", "10", "Q")]
"""Faces of which no two make a run, a tunnela or a pair."""
_SKIPPED = ("2S 6S 10S", "2H 6H 10H", "2D 6D 10D")


def decided(players: int, winner: int) -> list[str]:
    """Return hands for two to five seats: `winner` finishes in their first turn, before others can show."""
    dull = [" ".join(face for face in DULL_FACES if face not in skipped.split()) for skipped in _SKIPPED]
    dull.append(" ".join(f"{rank}{suit}" for suit in "SHC" for rank in ("A", "3", "5", "7", "9", "J", "K")))
    hands = dull[: players - 1]
    hands.insert(winner, WINNING)
    return hands


def start_decided(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
    """Replace `marriage.decide.start` with a deal that seat 0 wins."""
    dealt = arranged(*decided(players, 0), dealer=dealer, rules=rules, number=key.deal)
    return [replace(dealt, **stakes)]


# Deals of any kind

_FEW = {
    "first_dealer": (0, 5),
    "man_cards": (0, 3),
    "reshuffle_cap": (1, 2),
    "dublee_min_players": (2, 5),
    "better_factor": (2, 5),
}


def any_rules(chance: random.Random) -> Rules:
    """Return a preset, or a random choice for every option."""
    if chance.random() < 0.3:
        return chance.choice(list(PRESETS.values()))
    options: dict[str, Any] = {}
    for name, field in Rules.model_fields.items():
        if name == "custom_points":
            options[name] = chance.choice(
                [(), (("tiplu", (4, 9)), ("tunnela", (6,)), ("marriage", (12, 20)))]
            )
        elif field.annotation is int:
            options[name] = chance.randint(*_FEW.get(name, (0, 20)))
        else:
            options[name] = chance.choice(get_args(field.annotation) or (False, True))
    if options["foul"] == "off":
        options |= {"throw_foul": False, "false_claim": "reject"}
    return Rules.model_validate(options)


def any_deal(number: int) -> list[Event]:
    """Return a deal under any rules from a seed. Most seats get groups or pairs, so that they soon show."""
    chance = random.Random(number)
    rules, players = any_rules(chance), chance.randint(2, 5)
    left = Counter({card: PACKS for card in CARDS if card.is_pack})
    hands: list[str] = []
    for _ in range(players):
        hand = chance.choice([_groups, _groups, _pairs, _nothing])(left, chance)
        left.subtract(hand)
        hands.append(" ".join(map(str, hand)))
    up = chance.choice(sort_cards(left.elements()))
    dealt = arranged(*hands, up=str(up), dealer=chance.randrange(players), rules=rules, number=number)
    carry = tuple(chance.choices(range(players + 1), k=chance.randrange(3)))
    dealt = replace(dealt, better=chance.random() < 0.3, carry=carry, board=chance.random() < 0.2)
    return [dealt, *turned_open(dealt)]


def turned_open(dealt: Dealt) -> list[Event]:
    """Return the event that turns the tiplu openly after a deal, if the rules do so.

    The tiplu is the first card that can be one.
    """
    if not dealt.rules.open_tiplu:
        return []
    place = next(place for place, card in enumerate(dealt.stock) if card.is_pack)
    return [TipluTurned(place=place, card=dealt.stock[place])]


DEALS = st.integers(0, 2**32).map(any_deal)
CHANCE = st.integers(0, 2**32).map(random.Random)
# A smaller seed does not make a simpler deal.
DEALING = settings(deadline=None, phases=(HypothesisPhase.explicit, HypothesisPhase.generate), database=None)


def _groups(left: Counter[Card], chance: random.Random) -> list[Card]:
    """Return three to five runs and tunnelas from the deck."""
    shapes = [(card, card, card) for card in left if card.is_pack]
    shapes += 2 * [(CARDS[low], CARDS[low + 1], CARDS[low + 2]) for low in range(52) if low % 13 < 11]
    return _parts(shapes, chance.randint(3, 5), left, chance)


def _pairs(left: Counter[Card], chance: random.Random) -> list[Card]:
    """Return seven or eight pairs of different faces."""
    return _parts([(card, card) for card in left if card.is_pack], chance.randint(7, 8), left, chance)


def _nothing(left: Counter[Card], chance: random.Random) -> list[Card]:
    return []


def _parts(shapes: Sequence[Cards], count: int, left: Counter[Card], chance: random.Random) -> list[Card]:
    hand: list[Card] = []
    for shape in chance.sample(shapes, len(shapes)):
        if count and Counter((*hand, *shape)) <= left and not set(shape) & set(hand):
            hand += shape
            count -= 1
    return hand


class Script:
    """A deal that a test plays move by move; every invariant is checked at every step."""

    def __init__(self, *begun: Event) -> None:
        self.events = list(begun)
        self.state = replay_checked(self.events)
        check_waiting(self.state)

    def do(self, *actions: Action, seat: int | None = None) -> Self:
        """Let the seat in turn, or the one named, act."""
        for action in actions:
            mover = self.state.turn if seat is None else seat
            self.state, events = act(self.state, mover, action)
            self.events += events
        return self

    def draw(self) -> Self:
        return self.do(DrawStock())

    def throw(self, card: str) -> Self:
        return self.do(Discard(Card.parse(card)))

    def pass_turn(self) -> Self:
        """Draw from the stock and throw the card drawn."""
        self.draw()
        assert self.state.drawn is not None
        return self.do(Discard(self.state.drawn))

    def close_window(self) -> Self:
        while self.state.phase is Phase.WINDOW:
            self.do(DeclineTunnelas(), seat=actor(self.state))
        return self

    def cut_to(self, card: str) -> Self:
        """Cut the stock at this card."""
        return self.do(CutTiplu(self.state.stock.index(Card.parse(card))))

    def view(self, seat: int | None = None) -> View:
        return view(self.state, self.state.turn if seat is None else seat)

    def legal(self, seat: int | None = None) -> tuple[Action, ...]:
        return legal_actions(self.view(seat))

    def refusal(self, action: Action, seat: int | None = None) -> Refusal:
        """Return the code with which this action is refused."""
        with pytest.raises(IllegalActionError) as refused:
            decide(self.state, self.state.turn if seat is None else seat, action)
        assert self.state == replay(self.events)
        assert refused.value.args == (refused.value.code.value,)
        return refused.value.code


def show(text: str) -> Show:
    """Return a show of groups separated by bars: `AS 2S 3S | 5H 5H 5H | ...`."""
    return Show(groups_of(text))


def show_dublees(faces: str) -> ShowDublees:
    return ShowDublees(sort_cards(parse_cards(faces)))


def finish(text: str, discard: str) -> Finish:
    return Finish(groups_of(text), Card.parse(discard))


def finish_dublees(face: str, discard: str) -> FinishDublees:
    return FinishDublees(Card.parse(face), Card.parse(discard))


def expose(faces: str) -> ExposeTunnelas:
    return ExposeTunnelas(parse_cards(faces))


def groups_of(text: str) -> tuple[Cards, ...]:
    return tuple(parse_cards(part) for part in text.split("|")) if text else ()
