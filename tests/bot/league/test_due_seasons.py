"""Due work of seasons: a season or a message destination that hangs or fails delays no other."""

import asyncio
from contextlib import asynccontextmanager

import discord
import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.delivery import discord_calls
from bot.delivery.discord_calls import DirectMessages, Posting
from bot.delivery.outbox import Handlers, Outbox
from bot.delivery.season_posts import SeasonPosts
from bot.lanes import backoff_ms
from bot.league.ruling_events import ruled
from bot.league.season import SeasonTransaction
from bot.scheduler import AT_ONCE, Scheduler, SeasonMoments
from data.errors import RevisionConflictError
from data.outbox_keys import SeasonReminderKey
from data.schema.leagues import season_post
from data.season_posts import SignupPost
from data.transaction import ReadTransaction
from tests.bot.league.house import DAY, GUILD, HOUR, NOWHERE, STAFF, LeagueHouse, waiting_posts
from tests.bot.league.test_duplicate_season import drawn, persons
from tests.bot.league.test_unplayed_matches import PEOPLE, begun
from tests.damaging import damage_deals
from tests.waiting import until


@asynccontextmanager
async def running(worker):
    """The running worker."""
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()


class Rounds:
    """A stand-in for the work of seasons: some of it hangs, some fails, and the rest succeeds."""

    def __init__(self, house: LeagueHouse) -> None:
        self.house = house
        self.hanging: set[int] = set()
        self.failing: dict[int, Exception] = {}
        self.seen: list[int] = []

    async def catch_up(self, season: int) -> None:
        self.seen.append(season)
        if season in self.hanging:
            await asyncio.Event().wait()
        if season in self.failing:
            raise self.failing[season]

        async def change(season_tx: SeasonTransaction) -> None:
            await season_tx.change(due_at=None)

        await self.house.leagues.write(season, change)


def scheduler_of(house: LeagueHouse, rounds: Rounds) -> Scheduler:
    """A scheduler of the seasons."""
    scheduler = Scheduler(house.clock)
    scheduler.add("season", SeasonMoments(house.store, rounds.catch_up))
    return scheduler


def season_outbox(house: LeagueHouse) -> Outbox:
    """An outbox that sends the posts of seasons."""
    handlers = Handlers()
    direct = DirectMessages(NOWHERE, house.store)
    SeasonPosts(NOWHERE, house.store, house.clock, Posting(NOWHERE, house.clock), direct).register(handlers)
    return Outbox(house.store, house.clock, handlers, 0)


async def due_at(house: LeagueHouse, season: int) -> int | None:
    row = await house.store.read(lambda db: db.seasons.get(season))
    assert row is not None
    return row.due_at


async def several(house: LeagueHouse, count: int) -> list[int]:
    """Several seasons with work due now."""
    seasons = [await house.open(name=f"League {number}") for number in range(count)]
    for season in seasons:

        async def change(season_tx: SeasonTransaction) -> None:
            await season_tx.change(due_at=season_tx.now)

        await house.leagues.write(season, change)
    return seasons


async def test_seasons_that_hang_hold_up_no_other(house: LeagueHouse):
    *hanging, good = await several(house, AT_ONCE + 2)
    rounds = Rounds(house)
    rounds.hanging = set(hanging)
    scheduler = scheduler_of(house, rounds)
    async with running(scheduler):

        async def is_done() -> bool:
            return await due_at(house, good) is None

        await until(is_done, timeout=30)
        assert sorted(rounds.seen) == sorted([*hanging, good])


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (ZeroDivisionError("of the test"), ("job.failed", "error")),
        (RevisionConflictError("of the test"), ("job.changed_elsewhere", "warning")),
    ],
)
async def test_a_season_that_fails_again_and_again_waits_longer_each_time(
    house: LeagueHouse, fault: Exception, told: tuple[str, str]
):
    bad, good = await several(house, 2)
    rounds = Rounds(house)
    rounds.failing = {bad: fault}
    scheduler = scheduler_of(house, rounds)
    with capture_logs() as logs:
        await _puts_off(house, scheduler, bad)
    assert {(log["event"], log["log_level"]) for log in logs} == {told}
    assert rounds.seen.count(good) == 1


async def _puts_off(house: LeagueHouse, scheduler: Scheduler, bad: int) -> None:
    async with running(scheduler):
        for tries in range(3):

            async def is_put_off(tries: int = tries) -> bool:
                return await due_at(house, bad) == house.clock.at + backoff_ms(tries)

            await until(is_put_off)
            house.clock.at += backoff_ms(tries)
            scheduler.wake()


async def test_a_channel_that_hangs_holds_up_no_other_season(house: LeagueHouse, monkeypatch):
    first, second = await several(house, 2)

    async def change(season_tx: SeasonTransaction) -> None:
        await season_tx.change(channel_id=7)

    await house.leagues.write(second, change)
    sent: list[int] = []

    async def send(_client, channel_id, *_, **_named) -> discord_calls.Posted:
        if channel_id != 7:
            await asyncio.Event().wait()
        sent.append(channel_id)
        return discord_calls.Posted(1_000 + len(sent), ())

    monkeypatch.setattr(discord_calls, "send", send)
    posts = season_outbox(house)
    async with running(posts):

        async def only_the_first_waits() -> bool:
            async def read(db: ReadTransaction) -> bool:
                return {row.key.season for row in await waiting_posts(db, house.clock.at)} == {first}

            return await house.store.read(read)

        await until(only_the_first_waits)
    assert sent == [7]


async def test_where_a_direct_message_is_gets_stored_nowhere(house: LeagueHouse, monkeypatch):
    """It is never edited, and its channel would identify its reader once they are forgotten."""
    season, _ = await begun(house)
    await house.pause(season, "a festival")
    for person in PEOPLE:
        await house.store.write(lambda db, person=person: db.people.set_direct_channel(person, 500 + person))
    sent: list[int] = []

    async def send(_client, channel_id, *_, **_named) -> discord_calls.Posted:
        sent.append(channel_id)
        return discord_calls.Posted(1_000 + len(sent), ())

    monkeypatch.setattr(discord_calls, "send", send)
    async with running(season_outbox(house)):

        async def all_sent() -> bool:
            async def read(db: ReadTransaction) -> bool:
                rows = await waiting_posts(db, house.clock.at)
                return not any(isinstance(row.key, SeasonReminderKey) for row in rows)

            return await house.store.read(read)

        await until(all_sent)
    assert {500 + person for person in PEOPLE} <= set(sent)

    async def places(db: ReadTransaction):
        sent = season_post.c.player.is_not(None), season_post.c.shown > 0
        rows = await db.seasons._execute(
            select(season_post.c.channel_id, season_post.c.message_id).where(*sent)
        )
        return {tuple(row) for row in rows.all()}

    assert await house.store.read(places) == {(None, None)}


async def test_a_post_that_discord_refuses_for_good_is_given_up_and_logged_once(
    house: LeagueHouse, monkeypatch
):
    season = await house.open()
    tries: list[str] = []

    class Refused(discord.HTTPException):
        def __init__(self) -> None:
            self.status, self.code, self.text = 400, 50035, "Invalid Form Body"

    async def send(*_args, **_named) -> discord_calls.Posted:
        tries.append("sent")
        raise Refused

    monkeypatch.setattr(discord_calls, "send", send)
    posts = season_outbox(house)
    with capture_logs() as logs:
        async with running(posts):

            async def is_given_up() -> bool:
                return await house.store.read(lambda db: db.outbox.next_at()) is None

            await until(is_given_up)
    assert tries == ["sent"]
    (line,) = logs
    assert (line["event"], line["code"], "exc_info" in line) == ("outbox.refused", 50035, False)

    async def change(season_tx: SeasonTransaction) -> None:
        await season_tx.request_post(SignupPost())

    await house.leagues.write(season, change)
    assert await house.store.read(lambda db: db.outbox.next_at()) is not None


async def test_a_damaged_table_stops_no_other_match_of_its_round(house: LeagueHouse):
    people = range(11, 19)
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *people)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    damaged, other = seen.pods_of(1)
    table, there = seen.tables[damaged.id].id, [seen.people[player].id for player in damaged.players]
    await house.sit_down(table, there)
    await house.get_ready(table, there)
    await damage_deals(house.store, table)
    house.tables.forget([table])
    await house.until(season, seen.season.rounds[1].due + DAY)
    pods = (await house.view(season)).season.pods
    assert [pods[pod.id].over for pod in (damaged, other)] == [False, True]
    await house.rule(season, "the table is damaged", lambda told, _, __: ruled(told, damaged.id, ()))
    assert (await house.view(season)).season.pods[damaged.id].over


async def test_a_damaged_table_that_the_staff_close_opens_its_boards_and_counts_as_ended_by_them(
    house: LeagueHouse,
):
    season, (damaged, *others) = await drawn(house)
    there = await persons(house, season, damaged)
    await house.sit_down(damaged, there)
    await house.get_ready(damaged, there)
    await damage_deals(house.store, damaged)
    house.tables.forget([damaged])
    for table in others:
        await house.play_table(table, await persons(house, season, table))
    await house.endings.by_staff(damaged, GUILD, STAFF, "it is damaged", next(house.ids))
    boards = await house.store.read(lambda db: db.boards.get_set(1))
    assert boards is not None
    assert boards.released_at is not None
    await house.rounds.catch_up(season)
    assert all(pod.over for pod in (await house.view(season)).pods_of(1))


async def test_the_players_of_a_damaged_table_can_sit_down_in_the_next_round(house: LeagueHouse):
    people = [11, 12, 13, 14]
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *people)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    [pod] = seen.pods_of(1)
    table = seen.tables[pod.id].id
    await house.sit_down(table, people)
    await house.get_ready(table, people)
    await damage_deals(house.store, table)
    house.tables.forget([table])
    await house.rule(season, "the table is damaged", lambda told, _, __: ruled(told, pod.id, ()))
    await house.until(season, seen.season.rounds[1].due - 6 * HOUR)
    await house.come(season, 2, *people)
    await house.until(season, seen.season.rounds[1].due)
    drawn = await house.view(season)
    [following] = drawn.pods_of(2)
    await house.sit_down(drawn.tables[following.id].id, people)
    assert len((await house.tables.get(drawn.tables[following.id].id)).seats) == len(people)
