"""What `/fairplay` examines after a league season."""

from itertools import permutations

from bot.history.fair_play import questions
from tests.bot.league.house import DAY, GUILD, HOUR, LeagueHouse


async def test_pairs_of_a_season_are_compared_after_their_first_match(house: LeagueHouse):
    season = await house.open(rounds=2, rotations=3, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *range(11, 19))
    drawn = (await house.view(season)).row.starts_at
    await house.until(season, drawn)
    await house.play_round(season, 1)
    await house.until(season, drawn + DAY + HOUR)
    await house.come(season, 2, *range(11, 19))
    await house.until(season, drawn + 2 * DAY)
    await house.play_round(season, 2)
    seen = await house.view(season)
    pods = [*seen.pods_of(1), *seen.pods_of(2)]
    found = await house.store.read(questions, GUILD, 0)
    assert len(pods) == 4
    assert found.deals == 12 * len(pods)
    assert found.compared == len({pair for pod in pods for pair in permutations(pod.players, 2)})
