"""Public pages of seasons: static files in a folder, which any web server can serve.

A season has pages only if its staff want them (`public_page`). They are rewritten shortly after a change: a
result, a ruling, an agreed time, the name of a player.
"""

import asyncio
import shutil
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import structlog
from icalendar import Calendar, Event

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.history.exports import stored_season_files
from bot.history.season_page import ENVIRONMENT, has_page, page_name, stored_match_pages
from bot.league.agenda import draw_at
from bot.league.meetings import is_agreed
from bot.league.season import SeasonView, view_season
from bot.words.texts import Texts, catalogue
from bot.workpool.pool import WorkKind, WorkPool
from data.errors import EventsDamaged
from data.ids import SeasonId
from data.store import Store
from data.transaction import ReadTransaction
from league.events import PodId
from league.ids import TableId
from league.season import Pod
from league.times import HOUR, utc

_MATCH: Final = 2 * HOUR
"""How much time a calendar reserves for a match, in milliseconds."""

log = structlog.get_logger(__name__)


def calendar_file(view: SeasonView, texts: Texts) -> bytes:
    """Return a calendar of every draw, the ends of the last round and the finals, and the agreed matches."""
    calendar = Calendar.new(
        prodid="-//Tiplu//leagues//EN",
        name=view.plain_title,
        last_modified=utc(view.now),
        uid=f"season-{view.row.id}@tiplu",
        subcomponents=[*_draws(view, texts), *_matches(view, texts)],
    )
    return calendar.to_ical()


def _draws(view: SeasonView, texts: Texts) -> Iterator[Event]:
    row, season = view.row, view.season
    if season.paused_at is not None:
        return
    rounds = season.settings.rounds
    numbers = range(1, rounds + 1) if season.settings.format.has_draw else ()
    for number in numbers:
        said = texts("page.calendar_draw", league=view.plain_title, round=number)
        yield _event(view, f"draw-{number}", draw_at(row, season, number), said)
    said = texts("page.calendar_end", league=view.plain_title)
    yield _event(view, "end", draw_at(row, season, rounds + 1), said)
    for stage, due in {drawn.stage: drawn.due for drawn in season.rounds.values() if drawn.stage}.items():
        said = texts("page.calendar_stage", league=view.plain_title, players=stage)
        yield _event(view, f"final-{stage}", due, said)


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
        self._written: dict[SeasonId, Hashable] = {}
        """What the pages of each season were made from."""
        self._matches: dict[SeasonId, dict[PodId, Hashable]] = {}
        """The same for the page of each match."""
        self._private: dict[SeasonId, int] = {}
        """Seasons without pages, with the number of the last event that was checked."""

    async def keep_up(self) -> float:
        """Write what has changed; of several processes only one does. Returns how long to rest, in seconds."""
        if self._shards.owns(None):
            await self.publish()
        return EVERY_S

    async def publish(self) -> list[SeasonId]:
        """Write the pages of the seasons that have changed; returns which. Pages of others are removed.

        The pages of a damaged season stay as they are.
        """
        views, damaged = await self._public()
        changed, public = list[SeasonView](), {view.row.id for view in views}
        self._matches = {season: made for season, made in self._matches.items() if season in public}
        for view in views:
            matches = await self._publish_matches(view)
            made_from = (_made_from(view), matches)
            if self._written.get(view.row.id) != made_from:
                files = await self._files(view, matches)
                await asyncio.to_thread(_write, self._folder / str(view.row.id), files)
                self._written[view.row.id] = made_from
                changed.append(view)
        gone = await asyncio.to_thread(_remove_others, self._folder, set(map(str, public | damaged)))
        if changed or gone:
            await asyncio.to_thread(_write, self._folder, {PAGE: _index(views)})
        return [view.row.id for view in changed]

    async def _public(self) -> tuple[list[SeasonView], set[SeasonId]]:
        """Return the seasons that have pages, the newest first, and the damaged ones, which may have some."""
        now, found, damaged = self._clock.now(), list[SeasonView](), set[SeasonId]()

        async def find_public_seasons(db: ReadTransaction) -> None:
            for season_id, last in (await db.seasons.latest_events()).items():
                if self._private.get(season_id) == last:
                    continue
                try:
                    if (await db.seasons.projection(season_id)).season.settings.public_page:
                        found.append(await view_season(db, season_id, now))
                    else:
                        self._private[season_id] = last
                except EventsDamaged:
                    log.exception("pages.season_stopped", season=season_id)
                    damaged.add(season_id)

        await self._store.read(find_public_seasons)
        return found[::-1], damaged

    async def _publish_matches(self, view: SeasonView) -> frozenset[PodId]:
        """Write the pages of some changed matches, and remove those of matches that no longer count.

        Returns the pods that now have a page.
        """
        pods = [pod for pod in view.season.pods.values() if has_page(view.season, pod)]
        former = await self._former_names(pods)
        wanted = {
            pod.id: (
                pod.table,
                pod.result,
                pod.boards,
                tuple(map(view.plain_name, pod.players)),
                former.get(pod.id),
            )
            for pod in pods
        }
        is_first = view.row.id not in self._matches
        written = self._matches.setdefault(view.row.id, {})
        stale = sorted(pod for pod, made_from in wanted.items() if written.get(pod) != made_from)[
            :MOST_MATCHES
        ]
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
        return frozenset(wanted.keys() & written.keys())

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


def _made_from(view: SeasonView) -> Hashable:
    """Return everything that the pages of a season show."""
    names = tuple(sorted((player, view.plain_name(player)) for player in view.people))
    times = tuple(
        (time.pod, time.proposal.at)
        for time in sorted(view.times.values(), key=lambda time: time.pod)
        if is_agreed(view.season, view.season.pods[time.pod], time, view.now)
    )
    teams = tuple(team.name for team in view.season.teams.values())
    return view.told.last, view.row.starts_at, view.row.closed_at, names, times, teams


def _index(views: list[SeasonView]) -> bytes:
    seasons = [(view.row.id, view.plain_title, view.row.closed_at is None) for view in views]
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


def _remove_others(folder: Path, kept: set[str]) -> bool:
    """Remove the pages of seasons that should have none; returns whether there were any. Other files stay."""
    others = [
        path for path in folder.glob("*") if path.is_dir() and path.name.isdecimal() and path.name not in kept
    ]
    for path in others:
        shutil.rmtree(path)
    return bool(others)
