"""Random evenings: people come, leave, sit out, ask for deals and their end, and the table stays valid."""

import random
from contextlib import suppress

import pytest

from bot.errors import UserError
from bot.people import NamedPerson
from data.preferences import Pace
from data.transaction import ReadTransaction
from data.values import BenchRow, SeatRow
from marriage.rules import SEATS_MAX, SEATS_MIN
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from tests.bot.house import House
from tests.bot.table.test_matches import FOULS, MINUTE, dealt
from tests.bot.windows import move
from tests.marriage.dealing import actor

pytestmark = pytest.mark.usefixtures("decided")

GUESTS = [NamedPerson(number, f"G{number}") for number in (11, 12, 21, 22, 23, 24, 25)]


async def play(house: House) -> None:
    """Let the deal run to its end: present people move, and computers get their time."""
    while (await house.look())[0].status == "playing":
        state = await house.state()
        seat = (await house.look())[1][actor(state)]
        if seat.by_computer:
            await house.pass_time(1_000)
        else:
            assert seat.person_id is not None
            await move(house.services, 1, seat.person_id, GreedyPlayer(count_outs=False).choose)


async def act(house: House, chance: random.Random) -> None:
    """Let someone do something, sensible or not; or let all ask for the next deal."""
    person = chance.choice(GUESTS)
    match chance.choice(("sit", "out", "out", "leave", "end", "wait", "next", "next", "play", "play")):
        case "sit":
            await house.changing.sit_down(1, person, next(house.ids))
        case "out":
            await house.changing.sit_out(1, person.id, next(house.ids), in_deal=chance.random() < 0.5)
        case "leave":
            await house.leaving.leave(1, person.id, next(house.ids))
        case "end":
            await house.endings.ask(1, person.id, next(house.ids))
        case "wait":
            await house.pass_time(chance.choice((20_000, 3 * MINUTE)))
        case "next":
            ask = chance.choice((house.play.next_deal, house.play.rematch))
            for guest in chance.sample(GUESTS, chance.randint(1, len(GUESTS))):
                with suppress(UserError):
                    await ask(1, guest.id, next(house.ids))
        case _:
            await play(house)


async def look_over(house: House) -> None:
    """Assert the invariants."""
    await house.check()
    table, seats, _ = await house.look()

    async def read(db: ReadTransaction):
        bench, results = await db.benches.get(1), await db.deals.results(1)
        deals = [await db.deals.get(1, number) for number in range(1, table.deal_no + 1)]
        return bench, results, deals

    bench, results, deals = await house.store.read(read)
    here: list[SeatRow | BenchRow] = [*seats, *bench]
    people = [row.person_id for row in here if row.person_id is not None]
    staying = [
        row for row in here if row.person_id is not None and not (isinstance(row, SeatRow) and row.left)
    ]
    assert SEATS_MIN <= len(seats) <= SEATS_MAX
    assert len(people) == len(set(people))
    assert len(staying) <= SEATS_MAX
    assert len({seat.name for seat in seats}) == len(seats)
    assert all(0 <= row.place <= len(seats) for row in bench)
    if table.status != "closed":
        assert table.host_id in {row.person_id for row in staying}
    assert len((await house.state()).seats) == len(seats)
    assert (await dealt(house)).dealer < len(seats)
    for deal in deals:
        assert deal is not None
        rows = [row for row in results if row.deal_no == deal.deal_no]
        assert sum(row.net for row in rows) == 0
        if rows:
            played = [row.seat for row in rows if row.seat < len(deal.entropy)]
            assert {int(item.partition(":")[0]) for item in deal.entropy} >= set(played)


@pytest.mark.parametrize("seed", [9])  # many more were tried when this was written
async def test_an_evening_at_random(house: House, seed: int):
    chance = random.Random(seed)
    await house.seat_people(Pace.NONE, 2, chance.randrange(3), deals=chance.choice((0, 3)), rules=FOULS)
    for _ in range(24):
        with suppress(UserError):
            await act(house, chance)
        await look_over(house)
        if (await house.look())[0].status == "closed":
            break
    if (await house.look())[0].status == "playing":
        await play(house)
        assert (await house.state()).phase is Phase.OVER
