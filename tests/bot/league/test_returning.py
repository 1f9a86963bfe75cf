"""Players who leave a season and return: they can play what still waits, and have missed the rest."""

import pytest

from bot.league import ruling_events
from bot.people import NamedPerson
from league.book import book
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse

PEOPLE = (11, 12, 13, 14)


async def second_round(house: LeagueHouse) -> int:
    """A season whose first round is played and whose second is drawn."""
    season = await house.open(rounds=8, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    at = (await house.view(season)).row.starts_at
    await house.until(season, at)
    await house.play_round(season, 1)
    await house.until(season, at + DAY + HOUR)
    await house.come(season, 2, *PEOPLE)
    await house.until(season, at + 2 * DAY)
    return season


async def leave(house: LeagueHouse, season: int, person: int) -> None:
    await house.entries.leave(season, NamedPerson(person, f"P{person}"), next(house.ids))
    await house.rounds.catch_up(season)


async def kinds(house: LeagueHouse, season: int, person: int) -> list[str]:
    """Return what each round was to this person."""
    seen = await house.view(season)
    return [line.kind for line in book(seen.season).lines[seen.by_person[person]]]


async def test_who_comes_back_in_time_sits_down_again(house: LeagueHouse):
    season = await second_round(house)
    await leave(house, season, 11)
    await house.join(season, 11)
    await house.rounds.catch_up(season)
    await house.play_round(season, 2)
    assert await kinds(house, season, 11) == ["match", "match"]
    await house.assert_fold(season)


@pytest.mark.parametrize("begun", [False, True])
async def test_who_comes_back_after_the_match_has_missed_it(house: LeagueHouse, begun: bool):
    season = await second_round(house)
    await leave(house, season, 11)
    seen = await house.view(season)
    [pod] = seen.pods_of(2)
    table = seen.tables[pod.id].id
    await house.sit_down(table, [12, 13, 14])
    if begun:
        await house.get_ready(table, (12, 13, 14))
    else:
        await house.play_match(table, [12, 13, 14])
    await house.join(season, 11)
    if begun:
        await house.finish_deal(table)
    assert await kinds(house, season, 11) == ["match", "absence"]
    row = next(line.row for line in (await house.view(season)).standings().rows if line.name == "P11")
    mean = row.lines[0].points
    assert row.lines[1].points == min(0, mean) - 1500


async def test_who_left_a_match_that_nobody_played_has_missed_it(house: LeagueHouse):
    season = await second_round(house)
    await leave(house, season, 11)
    due = (await house.view(season)).season.rounds[2].due
    await house.until(season, due - 1)
    await house.come(season, 3, 12, 13, 14)
    await house.until(season, due)
    await house.join(season, 11)
    assert await kinds(house, season, 11) == ["match", "absence", "absence"]


async def test_staff_who_add_somebody_again_give_them_their_seat(house: LeagueHouse):
    season = await second_round(house)
    await leave(house, season, 11)
    player = (await house.view(season)).by_person[11]
    rulings = house.services.rulings
    added = await rulings.prepare(
        season, STAFF, "a mistake", lambda known, _, __: ruling_events.added(known, player)
    )
    await rulings.enact(season, added.draft, STAFF, next(house.ids))
    await house.rounds.catch_up(season)
    await house.play_round(season, 2)
    assert await kinds(house, season, 11) == ["match", "match"]
    assert ((player, 3)) in (await house.view(season)).season.check_ins
