"""A season, and each of its matches, as a self-contained HTML page without scripts that works on a phone.

The templates in `templates/` define the look; this module prepares the content.
"""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from discord.utils import remove_markdown
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot.history.replays import step_words
from bot.words.names import seat_name
from bot.words.texts import Texts, catalogue
from data.errors import EventsDamaged
from data.ids import SeasonId
from data.store import Place, asked
from data.transaction import ReadTransaction
from data.values import ResultRow
from league.book import BookLine, book
from league.events import PodId
from league.finals import champion, stage_tables
from league.ids import TableId
from league.results import Player, player_name
from league.season import Pod, Season
from league.standings import Standings
from league.statistics.stats import Seen
from league.statistics.team_standings import team_standings
from league.times import local
from marriage.events import Event
from marriage.review import step_by_step
from marriage.sheet import Status
from render.words import decimal, speaking


def page_name(pod: PodId) -> str:
    """Return the name of the file."""
    return f"match-{pod}.html"


def has_page(season: Season, pod: Pod) -> bool:
    """Return whether a match has a page: it was drawn, and played at the bot's tables."""
    return season.settings.format.has_draw and pod.result is not None and pod.table is not None


@dataclass(frozen=True, slots=True)
class ShownDeal:
    """One deal of the page."""

    table: TableId
    number: int
    lines: Sequence[ResultRow]
    """The results by seat."""
    names: Sequence[str]
    """The names by seat, as plain text."""
    moves: Sequence[str]


def stored_match_pages(
    place: Place, season_id: SeasonId, pods: Sequence[PodId], language: str
) -> Generator[None, None, tuple[Mapping[str, bytes], Sequence[EventsDamaged]]]:
    """Return the pages of these matches by file name, without deals whose boards others still play.

    Damaged deals are also left out, and are returned as errors for the log.
    """
    damaged = list[EventsDamaged]()
    question = partial(_matches, season_id=season_id, pods=pods, language=language, damaged=damaged)
    season, matches = yield from asked(place, question)
    say, found = catalogue(language).without_emojis(), dict[str, bytes]()
    for pod, deals in matches.items():
        found[page_name(pod)] = match_page(season, pod, [_shown(*deal, say) for deal in deals], say).encode()
        yield
    return found, damaged


def match_page(season: Season, pod: PodId, deals: Sequence[ShownDeal], texts: Texts) -> str:
    """Return the page of one match."""
    return ENVIRONMENT.get_template("match_page.html").render(
        season=season, pod=pod, deals=deals, texts=texts
    )


_Deal = tuple[Sequence[ResultRow], Sequence[str], Sequence[Event]]


async def _matches(
    db: ReadTransaction,
    season_id: SeasonId,
    pods: Sequence[PodId],
    language: str,
    damaged: list[EventsDamaged],
) -> tuple[Season, dict[PodId, list[_Deal]]]:
    """Return the season, and the finished deals of these matches."""
    season = (await db.seasons.projection(season_id)).season
    with speaking(language):  # set here, in a task of its own, because other work runs between two steps
        return season, {pod: await _deals(db, season.pods[pod], damaged) for pod in pods}


async def _deals(db: ReadTransaction, pod: Pod, damaged: list[EventsDamaged]) -> list[_Deal]:
    """Return the results, names and events of each deal. Errors about damaged deals are added to `damaged`."""
    found: list[_Deal] = []
    for table in dict.fromkeys(one.table for one in (pod.before, pod) if one and one.table is not None):
        results = await db.deals.results(TableId(table))
        for number in sorted({row.deal_no for row in results}):
            deal = await db.deals.get(TableId(table), number)
            if deal is None or await db.boards.is_sealed(deal):
                continue
            lines = [row for row in results if row.deal_no == number and row.status is not Status.PAUSE]
            names = [seat_name(row.person_id, row.name) for row in lines]
            try:
                found.append((lines, names, await db.deals.events(TableId(table), number)))
            except EventsDamaged as error:
                damaged.append(error)
    return found


def _shown(
    lines: Sequence[ResultRow], names: Sequence[str], events: Sequence[Event], texts: Texts
) -> ShownDeal:
    """Return what the page shows of a deal: only what spectators saw."""
    moments = (step.seen_by(None) for step in step_by_step(events))
    moves = (remove_markdown(step_words(moment, names, texts)) for moment in moments)
    return ShownDeal(lines[0].table_id, lines[0].deal_no, lines, names, [move for move in moves if move])


TEMPLATES: Final = Path(__file__).with_name("templates")


def _points(hundredths: int) -> str:
    return decimal(hundredths / 100, sign=True)


def _exact(hundredths: int) -> str:
    """Format a number with all digits, so that the parts add up to the whole."""
    return f"{hundredths / 100:+.2f}".replace("-", "−")


def _environment() -> Environment:
    """Make the template environment: everything is escaped, and an undefined name is an error."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(points=_points, exact=_exact)  # pyright: ignore[reportUnknownMemberType] -- Jinja leaves it open
    return environment


ENVIRONMENT: Final = _environment()


@dataclass(frozen=True, slots=True)
class MatchView:
    """One pod of a round."""

    pod: Pod
    lines: Sequence[tuple[Player, BookLine | None]]
    """The players with their results of the round, best first; None while the result is unknown."""
    begun: str = ""
    ended: str = ""
    """The date of the round, in the league's time zone; empty if unknown."""
    is_sealed: bool = False
    """Whether others may still play the same boards."""

    @property
    def deals(self) -> Sequence[tuple[int, bool, Sequence[int]]]:
        """Return, for each deal, its number, whether it counts, and the points of the players by seat.

        There are none while the boards are sealed.
        """
        if self.pod.result is None or self.is_sealed:
            return ()
        return [
            (number + 1, number not in self.pod.void, points)
            for number, points in enumerate(self.pod.result.deals)
        ]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the page."""

    number: int
    stage: int
    """The number of players in these finals; 0 in an ordinary round."""
    matches: Sequence[MatchView]
    absent: Sequence[tuple[Player, BookLine]] = ()
    """The players who missed the round, with what they got for it."""


PlayedAt = Mapping[PodId, tuple[int, int]]
"""The start and end of matches, in milliseconds of UTC."""


def season_page(
    season: Season,
    tables: Sequence[Standings],
    names: Mapping[Player, str],
    seen: Mapping[Player, Seen],
    now: int,
    texts: Texts,
    match_pages: Collection[PodId] = (),
    played_at: PlayedAt | None = None,
) -> str:
    """Build the page: the current tables, every round with its pods, and each player's points.

    `now` is in milliseconds of UTC. `match_pages` are the pods whose matches have their own pages in the same
    folder (`bot.history.season_page`).
    """
    stages = sorted({pod.stage for pod in season.pods.values() if pod.stage})
    return ENVIRONMENT.get_template("season.html").render(
        season=season,
        format=texts(f"page.format_{season.settings.format.name}"),
        players=sum(member.status == "confirmed" for member in season.members.values()),
        at=f"{local(now, season.settings.timezone):%Y-%m-%d %H:%M %Z}",
        tables=tables,
        match_pages=match_pages,
        seen={player: share.percent for player, share in seen.items()},
        stages=[(stage, stage_tables(season, stage)) for stage in stages],
        teams=team_standings(season) if season.settings.team_size else (),
        rounds=list(_rounds(season, played_at or {})),
        pods={
            (pod.round, player): pod.id
            for pod in season.pods.values()
            if not pod.stage
            for player in (*pod.drawn, *pod.players)
        },
        winner=champion(season),
        adjusted=season.settings.format.is_adjusted(season.settings),
        signed_up=_signed_up(season),
        name=partial(player_name, names=names),
        texts=texts,
    )


def _signed_up(season: Season) -> list[Player]:
    """Return the people who signed up, in order; empty once the season has begun."""
    if season.rounds:
        return []
    members = sorted(season.members.values(), key=lambda member: (member.signed_up, member.player))
    return [member.player for member in members if member.status != "removed"]


def _rounds(season: Season, played_at: PlayedAt) -> Iterator[Round]:
    """Yield every round that has pods, the latest first."""
    pods = sorted(season.pods.values(), key=lambda pod: pod.id)
    stages = {pod.round: pod.stage for pod in pods}
    books = {stage: book(season, stage=stage or None) for stage in set(stages.values())}
    for number in sorted(stages, reverse=True):
        lines = books[stages[number]].lines
        sealed = season.has_sealed_boards(number)
        results = [
            MatchView(pod, _pod_results(pod, lines), *_times(season, played_at.get(pod.id)), sealed)
            for pod in pods
            if pod.round == number
        ]
        there = {player for pod in pods if pod.round == number for player in pod.players}
        absent = [
            (player, line)
            for player, written in sorted(lines.items())
            for line in written
            if line.round == number and player not in there
        ]
        yield Round(number, stages[number], results, absent)


def _times(season: Season, played: tuple[int, int] | None) -> tuple[str, str]:
    """Return the start and the end of a match by the league's clocks."""
    if played is None:
        return "", ""
    begun, ended = (local(at, season.settings.timezone) for at in played)
    same_day = begun.date() == ended.date()
    return f"{begun:%Y-%m-%d %H:%M}", f"{ended:%H:%M}" if same_day else f"{ended:%Y-%m-%d %H:%M}"


def _pod_results(
    pod: Pod, lines: Mapping[Player, Sequence[BookLine]]
) -> list[tuple[Player, BookLine | None]]:
    results = [
        (player, next((line for line in lines.get(player, ()) if line.round == pod.round), None))
        for player in pod.players
    ]
    return sorted(results, key=lambda result: -result[1].points if result[1] else 0)
