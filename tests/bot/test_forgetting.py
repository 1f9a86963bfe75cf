"""Being forgotten costs others nothing, however often it is asked for."""

from collections.abc import Collection
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.forgetting import MOST_ERASURES
from bot.people import NamedPerson
from data.errors import StoreUnavailableError
from data.privacy.ledger import NAME, ForgottenLedger
from data.store import HAS_STORED, Store
from league.ids import PersonId
from league.times import DAY, HOUR, SECOND
from tests.bot.house import CHANNEL, GUILD, House
from tests.gates import busy

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


async def is_known(house: House) -> bool:
    return await house.store.read(lambda db: db.people.get(RAM)) is not None


async def test_a_request_that_the_store_refuses_is_kept_and_done_within_the_hour(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    house = House(store)
    await meet(house)
    HAS_STORED.set(False)
    with monkeypatch.context() as patch:
        patch.setattr(house.services.forgetting, "_erase", busy)
        with pytest.raises(UserError, match="put_off"):
            await house.services.forgetting.forget(RAM)
        assert await house.services.forgetting.keep_up() <= HOUR / SECOND
    assert HAS_STORED.get(), "no apology says that nothing was done"
    assert await is_known(house)
    await house.services.forgetting.keep_up()
    assert not await is_known(house)
    await meet(house)
    await house.services.forgetting.keep_up()
    assert await is_known(house), "who comes back was not asked to be forgotten again"


async def test_who_was_forgotten_and_is_back_before_the_next_try_stays(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    house = House(store)
    await meet(house)
    forgetting = house.services.forgetting
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "_erase", busy)
        with pytest.raises(UserError, match="put_off"):
            await forgetting.forget(RAM)
    again = forgetting._forget

    async def after_another_process(person_id: PersonId, marks: Collection[str]) -> None:
        await again(person_id, marks)
        await meet(house)
        await house.lobby.open(GUILD, CHANNEL, NamedPerson(RAM, "Ram"), next(house.ids))
        await again(person_id, marks)

    monkeypatch.setattr(forgetting, "_forget", after_another_process)
    await forgetting.keep_up()
    assert await is_known(house)
    assert await house.tables.table_of(RAM) is not None, "nor do they lose their new seat"


async def test_a_request_that_one_of_two_files_takes_is_followed(store: Store, tmp_path: Path):
    house = House(store)
    await meet(house)
    blocked = tmp_path / "a file" / NAME
    blocked.parent.touch()
    ledger = house.services.forgetting._ledger = ForgottenLedger(blocked, tmp_path / NAME)
    assert await house.services.forgetting.forget(RAM)
    assert len(ledger.requests()) == 1
    assert not await is_known(house)


async def test_a_request_that_can_be_written_nowhere_is_refused_for_good(store: Store, tmp_path: Path):
    house = House(store)
    await meet(house)
    blocked = tmp_path / "a file" / NAME
    blocked.parent.touch()
    house.services.forgetting._ledger = ForgottenLedger(blocked)
    with pytest.raises(StoreUnavailableError):
        await house.services.forgetting.forget(RAM)
    blocked.parent.unlink()
    await house.services.forgetting.keep_up()
    assert await is_known(house)


async def test_a_test_finds_only_those_whom_it_has_forgotten_itself(store: Store, tmp_path: Path):
    house = House(store)
    await meet(house)
    assert await house.services.forgetting.forget(RAM)
    assert [file.name for file in tmp_path.rglob(NAME)] == [NAME]
    assert requests(house) == 1
