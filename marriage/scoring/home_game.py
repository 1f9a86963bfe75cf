"""Home games, which are deals with real cards: recording, validation and scoring."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, model_validator

from marriage.cards import MAN, MASTER, PACKS, Card, Cards, contains
from marriage.maal import jhiplu, poplu
from marriage.rules import HAND_SIZE, Rules
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.sheet import Ending, Sheet, Status

PLAYERS_MIN: Final = 2
PLAYERS_MAX: Final = 6
MOST_POINTS: Final = 300
_MOST_COUNTED: Final = 2_000
"""The maximum number of sheets that are kept: twenty long evenings. One takes about 10 KB, and names nobody."""

Points = Annotated[StrictInt, Field(ge=0, le=MOST_POINTS)]


class HomeGameFault(StrEnum):
    """The reasons why a recorded deal is impossible. Each member's text is also its key in the message catalogues."""

    TOO_FEW = "too_few"
    WINNER_UNSEEN = "winner_unseen"
    """The winner sat out, has a dead hand or has not seen."""
    NO_DUBLEES = "no_dublees"
    NO_THROW_FOUL = "no_throw_foul"
    NO_MAAL_HERE = "no_maal_here"
    """A player who sat out or has a dead hand has maal."""
    UNSEEN_SHOWED = "unseen_showed"
    UNSEEN_THREW = "unseen_threw"
    """A player who has not seen has a throw foul. Only players who have seen know which cards are wild."""
    DUBLEES_LAY_NO_SETS = "dublees_lay_no_sets"
    """A player who showed dublees has laid a marriage, which is a set."""
    NO_TIPLU = "no_tiplu"
    TIPLU_OUT_OF_PACK = "tiplu_out_of_pack"
    TOO_MANY_CARDS = "too_many_cards"
    TOO_MANY_COPIES = "too_many_copies"
    MARRIAGE_NOT_HELD = "marriage_not_held"
    ACE_MARRIAGE = "ace_marriage"
    """A marriage was laid with an ace as tiplu: king, ace and two are no run."""


class InvalidDealError(ValueError):
    """Raised for an impossible deal. `details` fill the placeholders of the fault's message; `seat` counts from 0."""

    def __init__(self, fault: HomeGameFault, **details: Any) -> None:
        super().__init__(fault)
        self.fault = fault
        self.details = details


class HomeSeat(BaseModel):
    """The record of one seat."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: Status
    points: Points | None = None
    """The maal as counted at the table; None if cards are recorded instead."""
    cards: Cards = ()
    """The maal cards held at the end, with exposed tunnelas and laid marriages. Cards without points may be left out."""
    exposed: Cards = ()
    """The face of each tunnela exposed after the deal."""
    marriages: Annotated[StrictInt, Field(ge=0, le=2)] = 0
    """The number of marriages among the shown sets."""
    dublees: StrictBool = False
    """Whether the seat showed seven dublees. A winner who did so finished with the eighth."""
    threw: StrictBool = False
    """Whether the seat has a throw foul."""


class HomeDeal(BaseModel):
    """The record of one deal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seats: Annotated[tuple[HomeSeat, ...], Field(min_length=PLAYERS_MIN, max_length=PLAYERS_MAX)]
    winner: Annotated[StrictInt, Field(ge=0, lt=PLAYERS_MAX)] | None
    """The winner's seat; None for a dismissed deal."""
    tiplu: Card | None = None
    better: StrictBool = False

    @model_validator(mode="after")
    def _winner_is_there(self) -> Self:
        if self.winner is not None and self.winner >= len(self.seats):
            raise ValueError("the winner has no seat")
        return self

    @classmethod
    def of(cls, seats: Iterable[HomeSeat], winner: int | None, **rest: Any) -> Self:
        """Return a deal of these seats; raises pydantic's ValidationError."""
        return cls(seats=tuple(seats), winner=winner, **rest)

    @property
    def playing(self) -> int:
        """The number of seats that took part."""
        return sum(seat.status is not Status.PAUSE for seat in self.seats)

    def early_dublees(self, rules: Rules) -> tuple[int, ...]:
        """Return the seats that showed dublees although the rules require more players for that.

        Such a deal still counts: with real cards, the table decides whether a show stands.
        """
        if rules.dublees_allowed(self.playing):
            return ()
        return tuple(number for number, seat in enumerate(self.seats) if seat.dublees)


def check(deal: HomeDeal, rules: Rules) -> None:
    """Raise InvalidDealError for a deal that is impossible under these rules."""
    if deal.playing < PLAYERS_MIN:
        raise InvalidDealError(HomeGameFault.TOO_FEW, least=PLAYERS_MIN)
    if deal.winner is not None and deal.seats[deal.winner].status is not Status.SEEN:
        raise InvalidDealError(HomeGameFault.WINNER_UNSEEN, seat=deal.winner)
    for number, seat in enumerate(deal.seats):
        _check_standing(number, seat, rules)
        _check_cards(number, seat, deal.tiplu)
    _check_copies(deal, rules)


def score(deal: HomeDeal, rules: Rules, carry: Sequence[int] = ()) -> Sheet:
    """Return the score sheet of a deal; raises InvalidDealError.

    `carry` are the seats that owe a foul of an earlier deal.
    """
    check(deal, rules)
    seats = [_final(seat, deal.tiplu) for seat in deal.seats]
    thrown = [number for number, seat in enumerate(deal.seats) if seat.threw]
    if deal.winner is None:
        return dismissed_sheet(seats, rules, carry=carry, thrown=thrown)
    ending = Ending.DUBLEES if deal.seats[deal.winner].dublees else Ending.GROUPS
    return sheet_of(
        seats, deal.tiplu, deal.winner, ending, rules, better=deal.better, carry=carry, thrown=thrown
    )


def evening(deals: Iterable[HomeDeal], rules: Rules) -> list[Sheet]:
    """Return the score sheets of consecutive deals; raises InvalidDealError.

    Fouls are carried from each deal to the next.
    """
    sheets: list[Sheet] = []
    for deal in deals:
        carry = sheets[-1].owing if sheets else ()
        sheets.append(_counted(deal, rules, carry))  # pyright: ignore[reportArgumentType] - frozen models have a hash
    return sheets


@lru_cache(_MOST_COUNTED)
def _counted(deal: HomeDeal, rules: Rules, carry: tuple[int, ...]) -> Sheet:
    """Return `score`. An evening is counted again with every deal, and its earlier deals rarely change."""
    return score(deal, rules, carry)


def _final(seat: HomeSeat, tiplu: Card | None) -> FinalSeat:
    marriage = () if tiplu is None else ((jhiplu(tiplu), tiplu, poplu(tiplu)),)
    # Where cards are recorded, a seat without any holds no maal: its hand can still receive the cards of others.
    without_cards = not seat.cards and (tiplu is None or seat.points is not None)
    counted = seat.status in (Status.SEEN, Status.UNSEEN) and without_cards
    return FinalSeat(
        cards=seat.cards,
        exposed=seat.exposed,
        laid=marriage * seat.marriages,
        status=seat.status,
        dublees=seat.dublees,
        points=(seat.points or 0) if counted else None,
    )


def _check_standing(number: int, seat: HomeSeat, rules: Rules) -> None:
    if seat.status in (Status.PAUSE, Status.FOUL) and (seat.points or seat.cards):
        raise InvalidDealError(HomeGameFault.NO_MAAL_HERE, seat=number)
    if seat.status in (Status.PAUSE, Status.UNSEEN) and (seat.dublees or seat.marriages):
        raise InvalidDealError(HomeGameFault.UNSEEN_SHOWED, seat=number)
    if seat.threw and not rules.throw_foul:
        raise InvalidDealError(HomeGameFault.NO_THROW_FOUL)
    if seat.status in (Status.PAUSE, Status.UNSEEN) and seat.threw:
        raise InvalidDealError(HomeGameFault.UNSEEN_THREW, seat=number)
    if seat.dublees and seat.marriages:
        raise InvalidDealError(HomeGameFault.DUBLEES_LAY_NO_SETS, seat=number)
    if seat.dublees and not rules.dublee:
        raise InvalidDealError(HomeGameFault.NO_DUBLEES)


def _check_cards(number: int, seat: HomeSeat, tiplu: Card | None) -> None:
    if seat.cards and tiplu is None:
        raise InvalidDealError(HomeGameFault.NO_TIPLU)
    if tiplu is not None and not tiplu.is_pack:
        raise InvalidDealError(HomeGameFault.TIPLU_OUT_OF_PACK)
    if len(seat.cards) > HAND_SIZE:
        raise InvalidDealError(HomeGameFault.TOO_MANY_CARDS, seat=number, most=HAND_SIZE)
    if seat.marriages and tiplu is not None:
        if tiplu.rank == 0:
            raise InvalidDealError(HomeGameFault.ACE_MARRIAGE)
        if not contains(seat.cards, (jhiplu(tiplu), tiplu, poplu(tiplu)) * seat.marriages):
            raise InvalidDealError(HomeGameFault.MARRIAGE_NOT_HELD, seat=number)


def _check_copies(deal: HomeDeal, rules: Rules) -> None:
    """Raise InvalidDealError for more copies of a card, counting the tiplu itself, than the deck of these rules has."""
    held = Counter(card for seat in deal.seats for card in seat.cards)
    if deal.tiplu is not None:
        held[deal.tiplu] += 1
    for card, count in held.items():
        most = {MAN: rules.man_cards, MASTER: int(rules.master_card != "off")}.get(card, PACKS)
        if count > most:
            raise InvalidDealError(HomeGameFault.TOO_MANY_COPIES, card=card, count=count, most=most)
