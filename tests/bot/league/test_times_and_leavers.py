"""Agreed times of pods whose players leave the season, and of those who take their seats."""

import pytest

from bot.errors import UserError
from bot.league.free_seats import Offers
from bot.panels.league.pods import seat_words
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import AgreedNotice, FreeSeatPost
from league.standins import vacancies
from tests.bot.league.house import DAY, HOUR, LeagueHouse, entrant
from tests.bot.league.test_standins import begun

MINUTE = HOUR // 60


async def first_pod(house: LeagueHouse, season: int) -> list[int]:
    seen = await house.view(season)
    return [seen.people[player].id for player in seen.season.pods[1].players]


async def propose(house: LeagueHouse, season: int, person: int, at: int) -> None:
    await house.services.meetings.propose(season, NamedPerson(person, "P"), at, next(house.ids))


async def agree(house: LeagueHouse, season: int, at: int, *people: int) -> list[str]:
    return [
        await house.services.meetings.agree(season, 1, at, NamedPerson(person, "P"), next(house.ids))
        for person in people
    ]


async def leave(house: LeagueHouse, season: int, person: int) -> None:
    await house.entries.leave(season, NamedPerson(person, "P"), next(house.ids))
    await house.rounds.catch_up(season)


async def missed(house: LeagueHouse, season: int) -> set[int]:
    seen = await house.view(season)
    return {seen.people[player].id for player in seen.season.pods[1].missed}


async def told(house: LeagueHouse, at: int) -> int:
    """Return how many were told that a time is fixed."""
    return sum(isinstance(post, AgreedNotice) and post.at == at for post in await house.posts())


async def test_a_time_is_fixed_once_all_who_are_left_agree(house: LeagueHouse):
    season = await begun(house, missing="shorter")
    first, second, third, gone = await first_pod(house, season)
    await leave(house, season, gone)
    at = house.clock.at + 5 * HOUR
    await propose(house, season, first, at)
    assert await agree(house, season, at, second, third) == ["league.agreed", "league.all_agreed"]
    await house.sit_down((await house.view(season)).tables[1].id, [first, second])
    await house.until(season, at + 11 * MINUTE)
    assert await missed(house, season) == {third}


async def test_a_time_that_waited_for_a_player_alone_is_fixed_when_they_leave(house: LeagueHouse):
    season = await begun(house, missing="shorter")
    first, second, third, gone = await first_pod(house, season)
    at = house.clock.at + 5 * HOUR
    await propose(house, season, first, at)
    assert await agree(house, season, at, second, third) == ["league.agreed"] * 2
    assert not await told(house, at)
    await leave(house, season, gone)
    assert await told(house, at)
    await house.until(season, at + 11 * MINUTE)
    assert (await house.view(season)).season.pods[1].over


async def test_a_time_that_was_not_fixed_when_it_came_makes_nobody_a_no_show_because_somebody_leaves(
    house: LeagueHouse,
):
    season = await begun(house, missing="shorter")
    first, second, third, gone = await first_pod(house, season)
    at = house.clock.at + 5 * HOUR
    await propose(house, season, first, at)
    await agree(house, season, at, second, third)
    await house.until(season, at + 5 * MINUTE)
    await leave(house, season, gone)
    await house.until(season, at + HOUR)
    assert not await missed(house, season)
    assert not (await house.view(season)).season.pods[1].over


async def test_a_time_that_only_a_player_who_has_left_wanted_makes_nobody_a_no_show(house: LeagueHouse):
    season = await begun(house, missing="shorter")
    *_, gone = await first_pod(house, season)
    at = house.clock.at + 20 * HOUR
    await propose(house, season, gone, at)
    await leave(house, season, gone)
    await house.until(season, at + HOUR)
    assert not await missed(house, season)
    assert not (await house.view(season)).season.pods[1].over


@pytest.mark.parametrize("when", ["before the change", "after the change"])
async def test_those_who_are_left_can_move_a_time_to_which_all_had_agreed(house: LeagueHouse, when: str):
    season = await begun(house, missing="shorter")
    first, second, third, gone = await first_pod(house, season)
    at, later = house.clock.at + 5 * HOUR, house.clock.at + DAY
    await propose(house, season, first, at)
    await agree(house, season, at, second, third, gone)
    if when == "before the change":
        await leave(house, season, gone)
    await propose(house, season, first, later)
    await agree(house, season, later, second, third)
    if when == "after the change":
        await leave(house, season, gone)
    time = (await house.view(season)).times[1]
    assert (time.proposal.at, time.change) == (later, None)
    assert await told(house, later)


async def test_a_player_who_has_left_proposes_no_time(house: LeagueHouse):
    season = await begun(house, missing="shorter")
    *_, gone = await first_pod(house, season)
    await leave(house, season, gone)
    with pytest.raises(UserError, match="nothing_to_play"):
        await propose(house, season, gone, house.clock.at + HOUR)


async def test_a_time_that_all_had_agreed_on_holds_for_who_takes_a_free_seat_and_sees_it_in_the_offer(
    house: LeagueHouse,
):
    season = await begun(house)
    first, second, third, gone = await first_pod(house, season)
    await leave(house, season, gone)
    at = house.clock.at + 5 * HOUR
    await propose(house, season, first, at)
    await agree(house, season, at, second, third)
    seen = await house.view(season)
    [seat] = vacancies(seen.season, seen.season.pods[1])
    assert f"<t:{at // 1000}:F>" in seat_words(seen, seat, texts())
    assert FreeSeatPost(1, seat.player) in await house.posts()
    await Offers(house.leagues).take(season, 1, seat.player, entrant(31), next(house.ids))
    await house.sit_down(seen.tables[1].id, [first, second, third])
    await house.until(season, at + 11 * MINUTE)
    assert await missed(house, season) == {31}
