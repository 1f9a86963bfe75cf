"""Leaderboards of many players are kept in memory for some seconds."""

import pytest
from sqlalchemy import insert

from bot.history.leaderboards import KEPT_MS, Leaderboards
from data.repositories.people import Nickname
from data.repositories.stats import StatsQueries
from data.schema.stats import tally
from data.store import Store
from data.transaction import WriteTransaction
from league.ids import GuildId, PersonId
from league.statistics.leaderboard import Board, BoardOrder
from league.statistics.stats import Span
from render.words import speaking
from tests.bot.house import GUILD, House

FIRST = 100


async def fill(store: Store, players: int) -> None:
    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(GuildId(GUILD))
        for number in range(FIRST, FIRST + players):
            await db.people.keep(PersonId(number), f"Player {number}", 1)
        sums = {"guild_id": GUILD, "period": "all", "deals": 9, "wins": 1, "seen": 1, "dublees": 0}
        rows = [
            sums | {"person_id": number, "net": number, "squares": 1, "maal": 1}
            for number in range(FIRST, FIRST + players)
        ]
        await db.tables._execute(insert(tally), rows)

    await store.write(write)


async def points(boards: Leaderboards) -> Board:
    return await boards.board(GuildId(GUILD), BoardOrder.POINTS, Span.ALL)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The players of each board that is read."""
    read, listed = list[int](), StatsQueries.listed

    async def note(db: StatsQueries, *what):
        found = await listed(db, *what)
        read.append(len(found.names))
        return found

    monkeypatch.setattr(StatsQueries, "listed", note)
    monkeypatch.setattr("bot.history.leaderboards.LARGE", 5)
    return read


async def test_the_pages_of_a_large_board_are_built_once_in_some_seconds(store: Store, reads: list[int]):
    house = House(store)
    await fill(store, 5)
    boards = house.services.boards
    first = await points(boards)
    assert len(first.rows) == 5
    house.clock.at += KEPT_MS - 1
    assert await points(boards) is first
    assert reads == [5]
    assert (await boards.board(GuildId(GUILD), BoardOrder.POINTS, Span.WEEK)).rows == ()
    with speaking("ne"):
        assert await points(boards) is not first
    reads.clear()
    house.clock.at += 1
    assert await points(boards) is not first
    assert reads == [5]


async def test_a_small_board_is_always_the_current_one(store: Store, reads: list[int]):
    house = House(store)
    await fill(store, 4)
    for _ in range(2):
        await points(house.services.boards)
    assert reads == [4, 4]


async def test_so_many_boards_are_kept_and_no_more(
    store: Store, reads: list[int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.history.leaderboards.MOST_KEPT", 1)
    house = House(store)
    await fill(store, 5)
    for language in ("en", "ne", "ne", "en"):
        with speaking(language):
            await points(house.services.boards)
    assert reads == [5, 5, 5]


async def test_a_board_has_the_names_of_its_server(store: Store):
    house = House(store)
    await fill(store, 2)
    for called in (Nickname(GuildId(GUILD), "Didi"), Nickname(GuildId(GUILD + 1), "Dr Sharma")):
        await store.write(lambda db, called=called: db.people.keep(PersonId(FIRST), "Asha", 1, called))
    board = await points(house.services.boards)
    assert {row.name for row in board.rows} == {"Didi", "Player 101"}


async def test_a_forgotten_person_is_gone_from_a_large_board_at_once(store: Store, reads: list[int]):
    house = House(store)
    await fill(store, 6)
    assert "Player 100" in {row.name for row in (await points(house.services.boards)).rows}
    assert await house.services.forgetting.forget(PersonId(FIRST))
    assert "Player 100" not in {row.name for row in (await points(house.services.boards)).rows}


async def test_a_board_that_was_read_before_someone_was_forgotten_is_not_kept(
    store: Store, reads: list[int], monkeypatch: pytest.MonkeyPatch
):
    house = House(store)
    await fill(store, 5)
    boards = house.services.boards
    current = boards._current

    async def forgotten_meanwhile(*what) -> Board:
        board = await current(*what)
        boards.forget()
        return board

    monkeypatch.setattr(boards, "_current", forgotten_meanwhile)
    await points(boards)
    monkeypatch.undo()
    assert boards._kept == {}
