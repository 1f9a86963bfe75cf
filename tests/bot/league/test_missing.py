"""Who replaces a missing player, by the league's choice: a substitute, no one, or a computer."""

import pytest

from bot.errors import UserError
from bot.league.free_seats import Offers
from data.season_posts import FreeSeatPost
from league.points import match_points
from league.times import MINUTE
from tests.bot.league.house import DAY, LeagueHouse, entrant
from tests.bot.league.test_unplayed_matches import PEOPLE, begins, set_time, table_of


async def begun(house: LeagueHouse, missing: str, *there: int) -> tuple[int, int]:
    """A season and table whose pod began without its missing players, with someone on the waiting list."""
    season = await house.open(
        rounds=1, signup_days=1, confirm_hours=0, round_days=2, late_entry=0, missing=missing
    )
    await house.join(season, *PEOPLE)
    at = (await house.view(season)).row.starts_at
    await house.until(season, at)
    await house.join(season, 31)
    await set_time(house, season, at + DAY, *PEOPLE)
    table = await table_of(house, season)
    await house.sit_down(table, list(there))
    await house.until(season, at + DAY + 11 * MINUTE)
    return season, table


@pytest.mark.parametrize(("there", "computers"), [((11, 12, 13), 1), ((11, 12), 2)])
async def test_a_computer_sits_in_and_earns_nothing_for_anyone(
    house: LeagueHouse, there: tuple[int, ...], computers: int
):
    season, table = await begun(house, "computer", *there)
    seen = await house.view(season)
    assert not [post for post in seen.posts if isinstance(post, FreeSeatPost)], "no substitute is asked"
    await begins(house, table)
    seats = await house.store.read(lambda db: db.tables.seats(table))
    pod = (await house.view(season)).season.pods[1]
    assert len(seats) == 4
    assert len({seat.name for seat in seats}) == 4
    assert sum(seat.person_id is None for seat in seats) == computers
    for seat, player in zip(seats, pod.players, strict=True):
        assert seat.person_id in (None, seen.people[player].id), "everybody sits as drawn"
    await house.play_deals_on(table)
    seen = await house.view(season)
    result = seen.season.pods[1].result
    assert result is not None
    assert {seen.people[player].id for player in result.players} == set(there)
    assert (result.seats, len(result.deals)) == (4, 4)
    assert all(sum(points) == 0 for points in result.deals), "what the computer won or paid is nobody's"
    rules = seen.season.settings.match_rules(seen.season.pars[4])
    expected = [seat.points for seat in match_points(result.deals, rules)]
    rows = {row.row.player: row.row.points for row in seen.standings().rows}
    assert [rows[player] for player in result.players] == expected
    await house.assert_fold(season)


async def test_a_league_may_choose_that_the_others_play_without(house: LeagueHouse):
    season, table = await begun(house, "shorter", 11, 12, 13)
    seen = await house.view(season)
    assert not [post for post in seen.posts if isinstance(post, FreeSeatPost)]
    [missed] = seen.season.pods[1].missed
    with pytest.raises(UserError, match="seat_taken"):
        await Offers(house.leagues).take(season, 1, missed, entrant(31), next(house.ids))
    await begins(house, table)
    assert len(await house.store.read(lambda db: db.tables.seats(table))) == 3


async def test_a_computer_is_no_company_for_one(house: LeagueHouse):
    season, table = await begun(house, "computer", 11)
    seen = await house.view(season)
    assert await house.tables.status(table) == "closed"
    assert seen.season.pods[1].verdicts[seen.by_person[11]] == "average_plus"


@pytest.mark.parametrize("comes_back", [False, True])
async def test_a_computer_takes_the_seat_of_a_player_who_has_left_until_they_are_back(
    house: LeagueHouse,
    comes_back: bool,
):
    season = await house.open(
        rounds=2, signup_days=1, confirm_hours=0, round_days=2, late_entry=100, missing="computer"
    )
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    table, there = await table_of(house, season), [11, 12, 13]
    await house.entries.leave(season, entrant(14).person, next(house.ids))
    await house.rounds.catch_up(season)
    await house.sit_down(table, there)
    if comes_back:
        await house.join(season, 14)
        await house.rounds.catch_up(season)
        await house.sit_down(table, [14])
        there = [*there, 14]
    await house.play_deals(table, there)
    seats = await house.store.read(lambda db: db.tables.seats(table))
    assert len(seats) == 4
    assert sum(seat.person_id is None for seat in seats) == 4 - len(there)
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert len(result.players) == len(there)
    assert result.seats == (0 if comes_back else 4)
    await house.assert_fold(season)
