"""How hard a turn looks: by who has shown, and by whether cards that go with the top of the pile may still be hidden."""

from dataclasses import replace

from marriage.cards import parse_cards
from marriage.rules import preset
from marriage.strategy.players import difficulty
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


def test_partners_that_everybody_can_see_make_it_easier() -> None:
    before = turn(up="5H").view(None)
    gone = replace(before, pile=(*parse_cards("4H 6H 5S"), *before.pile))
    assert difficulty(gone) < difficulty(before)


def test_a_man_card_that_may_be_taken_goes_with_every_card() -> None:
    rules = preset("pagat", man_cards=2)
    table = Script(arranged(RUNS, "KS", up="MAN", rules=rules)).close_window()
    assert difficulty(table.view(None)) == 0.5
