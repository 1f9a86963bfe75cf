"""What happened: the only truth of a deal, stored for ever. Chance is in events, so a fold of them is the deal.

A hidden card is `UNKNOWN` in the copy of an event that a viewer receives (see `marriage.view.mask`).
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
    """The deck as shuffled was dealt: hands by seat (sorted), the up-card, the stock (top first)."""

    rules: Rules
    dealer: int
    hands: tuple[Cards, ...]
    up_card: Card
    stock: Cards
    key: DealSeed
    """The secret of the deal's own chance; `HIDDEN_SEED` for viewers."""
    better: bool = False
    """Whether the deal counts more than others."""
    carry: tuple[int, ...] = ()
    """Who owes a foul of an earlier deal, once for each time."""
    board: bool = False
    """Whether every seat has its own part of the stock (see `marriage.board`)."""
    event: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True)
class TunnelasExposed:
    """A seat laid tunnelas open."""

    seat: int
    faces: Cards
    event: Literal["exposed"] = "exposed"


@dataclass(frozen=True, slots=True)
class TunnelasDeclined:
    """A seat has nothing (more) to expose."""

    seat: int
    event: Literal["declined"] = "declined"


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """Everyone has had his say: play begins."""

    event: Literal["window_closed"] = "window_closed"


@dataclass(frozen=True, slots=True, repr=False)
class Drew:
    """A seat drew the top card of the stock; only that seat knows which."""

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
    """A seat cut the tiplu at a place of the stock; only that seat saw it. It lies under the stock now."""

    seat: int
    place: int
    card: Card
    event: Literal["tiplu_cut"] = "tiplu_cut"


@dataclass(frozen=True, slots=True)
class TipluTurned:
    """The tiplu was cut at the deal for all to see, and lies under the stock (`open_tiplu`)."""

    place: int
    card: Card
    event: Literal["tiplu_turned"] = "tiplu_turned"


@dataclass(frozen=True, slots=True, repr=False)
class TipluSeen:
    """A later shower looked at the tiplu."""

    seat: int
    card: Card
    event: Literal["tiplu_seen"] = "tiplu_seen"


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat ended its turn."""

    seat: int
    card: Card
    threw: bool = False
    """Whether this was a throw foul; no viewer is told before the deal is over."""
    event: Literal["discarded"] = "discarded"


@dataclass(frozen=True, slots=True, repr=False)
class Reshuffled:
    """All discards but the top one became the stock, in this order (top first)."""

    stock: Cards
    event: Literal["reshuffled"] = "reshuffled"


@dataclass(frozen=True, slots=True)
class Finished:
    """A seat ended the deal by groups: these beside the laid ones and the spare exposed tunnelas."""

    seat: int
    groups: tuple[Cards, ...]
    discard: Card
    event: Literal["finished"] = "finished"


@dataclass(frozen=True, slots=True)
class FinishedDublees:
    """A seat ended the deal by the eighth dublee."""

    seat: int
    pair: Cards
    discard: Card
    event: Literal["finished_dublees"] = "finished_dublees"


@dataclass(frozen=True, slots=True, repr=False)
class ClaimFailed:
    """A seat showed or finished wrongly where that is a foul: its hand is dead. Only that seat knows why."""

    seat: int
    claim: Annotated[Action, Field(discriminator="action")] | None
    """What it claimed; None for the others."""
    reason: Refusal | None
    event: Literal["claim_failed"] = "claim_failed"


class FoulReason(StrEnum):
    """Why somebody rules a foul. Each member's text is also its key in the message catalogues."""

    TOLD = "told"
    """Told or showed somebody cards of a hand in play."""
    LOOKED = "looked"
    """Looked at somebody else's cards."""
    HELPED = "helped"
    """Took help from somebody, or from a program."""
    TEAMED = "teamed"
    """Played for another's gain and not for their own."""
    DELAYED = "delayed"
    """Held up the deal on purpose."""
    OTHER = "other"
    """Another mistake that the table agreed not to allow."""


@dataclass(frozen=True, slots=True)
class FoulRuled:
    """A foul was ruled against a seat. Its hand plays on; what a foul costs is due, once for this deal."""

    seat: int
    why: FoulReason
    by: int | None
    """The seat of who ruled it; None for somebody without a seat."""
    event: Literal["foul_ruled"] = "foul_ruled"


@dataclass(frozen=True, slots=True)
class FoulLifted:
    """The foul ruled against a seat was taken back."""

    seat: int
    event: Literal["foul_lifted"] = "foul_lifted"


@dataclass(frozen=True, slots=True)
class Dismissed:
    """Nobody can win any more, for want of stock or of live hands: nobody scores, nobody pays."""

    event: Literal["dismissed"] = "dismissed"


@dataclass(frozen=True, slots=True)
class Settled:
    """All hands were opened and counted. `stock` and `tiplu` open too, so that everyone can check the deal."""

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

# The commonest events: values without identity, and so few different ones that each is made only once.
drew = lru_cache(maxsize=None, typed=True)(Drew)
took = lru_cache(maxsize=None, typed=True)(Took)
discarded = lru_cache(maxsize=None, typed=True)(Discarded)

EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Reads and writes events as JSON: `EVENT.dump_json(event)`, `EVENT.validate_json(text)`."""
