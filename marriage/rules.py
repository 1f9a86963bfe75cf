"""The rules of one table: an option for each point on which the sources differ, and presets of these options.

Sources: Pagat (pagat.com, "Marriage"), and W1, W2 and W3, three versions of the Wikipedia article "Marriage (card game)".
docs/rules.md lists the presets with their sources.
"""

from collections.abc import Container
from typing import Annotated, Any, Final, Literal, Self, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt, model_validator

RULES_VERSION: Final = 1
HAND_SIZE: Final = 21
SEATS_MIN: Final = 2
SEATS_MAX: Final = 5
PRIMARY_GROUPS: Final = 3
FINISH_GROUPS: Final = 7
SHOW_DUBLEES: Final = 7
FINISH_DUBLEES: Final = 8

Points = Annotated[StrictInt, Field(ge=0, le=50)]


Scored = Literal[
    "tiplu",
    "poplu",
    "jhiplu",
    "alter",
    "man",
    "master",
    "marriage",
    "laid_marriage",
    "tunnela",
    "joker_tunnela",
    "maal_tunnela",
    "alter_tunnela",
    "man_tunnela",
]
"""The items that have a row in the point tables: values of `marriage.sheet.What`."""
Value = Annotated[StrictInt, Field(ge=0, le=200)]
CustomRow = tuple[Scored, Annotated[tuple[Value, ...], Field(min_length=1, max_length=3)]]
"""An item, and the total values of one, two and three of it."""


_NO_FOULS: Final = {"throw_foul": False, "false_claim": "reject"}


def _as_rows(value: Any) -> Any:
    """Also accept the rows as a JSON object, which is easier to write: `{"tiplu": [3, 8]}`."""
    return tuple(cast("dict[str, Any]", value).items()) if isinstance(value, dict) else value


class Rules(BaseModel):
    """A value for every option; immutable.

    The defaults are the behaviour of the first version, so that stored rules without a newer option keep their meaning.
    They equal the `pagat` preset except for the options in `_NEWER`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Table and play
    direction: Literal["clockwise", "anticlockwise"] = Field(
        "clockwise", description="Which way the turn and the deal pass round the table."
    )
    first_dealer: Annotated[StrictInt, Field(ge=0, le=SEATS_MAX)] = Field(
        1, description="Who deals a table's first deal: 0 by lot, else the seat of that number, or the last."
    )
    man_cards: Annotated[StrictInt, Field(ge=0, le=6)] = Field(
        0,
        description="Printed jokers added to the packs, up to two a pack: wild once you have seen, and maal.",
    )
    master_card: Literal["off", "after_seeing", "always", "always_tunnelas", "always_primary"] = Field(
        "off",
        description="One extra card worth 10 that is wild once you have seen. Before that it may also stand in for a card "
        "of a pure sequence ('always'), of a pure sequence or a tunnela ('always_tunnelas'), or of any pure set "
        "('always_primary').",
    )
    group_size: Literal["three", "three_plus"] = Field(
        "three", description="Sets of exactly three cards, or runs of 3 to 13 and trials of 3 or 4."
    )
    long_trial: StrictBool = Field(
        default=False,
        description="With longer sets, wild cards may make a trial longer than its four suits.",
    )
    primary_trial: StrictBool = Field(
        default=False, description="Three cards of one rank in different suits count as a pure set too."
    )
    tunnela_window: Literal["before_first_draw", "own_first_draw"] = Field(
        "before_first_draw", description="Until when a tunnela you were dealt may be exposed for points."
    )
    open_tiplu: StrictBool = Field(
        default=False,
        description="The tiplu is cut at the deal for all to see; wild only for those who have shown.",
    )
    same_turn_finish: StrictBool = Field(
        default=True, description="You may see the tiplu and finish in the turn in which you show."
    )
    unseen_pickup: Literal["free", "show_only"] = Field(
        "free", description="Whether an unseen player may take any discard, or only one to show with at once."
    )
    seen_pickup_wild: Literal["forbid", "allow"] = Field(
        "forbid", description="Whether a player who has seen may take a wild card from the pile."
    )
    same_face_discard: Literal["forbid", "allow"] = Field(
        "forbid", description="Whether the face just taken from the pile may be thrown back in the same turn."
    )
    dublee: StrictBool = Field(default=True, description="Seven dublees show and eight dublees finish.")
    dublee_min_players: Annotated[StrictInt, Field(ge=2, le=5)] = Field(
        2, description="The fewest players with whom dublees are allowed."
    )
    joker_dublee: StrictBool = Field(default=False, description="Two man cards are a dublee.")
    dublee_game: Literal["off", "mark", "double"] = Field(
        "off", description="A deal in which seven dublees were shown is announced, or also counts double."
    )
    stock_out: Literal["reshuffle", "dismiss"] = Field(
        "reshuffle", description="When the stock is used up: shuffle the discards, or dismiss the deal."
    )
    reshuffle_cap: Annotated[StrictInt, Field(ge=0, le=20)] = Field(
        3, description="Reshuffles in a deal before it is dismissed; 0 for no limit."
    )

    # Points
    point_table: Literal["pagat", "w1", "w2", "w3"] = Field(
        "pagat", description="Whose values the maal and the tunnelas have."
    )
    custom_points: Annotated[tuple[CustomRow, ...], BeforeValidator(_as_rows)] = Field(
        (), description="Values of your own in place of the table's: for each kind what 1, 2 and 3 are worth."
    )
    alter: StrictBool = Field(
        default=False,
        description="The card of the tiplu's rank in the other suit of its colour is worth maal.",
    )
    mixed_pairs: StrictBool = Field(
        default=False,
        description="Cards of equal worth count together: a poplu with a jhiplu, an alter with a man card.",
    )
    laid_marriage: StrictBool = Field(
        default=False, description="A marriage among the sets you show is worth 15, two of them 35."
    )
    tunnel_pachaunu: StrictBool = Field(
        default=True, description="Exposed tunnelas count only if their owner has seen."
    )
    unseen_maal: Literal["count", "void", "murder", "murder_payback", "kidnap_points", "kidnap_cards"] = (
        Field("count", description="What becomes of the maal of a player who has not seen.")
    )

    # Settlement
    seen_pay: Points = Field(3, description="Points a seen loser pays to the winner.")
    unseen_pay: Points = Field(10, description="Points an unseen loser pays to the winner.")
    dublee_bonus: Annotated[StrictInt, Field(ge=0, le=20)] = Field(
        5, description="Extra points from each opponent when the winner finished by eight dublees."
    )
    dublee_exempt: StrictBool = Field(
        default=False, description="A loser who showed seven dublees does not pay the seen player's points."
    )
    better_after: Annotated[StrictInt, Field(ge=0, le=20)] = Field(
        0, description="Rounds after which deals count more; 0 for never."
    )
    better_factor: Annotated[StrictInt, Field(ge=2, le=5)] = Field(
        2, description="How many times a better deal counts."
    )
    foul: Literal["off", "next", "each", "total"] = Field(
        "off", description="The form of the dhoos, the foul's penalty."
    )
    foul_points: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        15, description="The figure of the penalties 'next' and 'each'."
    )
    throw_foul: StrictBool = Field(
        default=False,
        description="Throwing a wild card of the packs to a seen player is a foul; man and master cards are free.",
    )
    false_claim: Literal["reject", "foul"] = Field(
        "reject", description="A wrong show or finish is refused, or is a foul and kills the hand."
    )
    dead_hand: Literal["spared", "pays"] = Field(
        "spared",
        description="With 'pays' a dead hand's foul costs at least `unseen_pay`, and the last live hand plays on; "
        "'spared' dismisses the deal then.",
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.foul == "off" and (self.throw_foul or self.false_claim == "foul"):
            raise ValueError(
                "throw_foul and false_claim 'foul' need a form of foul: choose next, each or total"
            )
        return self

    @model_validator(mode="after")
    def _one_row_a_kind(self) -> Self:
        kinds = [kind for kind, _ in self.custom_points]
        if len(set(kinds)) < len(kinds):
            raise ValueError("custom_points names a kind twice")
        return self

    @property
    def deck_size(self) -> int:
        """The number of cards in play: 156 in the packs, the man cards and the master card."""
        return 156 + self.man_cards + (self.master_card != "off")

    @property
    def master_in_sequences(self) -> bool:
        """Whether the master card may stand in for a card of a primary sequence."""
        return self.master_card not in {"off", "after_seeing"}

    @property
    def master_in_tunnelas(self) -> bool:
        """Whether the master card and two identical cards are a primary group."""
        return self.master_card in {"always_tunnelas", "always_primary"}

    @property
    def master_in_trials(self) -> bool:
        """Whether the master card may stand in for a card of a primary trial."""
        return self.master_card == "always_primary" and self.primary_trial

    def dublees_allowed(self, players: int) -> bool:
        """Return whether shows by dublees are allowed with this number of players."""
        return self.dublee and players >= self.dublee_min_players

    def may_reshuffle(self, reshuffles: int) -> bool:
        """Return whether the discards may become a new stock after this number of reshuffles in the deal."""
        return self.stock_out == "reshuffle" and (not self.reshuffle_cap or reshuffles < self.reshuffle_cap)

    def playing_order(self, players: int, dealer: int) -> tuple[int, ...]:
        """Return the seats in the order of play, starting after the dealer and ending with the dealer."""
        step = 1 if self.direction == "clockwise" else -1
        return tuple((dealer + step * place) % players for place in range(1, players + 1))

    def with_options(self, /, **options: Any) -> "Rules":
        """Return a copy with some options changed.

        Raises pydantic's ValidationError for an invalid combination.

        `foul="off"` also turns off `throw_foul` and the `false_claim` foul, unless these are given as well.

        >>> preset("wikipedia", foul="off").false_claim
        'reject'
        """
        if options.get("foul") == "off":
            options = _NO_FOULS | options
        return Rules.model_validate(self.model_dump() | options)


_NEWER: Final[dict[str, Any]] = {"dead_hand": "pays", "first_dealer": 0}
"""Options added after the first version, with their value in every preset."""
_WIKIPEDIA: Final[dict[str, Any]] = {
    "direction": "anticlockwise",
    "group_size": "three_plus",
    "seen_pickup_wild": "allow",
    "same_face_discard": "allow",
    "tunnel_pachaunu": False,
    "false_claim": "foul",
}
_WIKIPEDIA_NOW: Final = _WIKIPEDIA | {
    "dublee_min_players": 4,
    "joker_dublee": True,
    "point_table": "w3",
    "laid_marriage": True,
    "dublee_exempt": True,
    "foul": "next",
}
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "pagat": {},
    "wikipedia": _WIKIPEDIA_NOW | {"throw_foul": True, "long_trial": True},
    "wikipedia-2010": _WIKIPEDIA
    | {
        "primary_trial": True,
        "same_turn_finish": False,
        "dublee": False,
        "point_table": "w1",
        "alter": True,
        "foul": "total",
    },
    "gambiter": _WIKIPEDIA | {"point_table": "w2", "foul": "each"},
    "kathmandu": _WIKIPEDIA_NOW
    | {
        "seen_pickup_wild": "forbid",
        "same_face_discard": "forbid",
        "tunnel_pachaunu": True,
        "unseen_maal": "murder",
    },
    "murder": {"unseen_maal": "murder"},
    "kidnap": {"unseen_maal": "kidnap_points"},
}

PRESETS: Final = {name: Rules.model_validate(_NEWER | options) for name, options in _OPTIONS.items()}


def preset(name: str, **options: Any) -> Rules:
    """Return the preset of that name with some options changed.

    Raises KeyError for an unknown name and pydantic's ValidationError for an invalid combination of options.

    >>> preset("kathmandu", seen_pay=5).seen_pay
    5
    >>> preset("pagat").playing_order(players=3, dealer=0)
    (1, 2, 0)
    """
    return PRESETS[name].with_options(**options)


def nearest_preset(rules: Rules, ignoring: Container[str] = ()) -> tuple[str, dict[str, Any]]:
    """Return the name of the preset with the fewest differences from these rules, and the differing options.

    Of equally near presets the first is chosen. Options in `ignoring` are not compared.

    >>> nearest_preset(preset("kathmandu", man_cards=2))
    ('kathmandu', {'man_cards': 2})
    """
    found = {name: _differences(rules, base, ignoring) for name, base in PRESETS.items()}
    nearest = min(found, key=lambda name: len(found[name]))
    return nearest, found[nearest]


def _differences(rules: Rules, base: Rules, ignoring: Container[str]) -> dict[str, Any]:
    return {
        name: value
        for name in Rules.model_fields
        if name not in ignoring and (value := getattr(rules, name)) != getattr(base, name)
    }
