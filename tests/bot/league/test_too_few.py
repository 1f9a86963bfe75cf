"""A season with too few players ends gracefully: it says why, and what can be done."""

from dataclasses import replace

import pytest

from bot.league.ruling_events import undone
from bot.panels.league.direct_messages import reminder_panel
from bot.panels.league.posts import post_panel
from bot.panels.league.standings import standings_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import EndNotice, EndPost, RoundPost, SignupPost
from data.transaction import ReadTransaction
from league.events import SeasonClosed
from league.statistics.par import table
from tests.bot.league.house import DAY, LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_wording import shown


@pytest.mark.parametrize("format_", ["pods", "swiss", "divisions"])
@pytest.mark.parametrize("people", [(), (11,)])
async def test_a_season_of_one_player_does_not_begin(
    house: LeagueHouse, format_: str, people: tuple[int, ...]
):
    season = await house.open(format_, signup_days=1, confirm_hours=0)
    await house.join(season, *people)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.row.due_at is None
    assert EndPost() in seen.posts
    assert RoundPost(1) not in seen.posts
    said = words(post_panel(seen, EndPost(), texts()))
    assert f"Too few players were in for a draw: {len(people)}" in said

    async def read(db: ReadTransaction) -> None:
        for player in seen.season.members:
            assert await db.seasons.post(season, EndNotice(player)) is not None
            told = reminder_panel(seen, EndNotice(player), texts())
            assert told is not None
            assert "cannot go on" in words(told)

    await house.store.read(read)
    assert "`/league-staff season next`" in said


async def play_and_leave(house: LeagueHouse, season: int) -> int:
    """Let four people play the first round, and all but one leave. Returns when it was drawn."""
    await house.join(season, *range(11, 15))
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins)
    await house.play_round(season, 1)
    for person in (11, 12, 13):
        await house.entries.leave(season, NamedPerson(person, f"P{person}"), next(house.ids))
    return begins


async def test_a_season_that_all_but_one_have_left_ends_at_the_next_draw(house: LeagueHouse):
    season = await house.open(rounds=4, signup_days=1, confirm_hours=0, round_days=2)
    begins = await play_and_leave(house, season)
    await house.until(season, begins + 3 * DAY)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.season.drawn == 1
    assert seen.champion() is not None


async def test_before_confirmation_only_the_sign_ups_are_counted(house: LeagueHouse):
    season = await house.open(signup_days=5, confirm_hours=24)
    await house.join(season, 11, 12)
    seen = await house.view(season)
    said = words(post_panel(seen, SignupPost(), texts()))
    assert "Signed up: 2" in said
    assert "In: 0" not in said


async def test_the_table_names_the_version_of_its_pars_where_it_is_known(house: LeagueHouse):
    season = await house.open()
    seen = await house.view(season)
    assert seen.season.par_version == table().version
    assert f"Par version {table().version} · hash" in words(standings_panel(seen, 0, 0, None, texts()))
    unknown = replace(seen.season, par_version=0)  # as in a season opened before it was recorded
    before = replace(seen, told=replace(seen.told, season=unknown))
    said = words(standings_panel(before, 0, 0, None, texts()))
    assert "Par version" not in said
    assert "within luck. hash" in said


async def closed_by_itself(house: LeagueHouse, season: int) -> int:
    """Return the number of the event with which a season has ended."""
    assert (await house.view(season)).row.closed_at is not None
    rows = await house.store.read(lambda db: db.seasons.events(season))
    return next(row.id for row in rows if isinstance(row.body, SeasonClosed))


async def test_once_its_end_is_taken_back_there_is_time_to_confirm_before_another_draw(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=3, confirm_hours=24, round_days=2)
    await house.join(season, *range(11, 15))
    at = (await house.view(season)).row.starts_at
    await house.until(season, at)
    end = await closed_by_itself(house, season)
    said = await shown(house, season, lambda _, rows, __: undone(rows, end), corrects=end)
    assert f"Round 1 is drawn <t:{(at + DAY) // 1000}:f>" in said
    seen = await house.view(season)
    assert (seen.row.starts_at, seen.row.closed_at) == (at + DAY, None)
    await house.come(season, 1, *range(11, 15))
    await house.until(season, at + DAY)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.closed_at is not None, "it ends like any other"
    await house.assert_fold(season)


async def test_later_too_a_season_of_too_few_is_drawn_if_more_come(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2, late_entry=100)
    begins = await play_and_leave(house, season)
    await house.until(season, begins + 2 * DAY)
    await house.undo(season, await closed_by_itself(house, season))
    await house.join(season, 15, 16)
    await house.come(season, 2, 14, 15, 16)
    await house.until(season, begins + 3 * DAY)
    seen = await house.view(season)
    assert [len(pod.players) for pod in seen.pods_of(2)] == [3]
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.closed_at is not None
