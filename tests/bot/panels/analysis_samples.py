"""Typical and extreme analyses: without a decision, with the most of everything, and page by page."""

from collections.abc import Iterator
from dataclasses import replace

from bot.history.replays import PARTS, Analysed
from bot.panels.history.analysis import (
    analysis_panel,
    decisions_panel,
    lost_throw_panel,
    no_throw_panel,
    progress_panel,
)
from bot.ui.panel import Panel
from bot.words.texts import texts
from league.ids import TableId
from marriage.actions import DeclineTunnelas, Discard, ExposeTunnelas, Finish, Show
from marriage.analysis.deal_analysis import Analysis, Decision
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict
from marriage.cards import CARDS, parse_cards
from render.samples import analyses
from tests.bot.panels.worlds import World

SETS = tuple(parse_cards(sets) for sets in ("3S 4S 5S", "6H 6H 6H", "QS KS AS"))


def dear(step: int, chosen: Option, best: Option) -> Decision:
    return Decision(step, chosen, best, (), 123.456, Verdict.BLUNDER, 0.0, rollouts=40)


def longest(last_step: int) -> Analysis:
    """Return a deal of sixty decisions, with mistakes of every kind."""
    long = tuple(replace(each, step=each.step % last_step) for each in analyses()["full"].decisions * 5)
    wrong = (
        dear(1, Option(DeclineTunnelas(), -9), Option(ExposeTunnelas(CARDS[:3]), 99)),
        dear(2, long[0].chosen, Option(Show(SETS), 99)),
        dear(3, long[0].chosen, Option(Finish(SETS, CARDS[9]), 99)),
    )
    return replace(analyses()["full"], decisions=(*long, *wrong), net=-1234)


def analysed(world: World) -> Iterator[Analysed]:
    assert world.replay is not None
    last = len(world.replay.steps) - 1
    for found in (longest(last), *analyses().values(), replace(analyses()["clean"], decisions=(), draws=())):
        decisions = tuple(replace(each, step=min(each.step, last)) for each in found.decisions)
        for by_computer in (False, True):
            yield Analysed(world.replay, replace(found, seat=0, decisions=decisions), by_computer)


def of_analyses(world: World) -> Iterator[Panel]:
    return (analysis_panel(each, None, texts()) for each in analysed(world))


def of_decisions(world: World) -> Iterator[Panel]:
    return (decisions_panel(each, page, texts()) for each in analysed(world) for page in (0, 1, 999))


def of_progress(_: World) -> Iterator[Panel]:
    return (progress_panel(TableId(2**31), 2**31, done, texts()) for done in range(PARTS))


def of_lost_throws(world: World) -> Iterator[Panel]:
    """Yield lost discards with the most cards, before and after an answer, with and without a picture."""
    _, like = world.hands[0]
    throws = tuple(Option(Discard(card), 1.0, 2, 9) for card in CARDS[:5])
    for best, answer in ((throws[1], None), (throws[1], CARDS[0]), (throws[1], CARDS[1])):
        throw = Decision(1, throws[0], best, throws[2:], 123.456, Verdict.BLUNDER, 0.0)
        for each in analysed(world):
            for hand in (like, replace(like, pictures=())):
                yield lost_throw_panel(each, throw, hand, texts(), answer)


def of_no_throw(world: World) -> Iterator[Panel]:
    return (no_throw_panel(each, texts()) for each in analysed(world))


ANALYSIS_CASES = {
    "history.analysis.lost_throw_panel": of_lost_throws,
    "history.analysis.no_throw_panel": of_no_throw,
    "history.analysis.analysis_panel": of_analyses,
    "history.analysis.decisions_panel": of_decisions,
    "history.analysis.progress_panel": of_progress,
}
