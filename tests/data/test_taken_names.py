"""A name changes what others wrote only where the person had it, and since then or after having kept it."""

import pytest

from data.privacy.personal_data import SETTLED_MS
from data.repositories.people import Nickname
from data.store import Store
from data.transaction import WriteTransaction
from data.values import SeatRow
from league.ids import GuildId
from league.members import Banned
from tests.data.conftest import CHANNEL
from tests.data.test_erasure import BHARAT, ELSEWHERE, GITA, GUILD, NAME, RULES, meet, open_season


async def written_before(db: WriteTransaction) -> None:
    """Let others keep a home game and rule about Bharatendu, at 1_000 and 3_000."""
    await meet(db)
    await db.score_sessions.open(GUILD, CHANNEL, ("Mum", "Dad"), RULES, [GITA], 1_000)
    season, player, staff = await open_season(db)
    reason = "cheated with Mum's phone"
    await db.seasons.add_event(season.id, Banned(player), 3_000, actor=staff, reason=reason, staff=True)
    await db.staff_log.add(GUILD, None, GITA, "close", "Mum was rude", 3_000)


async def read_again(db: WriteTransaction) -> list[str]:
    """Return what was written there."""
    game, told = await db.score_sessions.get(1), await db.seasons.projection(1)
    assert game is not None
    acts = await db.staff_log.latest(GUILD, 9)
    return [game.names[0], told.acts[-1].reason, next(act.reason for act in acts if act.act == "close")]


@pytest.mark.parametrize("as_nickname", [False, True])
async def test_a_name_taken_for_a_minute_changes_nothing_that_others_wrote_before(
    store: Store, as_nickname: bool
):
    async def write(db: WriteTransaction) -> None:
        await written_before(db)
        before = await read_again(db)
        for name in ("cheated", "Mum"):
            called = Nickname(GuildId(GUILD), name) if as_nickname else None
            await db.people.keep(BHARAT, NAME if as_nickname else name, 4_000, called)
            table = await db.tables.create(GUILD, CHANNEL, BHARAT, RULES, 4_000)
            await db.tables.set_seats(table.id, [SeatRow(table.id, 0, BHARAT, name)])
        await db.staff_log.add(GUILD, None, GITA, "end", "Mum was rude", 4_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        assert await read_again(db) == before
        assert (await db.staff_log.latest(GUILD, 1))[0].reason.startswith("Player")

    await store.write(write)


@pytest.mark.parametrize("as_nickname", [False, True])
async def test_a_name_that_somebody_has_had_for_a_week_is_gone_from_older_texts_as_well(
    store: Store, as_nickname: bool
):
    """The bot may have learned it late, such as from somebody who only played a home game at first."""

    async def write(db: WriteTransaction) -> None:
        await written_before(db)
        called = Nickname(GuildId(GUILD), "Mum") if as_nickname else None
        await db.people.keep(BHARAT, NAME if as_nickname else "Mum", 4_000, called)
        await db.privacy.forget(BHARAT, 4_000 + SETTLED_MS, "Player {number}")
        assert not [text for text in await read_again(db) if "Mum" in text]

    await store.write(write)


async def test_a_name_that_somebody_had_only_in_another_server_changes_nothing_here(store: Store):
    async def write(db: WriteTransaction) -> None:
        await written_before(db)
        await db.guilds.keep(ELSEWHERE)
        table = await db.tables.create(ELSEWHERE, CHANNEL + 1, BHARAT, RULES, 500)
        await db.tables.set_seats(table.id, [SeatRow(table.id, 0, BHARAT, "Mum")])
        before = await read_again(db)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        assert await read_again(db) == before

    await store.write(write)


async def test_the_home_games_that_somebody_keeps_lose_a_new_name_as_well(store: Store):
    async def write(db: WriteTransaction) -> None:
        await meet(db)
        await db.score_sessions.open(GUILD, CHANNEL, ("Mum", "Dad"), RULES, [BHARAT], 1_000)
        await db.people.keep(BHARAT, "Mum", 4_000)
        await db.privacy.forget(BHARAT, 5_000, "Player {number}")
        game = await db.score_sessions.get(1)
        assert game is not None
        assert game.names[0].startswith("Player")

    await store.write(write)
