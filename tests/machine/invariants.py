"""The invariants that hold after every step, read from the file itself."""

from itertools import pairwise
from typing import Any

from data.transaction import ReadTransaction
from league.season import fold
from league.standings import standings
from marriage.apply import replay
from marriage.invariants import check_waiting
from marriage.state import Phase
from tests.data.test_erasure import varint
from tests.machine.world import World


class Invariants:
    """The invariants. It remembers each table's revision, so that it notices if one went back."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._revisions: dict[int, int] = {}
        self._checked: dict[tuple[int, int], int] = {}

    def check(self) -> None:
        """Raise AssertionError if an invariant does not hold."""
        self._check_file()
        self._check_tables()
        self._check_deals()
        self._check_seasons()
        self._check_answers()
        self._check_forgotten()

    def _rows(self, question: str) -> list[Any]:
        return self._world.rows(question)

    def _check_file(self) -> None:
        assert self._rows("PRAGMA foreign_key_check") == []
        assert self._rows("PRAGMA quick_check") == [("ok",)]

    def _check_tables(self) -> None:
        for table, revision in self._rows("SELECT id, revision FROM game_table"):
            assert revision >= self._revisions.get(table, 0), f"table {table} went back"
            self._revisions[table] = revision
        seated = self._rows(
            "SELECT person_id, count(*) FROM seat JOIN game_table ON table_id = id "
            "WHERE status <> 'closed' AND person_id IS NOT NULL AND NOT left GROUP BY person_id HAVING count(*) > 1"
        )
        assert seated == [], "somebody sits at two tables"
        numbers = self._rows("SELECT DISTINCT table_id, seat FROM seat ORDER BY table_id, seat")
        assert all(after[1] == before[1] + 1 for before, after in pairwise(numbers) if before[0] == after[0])

    def _check_deals(self) -> None:
        for table, deal, events, first, last in self._rows(
            "SELECT table_id, deal_no, count(*), min(seq), max(seq) FROM event GROUP BY table_id, deal_no"
        ):
            assert last - first + 1 == events, f"deal {deal} of table {table} has a gap"
            if self._checked.get((table, deal)) != events:
                self._world.run(self._check_deal(table, deal))
                self._checked[table, deal] = events

    async def _check_deal(self, table: int, deal: int) -> None:
        async def read(db: ReadTransaction):
            state = replay(await db.deals.events(table, deal))
            results = [row for row in await db.deals.results(table) if row.deal_no == deal]
            return state, results

        state, results = await self._world.store.read(read)
        check_waiting(state)
        assert sum(row.net for row in results) == 0
        if results:
            assert state.phase is Phase.OVER
            assert state.sheet is not None
            assert [row.net for row in results] == [line.net for line in state.sheet.lines]

    def _check_seasons(self) -> None:
        for (season,) in self._rows("SELECT id FROM season"):
            self._world.run(self._check_season(season))

    async def _check_season(self, season: int) -> None:
        view = await self._world.services.leagues.view(season)

        async def read(db: ReadTransaction):
            return [event.entry for event in await db.seasons.events(season)]

        entries = await self._world.store.read(read)
        assert fold(reversed(entries)) == view.season
        for row in standings(view.season).rows:
            assert row.player in view.people
        for pod in view.season.pods.values():
            if pod.result is not None:
                assert all(sum(points) == 0 for points in pod.result.deals)

    def _check_answers(self) -> None:
        stored = {number for (number,) in self._rows("SELECT interaction_id FROM interaction_seen")}
        assert set(self._world.answered) <= stored, "a press that was answered is not in the file"

    def _check_forgotten(self) -> None:
        log = self._world.path.with_name(self._world.path.name + "-wal")
        content = self._world.path.read_bytes() + (log.read_bytes() if log.exists() else b"")
        for person in self._world.forgotten:
            marks = (
                str(person.id).encode(),
                person.id.to_bytes(8, "big"),
                varint(person.id),
                person.name.encode(),
            )
            assert [mark for mark in marks if mark in content] == [], f"{person} was forgotten"
