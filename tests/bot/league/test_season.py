"""A season from its sign-up to its end, at the level of the services."""

from tests.bot.league.house import DAY, HOUR, LeagueHouse

PEOPLE = tuple(range(11, 19))


async def test_pods_from_the_first_sign_up_to_the_archive(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=3, confirm_hours=24, round_days=2)
    begins = (await house.view(season)).row.starts_at
    await house.join(season, *PEOPLE)
    assert len((await house.view(season)).season.waiting()) == 8

    await house.until(season, begins - 24 * HOUR)
    seen = await house.view(season)
    assert "checkin:1" in seen.posts
    await house.come(season, 1, *PEOPLE[:7])
    await house.until(season, begins)
    seen = await house.view(season)
    assert sorted(len(pod.players) for pod in seen.pods_of(1)) == [3, 4]
    assert [seen.people[own.player].id for own in seen.season.waiting()] == [PEOPLE[7]]
    assert len(seen.tables) == 2

    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert all(pod.result for pod in seen.pods_of(1))
    assert "standings:1" in seen.posts
    assert abs(sum(own.row.points for own in seen.standings().rows)) < len(PEOPLE)  # but for rounding

    await house.until(season, begins + 2 * DAY - HOUR)
    await house.come(season, 2, *PEOPLE[:6])
    await house.until(season, begins + 2 * DAY)
    seen = await house.view(season)
    assert len(seen.season.absences) == 1
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.champion() == seen.standings().rows[0].row.player
    await house.assert_fold(season)
