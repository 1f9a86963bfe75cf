"""Exports for the staff of a server or a league: deals, results and standings for other programs.

They take a second or two, so run the functions that read the file in a process of the `WorkPool`.
"""

import json
from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from bot.history.season_page import PlayedAt, season_page
from bot.words.texts import Texts, catalogue
from data.ids import SeasonId
from data.privacy.ledger import ErasureRequest
from data.store import Place, asked
from data.transaction import ReadTransaction
from league.book import book
from league.events import MatchFinished, MatchStarted, PodId
from league.export import deals_sheet, files_of, results_sheet, season_deals_sheet, standings_sheet
from league.finals import final_standings
from league.ids import GuildId, PersonId, TableId
from league.results import Player
from league.season import Season
from league.statistics.stats import DealFacts, Seen


async def seen_shares(db: ReadTransaction, season_id: SeasonId, season: Season) -> Mapping[Player, Seen]:
    """Return the shares by player, over all deals finished at the season's tables; home games are not included."""
    tables = {TableId(pod.table) for pod in season.pods.values() if pod.table is not None}
    seen = await db.stats.seen_in(season_id, tables)
    persons = await db.seasons.persons_of(season.members)
    return {player: seen[person] for player, person in persons.items() if person in seen}


MOST_DEALS = 5_000
"""The most deals of a server in one export, the latest ones: more would not fit into a message."""

Files = Mapping[str, bytes]
"""File contents by file name."""


@dataclass(frozen=True, slots=True)
class DealFiles:
    """The deals of a server."""

    deals: int
    files: Files


def deal_files(place: Place, guild_id: GuildId, since: int) -> Generator[None, None, DealFiles]:
    """Return a server's latest finished deals since that time, in order, without those of private tables."""
    deals = yield from asked(place, partial(_deals, guild_id=guild_id, since=since))
    sheet = deals_sheet(deals)
    yield
    return DealFiles(len(deals), files_of([sheet]))


async def _deals(db: ReadTransaction, guild_id: GuildId, since: int) -> list[DealFacts]:
    return [deal async for deal in db.stats.deals_of_guild(guild_id, since, MOST_DEALS)]


MOST_PLAIN: Final = 4 * 2**20
"""The size, in bytes, up to which a person's export is sent as it is. A longer one is packed, because a message can carry about 10 MB."""


def personal_files(
    place: Place, person_id: PersonId, requests: Sequence[ErasureRequest]
) -> Generator[None, None, Files]:
    """Export everything stored about a person as JSON, in a ZIP archive if it is long; no file if nothing is stored.

    `requests` are their own to be forgotten, which are stored outside the database.
    """
    everything = yield from asked(place, partial(_everything, person_id=person_id))
    if requests:
        everything["forgotten"] = [{"at": line.at, "mark": line.mark} for line in requests]
    if not everything:
        return {}
    content = json.dumps(everything, ensure_ascii=False, indent=1).encode()
    if len(content) <= MOST_PLAIN:
        return {"tiplu.json": content}
    yield
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        archive.writestr("tiplu.json", content)
    return {"tiplu.zip": packed.getvalue()}


async def _everything(db: ReadTransaction, person_id: PersonId) -> dict[str, list[dict[str, Any]]]:
    found = await db.privacy.everything_of(person_id)
    limits = await db.limits.all_limits(person_id)
    return found | {"person_limit": limits} if limits else found


def stored_season_files(
    place: Place,
    season_id: SeasonId,
    names: Mapping[Player, str],
    now: int,
    language: str,
    match_pages: Collection[PodId] = (),
) -> Generator[None, None, Files]:
    """Return the export of a season from the store. `now` is in milliseconds of UTC."""
    season, seen, played_at = yield from asked(place, partial(_season, season_id=season_id))
    return season_files(season, names, seen, now, catalogue(language), match_pages, played_at)


async def _season(db: ReadTransaction, season_id: SeasonId) -> tuple[Season, Mapping[Player, Seen], PlayedAt]:
    season = (await db.seasons.projection(season_id)).season
    begun: dict[PodId, int] = {}
    played_at: dict[PodId, tuple[int, int]] = {}
    for row in await db.seasons.events(season_id):
        match row.body:
            case MatchStarted(pod=pod):
                begun[pod] = row.at
            case MatchFinished(pod=pod) if pod in begun:
                played_at[pod] = begun[pod], row.at
            case _:
                pass
    return season, await seen_shares(db, season_id, season), played_at


def season_files(
    season: Season,
    names: Mapping[Player, str],
    seen: Mapping[Player, Seen],
    now: int,
    texts: Texts,
    match_pages: Collection[PodId] = (),
    played_at: PlayedAt | None = None,
) -> Files:
    """Return the export of a season. `now` is in milliseconds of UTC."""
    divisions = sorted({member.division for member in season.members.values() if member.division}) or [0]
    written = book(season)
    tables = [final_standings(season, number, written=written) for number in divisions]
    sheets = [
        results_sheet(season, names),
        standings_sheet(tables, names, seen),
        season_deals_sheet(season, names),
    ]
    return files_of(sheets) | {
        "season.html": season_page(season, tables, names, seen, now, texts, match_pages, played_at).encode()
    }
