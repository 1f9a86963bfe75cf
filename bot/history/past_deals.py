"""Finished deals for the people who may see them: the filters of a search, carried along in custom ids, a page of it, and one stored deal."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.clock import Clock
from bot.errors import UnexpectedInputError, UserError
from bot.people import guild_of
from bot.table.core.table import ledger_of, player
from bot.ui.items import Press
from bot.words.names import seat_name
from bot.words.numbers import base36
from bot.words.rules import preset_name
from bot.words.texts import texts
from data.repositories.deal_search import FoundDeal, Search, Sight
from data.store import Store
from data.transaction import ReadTransaction
from data.values import DealRow, PlayedRow
from league.ids import GuildId, PersonId, TableId
from league.times import DAY
from marriage.apply import replay
from marriage.events import Dealt, Event, TipluCut
from marriage.review import audit
from marriage.rules import PRESETS
from marriage.shuffle import DealRecord, DealSeed, record
from marriage.view import View, view

DEALS = 8
"""The number of deals on a page."""
_BACK = {"week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}
_PRESETS = tuple(PRESETS)
_SINCE = tuple(_BACK)


@dataclass(frozen=True, slots=True)
class ShownDeals:
    """The deals on a page, and the filters that selected them."""

    deals: Sequence[FoundDeal]
    count: int
    number: int
    """The number of the page, from 0."""
    asked: Press
    """The filters: the table as the subject, the others in the argument."""
    own: bool
    filters: Sequence[str]
    """The filters in words."""

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(0, self.count - 1) // DEALS


@dataclass(frozen=True, slots=True)
class Asked:
    """The filters of a search; None for no restriction."""

    own: bool = True
    table_id: TableId | None = None
    with_id: PersonId | None = None
    preset: str | None = None
    since: str | None = None
    """One of the choices of `begin_of`."""

    @classmethod
    def of(
        cls,
        whose: str,
        table_id: TableId | None,
        with_id: PersonId | None,
        preset: str | None,
        since: str | None,
    ) -> "Asked":
        """Parse a typed command; raises UserError for an invalid choice."""
        if preset not in {None, *PRESETS} or since not in {None, *_SINCE}:
            raise UnexpectedInputError("no such filter")
        return cls(whose != "all", table_id, with_id, preset, since)

    def press(self, verb: str) -> Press:
        """Return the custom id of the filters: the table, then `own-<person>-<preset>-<since>`."""
        person = base36(self.with_id or 0)
        preset = 0 if self.preset is None else 1 + _PRESETS.index(self.preset)
        since = 0 if self.since is None else 1 + _SINCE.index(self.since)
        scope = "own" if self.own else "all"
        return Press(verb, self.table_id or 0, 0, f"{scope}-{person}-{preset}-{since}")


def begin_of(since: str | None, now: int) -> int | None:
    """Return the start of a chosen period, such as the last month; None for all time. Times are milliseconds of UTC.

    Raises UnexpectedInputError for an invalid choice.

    >>> begin_of("week", 700_000_000)
    95200000
    """
    if since is None:
        return None
    if since not in _BACK:
        raise UnexpectedInputError("no such time")
    return now - _BACK[since]


def read_asked(press: Press) -> Asked:
    """Parse the filters in a custom id; raises UserError for an id that the bot never built."""
    scope, *rest = press.argument.split("-")
    try:
        person, preset, since = (int(digits, 36) for digits in rest)
        return Asked(
            own={"own": True, "all": False}[scope],
            table_id=TableId(press.subject) or None,
            with_id=PersonId(person) if 0 < person < 2**63 else None,
            preset=(None, *_PRESETS)[preset],
            since=(None, *_SINCE)[since],
        )
    except (ValueError, KeyError, IndexError):
        raise UnexpectedInputError("a search that was never built") from None


class DealSearch:
    """Read-only search of finished deals."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def page(self, sight: Sight, asked: Asked, number: int) -> ShownDeals:
        """Return the page of visible deals that is nearest to this number."""
        since = begin_of(asked.since, self._clock.now())
        search = Search(asked.own, asked.table_id, asked.with_id, asked.preset, since)
        found = await self._store.read(lambda db: db.history.page(sight, search, number, DEALS))
        filters = _in_words(asked)
        return ShownDeals(found.deals, found.count, found.number, asked.press("history"), asked.own, filters)


def _in_words(asked: Asked) -> list[str]:
    words: list[str] = []
    if asked.table_id is not None:
        words.append(texts()("history.at_table", table=asked.table_id))
    if asked.with_id is not None:
        # A stored name would tell that the bot knows this person, perhaps from another server.
        words.append(texts()("history.with", name=f"<@{asked.with_id}>"))
    if asked.preset is not None:
        words.append(texts()("history.by", preset=preset_name(asked.preset, texts())))
    if asked.since is not None:
        words.append(texts()(f"history.since_{asked.since}"))
    return words


@dataclass(frozen=True, slots=True)
class Checked:
    """A deal's record, and the fault found in the deal; None if it is honest."""

    record: DealRecord
    fault: str | None
    dealt: bool
    """False for a shuffle that was sealed but never dealt."""
    free_cut: TipluCut | None
    """The cut of the tiplu, if its place need not follow from the seed."""


async def check_deal(store: Store, sight: Sight, table_id: TableId, deal_no: int | None) -> Checked:
    """Recompute a deal of a table of this server; None stands for the last finished one.

    Raises UserError for a deal that does not exist or is not over: a live deal is never revealed. The seed of
    a shuffle determines every hand, so people who may not see the deal
    (`data.repositories.deal_search`) do not get its seed either.
    """

    async def find_deal(db: ReadTransaction):
        table = await db.tables.get(table_id)
        if table is None or table.guild_id != sight.guild_id:
            raise UserError("sorry.no_table", table=table_id)
        number = deal_no or (table.deal_no - (table.status == "playing"))
        deal = await db.deals.get(table_id, number)
        if deal is None:
            raise UserError("sorry.no_such_deal", table=table_id)
        if deal.ended_at is None and table.status != "closed":
            raise UserError("sorry.deal_not_over", deal=number)
        if await db.boards.is_sealed(deal):
            raise UserError("daily.sealed")
        events = await db.deals.events(table_id, number)
        if events and not await db.history.may_see(sight, table_id, number):
            raise UserError("sorry.verify_hidden", table=table_id, deal=number)
        return deal, events

    deal, events = await store.read(find_deal)
    secret, rules = deal.secret, deal.rules
    return Checked(
        record(secret, rules.deck_size, rules.man_cards),
        fault=_fault(deal, secret, events),
        dealt=bool(events),
        free_cut=_free_cut(events),
    )


def record_json(record: DealRecord) -> str:
    """Return the record as a file for `python -m marriage verify` and the script in `docs/`."""
    fields = {
        "v": record.version,
        "table": record.table,
        "deal": record.deal,
        "N": record.deck_size,
        "men": record.man_cards,
        "C": record.commitment,
        "items": record.items,
        "seed": record.seed.hex(),
        "deck": record.deck_hash,
    }
    return json.dumps(fields, indent=1)


def _free_cut(events: list[Event]) -> TipluCut | None:
    """Return the cut if its place was chosen, or if an older version did not note that. On a board the place is fixed."""
    if any(isinstance(event, Dealt) and event.board for event in events):
        return None
    return next(
        (event for event in events if isinstance(event, TipluCut) and event.chosen is not False), None
    )


def _fault(deal: DealRow, secret: DealSeed, events: list[Event]) -> str | None:
    if deal.commitment != secret.commitment(deal.rules):
        return "the seed is not the one that was sealed"
    if not events:
        return None
    try:
        audit(events, secret)
    except ValueError as error:
        return str(error)
    return None


@dataclass(frozen=True, slots=True)
class PastDeal:
    """A finished deal, as everyone who sat at its table saw it at the time."""

    row: PlayedRow
    view: View
    """The spectator's view after the end, with all hands open."""
    names: tuple[str, ...]
    """The names by line of the sheet, as plain text."""
    totals: tuple[int, ...]
    """The running totals of its match after the deal, by line of its sheet."""
    is_own: bool
    """Whether the person who asks played in it."""


def sight_of(interaction: discord.Interaction[Any]) -> Sight:
    """Return what the author of an interaction sees: the channels of the server, without private threads."""
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return Sight(PersonId(interaction.user.id), guild_of(interaction))
    seen = {
        place.id
        for place in (*guild.channels, *guild.threads)
        if not (isinstance(place, discord.Thread) and place.is_private())
        and place.permissions_for(member).view_channel
    }
    return Sight(PersonId(member.id), GuildId(guild.id), frozenset(seen))


async def past_deal(store: Store, sight: Sight, table_id: TableId, deal_no: int) -> PastDeal:
    """Return a finished deal.

    Raises UserError if it does not exist, is not over, or may not be seen by the person.
    """

    async def find_record(db: ReadTransaction):
        found = await db.history.find(sight, table_id, deal_no)
        if found is None:
            raise UserError("pastdeal.none")
        deal = await db.deals.get(table_id, deal_no)
        if deal is not None and await db.boards.is_sealed(deal):
            raise UserError("daily.sealed")
        events = await db.deals.events(table_id, deal_no)
        match_no = found.row.match_no
        results = await (
            db.deals.results(table_id) if match_no is None else db.deals.results_of_match(table_id, match_no)
        )
        return found, events, results

    found, events, results = await store.read(find_record)
    ledger = ledger_of([result for result in results if result.deal_no <= deal_no])
    lines = [result for result in results if result.deal_no == deal_no]
    return PastDeal(
        found.row,
        view(replay(events), None),
        tuple(seat_name(line.person_id, line.name) for line in lines),
        tuple(ledger.total_of(player(line)) for line in lines),
        any(line.person_id == sight.person_id for line in lines),
    )
