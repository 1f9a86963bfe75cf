"""The notation: readers read what writers write, and writers reproduce what readers accept."""

import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from typing import TypeVar

import pytest
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
from marriage.events import Event, FoulReason, FoulRuled
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
from marriage.notation.positions import SEAT_FIELDS, STATE_FIELDS
from marriage.rules import PRESETS, Rules, preset
from marriage.shuffle import HIDDEN_SEED, DealSeed
from marriage.state import Seat, State
from marriage.view import mask
from tests.marriage import dealing

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


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("draw", DrawStock()),
        ("take", TakeDiscard()),
        ("decline", DeclineTunnelas()),
        ("expose 6H QC", ExposeTunnelas(parse_cards("6H QC"))),
        ("show 3S 4S 5S, 6H 6H 6H, QS KS AS", dealing.show("3S 4S 5S | 6H 6H 6H | QS KS AS")),
        ("show-dublees 2S 3S 4S 5S 6S 7S 8S", dealing.show_dublees("2S 3S 4S 5S 6S 7S 8S")),
        ("cut", CutTiplu()),
        ("cut 12", CutTiplu(12)),
        ("discard 5H", Discard(Card.parse("5H"))),
        ("finish 9D 10D JD, KS KC KH discard MAN", dealing.finish("9D 10D JD | KS KC KH", "MAN")),
        ("show", Show(())),
        ("show -, 6H 6H 6H", Show(((), parse_cards("6H 6H 6H")))),
        ("finish discard 8D", Finish((), Card.parse("8D"))),
        ("finish-dublees 5H discard 8D", dealing.finish_dublees("5H", "8D")),
    ],
)
def test_how_actions_are_written(text: str, asked: Action) -> None:
    assert write_action(asked) == text
    assert read_action(text) == asked


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


def test_a_hidden_deal_cannot_be_told() -> None:
    events = played(Rules(), random.Random(1))
    hidden = [mask(event, 0) for event in events]
    with pytest.raises(ValueError, match="is hidden"):
        write_deal(deal_of(hidden))
    with pytest.raises(ValueError, match="the first event of a deal is Dealt"):
        deal_of(events[1:])
    with pytest.raises(ValueError, match="a deal is dealt once"):
        deal_of([*events, events[0]])


def test_a_deal_that_is_over_has_no_position() -> None:
    with pytest.raises(ValueError, match="write the whole deal"):
        write_position(replay(played(Rules(), random.Random(1))))


def test_a_ruled_foul_is_in_the_position() -> None:
    dealt, *_ = played(Rules(foul="each"), random.Random(1))
    state = replay([dealt, FoulRuled(seat=1, why=FoulReason.LOOKED, by=0)])
    assert "ruled looked" in write_position(state)
    assert read_position(write_position(state)) == state


def test_every_field_of_a_position_is_written() -> None:
    assert {field.name for field in fields(Seat)} == set(SEAT_FIELDS)
    assert {field.name for field in fields(State)} == {*STATE_FIELDS, "rules", "key", "seats", "sheet"}


def test_a_move_that_is_refused_is_named() -> None:
    deal = Deal(Rules(), dealing.seed(1), seats=2, dealer=0, moves=((0, DeclineTunnelas()), (1, DrawStock())))
    with pytest.raises(ValueError, match=r"move 2 \(1 draw\) is refused: window_open"):
        play(deal)


def test_texts_that_a_line_cannot_hold() -> None:
    for table in ("two\nlines", " blank", "blank\t"):
        deal = Deal(Rules(), DealSeed(bytes(32), table, 1), seats=2, dealer=0)
        with pytest.raises(ValueError, match="cannot be written on a line"):
            write_deal(deal)


# Refusals

DEAL = """\
marriage deal 1
# a comment, and an empty line below

preset kathmandu
option alter yes
points tiplu 4 9
table T1
deal 3
seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
item 0:auto:-
seats 4
dealer 3
carry 1
better yes

0 decline
1 expose 6h tc
2 show-dublees 2S 3S 4S 5S 6S 7S 8S
"""
POSITION = """\
marriage position 1
preset pagat
dealer 0
phase draw
turn 1
stock 3S ??
pile 4D
seat 0
cards 5S 6S
seat 1
cards ?? ??
laid 5H 5H 5H, 6D 7D 8D
shown groups
"""


def test_the_examples_are_read() -> None:
    deal = read_deal(DEAL)
    assert (deal.rules, deal.dealer, deal.carry) == (
        preset("kathmandu", alter=True, custom_points=(("tiplu", (4, 9)),)),
        3,
        (1,),
    )
    assert deal.moves[1] == (1, ExposeTunnelas(parse_cards("6H 10C")))
    position = read_position(POSITION)
    assert position.seats[1].laid == dealing.groups_of("5H 5H 5H | 6D 7D 8D")
    assert position.key == HIDDEN_SEED


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        (DEAL, "deal 1", "deal 2", "line 1: the text begins with the line 'marriage deal 1'"),
        (DEAL, DEAL, "", "line 1: the text begins"),
        (DEAL, DEAL, "# nothing\n\n", "line 1: the text begins"),
        (DEAL, "kathmandu", "bhoos", "line 4: there is no preset 'bhoos'"),
        (DEAL, "preset kathmandu\n", "", "line 13: above here the line 'preset' is missing"),
        (DEAL, "alter yes", "alter maybe", "line 5: 'maybe' is neither yes nor no"),
        (DEAL, "alter yes", "altar yes", "line 5: there is no option 'altar'"),
        (DEAL, "alter yes", "seen_pay 51", "line 5: seen_pay: "),
        (DEAL, "alter yes", "seen_pay ५", "line 5: '५' is no number"),
        (DEAL, "alter yes", "foul off\noption throw_foul yes", "line 7: options: "),
        (DEAL, "deal 3", "deal 4294967296", "line 8: '4294967296' is no number from 0 to 4294967295"),
        (DEAL, "deal 3", "deal -3", "line 8: '-3' is no number"),
        (DEAL, "0b0c", "0b0", "line 9: a seed has 64 hexadecimal digits"),
        (DEAL, "0b0c", "0B0C", "line 9: a seed has 64 hexadecimal digits"),
        (DEAL, "seats 4", "seats 6", "line 11: a deal has 2 to 5 seats, not 6"),
        (DEAL, "dealer 3", "dealer 4", "line 12: there is no seat 4; seats count from 0 to 3"),
        (DEAL, "dealer 3", "dealer 3\ndealer 3", "line 13: 'dealer' stands here twice"),
        (DEAL, "better yes", "colour red", "line 14: there is no 'colour' here"),
        (DEAL, "0 decline", "4 decline", "line 16: there is no seat 4"),
        (DEAL, "0 decline", "0 decline all", "line 16: nothing follows this action, not even 'all'"),
        (DEAL, "0 decline", "0 jump", "line 16: there is no action 'jump'; there are draw, take"),
        (DEAL, "0 decline", "0", "line 16: there is no action ''"),
        (DEAL, "0 decline", "0 cut x", "line 16: 'x' is no number"),
        (DEAL, "0 decline", "0 discard", "line 16: '' is no card"),
        (DEAL, "0 decline", "0 discard 5H 6H", "line 16: '5H 6H' is no card"),
        (DEAL, "0 decline", "0 show 5H 6H,", "line 16: a group is missing next to a comma"),
        (DEAL, "0 decline", "0 finish 5H 6H", "line 16: a finish ends with its discard"),
        (DEAL, "6h tc", "6h 11c", "line 17: '11c' is no card"),
        (DEAL, "tiplu 4 9", "queen 4 9", "line 6: custom_points: "),
        (DEAL, "tiplu 4 9", "tiplu", "line 6: custom_points: "),
        (DEAL, "tiplu 4 9", "tiplu x", "line 6: 'x' is no number"),
        (DEAL, "tiplu 4 9", "tiplu 4\npoints tiplu 5", "line 7: options: custom_points names a kind twice"),
        (POSITION, "position 1", "deal 1", "line 1: the text begins with the line 'marriage position 1'"),
        (POSITION, "phase draw", "phase sleep", "line 4: "),
        (POSITION, "dealer 0", "dealer 2", "line 13: dealer and turn are seats"),
        (POSITION, "pile 4D\n", "", "line 6: above here the line 'pile' is missing"),
        (POSITION, "seat 1", "seat 2", "line 10: here comes seat 1"),
        (POSITION, "cards 5S 6S\n", "", "line 8: above here the line 'cards' is missing"),
        (
            POSITION,
            "stock 3S ??",
            "stock 3S ??\nstocks ??, ??, ??",
            "line 14: on a board every seat has a stock",
        ),
        (POSITION, "shown groups", "shown off", "line 13: "),
        (POSITION, "shown groups", "pile 4D", "line 13: there is no 'pile' here"),
        (POSITION, "seat 1\n", "", "line 10: 'cards' stands here twice"),
    ],
)
def test_what_is_refused(text: str, old: str, new: str, said: str) -> None:
    read: Callable[[str], Deal | State] = read_deal if text is DEAL else read_position
    assert old in text
    with pytest.raises(ValueError, match=r"^line \d+: ") as refused:
        read(text.replace(old, new))
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


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
