"""`verify`: checks that the deck of a finished deal follows from the seed that was committed to."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import AfterValidator, Field, StrictInt

from marriage.cards import Cards, format_cards
from marriage.cli.command import CliCommand, Request, read_request
from marriage.rules import HAND_SIZE, SEATS_MAX, SEATS_MIN, Rules
from marriage.shuffle import DealRecord, DealSeed, piece_card, recompute

_DESCRIPTION: Final = """\
Recompute the deck of a finished deal from its record, a JSON object:

  {"v": 1, "table": "T1", "deal": 1, "N": 156, "men": 0, "C": "510c...", "items": ["0:...:-", ...],
   "seed": "0001...", "deck": "441a..."}

v      the version of the shuffle             N      how many cards the deck has
table  the name of the table                  men    how many of them are man cards
deal   the number of the deal                 C      the commitment published before the deal
items  what the seats contributed, in order   seed   the secret revealed after it
                                              deck   SHA-256 of the deck, one byte a card

Older records do not say `men`: then up to three cards more than the packs are man cards, and a fourth is the master card.
The cards are listed as they were dealt, 21 a row: a row for each seat, the first to act first; then the card turned
up; then the stock, its top card first. For a table's first deal the lot tells who deals, by the number of seats
(`first_dealer`, from 0, in JSON), where the rules leave that to the lot and no league's draw says it. The exit status is 1 when the record contradicts itself.
"""
_PACK_CARDS: Final = 156
_MOST_MEN: Final = 6
_MEN_BEFORE: Final = 3
"""The most man cards in a record that does not say how many there are."""
_MOST_ITEMS: Final = 10_000
"""Duplicate boards list the seats of all tables."""

Hash = Annotated[str, Field(pattern=r"\A[0-9a-fA-F]{64}\z"), AfterValidator(str.lower)]
Number = Annotated[StrictInt, Field(ge=0, lt=1 << 32)]
Name = Annotated[str, Field(max_length=200)]


class Record(Request):
    """The data revealed when a deal is over."""

    v: StrictInt
    table: Name
    deal: Number
    N: Annotated[StrictInt, Field(ge=_PACK_CARDS, le=_PACK_CARDS + _MOST_MEN + 1)]
    men: Annotated[StrictInt, Field(ge=0, le=_MOST_MEN)] | None = None
    C: Hash
    items: Annotated[tuple[Name, ...], Field(max_length=_MOST_ITEMS)]
    seed: Hash
    deck: Hash


@dataclass(frozen=True, slots=True)
class Verified:
    """A record, and the result of checking it."""

    record: Record
    cards: Cards
    """The deck in the order of dealing; empty when the record contradicts itself."""
    contradiction: str | None = None
    lots: tuple[int, ...] = ()
    """The seat drawn as first dealer among two, three, ... seats. Only for a table's first deal."""


def run(asked: Record) -> Verified:
    """Recompute a deck."""
    men = min(asked.N - _PACK_CARDS, _MEN_BEFORE) if asked.men is None else asked.men
    try:
        pieces = recompute(
            DealRecord(
                version=asked.v,
                table=asked.table,
                deal=asked.deal,
                deck_size=asked.N,
                man_cards=men,
                commitment=asked.C,
                items=asked.items,
                seed=bytes.fromhex(asked.seed),
                deck_hash=asked.deck,
            )
        )
    except ValueError as error:
        return Verified(asked, (), str(error))
    return Verified(asked, tuple(piece_card(piece, men) for piece in pieces), lots=_lots(asked))


def _lots(asked: Record) -> tuple[int, ...]:
    secret = DealSeed(bytes.fromhex(asked.seed), asked.table, asked.deal, asked.items)
    seats = range(SEATS_MIN, SEATS_MAX + 1) if asked.deal == 1 else ()
    by_lot = Rules.model_validate({"first_dealer": 0})
    return tuple(secret.first_dealer(by_lot, players) for players in seats)


def to_json(verified: Verified) -> dict[str, Any]:
    """Return the answer for programs."""
    return {
        "verified": verified.contradiction is None,
        "why": verified.contradiction,
        "commitment": verified.record.C,
        "deck": verified.record.deck,
        "cards": format_cards(verified.cards),
        "first_dealer": {str(seats): lot for seats, lot in enumerate(verified.lots, SEATS_MIN)},
    }


def to_text(verified: Verified) -> str:
    """Return the answer for people."""
    if verified.contradiction is not None:
        return f"NOT VERIFIED: {verified.contradiction}"
    starts = range(0, len(verified.cards), HAND_SIZE)
    rows = (
        f"{start + 1:3}-{min(start + HAND_SIZE, len(verified.cards)):<3}  "
        f"{format_cards(verified.cards[start : start + HAND_SIZE])}"
        for start in starts
    )
    return "\n".join(
        (
            f"commitment  {verified.record.C}  holds",
            f"deck        {verified.record.deck}  follows",
            *rows,
            *(
                f"lot         among {seats} seats number {lot + 1} deals first"
                for seats, lot in enumerate(verified.lots, SEATS_MIN)
            ),
        )
    )


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "record", nargs="?", metavar="RECORD", help="the record of a deal as JSON; - for standard input"
    )


def _read(arguments: Namespace) -> dict[str, Any]:
    if arguments.record is None:
        raise ValueError("verify needs a RECORD of a finished deal, or - for standard input")
    return read_request(arguments.record)


COMMAND: Final = CliCommand(
    name="verify",
    help="the deck of a finished deal, recomputed from its seed",
    description=_DESCRIPTION,
    request=Record,
    add_arguments=_arguments,
    read=_read,
    run=run,
    to_json=to_json,
    to_text=to_text,
    failed=lambda verified: verified.contradiction,
)
