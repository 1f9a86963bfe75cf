"""A match of a season as a page for the web: each deal with its moves, as those who watched saw them, and its points.

What the page looks like is in `templates/match_page.html`. Reading and folding a match takes a while, so it is for a process of
the `WorkPool`.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from discord.utils import remove_markdown

from bot.history.replay_words import step_words
from bot.history.season_page import ENVIRONMENT
from bot.words.names import seat_name
from bot.words.texts import Texts, catalogue, speaking
from data.database import Place
from data.ids import SeasonId
from data.reader import asked
from data.transaction import ReadTransaction
from data.values import ResultRow
from league.events import PodId
from league.ids import TableId
from league.season import Pod, Season
from marriage.events import Event
from marriage.review.steps import step_by_step
from marriage.sheet import Status


def page_name(pod: PodId) -> str:
    """The name of the file."""
    return f"match-{pod}.html"


def has_page(season: Season, pod: Pod) -> bool:
    """Whether a match has a page: it was drawn, and played at the bot's tables."""
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
) -> Generator[None, None, Mapping[str, bytes]]:
    """The pages of these matches by file name. Deals whose boards others still play are left out."""
    question = partial(_matches, season_id=season_id, pods=pods, language=language)
    season, matches = yield from asked(place, question)
    say, found = catalogue(language).without_emojis(), dict[str, bytes]()
    for pod, deals in matches.items():
        found[page_name(pod)] = match_page(season, pod, [_shown(*deal, say) for deal in deals], say).encode()
        yield
    return found


def match_page(season: Season, pod: PodId, deals: Sequence[ShownDeal], texts: Texts) -> str:
    """The page of one match."""
    return ENVIRONMENT.get_template("match_page.html").render(
        season=season, pod=pod, deals=deals, texts=texts
    )


_Deal = tuple[Sequence[ResultRow], Sequence[str], Sequence[Event]]


async def _matches(
    db: ReadTransaction, season_id: SeasonId, pods: Sequence[PodId], language: str
) -> tuple[Season, dict[PodId, list[_Deal]]]:
    """The season, and the finished deals of these matches."""
    season = (await db.seasons.projection(season_id)).season
    with speaking(language):  # set it within a task of its own, because other work runs between two steps
        return season, {pod: await _deals(db, season.pods[pod]) for pod in pods}


async def _deals(db: ReadTransaction, pod: Pod) -> list[_Deal]:
    """The results, names and events of each deal."""
    found: list[_Deal] = []
    for table in dict.fromkeys(one.table for one in (pod.before, pod) if one and one.table is not None):
        results = await db.deals.results(TableId(table))
        for number in sorted({row.deal_no for row in results}):
            deal = await db.deals.get(TableId(table), number)
            if deal is None or await db.boards.is_sealed(deal):
                continue
            lines = [row for row in results if row.deal_no == number and row.status is not Status.PAUSE]
            names = [seat_name(row.person_id, row.name) for row in lines]
            found.append((lines, names, await db.deals.events(TableId(table), number)))
    return found


def _shown(
    lines: Sequence[ResultRow], names: Sequence[str], events: Sequence[Event], texts: Texts
) -> ShownDeal:
    """Return what the page shows of a deal: only what spectators saw."""
    moments = (step.seen_by(None) for step in step_by_step(events))
    moves = (remove_markdown(step_words(moment, names, texts)) for moment in moments)
    return ShownDeal(lines[0].table_id, lines[0].deal_no, lines, names, [move for move in moves if move])
