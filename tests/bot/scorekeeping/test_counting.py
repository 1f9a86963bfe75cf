"""Counting the deals of a home game takes a while when many cards were typed: nobody else waits for it."""

import asyncio
import threading
from contextlib import contextmanager

import pytest

from bot.errors import StaleRevisionError
from bot.people import NamedPerson
from bot.scorekeeping.score_text import Typed
from bot.scorekeeping.scorekeeper import Keeper, Scorekeeper
from data.ids import ScoreSessionId
from data.store import Store
from league.ids import GuildId
from marriage.rules import PRESETS
from marriage.scoring import home_game
from tests.bot.conftest import CHANNEL, GUILD, RAM, SITA, SetClock
from tests.waiting import until

KEEPER = Keeper(NamedPerson(RAM, "Ram"), staff=False)
OTHER = Keeper(NamedPerson(SITA, "Sita"), staff=False)


@pytest.fixture
def scores(store: Store, clock: SetClock) -> Scorekeeper:
    return Scorekeeper(store, clock)


@pytest.fixture
async def session_id(scores: Scorekeeper) -> ScoreSessionId:
    names = ("Ram", "Sita")
    return await scores.open(GUILD, CHANNEL, [KEEPER.person, OTHER.person], names, PRESETS["pagat"])


@pytest.fixture
def counted(monkeypatch) -> list[home_game.HomeDeal]:
    """The deals that are counted, in order."""
    counted: list[home_game.HomeDeal] = []
    score = home_game.score

    def noting(deal, *rest):
        counted.append(deal)
        return score(deal, *rest)

    monkeypatch.setattr(home_game, "score", noting)
    return counted


@contextmanager
def held_up(monkeypatch):
    """Let every check of a deal wait until the block is left; yields the sign that one has begun."""
    begun, may_go_on, check = threading.Event(), threading.Event(), home_game.check

    def waiting(*args):
        begun.set()
        assert may_go_on.wait(10)
        check(*args)

    monkeypatch.setattr(home_game, "check", waiting)
    try:
        yield begun
    finally:
        may_go_on.set()


def deal(points: int) -> Typed:
    return Typed(winner="0", seen=("0",), maal=f"Ram: {points}")


@pytest.mark.threads
async def test_while_a_deal_is_counted_others_write(scores, session_id, store, monkeypatch):
    with held_up(monkeypatch) as begun:
        entering = asyncio.create_task(scores.enter(session_id, GUILD, KEEPER, 0, deal(191)))
        await until(begun.is_set)
        await asyncio.wait_for(store.write(lambda db: db.guilds.keep(GuildId(1_234))), 10)
    await entering
    assert (await scores.evening(session_id, GUILD)).totals == (191 + 10, -191 - 10)


@pytest.mark.threads
async def test_what_changed_while_a_deal_was_counted_makes_it_stale_and_keeps_its_text(
    scores, session_id, monkeypatch
):
    with held_up(monkeypatch) as begun:
        entering = asyncio.create_task(scores.enter(session_id, GUILD, KEEPER, 0, deal(192)))
        await until(begun.is_set)
        await scores.change(session_id, GUILD, OTHER, 0, {"names": ("Ram", "Sita", "Gita")})
    with pytest.raises(StaleRevisionError):
        await entering
    evening = await scores.evening(session_id, GUILD)
    assert evening.entries == ()
    assert evening.draft() == deal(192)


async def test_each_deal_is_counted_once_however_often_it_is_looked_at(scores, session_id, counted):
    for number, points in enumerate((193, 194, 195)):
        await scores.enter(session_id, GUILD, KEEPER, number, deal(points))
        await scores.evening(session_id, GUILD)
        await scores.evening(session_id, GUILD)
    assert [entry.seats[0].points for entry in counted] == [193, 194, 195]


async def test_after_a_correction_only_what_it_changes_is_counted_again(scores, session_id, counted):
    for number, points in enumerate((196, 197, 198)):
        await scores.enter(session_id, GUILD, KEEPER, number, deal(points))
    counted.clear()
    corrected = Typed(winner="0", seen=("0",), maal="Ram: 199", corrects=2)
    await scores.enter(session_id, GUILD, KEEPER, 3, corrected)
    assert [entry.seats[0].points for entry in counted] == [199]
    assert (await scores.evening(session_id, GUILD)).totals[0] == 196 + 199 + 198 + 3 * 10
