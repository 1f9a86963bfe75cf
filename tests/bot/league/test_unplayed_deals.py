"""A deal without a winner was not played: it is not part of the result, and completes no rotation."""

from collections.abc import Collection

import pytest

from bot.errors import UserError
from bot.table.core.change import TableTransaction
from bot.table.flow.seating import stand_in
from league.ids import PersonId
from tests.bot.league.house import HOUR, LeagueHouse
from tests.bot.league.test_wording import drawn


async def play(house: LeagueHouse, season: int, people: list[int], unplayed: Collection[int]) -> None:
    """Play a match at the pod's table; the deals in `unplayed` end before anyone wins."""
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, people)
    for person in people:
        await house.play.ready(table, person, next(house.ids))
    number = 1
    while True:
        if number in unplayed:

            async def command(tx: TableTransaction) -> None:
                await house.services.endings.dismiss(tx, "vote")

            await house.tables.change(table, command)
        else:
            await house.finish_deal(table)
        match = await house.store.read(lambda db: db.matches.latest(table))
        assert match is not None
        if match.is_over:
            break
        await house.next_deal(table, people[0])
        number += 1
    await house.rounds.catch_up(season)


async def test_an_unplayed_deal_is_not_in_the_result(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    await play(house, season, people, {2, 3})
    pod = (await house.view(season)).season.pods[1]
    assert pod.result is not None
    assert len(pod.result.deals) == 6
    assert all(any(points) for points in pod.result.deals)


async def test_to_end_all_deals_before_a_full_rotation_is_to_be_absent(house: LeagueHouse):
    season, people = await drawn(house)
    await play(house, season, people, {4})
    seen = await house.view(season)
    assert seen.season.pods[1].result is None
    assert set(seen.season.pods[1].verdicts.values()) == {"absence"}
    assert [(row.row.points, row.row.matches, row.row.conduct) for row in seen.standings().rows] == [
        (-1500, 0, 0)
    ] * 4


async def begin_alone(house: LeagueHouse, season: int, people: list[int], *, left: bool) -> int:
    """Play a full rotation; then only the first person is still there, and the others have left or are just away."""
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, people)
    for person in people:
        await house.play.ready(table, person, next(house.ids))
    for _ in people:
        await house.finish_deal(table)
        await house.next_deal(table, people[0])

    async def command(tx: TableTransaction) -> None:
        for person in people[1:]:
            stand_in(tx, tx.seat_of(PersonId(person)), left=left)

    await house.tables.change(table, command)
    return table


async def test_nobody_ends_a_match_alone_while_the_others_may_come_back(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    table = await begin_alone(house, season, people, left=False)
    with pytest.raises(UserError, match="others_away"):
        await house.services.endings.ask(table, people[0], next(house.ids))
    await house.finish_deal(table)
    with pytest.raises(UserError, match="others_away"):
        await house.services.endings.ask(table, people[0], next(house.ids))
    await house.presence.back(table, people[1])
    assert await house.services.endings.ask(table, people[0], next(house.ids)) == "leaving.asked"

    async def goes_away(tx: TableTransaction) -> None:
        stand_in(tx, tx.seat_of(PersonId(people[1])), left=False)
        await house.services.endings.count(tx)

    await house.tables.change(table, goes_away)
    assert not (await house.view(season)).season.pods[1].over, "the person who asked is alone again"


async def test_who_is_left_alone_for_good_may_end_the_match(house: LeagueHouse):
    season, people = await drawn(house, rotations=2)
    table = await begin_alone(house, season, people, left=True)
    await house.finish_deal(table)
    assert await house.services.endings.ask(table, people[0], next(house.ids)) == "leaving.ended_match"
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert {*result.left} == {*result.players[1:]}


async def test_a_match_waits_overnight_for_its_next_deal(house: LeagueHouse):
    season, people = await drawn(house, round_days=3)
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, people)
    for person in people:
        await house.play.ready(table, person, next(house.ids))
    await house.finish_deal(table)
    house.clock.at += 12 * HOUR
    due = await house.store.read(lambda db: db.deadlines.of_table(table))
    assert all(row.due_at > house.clock.at for row in due)
    await house.next_deal(table, people[0])
    await house.play_deals_on(table)
    pod = (await house.view(season)).season.pods[1]
    assert pod.result is not None
    assert len(pod.result.deals) == 4
    due = await house.store.read(lambda db: db.deadlines.of_table(table))
    assert all(row.due_at <= house.clock.at + 2 * HOUR for row in due), (
        "after the match it closes as any other table"
    )
