"""Hands that several tests of the rules lay out, and the deals that begin with them."""

from typing import Any

from marriage.cards import Card
from marriage.rules import preset
from marriage.sheet import Sheet
from tests.marriage.dealing import Script, arranged, show, show_dublees

# Nine cards to show, and twelve that make four groups without any wild card.
PRIMARY = "AS 2S 3S 5H 5H 5H 7C 8C 9C"
LAID = show("AS 2S 3S | 5H 5H 5H | 7C 8C 9C")
OTHER = "AD 2D 3D 6H 7H 8H 10S 10S 10S"
OTHER_LAID = show("AD 2D 3D | 6H 7H 8H | 10S 10S 10S")
REST = "2D 3D 4D JS QS KS 9H 9S 9C AH 2H 3H"
FOUR = "2D 3D 4D | JS QS KS | 9H 9S 9C | AH 2H 3H"
PAIRS = "2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH AC AC"
SEVEN = show_dublees("2S 4H 6C 8D 10S QH AC")
SINGLES = "3C 5D 7S 9H JD 3H KC"


def card(text: str) -> Card:
    return Card.parse(text)


def script(*hands: str, **options: object) -> Script:
    return Script(arranged(*hands, **options))  # type: ignore[arg-type]


def begun(*hands: str, up: str = "KD", stock: str = "", **options: object) -> Script:
    rules = preset("pagat", **options)
    return Script(arranged(*hands, up=up, stock=stock, rules=rules)).close_window()


def sheet_of(deal: Script) -> Sheet:
    assert deal.state.sheet is not None
    return deal.state.sheet


def one_from_the_finish(up: str, **options: Any) -> Script:
    """Return a deal of four in which seat 0, to draw with this card on the pile, has shown and lacks one card.

    It has two groups, three wild cards, and three singles of which two are alike: AD, AD and KS.
    """
    rest = "KS KH KC AH 2H 3H 4S 4C 3D AD AD KS"
    deal = begun(f"{PRIMARY} {rest}", "", "", "", stock=f"7S JH JH {up} 4D", **options)
    deal.draw().do(LAID).cut_to("4D").throw("7S")
    return deal.pass_turn().pass_turn().pass_turn()
