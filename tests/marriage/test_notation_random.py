"""Notation of anything: round trips of random values, of deals played at random, and of mutilated texts."""

import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from hypothesis import given, settings
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
    TakeDiscard,
)
from marriage.apply import replay
from marriage.cards import CARDS, Card, format_cards, parse_cards
from marriage.decide import start
from marriage.events import Event
from marriage.notation import (
    Deal,
    deal_of,
    play,
    read_action,
    read_deal,
    read_groups,
    read_position,
    write_action,
    write_deal,
    write_groups,
    write_position,
)
from marriage.rules import PRESETS, Rules
from marriage.shuffle import DealSeed
from marriage.view import mask
from tests.marriage import dealing
from tests.marriage.test_notation import DEAL, POSITION

T = TypeVar("T")

card = st.sampled_from(CARDS[:-1])
some_cards = st.lists(card, max_size=8).map(tuple)
groups = st.lists(some_cards, max_size=5).map(tuple)
action: st.SearchStrategy[Action] = st.one_of(
    st.sampled_from([DrawStock(), TakeDiscard(), DeclineTunnelas(), CutTiplu()]),
    st.builds(ExposeTunnelas, some_cards),
    st.builds(Show, groups),
    st.builds(ShowDublees, some_cards),
    st.builds(CutTiplu, st.integers(0, 200)),
    st.builds(Discard, card),
    st.builds(Finish, groups, card),
    st.builds(FinishDublees, card, card),
)
word = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=20).map(str.strip)


STRANGE = Rules(
    master_card="always",
    unseen_pickup="show_only",
    open_tiplu=True,
    foul="next",
    custom_points=(("tiplu", (4, 9)), ("man_tunnela", (60,))),
)
rules = st.builds(
    lambda first, other, names, men: Rules.model_validate(
        first | {name: other[name] for name in names} | {"man_cards": men, "foul": other["foul"]}
    ),
    st.sampled_from([rules.model_dump() | {"foul": "off"} for rules in PRESETS.values()]),
    st.sampled_from(
        [
            rules.model_dump() | {"foul": "each", "throw_foul": True, "false_claim": "foul"}
            for rules in PRESETS.values()
        ]
        + [STRANGE.model_dump()]
    ),
    st.sets(st.sampled_from(sorted(Rules.model_fields))),
    st.integers(0, 3),
)
keys = st.builds(
    DealSeed,
    seed=st.binary(min_size=32, max_size=32),
    table=word,
    deal=st.integers(0, 2**32 - 1),
    items=st.lists(word, max_size=3).map(tuple),
)
deals = st.builds(
    Deal,
    rules=rules,
    key=keys,
    seats=st.just(5),
    dealer=st.integers(0, 4),
    better=st.booleans(),
    carry=st.lists(st.integers(0, 9), max_size=3).map(tuple),
    moves=st.lists(st.tuples(st.integers(0, 4), action), max_size=8).map(tuple),
)


# Round trips


@given(st.lists(st.sampled_from(CARDS)).map(tuple))
def test_cards(cards: tuple[Card, ...]) -> None:
    assert parse_cards(format_cards(cards)) == cards
    assert parse_cards(format_cards(cards).lower().replace("10", "t")) == cards


@given(groups)
def test_groups(several: tuple[tuple[Card, ...], ...]) -> None:
    assert read_groups(write_groups(several)) == several


@given(action)
def test_actions(asked: Action) -> None:
    assert read_action(write_action(asked)) == asked


@given(deals)
def test_deals(deal: Deal) -> None:
    assert read_deal(write_deal(deal)) == deal


# Played deals


def played(rules: Rules, chance: random.Random) -> list[Event]:
    """Return the events of a deal under any rules, including false claims and throw fouls."""
    seats = chance.randint(2, 5)
    seed = dealing.seed(chance.randrange(1 << 32))
    dealer, carry = chance.randrange(seats), (0, 0, 7)[: chance.randrange(4)]
    events = start(rules, seats, dealer, seed, better=chance.random() < 0.5, carry=carry)
    for _, _, _, caused in dealing.play(replay(events), dealing.at_random(chance)):
        events += caused
    return events


@settings(deadline=None, max_examples=6)
@given(rules, st.builds(random.Random, st.integers(0, 2**32)))
def test_a_deal_as_text_plays_to_the_same_events(rules: Rules, chance: random.Random) -> None:
    events = played(rules, chance)
    told = deal_of(events)
    text = write_deal(told)
    assert read_deal(text) == told
    assert write_deal(read_deal(text)) == text
    assert play(read_deal(text)) == events


@settings(deadline=None, max_examples=4)
@given(rules, st.builds(random.Random, st.integers(0, 2**32)))
def test_positions_of_a_deal(rules: Rules, chance: random.Random) -> None:
    *events, _ = played(rules, chance)
    for end in chance.sample(range(1, len(events) + 1), min(6, len(events))):
        state = replay(events[:end])
        assert read_position(write_position(state)) == state
        viewer = chance.choice([None, *range(len(state.seats))])
        seen = replay(mask(event, viewer) for event in events[:end])
        text = write_position(seen)
        assert read_position(text) == seen
        assert "??" in text
        assert "seed" not in text


# Fuzzing: mutilated texts


@st.composite
def mutilated(draw: st.DrawFn, text: str) -> str:
    """Return the text with some pieces removed, doubled, exchanged or replaced by anything."""
    pieces = text.replace("\n", " \n ").split(" ")
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(pieces) - 1))
        other = draw(st.one_of(st.sampled_from(pieces), st.text(max_size=4), st.just("")))
        pieces[place : place + draw(st.integers(0, 2))] = [other] * draw(st.integers(0, 2))
        pieces = pieces or [""]
    return " ".join(pieces)


@settings(max_examples=300)
@given(mutilated(DEAL))
def test_what_the_reader_of_deals_accepts_the_writer_reproduces(text: str) -> None:
    reproduced(text, read_deal, write_deal)


@settings(max_examples=300)
@given(mutilated(POSITION))
def test_what_the_reader_of_positions_accepts_the_writer_reproduces(text: str) -> None:
    reproduced(text, read_position, write_position)


def reproduced(text: str, read: Callable[[str], T], write: Callable[[T], str]) -> None:
    """Check that the reader refuses the text and names a line, or that its value survives a round trip."""
    fault = None
    try:
        value = read(text)
    except ValueError as error:
        fault = str(error)
    else:
        normal = write(value)
        assert read(normal) == value
        assert write(read(normal)) == normal
    assert fault is None or re.match(r"line \d+: ", fault)


@given(st.text(), st.one_of(st.sampled_from([DEAL, POSITION])), st.integers(0, 400))
def test_anything_at_all(junk: str, text: str, place: int) -> None:
    for read in (read_action, read_groups, read_deal, read_position):
        with suppress(ValueError):
            read(text[:place] + junk + text[place:])
            read(junk)
