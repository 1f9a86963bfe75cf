"""Search the finished deals: the filters, carried along in custom ids, and the resulting page."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.clock import Clock
from bot.errors import UnexpectedInputError
from bot.ui.items import Press
from bot.words.names import clean_name, shown_name
from bot.words.numbers import base36
from bot.words.rules import preset_name
from bot.words.texts import texts
from data.repositories.statistics.deal_search import FoundDeal, Search, Sight
from data.store import Store
from league.ids import PersonId, TableId
from league.times import DAY
from marriage.rules import PRESETS

DEALS = 8
"""The number of deals on a page."""
_BACK = {"week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}
_PRESETS = tuple(PRESETS)
_SINCE = tuple(_BACK)


@dataclass(frozen=True, slots=True)
class DealPage:
    """The deals on a page, and the filters that led to it."""

    deals: Sequence[FoundDeal]
    count: int
    number: int
    """The number of the page, from 0."""
    asked: Press
    """The filters: the table in its table, the others in its argument."""
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
    """One of the choices that `begin_of` knows."""

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
        """The custom id that carries it: the table, then the rest as `own-<person>-<preset>-<since>`."""
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

    async def page(self, sight: Sight, asked: Asked, number: int) -> DealPage:
        """Return the page of visible deals that is nearest to this number."""
        since = begin_of(asked.since, self._clock.now())
        search = Search(asked.own, asked.table_id, asked.with_id, asked.preset, since)
        found = await self._store.read(lambda db: db.history.page(sight, search, number, DEALS))
        filters = await self._in_words(asked)
        return DealPage(found.deals, found.count, found.number, asked.press("history"), asked.own, filters)

    async def _in_words(self, asked: Asked) -> list[str]:
        words: list[str] = []
        if asked.table_id is not None:
            words.append(texts()("history.at_table", table=asked.table_id))
        if asked.with_id is not None:
            person = await self._store.directory.person(asked.with_id)
            name = clean_name(person.name, "–") if person else "–"
            words.append(texts()("history.with", name=shown_name(name)))
        if asked.preset is not None:
            words.append(texts()("history.by", preset=preset_name(asked.preset, texts())))
        if asked.since is not None:
            words.append(texts()(f"history.since_{asked.since}"))
        return words
