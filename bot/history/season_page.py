"""A season as one page of HTML that needs nothing else: no script, no other file, and it works on a phone.

What the page looks like is in `templates/season.html` and `templates/season.css`; this module prepares what it shows.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot.words.refusals import decimal
from bot.words.texts import Texts
from league.book import Line, book
from league.events import PodId
from league.finals import champion, stage_tables
from league.results import Player, player_name
from league.season import Pod, Season
from league.standings import Standings
from league.statistics.seen import Seen
from league.statistics.team_standings import team_standings
from league.wall_clock import local

TEMPLATES: Final = Path(__file__).with_name("templates")


def _points(hundredths: int) -> str:
    return decimal(hundredths / 100, sign=True)


def _exact(hundredths: int) -> str:
    """Format with all digits, so that the parts add up to the whole."""
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
class Match:
    """One pod of a round."""

    pod: Pod
    lines: Sequence[tuple[Player, Line | None]]
    """The players with their results of the round, best first; None while the result is unknown."""
    begun: str = ""
    ended: str = ""
    """The date of the round, in the league's time zone; empty if unknown."""

    @property
    def deals(self) -> Sequence[tuple[int, bool, Sequence[int]]]:
        """Return, for each deal, its number, whether it counts, and the points of the players by seat."""
        if self.pod.result is None:
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
    matches: Sequence[Match]
    absent: Sequence[tuple[Player, Line]] = ()
    """Who missed the round, with what that gave them."""


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

    `now` is in milliseconds of UTC. `match_pages` are the pods whose matches have a page next to it
    (`bot.history.match_page`).
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
    """Every round that has pods, the latest first."""
    pods = sorted(season.pods.values(), key=lambda pod: pod.id)
    stages = {pod.round: pod.stage for pod in pods}
    for number in sorted(stages, reverse=True):
        lines = book(season, stage=stages[number] or None).lines
        results = [
            Match(pod, _pod_results(pod, lines), *_times(season, played_at.get(pod.id)))
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
    """The beginning and the end of a match by the league's clocks."""
    if played is None:
        return "", ""
    begun, ended = (local(at, season.settings.timezone) for at in played)
    same_day = begun.date() == ended.date()
    return f"{begun:%Y-%m-%d %H:%M}", f"{ended:%H:%M}" if same_day else f"{ended:%Y-%m-%d %H:%M}"


def _pod_results(pod: Pod, lines: Mapping[Player, Sequence[Line]]) -> list[tuple[Player, Line | None]]:
    results = [
        (player, next((line for line in lines.get(player, ()) if line.round == pod.round), None))
        for player in pod.players
    ]
    return sorted(results, key=lambda result: -result[1].points if result[1] else 0)
