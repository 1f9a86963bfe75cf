"""Numbers that staff change during the sign-up: what was announced and who has signed up is kept."""

import pytest

from bot.errors import UserError
from bot.league.leagues import Founding
from data.preferences import Pace
from league.events import MatchFinished, MatchStarted, Result
from league.templates import TEMPLATES
from league.wall_clock import local
from marriage.rules import PRESETS
from tests.bot.league.house import CHANNEL, DAY, GUILD, STAFF, LeagueHouse

KATHMANDU = "Asia/Kathmandu"


async def change(house: LeagueHouse, season: int, name: str, value: str) -> None:
    await house.season_admin.set_number(season, STAFF, name, value, next(house.ids))


async def begins(house: LeagueHouse, season: int) -> str:
    """When the first draw is, by the clocks of the league."""
    seen = await house.view(season)
    return f"{local(seen.row.starts_at, seen.season.settings.timezone):%A %H:%M}"


async def test_a_tournament_of_friday_stays_on_friday_when_its_hour_is_changed(house: LeagueHouse):
    template = TEMPLATES["arena"]
    settings = template.settings("UTC")
    start = template.starts_at(house.clock.at, settings)
    founding = Founding("Friday", settings, PRESETS["pagat"], Pace.FAST, start)
    season = await house.leagues.create(GUILD, CHANNEL, STAFF, founding, next(house.ids))
    assert await begins(house, season) == "Friday 20:00"
    await change(house, season, "draw_hour", "21")
    assert await begins(house, season) == "Friday 21:00"
    await change(house, season, "timezone", KATHMANDU)
    assert await begins(house, season) == "Friday 21:00"
    assert (await house.view(season)).row.starts_at - (start or 0) < DAY


async def test_an_extended_sign_up_stays_extended_when_its_hour_is_changed(house: LeagueHouse):
    season = await house.open(signup_days=2)
    announced = (await house.view(season)).row.starts_at + 3 * DAY
    await house.extend(season, announced, "holidays")
    await change(house, season, "draw_hour", "20")
    assert (await house.view(season)).row.starts_at == announced + DAY // 24


async def test_an_hour_that_has_passed_is_tomorrows(house: LeagueHouse):
    season = await house.open(signup_days=2, draw_hour=23)
    house.clock.at = (await house.view(season)).row.starts_at - DAY // 24
    await change(house, season, "draw_hour", "8")
    seen = await house.view(season)
    assert 0 < seen.row.starts_at - house.clock.at < DAY
    assert (await begins(house, season)).endswith("08:00")


async def test_the_numbers_of_a_ladder_are_fixed_once_a_match_counts(house: LeagueHouse):
    season = await house.open("ladder")
    await house.join(season, 11, 12)
    await change(house, season, "day_cap", "3")
    seen = await house.view(season)
    players = (seen.by_person[11], seen.by_person[12])
    async with house.leagues.writing(season) as season_tx:
        await season_tx.add(
            MatchStarted(1, 1, players), MatchFinished(1, Result(players, ((5, -5), (5, -5))))
        )
    with pytest.raises(UserError, match="fixed"):
        await change(house, season, "day_cap", "1")


async def test_who_waits_to_confirm_is_in_when_nothing_is_to_be_confirmed_any_more(house: LeagueHouse):
    season = await house.open(signup_days=5, confirm_hours=48)
    await house.join(season, *range(11, 15))
    await change(house, season, "confirm_hours", "0")
    await house.until(season, (await house.view(season)).row.starts_at)
    assert len((await house.view(season)).season.pods[1].players) == 4


async def test_who_waits_for_approval_is_in_when_anybody_may_play(house: LeagueHouse):
    season = await house.open(signup_days=5, confirm_hours=0, approval=True)
    await house.join(season, *range(11, 15))
    await change(house, season, "late_entry", "40")
    assert {member.status for member in (await house.view(season)).season.members.values()} == {"asking"}
    await change(house, season, "approval", "no")
    assert all(member.plays for member in (await house.view(season)).season.members.values())
