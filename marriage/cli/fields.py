"""Fields that several requests share: cards, groups of cards, and the rules."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field, ValidationError

from marriage.cards import MAN, MASTER, PACKS, UNKNOWN, Card, Cards
from marriage.cli.command import Request
from marriage.cli.reading import sentence
from marriage.rules import PRESETS, Rules

_LONGEST_LIST = 160


def _card(value: Any) -> Card:
    card = Card.parse(value[:20]) if isinstance(value, str) else UNKNOWN
    if card == UNKNOWN:
        raise ValueError("a card is written as text, rank then suit, such as 10C")
    return card


def _cards(value: Any) -> Cards:
    """Read cards from a text separated by blanks, or from a list of such texts."""
    words = value.split() if isinstance(value, str) else value
    if isinstance(words, list | tuple):
        given = cast("list[Any]", words)
        if len(given) > _LONGEST_LIST:
            raise ValueError(f"there are never more than {_LONGEST_LIST} cards")
        return tuple(map(_card, given))
    raise ValueError("cards are written as text, such as '10C JC QC', or as a list of such texts")


OneCard = Annotated[Card, BeforeValidator(_card)]
CardList = Annotated[Cards, BeforeValidator(_cards)]
GroupList = Annotated[tuple[CardList, ...], Field(max_length=7)]


class WithRules(Request):
    """A request under the rules of a preset, with some options changed."""

    preset: str = "pagat"
    options: dict[str, Any] = Field(default_factory=dict)

    def rules(self) -> Rules:
        """Return the requested rules; raises ValueError with a sentence."""
        if self.preset not in PRESETS:
            raise ValueError(f"there is no preset {self.preset[:40]!r}; there are {', '.join(PRESETS)}")
        try:
            return PRESETS[self.preset].with_options(**self.options)
        except ValidationError as error:
            raise ValueError(f"options: {sentence(error)}") from None


def require_deck(held: Counter[Card], tiplu: Card | None, rules: Rules) -> None:
    """Raise ValueError if the cards and the tiplu need more copies than the packs of these rules have."""
    if tiplu is not None and not tiplu.is_pack:
        raise ValueError(f"the tiplu is a card of the packs, never {tiplu}")
    for card, count in (held + Counter(() if tiplu is None else (tiplu,))).items():
        most = {MAN: rules.man_cards, MASTER: int(rules.master_card != "off")}.get(card, PACKS)
        if count > most:
            under = ", the tiplu itself included" if card == tiplu else ""
            raise ValueError(f"{card}: {count} of it{under}, but these rules have {most}")


def add_rules(parser: ArgumentParser) -> None:
    """Add the arguments that choose the rules."""
    parser.add_argument(
        "--preset", metavar="P", help=f"the rules: {', '.join(PRESETS)}; pagat where nothing is said"
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="one option of the rules that differs from the preset, such as alter=yes; may be repeated",
    )


def rules_keys(arguments: Namespace) -> dict[str, Any]:
    """Return the chosen rules as the keys of a request."""
    options = dict(map(_option, arguments.option))
    keys: dict[str, Any] = {} if arguments.preset is None else {"preset": arguments.preset}
    return keys | ({"options": options} if options else {})


def _option(text: str) -> tuple[str, str | int | bool]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"an option is written NAME=VALUE, not {text!r}")
    return name, option_value(value)


def option_value(text: str) -> str | int | bool:
    """Parse the value of an option: yes or no, a number, or a word."""
    known = {"yes": True, "true": True, "no": False, "false": False}
    if text in known:
        return known[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else text


def whole_number(name: str, text: str) -> int:
    """Parse the whole number given for an argument of this name; raises ValueError for any other text."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise ValueError(f"--{name} takes a number, not {text!r}")
