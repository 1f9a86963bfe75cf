"""What staff do to a season's calendar: draw now, extend, pause and resume."""

import pytest

from bot.errors import UserError
from bot.league.agenda import draw_at
from bot.league.calendar_acts import extended, paused, resumed
from bot.league.ruling_events import reopened, ruled
from bot.league.rulings import Make
from bot.panels.league.people import leaving_panel
from bot.panels.league.posts import post_panel
from bot.panels.league.rulings import draw_panel, preview_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import RulingPost, SignupPost
from league.events import DeadlineMoved, MatchFinished, SeasonPaused, SeasonResumed
from league.season import fold
from league.times import local
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words

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
    with pytest.raises(UserError, match="still_to_play"):
        await house.start(season)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    house.clock.at += 2 * DAY + HOUR
    await house.start(season)
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
    before = await draws(house, season)
    for wrong in (before[1], house.clock.at, before[1] + 90 * DAY):
        with pytest.raises(UserError, match="bad_extension"):
            await house.extend(season, wrong, "holidays")
    until = before[1] + 2 * DAY + HOUR
    await house.extend(season, until, "holidays")
    assert await draws(house, season) == [before[0], until, before[2] + 2 * DAY, before[3] + 2 * DAY]
    seen = await house.view(season)
    [act] = [act for act in seen.acts if isinstance(act.body, DeadlineMoved)]
    assert RulingPost(act.id) in seen.posts
    assert "holidays" in str(post_panel(seen, RulingPost(act.id), texts()).view.to_components())
    assert RulingPost(act.id) in seen.posts
    await house.undo(season, act.id)
    assert await draws(house, season) == before, "it is taken back as long as the former time is to come"
    await house.extend(season, until, "holidays after all")
    await house.until(season, before[1] + DAY)
    assert not (await house.view(season)).season.pods[1].over
    await house.until(season, until)
    assert (await house.view(season)).season.drawn == 2
    await house.assert_fold(season)


async def test_staff_extend_the_sign_up(house: LeagueHouse):
    season = await house.open(**WEEKS)
    before = await draws(house, season)
    await house.extend(season, before[0] + DAY, "too few")
    assert await draws(house, season) == [at + DAY for at in before]


async def test_an_extension_moves_the_round_in_play_although_a_match_before_it_has_a_deadline_of_its_own(
    house: LeagueHouse,
):
    season = await running(house)
    await house.rule(season, "nobody came", lambda told, _, __: ruled(told, 1, ()))
    await house.until(season, (await draws(house, season))[1] - HOUR)
    await house.come(season, 2, *PEOPLE)
    await house.until(season, (await draws(house, season))[1])
    own = house.clock.at + 2 * DAY
    await house.rule(season, "let them play", lambda told, _, __: reopened(told, 1, own))
    seen = await house.view(season)
    before = await draws(house, season)
    for until, days in ((None, 1), (before[2] + 3 * DAY, 3)):
        await house.rule(season, "holidays", lambda told, _, __, at=until: extended(seen.row, told, at))
        assert await draws(house, season) == [*before[:2], *(at + days * DAY for at in before[2:])]
    assert (await house.view(season)).season.pods[1].due == own


async def test_an_extension_moves_the_round_in_play_although_a_match_before_it_was_reported(
    house: LeagueHouse,
):
    season = await running(house)
    seen = await house.view(season)
    before = await draws(house, season)
    person = seen.people[seen.season.pods[1].players[0]].id
    deals = "\n".join(["9 -3 -3 -3"] * 4)
    await house.until(season, before[1] - HOUR)
    await house.reports.report(season, 1, NamedPerson(person, "P"), deals, (), next(house.ids))
    await house.come(season, 2, *PEOPLE)
    await house.until(season, before[1])
    seen = await house.view(season)
    assert not seen.season.pods[1].over
    assert extended(seen.row, seen.season) == DeadlineMoved(2, before[2] + DAY, before[2])


async def test_an_extension_moves_the_round_in_play_although_an_earlier_result_was_taken_back(
    house: LeagueHouse,
):
    season = await running(house)
    await house.play_round(season, 1)
    rows = await house.store.read(lambda db: db.seasons.events(season))
    result = next(row.id for row in rows if isinstance(row.body, MatchFinished))
    before = await draws(house, season)
    await house.until(season, before[1] - HOUR)
    await house.come(season, 2, *PEOPLE)
    await house.until(season, before[1] + DAY + HOUR)
    await house.undo(season, result)
    seen = await house.view(season)
    assert not seen.season.pods[1].over
    await house.rule(season, "holidays", lambda told, _, __: extended(seen.row, told))
    assert await draws(house, season) == [*before[:2], *(at + DAY for at in before[2:])]


async def test_rounds_that_were_drawn_together_are_extended_together(house: LeagueHouse):
    season = await house.open("divisions", **(WEEKS | {"division_size": 4}))
    await house.join(season, *PEOPLE)
    await house.until(season, (await draws(house, season))[0])
    before = await draws(house, season)
    await house.extend(season, before[1] + DAY, "holidays")
    assert await draws(house, season) == [before[0], *(at + DAY for at in before[1:])]


async def test_in_a_pause_nothing_is_drawn_and_afterwards_everything_comes_later(house: LeagueHouse):
    season = await running(house)
    before = await draws(house, season)
    with pytest.raises(UserError, match="not_paused"):
        await house.resume(season, "again")
    await house.until(season, before[1] - DAY)
    await house.pause(season, "an earthquake")
    for refused in (
        house.pause(season, "once more"),
        house.start(season),
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
    await house.resume(season, "all is well")
    assert await draws(house, season) == [
        before[0],
        *(at + 10 * DAY + (at == before[1]) * HOUR for at in before[1:]),
    ]
    await house.until(season, before[1] + 10 * DAY + HOUR)
    seen = await house.view(season)
    assert seen.season.drawn == 2
    assert [type(act.body) for act in seen.acts if act.staff] == [SeasonPaused, SeasonResumed]
    assert fold(event.entry for event in await events(house, season)) == seen.season


async def test_before_they_confirm_staff_read_what_an_act_of_the_calendar_moves(house: LeagueHouse):
    season = await running(house)
    before, rulings = await draws(house, season), house.services.rulings
    seen = await house.view(season)

    async def shown(make: Make) -> str:
        preview = await rulings.prepare(season, STAFF, "why", make)
        return words(preview_panel(await house.view(season), preview, texts()))

    later = before[1] + 2 * DAY
    said = await shown(lambda told, _, __: extended(seen.row, told, later))
    assert "still to be played: 1" in said
    assert f"round 2: <t:{before[1] // 1000}:f> → <t:{later // 1000}:f>" in said
    said = await shown(lambda told, _, __: paused(told))
    assert f"would be <t:{before[1] // 1000}:f>" in said
    assert await draws(house, season) == before, "nothing has happened yet"
    row = await house.pause(season, "an earthquake")
    house.clock.at += 5 * HOUR
    said = await shown(lambda told, _, __: resumed(told))
    assert "5 hours" in said
    await house.undo(season, row.id)
    assert (await house.view(season)).season.paused_at is None
    assert (await draws(house, season))[1] > before[1]


async def test_staff_see_who_would_be_drawn_and_what_was_shown_is_what_is_drawn(house: LeagueHouse):
    season = await house.open(**(WEEKS | {"confirm_hours": 48}))
    await house.join(season, *PEOPLE)
    await house.until(season, (await draws(house, season))[0] - 2 * HOUR)
    await house.come(season, 1, *PEOPLE[:3])
    draw = await house.season_admin.next_draw(season)
    said = words(draw_panel(await house.view(season), draw, texts()))
    assert "among 3 players at 1 table" in said
    assert "P14" in said
    await house.come(season, 1, PEOPLE[3])
    with pytest.raises(UserError, match="moved_on"):
        await house.season_admin.start(season, draw.last, next(house.ids))
    assert not (await house.view(season)).season.drawn
    await house.start(season)
    await house.rounds.catch_up(season)
    assert len((await house.view(season)).season.pods[1].players) == 4


async def test_who_leaves_first_reads_what_they_give_up(house: LeagueHouse):
    season = await house.open(**WEEKS)
    await house.join(season, *PEOPLE)
    somebody = NamedPerson(PEOPLE[0], "P11")
    assert "at the end of the list" in words(leaving_panel(await house.view(season), somebody, texts()))
    await house.until(season, (await draws(house, season))[0])
    said = words(leaving_panel(await house.view(season), somebody, texts()))
    assert "have not begun: 1" in said
    assert "Your row disappears" in said
    with pytest.raises(UserError, match="not_in"):
        leaving_panel(await house.view(season), NamedPerson(99, "Staff"), texts())


async def events(house: LeagueHouse, season: int):
    return await house.store.read(lambda db: db.seasons.events(season))
