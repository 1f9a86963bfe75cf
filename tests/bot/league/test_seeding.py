"""A first season of divisions is seeded by the server's ratings; players without one come last."""

from league.statistics.ratings import Rating
from tests.bot.league.house import GUILD, LeagueHouse

PEOPLE = tuple(range(11, 27))
STRONG = (26, 24, 22, 20, 18, 16, 14, 12)


async def test_the_strongest_play_in_the_first_division(house: LeagueHouse, monkeypatch):
    season = await house.open("divisions", confirm_hours=0)
    await house.join(season, *PEOPLE)

    async def ratings(queries, guild: int, people=None) -> dict[int, Rating]:
        assert guild == GUILD
        return {person: Rating(mu=20 + person, sigma=5, deals=50) for person in STRONG}

    monkeypatch.setattr("data.repositories.stats.StatsQueries.ratings", ratings)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    divisions = {seen.people[player].id: member.division for player, member in seen.season.members.items()}
    assert divisions == {person: 1 if person in STRONG else 2 for person in PEOPLE}
