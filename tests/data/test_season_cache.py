"""A season folded from its events: the cached part is never ahead of what a transaction may see."""

import pytest

from data.season_rows import UNTOLD, SeasonCache, SeasonProjection
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.book import book
from league.events import DivisionSet, Entry, SeasonOpened, SignedUp, Withdrawn
from league.pairing.drawing import draw_rounds
from league.season import fold
from league.settings import default_settings
from league.standings import standings
from league.statistics.par import pars
from marriage.rules import PRESETS
from tests.held import held
from tests.league.seasons import SEED, Diary

RULES = PRESETS["pagat"]
OPENED = SeasonOpened("Autumn", default_settings("pods"), pars(RULES))


@pytest.fixture
async def season(store: Store) -> int:
    async def write(db: WriteTransaction):
        await db.guilds.keep(1)
        fields = {
            "guild_id": 1,
            "channel_id": 2,
            "name": "Autumn",
            "number": 1,
            "former": None,
            "rules": RULES,
        }
        times = {"starts_at": 0, "acted_until": 0, "due_at": None, "created_at": 0, "closed_at": None}
        row = await db.seasons.create(**fields, **times, pace="none", seed=b"x" * 32)
        await db.seasons.add_event(row.id, SeasonOpened("Autumn", default_settings("pods"), pars(RULES)), 1)
        await db.seasons.add_event(row.id, SignedUp(7), 2)
        return row

    row = await store.write(write)
    return row.id


async def whole(db: ReadTransaction, season: int):
    """Return the same season, folded again from all events."""
    return fold(event.entry for event in await db.seasons.events(season))


async def test_it_grows_by_what_is_new(store, season):
    for player in (8, 9):
        told = await store.read(lambda db: db.seasons.projection(season))
        assert told.season == await store.read(whole, season)
        added = await store.write(lambda db: db.seasons.add_event(season, SignedUp(player), 3))
    told = await store.read(lambda db: db.seasons.projection(season))
    assert told.last == added.id
    assert set(told.season.members) == {7, 8, 9}


async def test_acts_and_their_actors_are_kept_in_order(store, season):
    async def write(db: WriteTransaction):
        await db.people.keep(41, "Asha", 1)
        staff = await db.seasons.keep_player(41)
        await db.seasons.add_event(season, SignedUp(8), 3, actor=None)
        await db.seasons.add_event(season, Withdrawn(7), 4, actor=staff, reason="asked to", staff=True)
        return staff

    staff = await store.write(write)
    for _ in range(2):
        told = await store.read(lambda db: db.seasons.projection(season))
        assert [act.reason for act in told.acts] == ["asked to"]
        assert told.actors == {staff}


async def test_what_was_undone_was_never_there(store, season):
    await store.read(lambda db: db.seasons.projection(season))

    async def fail() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.seasons.add_event(season, SignedUp(66), 3)
            assert 66 in (await db.seasons.projection(season)).season.members
            raise RuntimeError("undone")

        await store.write(write)

    with pytest.raises(RuntimeError, match="undone"):
        await fail()
    await store.write(lambda db: db.seasons.add_event(season, SignedUp(8), 3))
    assert set((await store.read(lambda db: db.seasons.projection(season))).season.members) == {7, 8}


async def test_an_older_snapshot_sees_no_more_than_its_own(store, season):
    async with held(store.read) as early:
        await early(lambda db: db.seasons.get(season))  # the snapshot is taken at the first question
        await store.write(lambda db: db.seasons.add_event(season, SignedUp(8), 3))
        assert 8 in (await store.read(lambda late: late.seasons.projection(season))).season.members
        assert 8 not in (await early(lambda db: db.seasons.projection(season))).season.members
    assert 8 in (await store.read(lambda db: db.seasons.projection(season))).season.members


def test_so_many_members_are_kept_and_no_more(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("data.season_rows.MOST_MEMBERS", 7)
    cache = SeasonCache()
    for season_id, members in enumerate((3, 3, 3, 9), 1):
        entries = [Entry(number, 0, SignedUp(number)) for number in range(1, members + 1)]
        cache.keep(season_id, SeasonProjection(fold([Entry(0, 0, OPENED), *entries]), last=members))
        kept = [number for number in range(1, season_id + 1) if cache.of(number) is not UNTOLD]
        assert kept == {1: [1], 2: [1, 2], 3: [2, 3], 4: [4]}[season_id]


def test_all_divisions_and_rounds_come_from_one_book(monkeypatch: pytest.MonkeyPatch):
    diary = Diary("divisions", players=16)
    for player in range(1, 17):
        diary.note(DivisionSet(player, 1 + player % 2))
    for event in draw_rounds(diary.season, SEED, [0, 0, 0]):
        diary.note(event)
    for pod in list(diary.season.pods)[:-1]:
        diary.play(pod, deals=1)
    told, written = SeasonProjection(diary.season, last=1), []
    monkeypatch.setattr("data.season_rows.book", lambda season: written.append(season) or book(season))
    for division in (1, 2):
        for through in (None, 1, 2):
            assert told.standings(division, through) == standings(diary.season, through, division)
    assert len(written) == 1
