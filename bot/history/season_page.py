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
from league.finals import stage_tables
from league.results import Player, player_name
from league.season import Pod, Season
from league.standings import Standings
from league.statistics.seen import Seen
from league.wall_clock import local

TEMPLATES: Final = Path(__file__).with_name("templates")


def _points(hundredths: int) -> str:
    return decimal(hundredths / 100, sign=True)


def _environment() -> Environment:
    """Everything is escaped, and a name that nothing defines is an error."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(points=_points)  # pyright: ignore[reportUnknownMemberType] -- Jinja leaves it open
    return environment


ENVIRONMENT: Final = _environment()


@dataclass(frozen=True, slots=True)
class Match:
    """One pod of a round."""

    pod: Pod
    lines: Sequence[tuple[Player, Line | None]]
    """Its players with what the round gave them, best first; None as long as nothing is known."""

    @property
    def deals(self) -> Sequence[tuple[int, bool, Sequence[int]]]:
        """Of each deal the number, whether it counts, and the points of those who played, by seat."""
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
    """How many players are in these finals; 0 in an ordinary round."""
    matches: Sequence[Match]


def season_page(
    season: Season,
    tables: Sequence[Standings],
    names: Mapping[Player, str],
    seen: Mapping[Player, Seen],
    now: int,
    texts: Texts,
    match_pages: Collection[PodId] = (),
) -> str:
    """The page: the tables as they stand, then every round with its pods. `now` in milliseconds of UTC.

    `match_pages`: the pods whose matches have a page beside it (`bot.history.match_page`).
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
        rounds=list(_rounds(season)),
        signed_up=_signed_up(season),
        name=partial(player_name, names=names),
        texts=texts,
    )


def _signed_up(season: Season) -> list[Player]:
    """Who wants to play, in the order of sign-up; nobody once the season has begun."""
    if season.rounds:
        return []
    members = sorted(season.members.values(), key=lambda member: (member.signed_up, member.player))
    return [member.player for member in members if member.status != "removed"]


def _rounds(season: Season) -> Iterator[Round]:
    """Every round that has pods, the latest first."""
    pods = sorted(season.pods.values(), key=lambda pod: pod.id)
    stages = {pod.round: pod.stage for pod in pods}
    for number in sorted(stages, reverse=True):
        lines = book(season, stage=stages[number] or None).lines
        results = [Match(pod, _pod_results(pod, lines)) for pod in pods if pod.round == number]
        yield Round(number, stages[number], results)


def _pod_results(pod: Pod, lines: Mapping[Player, Sequence[Line]]) -> list[tuple[Player, Line | None]]:
    results = [
        (player, next((line for line in lines.get(player, ()) if line.round == pod.round), None))
        for player in pod.players
    ]
    return sorted(results, key=lambda result: -result[1].points if result[1] else 0)
