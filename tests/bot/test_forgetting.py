"""Being forgotten costs others nothing, however often it is asked for."""

from pathlib import Path

import pytest

from bot.errors import UserError
from bot.forgetting import MOST_ERASURES
from data.privacy.ledger import NAME, ForgottenLedger
from data.store import Store
from league.ids import PersonId
from league.times import DAY
from tests.bot.house import House

RAM = PersonId(11)


class Counted:
    """Counts how often what all people share is emptied."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        monkeypatch.setattr(house.services.forgetting, "_forget_names", self._count)

    def _count(self) -> None:
        self.times += 1


def requests(house: House) -> int:
    ledger: ForgottenLedger = house.services.forgetting._ledger
    return len(ledger.requests())


async def meet(house: House) -> None:
    await house.store.write(lambda db: db.people.keep(RAM, "Ram", house.clock.now()))


async def test_asking_without_being_known_empties_nothing_and_writes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    house = House(store)
    emptied = Counted(house, monkeypatch)
    for _ in range(5):
        assert not await house.services.forgetting.forget(RAM)
    assert (emptied.times, requests(house)) == (0, 0)


async def test_a_person_is_forgotten_so_many_times_a_day(store: Store, monkeypatch: pytest.MonkeyPatch):
    house = House(store)
    emptied = Counted(house, monkeypatch)
    for _ in range(MOST_ERASURES):
        await meet(house)
        assert await house.services.forgetting.forget(RAM)
    await meet(house)
    with pytest.raises(UserError, match="forgotten_often"):
        await house.services.forgetting.forget(RAM)
    assert (emptied.times, requests(house)) == (MOST_ERASURES, MOST_ERASURES)
    house.clock.at += DAY
    assert await house.services.forgetting.forget(RAM)


async def test_a_test_finds_only_those_whom_it_has_forgotten_itself(store: Store, tmp_path: Path):
    house = House(store)
    await meet(house)
    assert await house.services.forgetting.forget(RAM)
    assert [file.name for file in tmp_path.rglob(NAME)] == [NAME]
    assert requests(house) == 1
