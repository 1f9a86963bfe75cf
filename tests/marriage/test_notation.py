"""The notation: readers read what writers write, and writers reproduce what readers accept."""

from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    Show,
    TakeDiscard,
)
from marriage.apply import replay
from marriage.cards import Card, parse_cards
from marriage.decide import start
from marriage.events import Event, FinishedDublees, FoulReason, FoulRuled, TipluCut
from marriage.notation import (
    Deal,
    deal_of,
    play,
    read_action,
    read_deal,
    read_position,
    write_action,
    write_deal,
    write_position,
)
from marriage.notation.deals import moves_of
from marriage.notation.positions import SEAT_FIELDS, STATE_FIELDS
from marriage.rules import Rules, preset
from marriage.shuffle import HIDDEN_SEED, DealSeed
from marriage.state import Seat, State
from marriage.view import mask
from tests.marriage import dealing
from tests.marriage.example_hands import LAID, PAIRS, PRIMARY, REST, SEVEN


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


# Deals and positions


def finished() -> list[Event]:
    """Return the events of a deal that seat 0 wins after seat 1 has claimed falsely."""
    rules = preset("pagat", foul="each", false_claim="foul")
    table = dealing.arranged(
        f"{PRIMARY} {REST}", f"{PAIRS} KC KC KC 3C 5D 7S JD", "", stock="6C JC 4C QD", rules=rules
    )
    deal = dealing.Script(table).do(dealing.expose("KC"), seat=1).close_window()
    return deal.do(*MOVES[3:]).events


MOVES = [
    dealing.expose("KC"),
    DeclineTunnelas(),
    DeclineTunnelas(),
    TakeDiscard(),
    LAID,
    CutTiplu(3),
    Discard(Card.parse("3H")),
    DrawStock(),
    SEVEN,
    Discard(Card.parse("3C")),
    DrawStock(),
    Show(()),
    DrawStock(),
    dealing.finish("2D 3D 4D | JS QS KS | 9S 9H 9C | AH 2H KD", "4C"),
]


def test_the_moves_of_a_deal_follow_from_its_events() -> None:
    told = deal_of(finished())
    assert [action for _, action in told.moves] == MOVES


def test_a_finish_by_dublees_is_told_as_its_face_and_its_discard() -> None:
    finished = FinishedDublees(seat=1, pair=parse_cards("3C 3C"), discard=Card.parse("KC"))
    assert [*moves_of(finished)] == [(1, dealing.finish_dublees("3C", "KC"))]


@pytest.mark.parametrize(("chosen", "told"), [(False, CutTiplu()), (True, CutTiplu(7)), (None, CutTiplu(7))])
def test_a_cut_left_to_chance_is_told_without_its_place(chosen: bool | None, told: CutTiplu) -> None:
    assert [*moves_of(TipluCut(1, 7, Card.parse("5H"), chosen))] == [(1, told)]


def test_a_deal_has_up_to_five_seats() -> None:
    assert read_deal(DEAL.replace("seats 4", "seats 5")).seats == 5


def test_the_moves_that_were_told_cause_the_same_events() -> None:
    begun = start(preset("pagat"), 3, 1, dealing.seed(2), better=True, carry=(0, 7), board=True)
    script = dealing.Script(*begun).close_window().pass_turn().do(TakeDiscard())
    told = deal_of(script.events)
    assert (told.seats, told.dealer, told.better, told.carry, told.board) == (3, 1, True, (0, 7), True)
    assert play(told) == script.events
    assert read_deal(write_deal(told)) == told


def test_a_hidden_deal_cannot_be_told() -> None:
    events = finished()
    hidden = [mask(event, 0) for event in events]
    with pytest.raises(ValueError, match=r"^a failed claim is hidden, so the deal cannot be written$"):
        deal_of(hidden)
    with pytest.raises(ValueError, match=r"^the seed of this deal is hidden, so nobody could play it again$"):
        write_deal(deal_of(hidden[:5]))
    with pytest.raises(ValueError, match=r"^the first event of a deal is Dealt$"):
        deal_of(events[1:])
    with pytest.raises(ValueError, match=r"^a deal is dealt once$"):
        deal_of([*events, events[0]])


def test_a_deal_that_is_over_has_no_position() -> None:
    with pytest.raises(ValueError, match=r"^a deal that is over has no position; write the whole deal$"):
        write_position(replay(finished()))


def test_a_ruled_foul_is_in_the_position() -> None:
    state = replay([*finished()[:1], FoulRuled(seat=1, why=FoulReason.LOOKED, by=0)])
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
        with pytest.raises(
            ValueError,
            match=r"^a text with a line break, or a blank at its end, cannot be written on a line$",
        ):
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


def test_a_deal_is_written_in_its_normal_form() -> None:
    assert write_deal(read_deal(DEAL)) == DEAL.replace(
        "# a comment, and an empty line below\n\n", ""
    ).replace("carry 1\nbetter yes", "better yes\ncarry 1").replace("6h tc", "6H 10C")
    plain = Deal(preset("pagat"), DealSeed(bytes(32), "", 0), seats=2, dealer=0)
    assert (
        write_deal(plain)
        == f"marriage deal 1\npreset pagat\ntable\ndeal 0\nseed {'00' * 32}\nseats 2\ndealer 0\n\n"
    )
    assert read_deal(write_deal(plain)) == plain
    board = Deal(preset("pagat"), dealing.seed(1), seats=3, dealer=2, board=True)
    assert "dealer 2\nboard yes\n" in write_deal(board)
    assert read_deal(write_deal(board)) == board


WHOLE = """\
marriage position 1
preset pagat
option man_cards 2
option dublee no
option foul each
points tiplu 4 9
table T 1
deal 3
seed 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
item 0:auto:-
item
dealer 1
phase play
turn 1
tiplu 5D
taken 6C
drawn 6C
shown_now yes
reshuffles 1
version 40
stock 3S MAN
pile 4D 10H
better yes
carry 1 0
stocks 5H 6H, -
aside 2S
throwers 0

seat 0
cards 5S 6S
exposed 7D
out yes
threw yes
ruled looked

seat 1
cards 5H 5H 5H 6D
laid 5H 5H 5H, 6D 7D 8D
shown groups
seen yes
finish 2S 3S 4S
answered yes
"""


def test_a_position_is_written_field_by_field() -> None:
    state = read_position(WHOLE)
    assert write_position(state) == WHOLE
    assert (state.key.table, state.key.items) == ("T 1", ("0:auto:-", ""))
    assert (state.rules.man_cards, state.rules.dublee, state.rules.foul) == (2, False, "each")
    assert (state.turn, state.stocks, state.carry) == (1, (parse_cards("5H 6H"), ()), (1, 0))
    assert (state.seats[0].threw, state.seats[1].threw) == (True, False)


def test_a_position_of_five_seats_may_have_an_empty_stock() -> None:
    dealt = replay(start(preset("pagat"), 5, 0, dealing.seed(1)))
    state = replace(dealt, stock=())
    assert "\nstock\npile " in write_position(state)
    assert read_position(write_position(state)) == state


@pytest.mark.parametrize("text", ["0", "7", "0000000012", "4294967295"])
def test_a_number_has_at_most_four_bytes(text: str) -> None:
    assert read_action(f"cut {text}") == CutTiplu(int(text))


@pytest.mark.parametrize("text", ["-1", "+1", "1.0", "00000000012", "4294967296", "x" * 50])
def test_what_is_no_number_is_quoted_and_clipped(text: str) -> None:
    with pytest.raises(ValueError, match="is no number") as refused:
        read_action(f"cut {text}")
    assert str(refused.value) == f"'{text[:40]}' is no number from 0 to 4294967295"


@pytest.mark.parametrize(
    ("text", "old", "new", "said"),
    [
        (DEAL, "deal 1", "deal 2", "line 1: the text begins with the line 'marriage deal 1'"),
        (DEAL, DEAL, "", "line 1: the text begins with the line 'marriage deal 1'"),
        (DEAL, DEAL, "# nothing\n\n", "line 1: the text begins with the line 'marriage deal 1'"),
        (
            DEAL,
            "kathmandu",
            "bhoos",
            "line 4: there is no preset 'bhoos'; there are pagat, wikipedia, wikipedia-2010, gambiter, kathmandu, murder, kidnap",
        ),
        (DEAL, "preset kathmandu\n", "", "line 13: above here the line 'preset' is missing"),
        (DEAL, "alter yes", "alter maybe", "line 5: 'maybe' is neither yes nor no"),
        (DEAL, DEAL, "marriage deal 1", "line 1: above here the line 'seats' is missing"),
        (DEAL, "alter yes", "alter yes no", "line 5: 'yes no' is neither yes nor no"),
        (DEAL, "alter yes", "custom_points 5", "line 5: there is no option 'custom_points'"),
        (DEAL, "0b0c", "0bXX", "line 9: a seed has 64 hexadecimal digits"),
        (DEAL, "alter yes", "altar yes", "line 5: there is no option 'altar'"),
        (DEAL, "alter yes", "seen_pay 51", "line 5: seen_pay: Input should be less than or equal to 50"),
        (DEAL, "alter yes", "seen_pay ५", "line 5: '५' is no number from 0 to 4294967295"),
        (
            DEAL,
            "alter yes",
            "foul off\noption throw_foul yes",
            "line 7: options: throw_foul and false_claim 'foul' need a form of foul: choose next, each or total",
        ),
        (DEAL, "deal 3", "deal 4294967296", "line 8: '4294967296' is no number from 0 to 4294967295"),
        (DEAL, "deal 3", "deal -3", "line 8: '-3' is no number from 0 to 4294967295"),
        (DEAL, "0b0c", "0b0", "line 9: a seed has 64 hexadecimal digits"),
        (DEAL, "0b0c", "0B0C", "line 9: a seed has 64 hexadecimal digits"),
        (DEAL, "seats 4", "seats 6", "line 11: a deal has 2 to 5 seats, not 6"),
        (DEAL, "dealer 3", "dealer 4", "line 12: there is no seat 4; seats count from 0 to 3"),
        (DEAL, "dealer 3", "dealer 3\ndealer 3", "line 13: 'dealer' stands here twice"),
        (DEAL, "better yes", "colour red", "line 14: there is no 'colour' here"),
        (DEAL, "0 decline", "4 decline", "line 16: there is no seat 4; seats count from 0 to 3"),
        (DEAL, "0 decline", "0 decline all", "line 16: nothing follows this action, not even 'all'"),
        (
            DEAL,
            "0 decline",
            "0 jump",
            "line 16: there is no action 'jump'; there are draw, take, decline, expose, show, show-dublees, cut, discard, finish, finish-dublees",
        ),
        (
            DEAL,
            "0 decline",
            "0",
            "line 16: there is no action ''; there are draw, take, decline, expose, show, show-dublees, cut, discard, finish, finish-dublees",
        ),
        (DEAL, "0 decline", "0 cut x", "line 16: 'x' is no number from 0 to 4294967295"),
        (
            DEAL,
            "0 decline",
            "0 discard",
            "line 16: '' is no card; write rank and suit, such as 10C, or MAN or MASTER",
        ),
        (
            DEAL,
            "0 decline",
            "0 discard 5H 6H",
            "line 16: '5H 6H' is no card; write rank and suit, such as 10C, or MAN or MASTER",
        ),
        (
            DEAL,
            "0 decline",
            "0 show 5H 6H,",
            "line 16: a group is missing next to a comma; an empty group is written -",
        ),
        (DEAL, "0 decline", "0 finish 5H 6H", "line 16: a finish ends with its discard, such as: discard 8D"),
        (
            DEAL,
            "6h tc",
            "6h 11c",
            "line 17: '11c' is no card; write rank and suit, such as 10C, or MAN or MASTER",
        ),
        (
            DEAL,
            "tiplu 4 9",
            "queen 4 9",
            "line 6: custom_points: Input should be 'tiplu', 'poplu', 'jhiplu', 'alter', 'man', 'master', 'marriage', 'laid_marriage', 'tunnela', 'joker_tunnela', 'maal_tunnela', 'alter_tunnela' or 'man_tunnela'",
        ),
        (
            DEAL,
            "tiplu 4 9",
            "tiplu",
            "line 6: custom_points: Tuple should have at least 1 item after validation, not 0",
        ),
        (DEAL, "tiplu 4 9", "tiplu x", "line 6: 'x' is no number from 0 to 4294967295"),
        (DEAL, "tiplu 4 9", "tiplu 4\npoints tiplu 5", "line 7: options: custom_points names a kind twice"),
        (POSITION, "position 1", "deal 1", "line 1: the text begins with the line 'marriage position 1'"),
        (POSITION, "phase draw", "phase sleep", "line 4: 'sleep' is not a valid Phase"),
        (POSITION, "dealer 0", "dealer 2", "line 13: dealer and turn are seats, and those end here"),
        (POSITION, "pile 4D\n", "", "line 6: above here the line 'pile' is missing"),
        (POSITION, "seat 1", "seat 2", "line 10: here comes seat 1"),
        (POSITION, "cards 5S 6S\n", "", "line 8: above here the line 'cards' is missing"),
        (
            POSITION,
            "stock 3S ??",
            "stock 3S ??\nstocks ??, ??, ??",
            "line 14: on a board every seat has a stock",
        ),
        (POSITION, POSITION[POSITION.index("seat 1") :], "", "line 9: a deal has 2 to 5 seats, not 1"),
        (POSITION, "shown groups", "shown off", "line 13: 'off' is not a valid ShowKind"),
        (POSITION, "shown groups", "pile 4D", "line 13: there is no 'pile' here"),
        (POSITION, "seat 1\n", "", "line 10: 'cards' stands here twice"),
    ],
)
def test_what_is_refused(text: str, old: str, new: str, said: str) -> None:
    read: Callable[[str], Deal | State] = read_deal if text is DEAL else read_position
    assert old in text
    with pytest.raises(ValueError, match=r"^line \d+: ") as refused:
        read(text.replace(old, new))
    assert str(refused.value) == said
