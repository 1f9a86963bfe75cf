"""The cards that a tiplu makes wild, and those that are worth points."""

import pytest

from marriage.cards import CARDS, FACES, MAN, MASTER, Card, parse_cards
from marriage.maal import Role, alter, jhiplu, poplu, role, scoring_faces, wild_faces
from marriage.rules import Rules

FACES_OF_THE_PACK = CARDS[:FACES]
RED = frozenset("HD")


def text(card: Card) -> tuple[str, str]:
    """Return the rank and the suit as text."""
    return str(card)[:-1], str(card)[-1]


@pytest.mark.parametrize(
    ("tiplu", "above", "below", "other"),
    [("JC", "QC", "10C", "JS"), ("KH", "AH", "QH", "KD"), ("AD", "2D", "KD", "AH"), ("2S", "3S", "AS", "2C")],
)
def test_neighbours_go_round_and_the_alter_has_the_other_suit_of_the_colour(tiplu, above, below, other):
    cut = Card.parse(tiplu)
    assert (poplu(cut), jhiplu(cut), alter(cut)) == tuple(map(Card.parse, (above, below, other)))


@pytest.mark.parametrize("tiplu", FACES_OF_THE_PACK, ids=str)
def test_for_every_tiplu(tiplu: Card):
    rank, suit = text(tiplu)
    assert jhiplu(poplu(tiplu)) == poplu(jhiplu(tiplu)) == alter(alter(tiplu)) == tiplu
    other_rank, other_suit = text(alter(tiplu))
    assert other_rank == rank
    assert other_suit != suit
    assert (other_suit in RED) == (suit in RED)
    ranked = {card for card in FACES_OF_THE_PACK if text(card)[0] == rank}
    assert wild_faces(tiplu) == ranked | {poplu(tiplu), jhiplu(tiplu), MAN, MASTER}
    worth = {tiplu, poplu(tiplu), jhiplu(tiplu), MAN, MASTER}
    assert scoring_faces(tiplu, Rules()) == worth
    assert scoring_faces(tiplu, Rules(alter=True)) == worth | {alter(tiplu)}


def test_roles():
    cards = parse_cards("JC QC 10C JS JH MAN MASTER 2C")
    found = [role(card, Card.parse("JC"), Rules(alter=True)) for card in cards]
    assert found == [
        Role.TIPLU, Role.POPLU, Role.JHIPLU, Role.ALTER, Role.JOKER, Role.MAN, Role.MASTER, None
    ]  # fmt: skip
    assert role(Card.parse("JS"), Card.parse("JC"), Rules()) is Role.JOKER
