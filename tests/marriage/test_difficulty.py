"""How hard a turn looks: by who has shown, and by whether cards that go with the top of the pile may still be hidden."""

from dataclasses import replace

import pytest

from marriage.cards import parse_cards
from marriage.rules import preset
from marriage.state import ShowKind
from marriage.strategy.players import difficulty
from marriage.view import View
from tests.marriage.dealing import Script, arranged

RUNS = "2S 3S 4S 6H 7H 8H 10D JD QD 2C 3C 4C 6S 7S 8S 10H JH QH 6D 7D 8D"


def turn(up: str) -> Script:
    """Return a deal before the first draw, with pure sequences in hand."""
    return Script(arranged(RUNS, "KS", up=up)).close_window()


def test_it_is_the_same_whatever_the_hand_is() -> None:
    other = Script(arranged("5S 5H 5D JS JC 9S 9H", "KS", up="KC")).close_window()
    assert difficulty(turn(up="KC").view(None)) == difficulty(other.view(None)) > 0


def test_with_nothing_visible_the_top_of_the_pile_makes_half_of_it_and_after_the_draw_nothing() -> None:
    table = turn(up="5H")
    assert difficulty(table.view(None)) == 0.5
    assert difficulty(table.draw().view(None)) == 0


def test_every_show_makes_it_harder() -> None:
    table = turn(up="5H").draw()
    before = table.view(None)
    seats = tuple(replace(seat, seen=seat is before.seats[0]) for seat in before.seats)
    assert difficulty(replace(before, seats=seats)) == 0.5 / before.players


def seeing(top: str, *, pile: str = "", laid: str = "", exposed: str = "") -> View:
    """Return a spectator's view of a draw with more cards on the pile and on the table."""
    before = turn(up=top).view(None)
    groups = tuple(parse_cards(group) for group in laid.split("|")) if laid else ()
    first = replace(before.seats[1], laid=groups, exposed=parse_cards(exposed))
    pile = f"{pile} {top}"
    return replace(before, pile=parse_cards(pile), seats=(before.seats[0], first, *before.seats[2:]))


@pytest.mark.parametrize(
    ("seen", "hidden", "partners"),
    [
        (seeing("5H", pile="4H 6H 5S 8H 2H 4S"), 20, 23),  # 5H, 5S, 5D, 5C, 3H, 4H, 6H and 7H go with it
        (seeing("5H", laid="3H 4H 5H|6S 7S 8S"), 20, 23),
        (seeing("5H", exposed="7H"), 20, 23),
        (seeing("5H", laid="7H 7H 7H|5D 6D 7D", exposed="7H"), 19, 23),
        (seeing("5H", exposed="5D 5S 5C 3H 4H 6H 7H"), 2, 23),
        (seeing("AS", pile="2S KS QS"), 16, 17),  # AS, AH, AD, AC, 2S and 3S
        (seeing("KD", pile="AD JD"), 16, 17),
    ],
    ids=["pile", "shown", "exposed", "exposed and shown", "hardly any", "ace", "king"],
)
def test_partners_that_everybody_can_see_make_it_easier(seen: View, hidden: int, partners: int) -> None:
    assert difficulty(seen) == pytest.approx(0.5 * hidden / partners)


def test_a_card_that_may_not_be_taken_adds_nothing() -> None:
    """The seat in turn has shown dublees, and the card on the pile is among them."""
    before = turn(up="5H").view(None)
    shown = replace(before.seats[0], shown=ShowKind.DUBLEES, laid=(parse_cards("5H 5H"),))
    assert difficulty(replace(before, seats=(shown, *before.seats[1:]))) == 0


def test_a_man_card_that_may_be_taken_goes_with_every_card() -> None:
    rules = preset("pagat", man_cards=2)
    table = Script(arranged(RUNS, "KS", up="MAN", rules=rules)).close_window()
    assert difficulty(table.view(None)) == 0.5
