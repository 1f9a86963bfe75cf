"""Who may know which card, derived from stored events by the rules, without the code of views.

The oracle reads the events as JSON, including all hidden cards. It does not use `marriage.view`.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.canary.reading import CARDS, neighbours, whole_hands

ALL = frozenset(CARDS)
_ENDS = {"settled", "dismissed"}
_SEALED = """
    SELECT hex(seed) FROM deal JOIN game_table ON game_table.id = deal.table_id
    WHERE (ended_at IS NULL AND closed_at IS NULL) OR table_id IN (SELECT table_id FROM daily_try)
    OR board_set IN (SELECT id FROM board_set WHERE released_at IS NULL)
    UNION SELECT hex(seed) FROM board JOIN board_set ON board_set.id = board.set_id WHERE released_at IS NULL
"""
"""Seeds sealed for a deal that will not be played are shown once the table is closed."""
_WITHHELD = """
    SELECT table_id, deal_no FROM deal JOIN board_set ON board_set.id = deal.board_set
    WHERE released_at IS NULL AND day IS NULL
"""


def _cards(value: object) -> set[str]:
    """Return every card in a piece of JSON."""
    if isinstance(value, str):
        return {value} & ALL
    if isinstance(value, list):
        return set().union(*map(_cards, value))
    return set()


@dataclass
class Deal:
    """What is known about one deal so far."""

    hands: list[list[str]]
    daily: bool
    """Whether others play the same cards later, so that only its player may ever know any."""
    public: set[str] = field(default_factory=set[str])
    seats: list[set[str]] = field(default_factory=list[set[str]])
    people: dict[int, int] = field(default_factory=dict[int, int])
    """The seat of each person who sits or sat there."""
    over: bool = False
    withheld: bool = False
    """Whether other tables have yet to play the same board, so that only its players may know any card."""
    before: int = -1
    """The last revision of the table at which it was not dealt, as far as was read."""

    def note(self, event: dict[str, object]) -> None:
        """Record one more event."""
        kind, seat, card = str(event["event"]), event.get("seat"), str(event.get("card"))
        match kind:
            case "drew":
                self._tell(seat, card)
            case "tiplu_cut" | "tiplu_seen":
                self._tell(seat, card, *neighbours(card, all_suits=True))
            case "tiplu_turned":
                self.public |= {card, *neighbours(card, all_suits=True)}
            case "took" | "discarded":
                self.public.add(card)
            case "exposed" | "showed" | "showed_dublees" | "finished" | "finished_dublees":
                for key in ("faces", "groups", "pairs", "pair", "discard"):
                    self.public |= _cards(event.get(key))
            case _:
                self.over = self.over or kind in _ENDS

    def _tell(self, seat: object, *cards: str) -> None:
        assert isinstance(seat, int)
        self.seats[seat] |= set(cards)

    def known_to(self, person: int | None) -> set[str] | frozenset[str]:
        """Return the cards that a person may know; None stands for everyone in the channel."""
        seat = None if person is None else self.people.get(person)
        if seat is None and (self.daily or self.withheld):
            return set()
        if self.over:
            return ALL
        return self.public if seat is None else self.public | self.seats[seat]

    def is_withheld_from(self, person: int | None) -> bool:
        """Return whether a person, or everyone for None, may know nothing of it, even once it is over."""
        return self.withheld and person not in self.people


class Oracle:
    """Knows all cards of all deals in a file, as soon as they are stored."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(
            f"file:{path}?mode=ro", uri=True, check_same_thread=False, isolation_level=None
        )
        self._version = -1
        self._last = 0
        self.deals: dict[tuple[int, int], Deal] = {}
        self._newest: dict[int, int] = {}
        """The number of each table's newest deal."""
        self._revisions: dict[int, int] = {}
        """The revision of each open table."""
        self.secrets: set[str] = set()
        """Text that must be readable nowhere: seeds of unfinished deals, and whole hands no one may see."""
        self.withheld: list[Deal] = []
        """Deals that are over, of which only their players may see whole hands."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def look(self) -> None:
        """Read what was stored since the last look."""
        [(version,)] = self._file.execute("PRAGMA data_version").fetchall()
        if version == self._version:
            return
        self._version = version
        self._file.execute("BEGIN")  # the bot writes meanwhile
        try:
            self._read()
        finally:
            self._file.execute("COMMIT")

    def _read(self) -> None:
        daily = {table for (table,) in self._file.execute("SELECT table_id FROM daily_try")}
        for row, table, number, body in self._file.execute(
            "SELECT rowid, table_id, deal_no, body FROM event WHERE rowid > ? ORDER BY rowid", (self._last,)
        ).fetchall():
            self._last = row
            self._note(table, number, json.loads(body), daily=table in daily)
        self._revisions = dict(
            self._file.execute("SELECT id, revision FROM game_table WHERE closed_at IS NULL").fetchall()
        )
        # A quick deal may be over before the first look at it.
        new = {id(deal) for deal in self.deals.values() if not deal.people}
        for table, seat, person in self._file.execute(
            "SELECT table_id, seat, person_id FROM seat"
        ).fetchall():
            deal = self.newest(table)
            if deal is not None and person is not None and (not deal.over or id(deal) in new):
                deal.people.setdefault(person, seat)
        withheld = set(self._file.execute(_WITHHELD).fetchall())
        for at, deal in self.deals.items():
            deal.withheld = at in withheld
        self.withheld = [deal for deal in self.deals.values() if deal.over and deal.withheld]
        sealed = {seed.lower() for (seed,) in self._file.execute(_SEALED).fetchall() if seed}
        hidden = [hand for deal in self.deals.values() if not deal.over for hand in deal.hands]
        self.secrets = sealed | whole_hands(hidden)

    def _note(self, table: int, number: int, event: dict[str, object], *, daily: bool) -> None:
        if event["event"] == "dealt":
            hands = event["hands"]
            assert isinstance(hands, list)
            before = self._revisions.get(table, -1)
            deal = Deal(hands=hands, daily=daily, public={str(event["up_card"])}, before=before)
            deal.seats = [set(hand) for hand in deal.hands]
            self.deals[table, number] = deal
            self._newest[table] = number
        else:
            self.deals[table, number].note(event)

    def secrets_from(self, person: int | None) -> set[str]:
        """Return the text that a person, or everyone for None, must read nowhere."""
        own, others = set[str](), set[str]()
        for deal in self.withheld:
            (others if deal.is_withheld_from(person) else own).update(whole_hands(deal.hands))
        return (self.secrets | others) - own

    def is_open(self, table: int) -> bool:
        """Return True if the table is not closed, as far as was read."""
        return table in self._revisions

    def finished(self, table: int) -> int:
        """Return how many deals of the table are over, as far as was read."""
        return sum(deal.over for (of, _), deal in self.deals.items() if of == table)

    def newest(self, table: int) -> Deal | None:
        """Return the current or last deal of a table."""
        number = self._newest.get(table)
        return None if number is None else self.deals[table, number]

    def shown(self, table: int, revision: int | None) -> Deal | None:
        """The deal that a message shows which was drawn at this revision of its table; None: as the table is now.

        A message may come late: what shows the end of a deal is read when the next one is dealt already.
        """
        deal = self.newest(table)
        number = self._newest.get(table, 0)
        while deal is not None and revision is not None and revision <= deal.before:
            number -= 1
            former = self.deals.get((table, number))
            if former is None:
                break
            deal = former
        return deal

    def known(self, person: int | None, tables: Mapping[int, int | None]) -> set[str]:
        """What somebody may be told in a message that shows these tables, each at a revision; None for everybody in the channel."""
        deals = [deal for table, at in tables.items() if (deal := self.shown(table, at)) is not None]
        return set().union(*(deal.known_to(person) for deal in deals))

    def tables_of(self, person: int | None, *, even_over: bool) -> list[int]:
        """Return the open tables at which a person plays, those with a finished deal only if `even_over`."""
        return [
            table
            for table, number in self._newest.items()
            if table in self._revisions
            and person in (deal := self.deals[table, number]).people
            and (even_over or not deal.over)
        ]
