"""What staff do to the calendar of a season: draw now, extend, pause and go on."""

import pytest

from bot.errors import UserError
from bot.league.agenda import draw_at
from bot.panels.league.posts import post_panel
from bot.words.texts import texts
from data.season_posts import RulingPost, SignupPost
from league.events import DeadlineMoved, SeasonPaused, SeasonResumed
from league.season import fold
from league.wall_clock import local
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse

PEOPLE = tuple(range(11, 15))
WEEKS = {"rounds": 3, "signup_days": 2, "confirm_hours": 0, "round_days": 7}


async def draws(house: LeagueHouse, season: int) -> list[int]:
    seen = await house.view(season)
    return [draw_at(seen.row, seen.season, number) for number in (1, 2, 3, 4)]


async def running(house: LeagueHouse, **numbers: object) -> int:
    season = await house.open(**(WEEKS | numbers))
    await house.join(season, *PEOPLE)
    await house.until(season, (await draws(house, season))[0])
    return season


async def test_the_next_round_is_drawn_at_once_when_the_last_one_has_been_played(house: LeagueHouse):
    season = await running(house)
    admin = house.season_admin
    with pytest.raises(UserError, match="still_to_play"):
        await admin.start(season, next(house.ids))
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    house.clock.at += 2 * DAY + HOUR
    await admin.start(season, next(house.ids))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert [sorted(pod.drawn) for pod in seen.pods_of(2)] == [sorted(seen.season.members)]
    now, coming = house.clock.at, await draws(house, season)
    assert coming[1] == now
    assert DAY * 6 < coming[2] - now < DAY * 8
    assert local(coming[2], "UTC").hour == 19
    await house.assert_fold(season)


async def test_staff_extend_a_round_and_everything_after_it(house: LeagueHouse):
    season = await running(house)
    before, admin = await draws(house, season), house.season_admin
    for wrong in (before[1], house.clock.at, before[1] + 90 * DAY):
        with pytest.raises(UserError, match="bad_extension"):
            await admin.extend(season, STAFF, wrong, "holidays", next(house.ids))
    until = before[1] + 2 * DAY + HOUR
    await admin.extend(season, STAFF, until, "holidays", next(house.ids))
    assert await draws(house, season) == [before[0], until, before[2] + 2 * DAY, before[3] + 2 * DAY]
    seen = await house.view(season)
    [act] = [act for act in seen.acts if isinstance(act.body, DeadlineMoved)]
    assert RulingPost(act.id) in seen.posts
    assert "holidays" in str(post_panel(seen, RulingPost(act.id), texts()).view.to_components())
    await house.until(season, before[1] + DAY)
    assert not (await house.view(season)).season.pods[1].over
    await house.until(season, until)
    assert (await house.view(season)).season.drawn == 2
    await house.assert_fold(season)


async def test_staff_extend_the_sign_up(house: LeagueHouse):
    season = await house.open(**WEEKS)
    before = await draws(house, season)
    await house.season_admin.extend(season, STAFF, before[0] + DAY, "too few", next(house.ids))
    assert await draws(house, season) == [at + DAY for at in before]


async def test_rounds_that_were_drawn_together_are_extended_together(house: LeagueHouse):
    season = await house.open("divisions", **(WEEKS | {"division_size": 4}))
    await house.join(season, *PEOPLE)
    await house.until(season, (await draws(house, season))[0])
    before = await draws(house, season)
    await house.season_admin.extend(season, STAFF, before[1] + DAY, "holidays", next(house.ids))
    assert await draws(house, season) == [before[0], *(at + DAY for at in before[1:])]


async def test_in_a_pause_nothing_is_drawn_and_afterwards_everything_comes_later(house: LeagueHouse):
    season = await running(house)
    before, admin = await draws(house, season), house.season_admin
    with pytest.raises(UserError, match="not_paused"):
        await admin.resume(season, STAFF, "again", next(house.ids))
    await house.until(season, before[1] - DAY)
    await admin.pause(season, STAFF, "an earthquake", next(house.ids))
    for refused in (
        admin.pause(season, STAFF, "once more", next(house.ids)),
        admin.start(season, next(house.ids)),
    ):
        with pytest.raises(UserError, match="is_paused"):
            await refused
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.row.due_at is None
    assert "Paused" in str(post_panel(seen, SignupPost(), texts()).view.to_components())
    house.clock.at += 10 * DAY + HOUR
    await house.rounds.catch_up(season)
    assert not (await house.view(season)).season.pods[1].over
    await admin.resume(season, STAFF, "all is well", next(house.ids))
    assert await draws(house, season) == [
        before[0],
        *(at + 10 * DAY + (at == before[1]) * HOUR for at in before[1:]),
    ]
    await house.until(season, before[1] + 10 * DAY + HOUR)
    seen = await house.view(season)
    assert seen.season.drawn == 2
    assert [type(act.body) for act in seen.acts if act.staff] == [SeasonPaused, SeasonResumed]
    assert fold(event.entry for event in await events(house, season)) == seen.season


async def events(house: LeagueHouse, season: int):
    async with house.store.read() as db:
        return await db.seasons.events(season)
