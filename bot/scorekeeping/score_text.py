"""Reading the deal that a scorekeeper types into a form, and writing a deal back as the form's text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from bot.errors import UnexpectedInputError, UserError
from bot.interactions.choices import read_card
from bot.words.names import echoed, shown_name
from bot.words.texts import Texts, shown_card
from data.names import canonical, name_to_type
from marriage.cards import PACKS, Card, format_cards, without
from marriage.scoring.home_game import (
    MOST_POINTS,
    PLAYERS_MAX,
    PLAYERS_MIN,
    HomeDeal,
    HomeSeat,
    InvalidDealError,
)
from marriage.sheet import Status

NOBODY: Final = "nobody"
BETTER: Final = "better"
DUBLEES, FOUL, OUT, THREW = "dublees", "foul", "out", "threw"
LAID: Final = "laid"
LONGEST_TEXT: Final = 1_000
"""The longest text about the players that the form takes."""
_MOST_TUNNELAS = 5
_MOST_WORDS = 30
_TUNNELA: Final = re.compile(r"(.{2,5})[x×*]3", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """A deal as filled into the form, valid or not."""

    winner: str = ""
    seen: tuple[str, ...] = ()
    maal: str = ""
    tiplu: str = ""
    special: tuple[str, ...] = ()
    corrects: int | None = None
    """The number, from 1, of the deal that this corrects; None for the next deal."""

    @classmethod
    def of(cls, fields: Mapping[str, Any], corrects: int | None = None) -> "Typed":
        """Read what was filled in. Nothing is trusted: unexpected values become empty."""
        return cls(
            winner=_first(fields.get("winner")),
            seen=_many(fields.get("seen")),
            maal=_text(fields.get("maal")),
            tiplu=_text(fields.get("tiplu"))[:20],
            special=_many(fields.get("special")),
            corrects=corrects,
        )


def _text(value: Any) -> str:
    return value[:LONGEST_TEXT] if isinstance(value, str) else ""


def _many(value: Any) -> tuple[str, ...]:
    values = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(name[:20] for name in values[:25] if isinstance(name, str))


def _first(value: Any) -> str:
    chosen = _many(value)
    return chosen[0] if chosen else ""


# Names


def read_names(text: str) -> tuple[str, ...]:
    """Return the players' names, split at commas or lines and made safe to show; raises UserError."""
    names = [name for part in re.split(r"[,;\n]", text) if (name := name_to_type(part))]
    if not PLAYERS_MIN <= len(names) <= PLAYERS_MAX:
        raise UserError("sorry.score_names", least=PLAYERS_MIN, most=PLAYERS_MAX)
    if len({name.casefold() for name in names}) < len(names):
        raise UserError("sorry.score_same_names")
    return tuple(names)


def read_more_names(text: str, before: Sequence[str]) -> tuple[str, ...]:
    """Return the changed names by seat, with new players at the end; raises UserError if one is missing."""
    names = read_names(text)
    if len(names) < len(before):
        raise UserError("sorry.score_fewer_names", count=len(before))
    return names


# Parse the form


def read_deal(typed: Typed, names: Sequence[str]) -> HomeDeal:
    """Parse the typed deal; raises UserError for unreadable text. The deal may still be impossible."""
    special = set(typed.special)
    if not typed.winner:
        raise UserError("sorry.score_winner")
    winner = None if typed.winner == NOBODY else _seat(typed.winner, names)
    showed = _seats(DUBLEES, special, names)
    seen = {_seat(value, names) for value in typed.seen} | showed
    if winner is not None:
        seen.add(winner)
    out, foul = _seats(OUT, special, names), _seats(FOUL, special, names)
    if both := seen & out:
        raise UserError("sorry.score_out_and_seen", name=shown_name(names[min(both)]))
    maal = _read_maal(typed.maal, names)
    threw = _seats(THREW, special, names)
    seats = [
        HomeSeat(
            status=_status(seat, out, foul, seen),
            dublees=seat in showed,
            threw=seat in threw,
            **maal.get(seat, {}),
        )
        for seat in range(len(names))
    ]
    tiplu = read_card(typed.tiplu) if typed.tiplu.strip() else None
    return HomeDeal.of(seats, winner, tiplu=tiplu, better=BETTER in special)


def _seat(text: str, names: Sequence[str]) -> int:
    if not re.fullmatch("[0-9]", text) or int(text) >= len(names):
        raise UnexpectedInputError("no such seat")
    return int(text)


def _seats(what: str, special: set[str], names: Sequence[str]) -> set[int]:
    return {seat for seat in range(len(names)) if f"{what}-{seat}" in special}


def _status(seat: int, out: set[int], foul: set[int], seen: set[int]) -> Status:
    if seat in out:
        return Status.PAUSE
    if seat in foul:
        return Status.FOUL
    return Status.SEEN if seat in seen else Status.UNSEEN


def _read_maal(text: str, names: Sequence[str]) -> dict[int, dict[str, Any]]:
    """Parse the lines about each player, by seat."""
    read: dict[int, dict[str, Any]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        seat, said = whose(line, names)
        if seat in read:
            raise UserError("sorry.score_twice", name=shown_name(names[seat]))
        read[seat] = _read_worth(said, names[seat]) if said else {}
    return read


def whose(line: str, names: Sequence[str]) -> tuple[int, str]:
    """Return the player whose name begins a line, and the rest of the line; raises UserError. The longest match wins."""
    line = canonical(line)  # as the names are
    folded = line.casefold()
    fitting = [seat for seat, name in enumerate(names) if folded.startswith(name.casefold())]
    for seat in sorted(fitting, key=lambda other: -len(names[other])):
        rest = line[len(names[seat]) :]
        if not rest or rest[0] in ":= \t":
            return seat, rest.lstrip(":= \t").strip()
    raise UserError("sorry.score_line", line=echoed(line))


def _read_worth(said: str, name: str) -> dict[str, Any]:
    """Read points or cards: `9Cx3` is an exposed tunnela, `laid` a marriage among the shown sets."""
    words = said.replace(",", " ").split()
    if len(words) == 1 and words[0].isdecimal():
        if len(words[0]) > 4 or int(words[0]) > MOST_POINTS:
            raise UserError("sorry.score_points", name=shown_name(name), most=MOST_POINTS)
        return {"points": int(words[0])}
    cards: list[Card] = []
    exposed: list[Card] = []
    marriages = 0
    for word in words[:_MOST_WORDS]:
        if word.casefold() == LAID:
            marriages += 1
        elif found := _TUNNELA.fullmatch(word):
            exposed.append(_read_card(found[1], name))
            cards += [exposed[-1]] * PACKS
        else:
            cards.append(_read_card(word, name))
    too_much = len(words) > _MOST_WORDS or len(exposed) > _MOST_TUNNELAS or marriages > 2
    if too_much or len(set(exposed)) < len(exposed):
        raise UserError("sorry.score_cards", name=shown_name(name))
    return {"cards": tuple(cards), "exposed": tuple(exposed), "marriages": marriages}


def _read_card(word: str, name: str) -> Card:
    try:
        return read_card(word)
    except UserError:
        raise UserError(
            "sorry.score_worth", name=shown_name(name), text=echoed(word), most=MOST_POINTS
        ) from None


# Fill in the form again


def typed_of(deal: HomeDeal, names: Sequence[str]) -> Typed:
    """Return the form filled in with this deal."""
    special = [BETTER] if deal.better else []
    for seat, line in enumerate(deal.seats):
        facts = {
            DUBLEES: line.dublees,
            FOUL: line.status is Status.FOUL,
            OUT: line.status is Status.PAUSE,
            THREW: line.threw,
        }
        special += [f"{what}-{seat}" for what, so in facts.items() if so]
    return Typed(
        winner=NOBODY if deal.winner is None else str(deal.winner),
        seen=tuple(str(seat) for seat, line in enumerate(deal.seats) if line.status is Status.SEEN),
        maal="\n".join(f"{names[seat]}: {_worth(line)}" for seat, line in enumerate(deal.seats)),
        tiplu="" if deal.tiplu is None else str(deal.tiplu),
        special=tuple(special),
    )


def _worth(seat: HomeSeat) -> str:
    if not seat.cards:
        return "" if seat.points is None else str(seat.points)
    single = without(seat.cards, [face for face in seat.exposed for _ in range(PACKS)])
    words = [format_cards(single), *(f"{face}x3" for face in seat.exposed), *[LAID] * seat.marriages]
    return " ".join(filter(None, words))


def refusal(error: InvalidDealError, names: Sequence[str], texts: Texts) -> UserError:
    """Return the error that says why a typed deal is not possible, and what to do."""
    said: dict[str, Any] = dict(error.details)
    if "seat" in said:
        seat: int = said.pop("seat")
        said["name"] = shown_name(names[seat])
    if "card" in said:
        said["card"] = shown_card(said["card"], texts)
    return UserError(f"unsound.{error.fault}", **said)
