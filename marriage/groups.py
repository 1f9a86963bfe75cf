"""The groups of Marriage (players also call them sets): tunnelas, sequences, trials, and those with wild cards.

Source: Pagat, "Marriage"; groups of more than three cards: Wikipedia, "Marriage (card game)".
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from marriage.cards import MASTER, Card, Cards, without
from marriage.maal import wild_faces
from marriage.rules import Rules

LONGEST_RUN: Final = 13
_SUITS = 4
_HIGH_ACE = 13
_NOTHING: Final[frozenset[Card]] = frozenset()
_MASTER_ONLY: Final = frozenset((MASTER,))


class GroupKind(StrEnum):
    """The kinds of groups. Each member's text is also its key in the message catalogues."""

    TUNNELA = "tunnela"
    """Three identical cards."""
    SEQUENCE = "sequence"
    """Consecutive cards of one suit, each at face value."""
    TRIAL = "trial"
    """Cards of one rank in different suits, each at face value."""
    DIRTY_SEQUENCE = "dirty_sequence"
    """A sequence in which wild cards replace missing cards."""
    DIRTY_TRIAL = "dirty_trial"
    """A trial in which wild cards replace missing cards."""
    DIRTY_TUNNELA = "dirty_tunnela"
    """Two identical cards and the master card, before seeing and only if the rules allow it."""
    WILDS = "wilds"
    """Only wild cards, of any kind."""


def wilds_for(tiplu: Card | None, rules: Rules) -> frozenset[Card]:
    """Return the faces that are wild for a player who has seen this tiplu; None is a player who has not seen it."""
    if tiplu is not None:
        return wild_faces(tiplu)
    return _MASTER_ONLY if rules.master_in_sequences else _NOTHING


def group_kind(cards: Cards, wilds: frozenset[Card], rules: Rules) -> GroupKind | None:
    """Return the purest kind of group that these cards make; None if they make no group.

    `wilds` are the faces that are wild for the player (see `wilds_for`). A wild card may count at its face
    value or replace another card.
    """
    size = len(cards)
    if size < 3 or size > (3 if rules.group_size == "three" else LONGEST_RUN):
        return None
    if size == 3 and len(set(cards)) == 1:
        return GroupKind.TUNNELA
    if _in_sequence(cards, size):
        return GroupKind.SEQUENCE
    if size <= _SUITS and _in_trial(cards):
        return GroupKind.TRIAL
    naturals = [card for card in cards if card not in wilds]
    if not naturals:
        return GroupKind.WILDS
    if len(naturals) == size:
        return None
    if _in_sequence(naturals, size):
        return GroupKind.DIRTY_SEQUENCE
    if rules.master_in_tunnelas and wilds == _MASTER_ONLY and _lacks_a_copy(naturals, size):
        return GroupKind.DIRTY_TUNNELA
    fits = size <= _SUITS or rules.long_trial
    return GroupKind.DIRTY_TRIAL if fits and _in_trial(naturals) else None


def is_group(cards: Cards, wilds: frozenset[Card], rules: Rules) -> bool:
    """Return whether these cards make a group for a player whose wild faces are `wilds`."""
    return group_kind(cards, wilds, rules) is not None


def is_primary(cards: Cards, rules: Rules, exposed: Cards = ()) -> bool:
    """Return whether these cards make a primary group, of which a show needs three.

    `exposed` are the faces of the player's exposed tunnelas: three man cards count only as an exposed
    tunnela.
    """
    match group_kind(cards, wilds_for(None, rules), rules):
        case GroupKind.TUNNELA:
            return cards[0].is_pack or cards[0] in exposed
        case GroupKind.SEQUENCE | GroupKind.DIRTY_SEQUENCE:
            return True
        case GroupKind.TRIAL:
            return rules.primary_trial
        case GroupKind.DIRTY_TRIAL:
            return rules.master_in_trials and len(cards) <= _SUITS
        case GroupKind.DIRTY_TUNNELA:
            return True
        case _:
            return False


def in_order(cards: Cards, wilds: frozenset[Card]) -> Cards:
    """Return the cards of a group in reading order.

    A run is ascending with its stand-ins in place; otherwise natural cards come first.
    """
    size = len(cards)
    naturals = cards if _in_sequence(cards, size) else [card for card in cards if card not in wilds]
    stand_ins = sorted(without(cards, naturals))
    if not naturals or not _in_sequence(naturals, size):
        return (*sorted(naturals), *stand_ins)
    ranks = {card.rank: card for card in naturals}
    if max(ranks) - min(ranks) >= size:
        ranks = {rank or _HIGH_ACE: card for rank, card in ranks.items()}
    run = [ranks[rank] if rank in ranks else stand_ins.pop() for rank in range(min(ranks), max(ranks) + 1)]
    return (*stand_ins, *run) if max(ranks) == _HIGH_ACE else (*run, *stand_ins)


def _in_sequence(naturals: Sequence[Card], size: int) -> bool:
    """Return whether these cards fit in one run of `size` cards, with the ace low or high."""
    if not all(card.is_pack for card in naturals) or len({card.suit for card in naturals}) != 1:
        return False
    low = {card.rank for card in naturals}
    if len(low) < len(naturals):
        return False
    high = {rank or _HIGH_ACE for rank in low}
    return any(max(ranks) - min(ranks) < size for ranks in (low, high))


def _lacks_a_copy(naturals: Sequence[Card], size: int) -> bool:
    """Return whether these cards are two of the three of one tunnela."""
    return size == 3 and len(naturals) == 2 and naturals[0].is_pack and naturals[0] == naturals[1]


def _in_trial(naturals: Sequence[Card]) -> bool:
    """Return whether these cards fit in one trial: one rank, all suits different."""
    if not all(card.is_pack for card in naturals):
        return False
    same_rank = len({card.rank for card in naturals}) == 1
    return same_rank and len({card.suit for card in naturals}) == len(naturals)
