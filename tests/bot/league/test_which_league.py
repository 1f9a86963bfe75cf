"""Which league a command applies to if it names none."""

import pytest

from bot.errors import UserError
from bot.league.leagues import Asker
from bot.table.core.change import TableTransaction
from tests.bot.league.house import CHANNEL, GUILD, STAFF, LeagueHouse, entrant
from tests.damaging import damage_season

ELSEWHERE = 77


async def meant(house: LeagueHouse, person: int, place: int = CHANNEL, *, playing: bool = True) -> list[int]:
    asker = Asker(person, place)
    return [row.id for row in await house.leagues.meant(GUILD, asker, playing=playing)]


async def test_it_is_the_one_that_the_player_is_in(house: LeagueHouse):
    older, newer = await house.open(), await house.open(name="Spring")
    await house.join(older, 1, 3)
    await house.join(newer, 2, 3)
    assert await meant(house, 1) == [older]
    assert await meant(house, 2) == [newer]
    assert await meant(house, 3) == [newer, older], "it can be either"
    assert await meant(house, 4) == [newer, older], "for those in neither as well"
    await house.entries.leave(older, entrant(1).person, next(house.ids))
    assert await meant(house, 1) == [newer, older]


async def test_a_damaged_league_keeps_no_command_from_finding_the_other(house: LeagueHouse):
    damaged, sound = await house.open(), await house.open(name="Spring")
    await house.join(sound, 1)
    await damage_season(house.store, damaged)
    assert await meant(house, 1) == [sound]
    assert await meant(house, STAFF.id, playing=False) == [sound, damaged]


async def test_of_several_leagues_that_are_over_the_next_season_follows_that_of_the_channel_or_asks(
    house: LeagueHouse,
):
    older, newer = await house.open(), await house.open(name="Spring")
    for season in (newer, older):
        await house.close_season(season, "too few")
        house.clock.at += 1

    async def over(place: int) -> list[int]:
        return [row.id for row in await house.leagues.over(GUILD, Asker(STAFF.id, place))]

    assert await over(CHANNEL) == [older, newer]
    await house.leagues.renew(newer, STAFF, next(house.ids))
    assert await over(CHANNEL) == [older]


async def test_a_channel_says_which_its_staff_mean(house: LeagueHouse):
    older, newer = await house.open(), await house.open(name="Spring")
    await house.season_admin.set_place(newer, ELSEWHERE, next(house.ids))
    await house.join(older, 1)
    await house.join(newer, 2, 3)
    await house.join(older, 3)
    assert await meant(house, STAFF.id, playing=False) == [older]
    assert await meant(house, STAFF.id, ELSEWHERE, playing=False) == [newer]
    assert await meant(house, 1, ELSEWHERE) == [older], "players mean a league of theirs, wherever they ask"
    assert await meant(house, 3, ELSEWHERE) == [newer], "of two of theirs that of the channel"
    assert await meant(house, STAFF.id, 5, playing=False) == [newer, older]


async def test_the_thread_of_a_pod_says_it_to_everybody(house: LeagueHouse):
    older = await house.open(confirm_hours=0)
    await house.join(older, 1, 2, 3)
    await house.start(older)
    await house.rounds.catch_up(older)
    newer = await house.open(name="Spring")
    await house.join(newer, 1)
    table = (await house.view(older)).tables[1]

    async def command(tx: TableTransaction) -> None:
        tx.update(thread_id=ELSEWHERE)

    await house.tables.change(table.id, command)
    assert await meant(house, 1, ELSEWHERE) == [older]
    assert await meant(house, STAFF.id, ELSEWHERE, playing=False) == [older]


async def test_without_an_open_league_it_is_the_newest(house: LeagueHouse):
    with pytest.raises(UserError, match=r"league\.none"):
        await meant(house, 1)
    for name in ("Autumn", "Spring"):
        season = await house.open(name=name)
        await house.close_season(season, "too few")
    assert await meant(house, 1) == [season]
