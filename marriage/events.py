"""The events of a deal: its only record, stored permanently. `apply` folds them into the deal's state.

Events contain the results of chance, so folding them again needs no random numbers. In the copy that a viewer receives
hidden cards are `UNKNOWN` (see `marriage.view.mask`).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from marriage.actions import Action
from marriage.cards import Card, Cards
from marriage.errors import Refusal
from marriage.rules import Rules
from marriage.sheet import Sheet
from marriage.shuffle import DealSeed

EVENT_VERSION = 1


@dataclass(frozen=True, slots=True, repr=False)
class Dealt:
    """The shuffled deck was dealt: the sorted hands by seat, the up-card, and the stock (top first)."""

    rules: Rules
    dealer: int
    hands: tuple[Cards, ...]
    up_card: Card
    stock: Cards
    key: DealSeed
    """The secret seed of the deal's random streams; `HIDDEN_SEED` for viewers."""
    better: bool = False
    """Whether this is a better deal, which counts `better_factor`-fold."""
    carry: tuple[int, ...] = ()
    """Who still owes the penalty of a foul in an earlier deal, listed once for each foul."""
    board: bool = False
    """Whether every seat has its own part of the stock (see `marriage.duplicate_board`)."""
    event: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True)
class TunnelasExposed:
    """A seat exposed tunnelas."""

    seat: int
    faces: Cards
    event: Literal["exposed"] = "exposed"


@dataclass(frozen=True, slots=True)
class TunnelasDeclined:
    """A seat exposed no tunnela, or no further one."""

    seat: int
    event: Literal["declined"] = "declined"


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """Every seat has exposed or declined: play begins."""

    event: Literal["window_closed"] = "window_closed"


@dataclass(frozen=True, slots=True, repr=False)
class Drew:
    """A seat drew the top card of the stock. Only that seat sees the card."""

    seat: int
    card: Card
    event: Literal["drew"] = "drew"


@dataclass(frozen=True, slots=True)
class Took:
    """A seat took the top card of the pile."""

    seat: int
    card: Card
    event: Literal["took"] = "took"


@dataclass(frozen=True, slots=True)
class Showed:
    """A seat laid three primary groups face up."""

    seat: int
    groups: tuple[Cards, ...]
    event: Literal["showed"] = "showed"


@dataclass(frozen=True, slots=True)
class ShowedDublees:
    """A seat laid seven dublees face up."""

    seat: int
    pairs: tuple[Cards, ...]
    event: Literal["showed_dublees"] = "showed_dublees"


@dataclass(frozen=True, slots=True, repr=False)
class TipluCut:
    """A seat cut the tiplu at a place in the stock. Only that seat sees it; the tiplu now lies under the stock."""

    seat: int
    place: int
    card: Card
    chosen: bool | None = None
    """Whether the player chose the place, or left it to the deal's random stream. None in events of older versions."""
    event: Literal["tiplu_cut"] = "tiplu_cut"


@dataclass(frozen=True, slots=True)
class TipluTurned:
    """The tiplu was cut face up during the deal and lies under the stock (`open_tiplu`)."""

    place: int
    card: Card
    event: Literal["tiplu_turned"] = "tiplu_turned"


@dataclass(frozen=True, slots=True, repr=False)
class TipluSeen:
    """A seat that showed after the first show looked at the tiplu."""

    seat: int
    card: Card
    event: Literal["tiplu_seen"] = "tiplu_seen"


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat ended its turn with a discard."""

    seat: int
    card: Card
    threw: bool = False
    """Whether this was a throw foul. It is masked from every viewer until the deal is over."""
    event: Literal["discarded"] = "discarded"


@dataclass(frozen=True, slots=True, repr=False)
class Reshuffled:
    """All discards except the top one became the new stock, in this order (top first)."""

    stock: Cards
    event: Literal["reshuffled"] = "reshuffled"


@dataclass(frozen=True, slots=True)
class Finished:
    """A seat finished by groups: `groups`, the groups laid at the show, and the exposed tunnelas outside these."""

    seat: int
    groups: tuple[Cards, ...]
    discard: Card
    event: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True)
class FinishedDublees:
    """A seat finished by an eighth dublee."""

    seat: int
    pair: Cards
    discard: Card
    event: Literal["finished_dublees"] = "finished_dublees"


@dataclass(frozen=True, slots=True, repr=False)
class ClaimFailed:
    """A seat made a wrong show or finish at a table where that is a foul. Its hand is dead; only that seat knows why."""

    seat: int
    claim: Annotated[Action, Field(discriminator="action")] | None
    """The wrong show or finish; None in the copies of other viewers."""
    reason: Refusal | None
    event: Literal["claim_failed"] = "claim_failed"


class FoulReason(StrEnum):
    """The reasons for ruling a foul. Each member's text is also its key in the message catalogues."""

    TOLD = "told"
    """The player revealed cards of a hand in play to others."""
    LOOKED = "looked"
    """The player looked at another player's cards."""
    HELPED = "helped"
    """The player took help from another person or from a program."""
    TEAMED = "teamed"
    """The player played for another player's gain instead of their own."""
    DELAYED = "delayed"
    """The player delayed the deal on purpose."""
    OTHER = "other"
    """Another offence against the rules that the table agreed on."""


@dataclass(frozen=True, slots=True)
class FoulRuled:
    """A foul was ruled against a seat. Its hand plays on; the penalty is due once for this deal."""

    seat: int
    why: FoulReason
    by: int | None
    """The seat of the player who ruled it; None for a person without a seat."""
    event: Literal["foul_ruled"] = "foul_ruled"


@dataclass(frozen=True, slots=True)
class FoulLifted:
    """The foul ruled against a seat was withdrawn."""

    seat: int
    event: Literal["foul_lifted"] = "foul_lifted"


@dataclass(frozen=True, slots=True)
class Dismissed:
    """The deal ended without a winner, since the stock or the live hands ran out.

    No one scores, and no one pays.
    """

    event: Literal["dismissed"] = "dismissed"


@dataclass(frozen=True, slots=True)
class Settled:
    """All hands were revealed and scored. The stock and the tiplu are revealed too, so that everyone can check the deal."""

    hands: tuple[Cards, ...]
    stock: Cards
    tiplu: Card | None
    sheet: Sheet
    event: Literal["settled"] = "settled"


Event = (
    Dealt
    | TunnelasExposed
    | TunnelasDeclined
    | WindowClosed
    | Drew
    | Took
    | Showed
    | ShowedDublees
    | TipluCut
    | TipluTurned
    | TipluSeen
    | Discarded
    | Reshuffled
    | Finished
    | FinishedDublees
    | ClaimFailed
    | FoulRuled
    | FoulLifted
    | Dismissed
    | Settled
)

# The most frequent events. Equal ones are interchangeable and there are few, so each is created only once.
drew = lru_cache(maxsize=None, typed=True)(Drew)
took = lru_cache(maxsize=None, typed=True)(Took)
discarded = lru_cache(maxsize=None, typed=True)(Discarded)

EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Reads and writes events as JSON: `EVENT.validate_json(text)`, `EVENT.dump_json(event)`."""
