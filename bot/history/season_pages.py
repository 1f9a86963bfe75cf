"""Public pages of seasons: static files in a folder, which any web server can serve.

A season has pages only if its staff want them (`public_page`). They are rewritten shortly after a change: a
result, a ruling, an agreed time, the name of a player.
"""

import asyncio
import math
import shutil
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog
from icalendar import Calendar, Event

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.history.exports import stored_season_files
from bot.history.season_page import ENVIRONMENT, has_page, page_name, stored_match_pages
from bot.league.agenda import draw_at, holds_from
from bot.league.meetings import is_agreed
from bot.league.season import SeasonView, view_season
from bot.words.texts import Texts, catalogue
from bot.workpool.pool import WorkKind, WorkPool
from data.errors import UnreadableValueError
from data.ids import SeasonId
from data.repositories.people import Names
from data.season_rows import SeasonMark
from data.store import Store
from data.transaction import ReadTransaction
from league.events import PodId
from league.ids import GuildId, TableId
from league.results import Player
from league.season import Pod
from league.times import DAY, HOUR, utc

_MATCH: Final = 2 * HOUR
"""How much time a calendar reserves for a match, in milliseconds."""

log = structlog.get_logger(__name__)


def calendar_file(view: SeasonView, texts: Texts) -> bytes:
    """Return a calendar of every draw, the ends of the last round and the finals, and the agreed matches.

    That of a closed season has only what came before its end.
    """
    until = math.inf if view.row.closed_at is None else view.row.closed_at
    calendar = Calendar.new(
        prodid="-//Tiplu//leagues//EN",
        name=view.plain_title,
        last_modified=utc(view.now),
        uid=f"season-{view.row.id}@tiplu",
        subcomponents=[
            *(_event(view, *moment) for moment in _moments(view, texts) if moment[1] <= until),
            *_matches(view, texts),
        ],
    )
    return calendar.to_ical()


def _moments(view: SeasonView, texts: Texts) -> Iterator[tuple[str, int, str]]:
    """Yield the draws and ends of the rounds: an id, the time, and the words."""
    row, season = view.row, view.season
    if season.paused_at is not None:
        return
    rounds = season.settings.rounds
    draws = rounds if season.open else season.drawn
    numbers = range(1, draws + 1) if season.settings.format.has_draw else ()
    for number in numbers:
        said = texts("page.calendar_draw", league=view.plain_title, round=number)
        yield f"draw-{number}", draw_at(row, season, number), said
    said = texts("page.calendar_end", league=view.plain_title)
    yield "end", draw_at(row, season, rounds + 1), said
    for stage, due in {drawn.stage: drawn.due for drawn in season.rounds.values() if drawn.stage}.items():
        said = texts("page.calendar_stage", league=view.plain_title, players=stage)
        yield f"final-{stage}", due, said


def _matches(view: SeasonView, texts: Texts) -> Iterator[Event]:
    for pod in view.season.pods.values():
        time = view.times.get(pod.id)
        if time is not None and is_agreed(view.season, pod, time, view.now):
            names = ", ".join(map(view.plain_name, pod.players))
            said = texts("page.calendar_match", league=view.plain_title, names=names)
            yield _event(view, f"pod-{pod.id}", time.proposal.at, said, time.proposal.at + _MATCH)


def _event(view: SeasonView, name: str, at: int, said: str, ends: int | None = None) -> Event:
    return Event.new(
        uid=f"season-{view.row.id}-{name}@tiplu",
        stamp=utc(view.now),
        start=utc(at),
        end=None if ends is None else utc(ends),
        summary=said,
    )


EVERY_S: Final = 15
PAGE: Final = "index.html"
MOST_MATCHES: Final = 20
"""How many match pages of a season are written at a time. Each takes about a second."""
MOST_CLOSED: Final = 5
"""How many closed seasons are written before the ones in play are looked at again."""
NAMES_KEPT_MS: Final = DAY
"""How long a closed season may show former names: people may change theirs often."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What tells which seasons have changed."""

    seasons: Mapping[SeasonId, SeasonMark]
    names: Mapping[Player, Names]
    forgotten: int
    """How many people were forgotten so far: their names may have been anywhere."""
    at: int

    def mark(self, season_id: SeasonId) -> Hashable:
        """Return what tells whether a season has to be read again, apart from names."""
        return self.seasons[season_id], self.forgotten


@dataclass(frozen=True, slots=True)
class _Published:
    """What is in the folder of a season."""

    mark: Hashable
    """The mark of the season when it was last read."""
    is_open: bool
    title: str
    made_from: Hashable
    """What the pages show, apart from names."""
    guild_id: GuildId
    names: Mapping[Player, str]
    """The names in its server."""
    named_at: int
    """When these names were read."""
    until: float
    """When the season has to be read again although nothing has changed."""

    def is_renamed(self, names: Mapping[Player, Names], now: int) -> bool:
        """Return whether people are called otherwise by now, and the pages have to show it."""
        if not self.is_open and now - self.named_at < NAMES_KEPT_MS:
            return False
        return any(
            player not in names or names[player].in_server(self.guild_id) != name
            for player, name in self.names.items()
        )


class SeasonPages:
    """Keeps the folder of pages in step with the seasons."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        workpool: WorkPool,
        folder: Path,
        shards: Shards | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._workpool = workpool
        self._folder = folder
        self._shards = shards or Shards()
        self._published: dict[SeasonId, _Published] = {}
        self._matches: dict[SeasonId, dict[PodId, Hashable]] = {}
        """What the page of each match was made from."""
        self._private: dict[SeasonId, int] = {}
        """Seasons without pages, with the number of the last event that was checked."""
        self._damaged: dict[SeasonId, Hashable] = {}
        """Seasons that could not be read, with their mark."""
        self._listed: list[tuple[SeasonId, str, bool]] | None = None
        """The seasons of the first page; None if that is not known."""
        self._is_behind = False
        """Whether closed seasons wait to be written."""

    async def keep_up(self) -> float:
        """Write what has changed; of several processes only one does. Returns how long to rest, in seconds."""
        if not self._shards.owns(None):
            return EVERY_S
        await self.publish()
        return 0 if self._is_behind else EVERY_S

    async def publish(self) -> list[SeasonId]:
        """Write the pages of the seasons that have changed; returns which. Pages of others are removed.

        Those in play come first, and only a few closed ones are written at a time. The pages of a damaged season stay
        as they are.
        """
        look, changed, closed = await self._look(), list[SeasonId](), 0
        self._is_behind = False
        for season_id in sorted(
            look.seasons, key=lambda one: (look.seasons[one].closed_at is not None, -one)
        ):
            if not self._has_changed(season_id, look):
                continue
            if closed == MOST_CLOSED:
                self._is_behind = True
                break
            if await self._publish(season_id, look):
                changed.append(season_id)
                closed += look.seasons[season_id].closed_at is not None
        kept = set(map(str, look.seasons.keys() - self._private.keys()))
        await asyncio.to_thread(_remove_others, self._folder, kept)
        await self._list()
        return changed

    async def _look(self) -> _Look:
        now = self._clock.now()

        async def find_changes(db: ReadTransaction) -> _Look:
            return _Look(
                await db.season_pages.marks(),
                await db.season_pages.player_names() if self._published else {},
                await db.people.count_forgotten(),
                now,
            )

        return await self._store.read(find_changes)

    def _has_changed(self, season_id: SeasonId, look: _Look) -> bool:
        """Return whether a season has to be read, which takes long."""
        known = self._published.get(season_id)
        if known is None:
            checked = self._private.get(season_id) == look.seasons[season_id].last
            return not checked and self._damaged.get(season_id) != look.mark(season_id)
        if known.mark != look.mark(season_id) or known.until <= look.at:
            return True
        return known.is_renamed(look.names, look.at)

    async def _publish(self, season_id: SeasonId, look: _Look) -> bool:
        """Write the pages of a season if they would be different; returns whether they were."""
        try:
            view = await self._store.read(_view_public, season_id, look.at)
        except UnreadableValueError:  # also EventsDamaged
            log.exception("pages.season_stopped", season=season_id)
            self._damaged[season_id] = look.mark(season_id)
            self._published.pop(season_id, None)
            return False
        self._damaged.pop(season_id, None)
        if view is None:
            self._private[season_id] = look.seasons[season_id].last
            self._published.pop(season_id, None)
            self._matches.pop(season_id, None)
            return False
        self._private.pop(season_id, None)
        matches, has_all = await self._publish_matches(view, look.seasons[season_id].sealed)
        made_from = _made_from(view), matches
        names = {player: person.names for player, person in view.people.items()}
        known = self._published.get(season_id)
        is_new = known is None or known.made_from != made_from or known.is_renamed(names, look.at)
        if is_new:
            files = await self._files(view, matches)
            await asyncio.to_thread(_write, self._folder / str(season_id), files)
        guild_id = view.row.guild_id
        self._published[season_id] = _Published(
            mark=look.mark(season_id),
            is_open=view.row.closed_at is None,
            title=view.plain_title,
            made_from=made_from,
            guild_id=guild_id,
            names=_in_server(guild_id, names) if known is None or is_new else known.names,
            named_at=look.at if known is None or is_new else known.named_at,
            until=_same_until(view) if has_all else look.at,
        )
        return is_new

    async def _list(self) -> None:
        """Write the list of all seasons with pages, the newest first, unless it is the same or not yet complete."""
        listed = [
            (season_id, self._published[season_id].title, self._published[season_id].is_open)
            for season_id in sorted(self._published, reverse=True)
        ]
        if listed != self._listed and not self._is_behind:
            await asyncio.to_thread(_write, self._folder, {PAGE: _index(listed)})
            self._listed = listed

    async def _publish_matches(
        self, view: SeasonView, sealed: frozenset[PodId]
    ) -> tuple[frozenset[PodId], bool]:
        """Write the pages of some changed matches, and remove those of matches that no longer count.

        Returns the pods that now have a page, and whether none is left to write. The pages show the names under which people
        played. These change only when someone is forgotten.
        """
        pods = [pod for pod in view.season.pods.values() if has_page(view.season, pod)]
        former = await self._former_names(pods)
        forgotten = _forgotten(view)
        wanted = {
            pod.id: (
                pod.table,
                pod.result,
                pod.boards,
                forgotten.intersection(pod.players),
                former.get(pod.id),
                pod.id in sealed,
            )
            for pod in pods
        }
        is_first = view.row.id not in self._matches
        written = self._matches.setdefault(view.row.id, {})
        all_stale = sorted(pod for pod, made_from in wanted.items() if written.get(pod) != made_from)
        stale = all_stale[:MOST_MATCHES]
        if stale:
            language = (await self._store.directory.guild_settings(view.row.guild_id)).language
            files, damaged = await self._workpool.run(
                WorkKind.MATCHES,
                None,
                stored_match_pages,
                self._store.place,
                view.row.id,
                tuple(stale),
                language,
            )
            for error in damaged:
                log.error("pages.deal_left_out", season=view.row.id, exc_info=error)
            await asyncio.to_thread(_write, self._folder / str(view.row.id), files)
            written |= {pod: wanted[pod] for pod in stale}
        if is_first or written.keys() - wanted.keys():
            kept = set(map(page_name, wanted))
            await asyncio.to_thread(_remove_matches, self._folder / str(view.row.id), kept)
            self._matches[view.row.id] = {pod: made for pod, made in written.items() if pod in wanted}
        return frozenset(wanted.keys() & written.keys()), stale == all_stale

    async def _former_names(self, pods: Sequence[Pod]) -> dict[PodId, Hashable]:
        """Return the names on the pages of matches that were played again: perhaps not by the same people."""
        tables = {
            pod.id: TableId(pod.before.table) for pod in pods if pod.before and pod.before.table is not None
        }

        async def read_names(db: ReadTransaction) -> dict[PodId, Hashable]:
            return {
                pod: tuple(row.name for row in await db.deals.results(table)) for pod, table in tables.items()
            }

        return await self._store.read(read_names) if tables else {}

    async def _files(self, view: SeasonView, matches: frozenset[PodId]) -> Mapping[str, bytes]:
        language = (await self._store.directory.guild_settings(view.row.guild_id)).language
        names = {player: view.plain_name(player) for player in view.people}
        files = dict(
            await self._workpool.run(
                WorkKind.EXPORT,
                None,
                stored_season_files,
                self._store.place,
                view.row.id,
                names,
                view.now,
                language,
                matches,
            )
        )
        files[PAGE] = files.pop("season.html")
        return files | {"calendar.ics": calendar_file(view, catalogue(language))}


async def _view_public(db: ReadTransaction, season_id: SeasonId, now: int) -> SeasonView | None:
    """Return a season that has pages; None if its staff want none."""
    told = await db.seasons.projection(season_id, once=True)
    return await view_season(db, season_id, now, told=told) if told.season.settings.public_page else None


def _in_server(guild_id: GuildId, names: Mapping[Player, Names]) -> dict[Player, str]:
    return {player: called.in_server(guild_id) for player, called in names.items()}


def _forgotten(view: SeasonView) -> frozenset[Player]:
    return frozenset(player for player, person in view.people.items() if person.is_forgotten)


def _made_from(view: SeasonView) -> Hashable:
    """Return everything that the pages of a season show, apart from names that people have chosen."""
    times = tuple(
        (time.pod, time.proposal.at)
        for time in sorted(view.times.values(), key=lambda time: time.pod)
        if is_agreed(view.season, view.season.pods[time.pod], time, view.now)
    )
    teams = tuple(team.name for team in view.season.teams.values())
    return view.told.last, view.row.starts_at, view.row.closed_at, _forgotten(view), times, teams


def _same_until(view: SeasonView) -> float:
    """Return when a proposed time becomes fixed next, because no one has proposed another."""
    pods = view.season.pods
    moments = [holds_from(view.season, pods[time.pod], time) for time in view.times.values()]
    return min((moment for moment in moments if moment is not None and moment > view.now), default=math.inf)


def _index(seasons: Sequence[tuple[SeasonId, str, bool]]) -> bytes:
    page = ENVIRONMENT.get_template("seasons.html").render(seasons=seasons, texts=catalogue("en"))
    return page.encode()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files atomically, so that no one ever reads a partial file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        new = folder / f".{name}.new"
        new.write_bytes(content)
        new.replace(folder / name)


def _remove_matches(folder: Path, kept: set[str]) -> None:
    """Remove all pages of matches but these: they may name people who are forgotten by now."""
    for path in folder.glob("match-*.html"):
        if path.name not in kept:
            path.unlink()


def _remove_others(folder: Path, kept: set[str]) -> None:
    """Remove the pages of seasons that should have none. Other files stay."""
    for path in folder.glob("*"):
        if path.is_dir() and path.name.isdecimal() and path.name not in kept:
            shutil.rmtree(path)
