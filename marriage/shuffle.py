"""The provably fair shuffle, version 1: a commitment scheme based only on SHA-256.

The table's server commits to a secret seed before the players contribute texts of their own. The seed is
revealed after the deal. From the seed and the contributions anyone can recompute the deck (see `recompute`),
in any language with SHA-256.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, count
from typing import Annotated, Any, Final, NamedTuple, TypeVar

from pydantic import BeforeValidator, PlainSerializer

from marriage.cards import CARDS, FACES, MAN, MASTER, PACKS, Card, Cards, sort_cards
from marriage.rules import HAND_SIZE, Rules

SHUFFLE_VERSION: Final = 1
SEED_BYTES: Final = 32
"""How many random bytes a deal's seed has."""

_PACK_CARDS: Final = FACES * PACKS
_BYTE: Final = 256

T = TypeVar("T")


def _field(value: str | int | bytes) -> bytes:
    """Return one input of a hash: its length in four bytes, then its bytes.

    Thus different lists of inputs never look alike.
    """
    if isinstance(value, str):
        value = value.encode()
    elif isinstance(value, int):
        value = value.to_bytes(4, "big")
    return len(value).to_bytes(4, "big") + value


def _hash(*values: str | int | bytes) -> bytes:
    return sha256(b"".join(map(_field, values))).digest()


def commitment(seed: bytes, table: str, deal: int, deck_size: int) -> str:
    """Return the commitment in hexadecimal, published before anyone contributes.

    It fixes the seed without revealing it.
    """
    return _hash("tiplu/commit/v1", seed, table, deal, deck_size).hex()


def deal_key(
    seed: bytes, table: str, deal: int, items: Sequence[str], purpose: str = "shuffle", *more: int
) -> bytes:
    """Return the key of one random stream of the deal.

    Each purpose has its own: shuffle, cut, dealer, reshuffle 1, 2, ...
    """
    return _hash(f"tiplu/{purpose}/v1", seed, table, deal, len(items), *items, *more)


class Stream:
    """A stream of uniform random numbers from a key: the bytes of SHA-256(key || 0), SHA-256(key || 1), ...

    The counter has eight bytes, big-endian.
    """

    def __init__(self, key: bytes) -> None:
        self._bytes = _key_bytes(key)

    def below(self, n: int) -> int:
        """Return a uniform random number from 0 to n-1; raises ValueError unless 1 <= n <= 256.

        It is drawn by rejection sampling.
        """
        if not 1 <= n <= _BYTE:
            raise ValueError(f"a number below {n} cannot be taken from one byte")
        if n == 1:
            return 0
        end = _BYTE - _BYTE % n
        byte = next(self._bytes)
        while byte >= end:
            byte = next(self._bytes)
        return byte % n


def _key_bytes(key: bytes) -> Iterator[int]:
    return chain.from_iterable(sha256(key + block.to_bytes(8, "big")).digest() for block in count())


def permuted(values: Sequence[T], key: bytes) -> tuple[T, ...]:
    """Return the values in a random order from the key's stream (Fisher-Yates shuffle, from the end)."""
    order, stream = list(values), Stream(key)
    for last in range(len(order) - 1, 0, -1):
        other = stream.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def shuffled_deck(key: bytes, size: int) -> tuple[int, ...]:
    """Return the shuffled deck, top first, as pieces: the numbers from 0 to size-1 (see `piece_card`)."""
    return permuted(range(size), key)


def piece_card(piece: int, man_cards: int) -> Card:
    """Return the face of a piece.

    Numbers run through three packs, then the man cards, then the master card.
    """
    if piece < _PACK_CARDS:
        return CARDS[piece % FACES]
    return MAN if piece < _PACK_CARDS + man_cards else MASTER


def _read_bytes(value: Any) -> Any:
    return bytes.fromhex(value) if isinstance(value, str) else value


HexBytes = Annotated[bytes, BeforeValidator(_read_bytes), PlainSerializer(bytes.hex, when_used="json")]


@dataclass(frozen=True, slots=True, repr=False)
class DealSeed:
    """The secret seed of one deal, from which all its random numbers follow. Its `repr` shows no secret.

    Viewers get `HIDDEN_SEED` instead, whose methods raise ValueError.
    """

    seed: HexBytes
    table: str
    deal: int
    items: tuple[str, ...] = ()
    """The contributions of the players, in the order in which they were made."""

    def __repr__(self) -> str:
        return f"<DealSeed table={self.table!r} deal={self.deal}>"

    def commitment(self, rules: Rules) -> str:
        """Return the commitment to this seed for a deck of these rules."""
        return commitment(self.seed, self.table, self.deal, rules.deck_size)

    def deck(self, rules: Rules) -> Cards:
        """Return the shuffled deck, top first."""
        return tuple(
            piece_card(piece, rules.man_cards) for piece in shuffled_deck(self._key(), rules.deck_size)
        )

    def cut(self, stock_size: int) -> int:
        """Return the random place of the tiplu in a stock of this size, for a cut without a chosen place."""
        return Stream(self._key("cut")).below(stock_size)

    def reshuffle(self, number: int, cards: Sequence[T]) -> tuple[T, ...]:
        """Return the new stock, top first.

        `cards` are the discards, oldest first, without the top one. Reshuffles count from 1.
        """
        return permuted(cards, self._key("reshuffle", number))

    def first_dealer(self, rules: Rules, players: int) -> int:
        """Return the seat that deals a table's first deal.

        It is drawn at random, or the one that the rules name (`first_dealer`).
        """
        if rules.first_dealer:
            return min(rules.first_dealer, players) - 1
        return Stream(self._key("dealer")).below(players)

    def _key(self, purpose: str = "shuffle", *more: int) -> bytes:
        if not self.seed:
            raise ValueError("the seed of this deal is hidden")
        return deal_key(self.seed, self.table, self.deal, self.items, purpose, *more)


HIDDEN_SEED: Final = DealSeed(b"", "", 0)


class DealtCards(NamedTuple):
    """A deck after dealing."""

    hands: tuple[Cards, ...]
    """The sorted hand of each seat."""
    up_card: Card
    """The card turned up, which starts the pile."""
    stock: Cards
    """The rest of the deck, top first."""


def deal_cards(deck: Cards, order: Sequence[int]) -> DealtCards:
    """Deal a deck (top first): 21 consecutive cards to each seat, then the up-card. `order` is the order of play."""
    blocks = {seat: deck[HAND_SIZE * s : HAND_SIZE * (s + 1)] for s, seat in enumerate(order)}
    dealt = HAND_SIZE * len(order)
    hands = tuple(sort_cards(blocks[seat]) for seat in range(len(order)))
    return DealtCards(hands, deck[dealt], deck[dealt + 1 :])


@dataclass(frozen=True, slots=True)
class DealRecord:
    """The record revealed after a deal, so that everyone can check that it was fair."""

    version: int
    table: str
    deal: int
    deck_size: int
    man_cards: int
    commitment: str
    items: tuple[str, ...]
    seed: HexBytes
    deck_hash: str
    """SHA-256 of the pieces of the deck, one byte each, in hexadecimal."""


def record(secret: DealSeed, deck_size: int, man_cards: int) -> DealRecord:
    """Return the record of a deal that is over; `man_cards` is how many of its cards are man cards."""
    seed, table, deal, items = secret.seed, secret.table, secret.deal, secret.items
    deck = shuffled_deck(deal_key(seed, table, deal, items), deck_size)
    return DealRecord(
        version=SHUFFLE_VERSION,
        table=table,
        deal=deal,
        deck_size=deck_size,
        man_cards=man_cards,
        commitment=commitment(seed, table, deal, deck_size),
        items=items,
        seed=seed,
        deck_hash=sha256(bytes(deck)).hexdigest(),
    )


def recompute(revealed: DealRecord) -> tuple[int, ...]:
    """Return the deck that follows from a record, as pieces (see `piece_card`).

    Raises ValueError for a contradictory record.
    """
    if revealed.version != SHUFFLE_VERSION:
        raise ValueError(f"the record is of shuffle version {revealed.version}, not {SHUFFLE_VERSION}")
    size, men = revealed.deck_size, revealed.man_cards
    if size - _PACK_CARDS - men not in (0, 1):
        raise ValueError(f"{size} cards are not the packs, {men} man cards and a master card or none")
    secret = DealSeed(revealed.seed, revealed.table, revealed.deal, revealed.items)
    expected = record(secret, size, men)
    if revealed.commitment != expected.commitment:
        raise ValueError("the seed is not the one that was committed to")
    if revealed.deck_hash != expected.deck_hash:
        raise ValueError("the deck does not follow from the seed and the contributions")
    return shuffled_deck(deal_key(secret.seed, secret.table, secret.deal, secret.items), size)
