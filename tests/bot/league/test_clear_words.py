"""Messages to members and staff say no more than necessary: the standings and the preview of a ruling."""

from bot.league.ruling_events import ruled
from bot.panels.league.rulings import preview_panel
from bot.panels.league.standings import standings_lines, standings_panel
from bot.words.texts import texts
from tests.bot.league.house import HOUR, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words

say = texts()
PEOPLE = range(11, 27)


async def drawn(house: LeagueHouse, **options) -> int:
    """A season of four pods whose first round is drawn."""
    season = await house.open(signup_days=1, confirm_hours=0, round_days=2, **options)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def test_a_table_is_that_of_the_round_before_until_somebody_plays(house: LeagueHouse):
    season = await drawn(house, rounds=2)
    seen = await house.view(season)
    assert seen.standings().through == 0
    assert "Before the first match" in words(standings_panel(seen, 0, 0, None, say))
    await house.play_round(season, 1, 11)
    assert (await house.view(season)).standings().through == 1
    seen = await house.view(season)
    await house.until(season, seen.season.rounds[1].due - 20 * HOUR)
    await house.come(season, 2, *PEOPLE)
    await house.until(season, seen.season.rounds[1].due)
    seen = await house.view(season)
    assert len(seen.pods_of(2)) == 4
    assert seen.standings().through == 1
    lines = standings_lines(seen.standings(), seen.standings().rows, None, say)
    assert sum("no match yet" in line for line in lines) == 4, "the pod of P11 has not played"


async def test_a_preview_lists_whose_points_change_and_counts_the_others(house: LeagueHouse):
    season = await drawn(house, rounds=2)
    seen = await house.view(season)
    players = seen.season.pods[1].players
    people = [seen.people[player].id for player in players]
    preview = await house.services.rulings.prepare(
        season, STAFF, "nobody came", lambda told, _, numbers: ruled(told, 1, [players[0]])
    )
    said = words(preview_panel(seen, preview, say))
    assert sum(f"**P{person}** 1 → " in said for person in people) == 4
    assert said.count(" → ") == 2 * 4
    assert "12 others only move up or down, with the same points." in said
