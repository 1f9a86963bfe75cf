"""The cards that a tiplu makes wild, and the role of each.

Source: Pagat, "Marriage"; the alter: Wikipedia, "Marriage (card game)".
"""

from enum import StrEnum
from functools import cache

from marriage.cards import CARDS, MAN, MASTER, Card, face
from marriage.rules import Rules

_RANKS = 13


class Role(StrEnum):
    """The roles of wild cards. Each member's text is also its key in the message catalogues."""

    TIPLU = "tiplu"
    """The cut face itself."""
    POPLU = "poplu"
    """The next rank above the tiplu in its suit; the ace follows the king."""
    JHIPLU = "jhiplu"
    """The next rank below the tiplu in its suit; the king precedes the ace."""
    ALTER = "alter"
    """The tiplu's rank in the other suit of its colour, if the rules give it points."""
    JOKER = "joker"
    """Any other card of the tiplu's rank: wild, but worth no points."""
    MAN = "man"
    """A printed joker."""
    MASTER = "master"
    """The single superman card."""


def poplu(tiplu: Card) -> Card:
    """Return the next rank above in the same suit; the ace follows the king.

    >>> poplu(Card.parse("KH"))
    <AH>
    """
    return face(tiplu.suit, (tiplu.rank + 1) % _RANKS)


def jhiplu(tiplu: Card) -> Card:
    """Return the next rank below in the same suit; the king precedes the ace.

    >>> jhiplu(Card.parse("JC"))
    <10C>
    """
    return face(tiplu.suit, (tiplu.rank - 1) % _RANKS)


def alter(tiplu: Card) -> Card:
    """Return the same rank in the other suit of the same colour (spades and clubs, hearts and diamonds).

    >>> alter(Card.parse("JC")), alter(Card.parse("2D"))
    (<JS>, <2H>)
    """
    return face(3 - tiplu.suit, tiplu.rank)


def role(card: Card, tiplu: Card, rules: Rules) -> Role | None:
    """Return the role of `card` under this tiplu; None for a card that is not wild.

    >>> from marriage.rules import preset
    >>> [str(role(card, Card.parse("JC"), preset("pagat"))) for card in map(Card.parse, ("QC", "JS", "2C"))]
    ['poplu', 'joker', 'None']
    """
    return _roles(tiplu, alter_counts=rules.alter).get(card)


@cache
def wild_faces(tiplu: Card) -> frozenset[Card]:
    """Return every face that is wild for a player who has seen this tiplu, man and master included."""
    return frozenset(_roles(tiplu, alter_counts=False))


def scoring_faces(tiplu: Card, rules: Rules) -> frozenset[Card]:
    """Return the faces that are worth points by themselves: every wild face except ordinary jokers."""
    return _scoring(tiplu, alter_counts=rules.alter)


@cache
def _scoring(tiplu: Card, alter_counts: bool) -> frozenset[Card]:  # noqa: FBT001 - a cache key
    roles = _roles(tiplu, alter_counts)
    return frozenset(card for card, wild in roles.items() if wild is not Role.JOKER)


@cache
def _roles(tiplu: Card, alter_counts: bool) -> dict[Card, Role]:  # noqa: FBT001 - a cache key
    roles = {card: Role.JOKER for card in CARDS if card.is_pack and card.rank == tiplu.rank}
    if alter_counts:
        roles[alter(tiplu)] = Role.ALTER
    roles |= {poplu(tiplu): Role.POPLU, jhiplu(tiplu): Role.JHIPLU, tiplu: Role.TIPLU}
    return roles | {MAN: Role.MAN, MASTER: Role.MASTER}
