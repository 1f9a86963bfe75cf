"""`score`: the score sheet of a deal, from its final hands or from points counted at a real table."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, StrictBool, StrictInt, model_validator

from marriage.cards import PACKS, Card, Cards, contains, format_cards
from marriage.cli.command import (
    CardList,
    CliCommand,
    GroupList,
    OneCard,
    Request,
    WithRules,
    read_request,
    require_deck,
    table,
)
from marriage.groups import is_primary
from marriage.maal import jhiplu, poplu, scoring_faces
from marriage.rules import HAND_SIZE, PRIMARY_GROUPS, SEATS_MAX, SEATS_MIN, Rules
from marriage.scoring.hand_points import laid_marriages
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status

_MOST_LISTED: Final = 10
_DESCRIPTION: Final = """\
Score the end of a deal, given as a JSON object:

  {"preset": "pagat", "options": {"alter": true}, "tiplu": "JC", "winner": 0, "finish": "sets", "better": false,
   "players": [
     {"name": "Asha", "status": "seen", "hand": "10C JC QC 6H 6H 6H", "exposed": ["6H"], "laid": ["10C JC QC"]},
     {"name": "Bina", "status": "unseen", "hand": "QC 4S"},
     {"name": "Chandra", "status": "seen", "points": 5, "dublees": true}]}

winner    counts from 0; without a winner the deal was dismissed
finish    "sets" or "dublees"; where it is not said, what the winner showed
status    "seen", "unseen", "foul" (a dead hand) or "pause" (sits out)
hand      the final hand, exposed and laid cards included, the closing discard not; cards left out have no points
points    instead of a hand: the points as counted at the table
exposed   the face of each tunnela exposed after the deal
laid      the pure sets shown, or "laid_marriages": how many marriages were among them
dublees   true: showed seven dublees
threw     true: a throw foul in this deal;  owes_foul  true: owes a foul of an earlier deal
better    true: a better deal, which counts better_factor-fold
"""


class ScoredPlayer(Request):
    """One seat of the request."""

    name: Annotated[str, Field(max_length=60)] = ""
    status: Status
    hand: CardList | None = None
    points: Annotated[StrictInt, Field(ge=0, le=1000)] | None = None
    exposed: CardList = ()
    laid: GroupList = ()
    laid_marriages: Annotated[StrictInt, Field(ge=0, le=2)] | None = None
    dublees: StrictBool = False
    owes_foul: StrictBool = False
    threw: StrictBool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.hand is not None and self.points is not None:
            raise ValueError("give a hand or points, not both")
        if len(self.hand or ()) > HAND_SIZE:
            raise ValueError(
                f"a final hand has {HAND_SIZE} cards or, in part, fewer: this one has {len(self.hand or ())}"
            )
        if self.laid and self.laid_marriages is not None:
            raise ValueError("give laid or laid_marriages, not both")
        _check_standing(self)
        _check_exposed(self)
        return self

    def marriages(self, tiplu: Card | None) -> int:
        """Return the number of marriages that this seat laid."""
        if self.laid_marriages is not None:
            return self.laid_marriages
        return 0 if tiplu is None else laid_marriages(self.laid, tiplu)


def _check_standing(player: ScoredPlayer) -> None:
    """Raise ValueError for a field that is impossible for a seat with this status."""
    shows = player.dublees or player.laid or player.laid_marriages
    match player.status:
        case Status.PAUSE:
            if player.hand or player.points or player.exposed or shows or player.threw:
                raise ValueError("a seat that sits out has no cards, no points and no throw foul")
        case Status.UNSEEN if shows:
            raise ValueError("a seat that has not seen has laid nothing and shown no dublees")
        case Status.UNSEEN if player.threw:
            raise ValueError("a seat that has not seen cannot know what it throws: it has no throw foul")
        case Status.SEEN | Status.UNSEEN if player.hand is None and player.points is None:
            raise ValueError("give a hand or points")
        case _:
            pass
    if player.dublees and (player.laid or player.laid_marriages):
        raise ValueError("a seat that showed dublees has laid no sets")
    if player.points is not None and (player.exposed or player.laid or player.laid_marriages):
        raise ValueError("points count exposed tunnelas and laid sets already: leave them out")


def _check_exposed(player: ScoredPlayer) -> None:
    for face, times in Counter(player.exposed).items():
        if times > 1:
            raise ValueError(f"the tunnela {face} is exposed once; name its face once")
        if (player.hand or ()).count(face) < PACKS:
            raise ValueError(f"the exposed tunnela {face} needs three of them in the hand")


class EndedDeal(WithRules):
    """The end of a deal."""

    tiplu: OneCard | None = None
    winner: Annotated[StrictInt, Field(ge=0)] | None = None
    finish: Literal["sets", "dublees"] | None = None
    better: StrictBool = False
    players: Annotated[tuple[ScoredPlayer, ...], Field(max_length=_MOST_LISTED)]

    @property
    def playing(self) -> int:
        """The number of players who take part."""
        return sum(player.status is not Status.PAUSE for player in self.players)

    @property
    def by_dublees(self) -> bool:
        """Whether the winner finished by eight dublees. Without `finish`, a winner who showed seven did."""
        if self.winner is None:
            return False
        return self.finish == "dublees" or self.players[self.winner].dublees

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not SEATS_MIN <= self.playing <= SEATS_MAX:
            raise ValueError(
                f"a deal has {SEATS_MIN} to {SEATS_MAX} players; {self.playing} take part in this one"
            )
        if self.winner is None:
            if self.finish is not None:
                raise ValueError("a deal that ended with a finish has a winner")
        else:
            self._check_winner(self.winner)
        return self

    def _check_winner(self, winner: int) -> None:
        if winner >= len(self.players):
            last = len(self.players) - 1
            raise ValueError(f"winner is {winner}, but the players count from 0 to {last}")
        player = self.players[winner]
        if player.status is not Status.SEEN:
            raise ValueError(f"the winner must have seen, but players[{winner}] is {player.status.value!r}")
        if self.finish == "sets" and player.dublees:
            raise ValueError("a winner who showed dublees finishes by dublees")
        if self.finish == "dublees" and (player.laid or player.laid_marriages):
            raise ValueError("a winner who laid sets does not finish by dublees")
        if self.tiplu is None and any(other.hand is not None for other in self.players):
            raise ValueError("hands cannot be counted without the tiplu")


@dataclass(frozen=True, slots=True)
class Scored:
    """The sheet of the deal, with the names."""

    names: tuple[str, ...]
    sheet: Sheet


def run(asked: EndedDeal) -> Scored:
    """Score a deal; raises ValueError for a deal that is impossible under these rules."""
    rules = asked.rules()
    _check_fouls(asked, rules)
    require_deck(_held(asked.players), asked.tiplu, rules)
    for index, player in enumerate(asked.players):
        try:
            _check_laid(player, asked.tiplu, rules)
        except ValueError as error:
            raise ValueError(f"players[{index}]: {error}") from None
    _check_dublees(asked, rules)
    seats = [
        _seat(player, asked.tiplu, wins_by_dublees=asked.by_dublees and index == asked.winner)
        for index, player in enumerate(asked.players)
    ]
    carry = [index for index, player in enumerate(asked.players) if player.owes_foul]
    thrown = [index for index, player in enumerate(asked.players) if player.threw]
    if asked.winner is None:
        sheet = dismissed_sheet(seats, rules, carry=carry, thrown=thrown)
    else:
        ending = Ending.DUBLEES if asked.by_dublees else Ending.GROUPS
        sheet = sheet_of(
            seats,
            asked.tiplu,
            asked.winner,
            ending,
            rules,
            better=asked.better,
            carry=carry,
            thrown=thrown,
        )
    return Scored(tuple(player.name or f"Seat {seat}" for seat, player in enumerate(asked.players)), sheet)


def _seat(player: ScoredPlayer, tiplu: Card | None, *, wins_by_dublees: bool) -> FinalSeat:
    marriages = player.marriages(tiplu)
    laid: tuple[Cards, ...] = ()
    if tiplu is not None:
        laid = ((jhiplu(tiplu), tiplu, poplu(tiplu)),) * marriages
    return FinalSeat(
        cards=player.hand or (),
        exposed=player.exposed,
        laid=laid,
        status=player.status,
        dublees=player.dublees or wins_by_dublees,
        points=player.points,
    )


# Checks against the rules


def _check_dublees(asked: EndedDeal, rules: Rules) -> None:
    if not (asked.by_dublees or any(player.dublees for player in asked.players)):
        return
    if not rules.dublee:
        raise ValueError("these rules know no dublees")
    if not rules.dublees_allowed(asked.playing):
        least = rules.dublee_min_players
        raise ValueError(f"dublees: under these rules they need {least} players; {asked.playing} take part")


def _check_fouls(asked: EndedDeal, rules: Rules) -> None:
    if any(player.status is Status.FOUL for player in asked.players) and rules.foul == "off":
        raise ValueError("status 'foul': under these rules nothing is a foul (foul is off)")
    if any(player.owes_foul for player in asked.players) and rules.foul != "next":
        raise ValueError(
            "owes_foul: under these rules no foul is carried to the next deal (foul is not 'next')"
        )
    if any(player.threw for player in asked.players) and not rules.throw_foul:
        raise ValueError("threw: under these rules no throw is a foul (throw_foul is off)")


def _held(players: Sequence[ScoredPlayer]) -> Counter[Card]:
    """Return all cards of the players, including laid cards that are missing from their hands."""
    held: Counter[Card] = Counter()
    for player in players:
        held += Counter(player.hand or ()) | Counter(card for group in player.laid for card in group)
    return held


def _check_laid(player: ScoredPlayer, tiplu: Card | None, rules: Rules) -> None:
    """Raise ValueError for laid sets that are not pure, and for laid marriages that the hand does not contain."""
    if len(player.laid) > PRIMARY_GROUPS:
        raise ValueError(f"a show lays {PRIMARY_GROUPS} sets, not {len(player.laid)}")
    for group in player.laid:
        if not is_primary(group, rules, player.exposed):
            raise ValueError(f"{format_cards(group) or 'nothing'} is no pure set under these rules")
    if player.hand is None or tiplu is None:
        return
    laid = [card for group in player.laid for card in group]
    if player.laid_marriages:
        if tiplu.rank == 0:
            raise ValueError("with an ace as tiplu the marriage is no run, so none can be laid")
        laid = [jhiplu(tiplu), tiplu, poplu(tiplu)] * player.laid_marriages
    counted = scoring_faces(tiplu, rules)
    if len(player.hand) < HAND_SIZE:
        laid = [card for card in laid if card in counted]
    if not contains(player.hand, laid):
        raise ValueError("the laid cards must be in the hand too")


# The answer


def to_json(scored: Scored) -> dict[str, Any]:
    """Return the answer for programs, with everything that the table for people shows."""
    sheet = scored.sheet
    return {
        "players": [
            {
                "name": name,
                "status": _status(seat, line, sheet),
                "points": line.points,
                "maal": line.maal,
                "payment": line.payment,
                "foul": line.foul,
                "net": line.net,
                "items": [
                    {"what": item.what.value, "cards": format_cards(item.cards), "points": item.points}
                    for item in line.items
                ],
            }
            for seat, (name, line) in enumerate(zip(scored.names, sheet.lines, strict=True))
        ],
        "total": sheet.total,
        "factor": sheet.factor,
        "winner": None if sheet.winner is None else scored.names[sheet.winner],
        "dismissed": sheet.ending is Ending.DISMISSED,
    }


def to_text(scored: Scored) -> str:
    """Return the answer for people."""
    sheet = scored.sheet
    rows = [
        ("player", "status", "points", "maal", "payment", "foul", "net", ""),
        *(
            (name, _status(seat, line, sheet), line.points, *map(_signed, _parts(line)), _items(line.items))
            for seat, (name, line) in enumerate(zip(scored.names, sheet.lines, strict=True))
        ),
        ("total", "", sheet.total, "", "", "", "", _note(sheet)),
    ]
    return table(rows, right=frozenset(range(2, 7)))


def _parts(line: SheetLine) -> tuple[int, int, int, int]:
    return line.maal, line.payment, line.foul, line.net


def _status(seat: int, line: SheetLine, sheet: Sheet) -> str:
    return "winner" if seat == sheet.winner else line.status.value


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def _items(items: Sequence[SheetItem]) -> str:
    texts = (
        f"{item.what.value.replace('_', ' ')} {format_cards(item.cards)} {item.points}" for item in items
    )
    return "; ".join(" ".join(text.split()) for text in texts)


def _note(sheet: Sheet) -> str:
    notes = [f"counts {sheet.factor}-fold"] if sheet.factor > 1 else []
    if sheet.ending is Ending.DISMISSED:
        notes.append("dismissed")
    return ", ".join(notes)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="the end of a deal as JSON; - for standard input"
    )


def _read(arguments: Namespace) -> dict[str, Any]:
    if arguments.file is None:
        raise ValueError("score needs a FILE with the end of a deal, or - for standard input")
    return read_request(arguments.file)


COMMAND: Final = CliCommand(
    name="score",
    help="the points and the result of a deal",
    description=_DESCRIPTION,
    request=EndedDeal,
    add_arguments=_arguments,
    read=_read,
    run=run,
    to_json=to_json,
    to_text=to_text,
)
