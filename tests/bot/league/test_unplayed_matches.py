"""Matches that nobody began by their deadline: who tried to play is not blamed, and nobody gains by not playing."""

import pytest

from bot.errors import UserError
from bot.league.agenda import latest_time
from bot.league.meetings import Meetings
from bot.people import Person
from league.book import book
from tests.bot.league.house import DAY, HOUR, LeagueHouse

PEOPLE = (11, 12, 13, 14)


async def begun(house: LeagueHouse) -> tuple[int, int]:
    """A season whose only pod is drawn, and when that was."""
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    at = (await house.view(season)).row.starts_at
    await house.until(season, at)
    return season, at


async def propose(house: LeagueHouse, season: int, person: int, at: int) -> None:
    await Meetings(house.leagues).propose(season, Person(person, "P"), at, next(house.ids))


async def agree(house: LeagueHouse, season: int, person: int, at: int) -> None:
    await Meetings(house.leagues).agree(season, 1, at, Person(person, "P"), next(house.ids))


async def booked(house: LeagueHouse, season: int) -> dict[int, tuple[str, int]]:
    """What the first round gave everybody, by person."""
    seen = await house.view(season)
    lines = book(seen.season, 1).lines
    return {seen.people[player].id: (line.kind, line.points) for player, (line,) in lines.items()}


async def test_who_proposes_another_time_does_not_make_no_shows_of_those_who_agreed(house: LeagueHouse):
    season, at = await begun(house)
    await propose(house, season, 11, at + DAY)
    await agree(house, season, 12, at + DAY)
    await propose(house, season, 13, at + DAY + 7 * HOUR)
    await house.until(season, at + 2 * DAY)
    assert await booked(house, season) == {
        **dict.fromkeys((11, 12, 13), ("average_plus", 300)),
        14: ("no_show", -2000),
    }
    await house.assert_fold(season)


async def test_a_pod_that_only_talks_of_times_gains_nothing(house: LeagueHouse):
    season, at = await begun(house)
    await propose(house, season, 11, at + DAY)
    await agree(house, season, 12, at + DAY)
    await propose(house, season, 13, at + DAY + HOUR)
    await agree(house, season, 14, at + DAY + HOUR)
    await house.until(season, at + 2 * DAY)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("average", 0))


async def test_a_pod_that_sits_down_and_does_not_play_gains_nothing(house: LeagueHouse):
    season, at = await begun(house)
    await house.sit_down((await house.view(season)).tables[1].id, list(PEOPLE))
    await house.until(season, at + 2 * DAY)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("average", 0))


async def test_a_time_is_early_enough_to_see_before_the_deadline_who_has_come(house: LeagueHouse):
    season, _ = await begun(house)
    seen = await house.view(season)
    latest = latest_time(seen.row, seen.season, seen.season.pods[1])
    with pytest.raises(UserError, match="bad_time"):
        await propose(house, season, 11, latest + 1)
    await propose(house, season, 11, latest)
    for person in PEOPLE[1:]:
        await agree(house, season, person, latest)
    await house.until(season, seen.season.rounds[1].due)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("no_show", -2000))


@pytest.mark.parametrize(("leaves", "booked_as"), [(False, ("no_show", -2000)), (True, ("nothing", 0))])
async def test_a_match_that_is_stopped_gives_nothing_to_those_who_were_not_at_it(
    house: LeagueHouse, leaves: bool, booked_as: tuple[str, int]
):
    season, at = await begun(house)
    if leaves:
        await house.entries.leave(season, Person(14, "P"), next(house.ids))
        await house.rounds.catch_up(season)
    else:
        await propose(house, season, 11, at + DAY)
        for person in PEOPLE[1:]:
            await agree(house, season, person, at + DAY)
        await house.until(season, at + DAY)
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, list(PEOPLE[:3]))
    await house.until(season, at + DAY + HOUR)
    for person in PEOPLE[:3]:
        await house.play.ready(table, person, next(house.ids))
    await house.finish_deal(table)
    await house.until(season, at + 4 * DAY)
    assert await booked(house, season) == {**dict.fromkeys(PEOPLE[:3], ("average", 0)), 14: booked_as}
