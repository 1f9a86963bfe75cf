"""Numbers that staff change during sign-up; announced dates and sign-ups are kept."""

from functools import partial

import pytest

from bot.errors import UserError
from bot.league.agenda import after_rounds, draw_at, next_draw_hour
from bot.league.leagues import Founding
from bot.league.ruling_events import renumbered
from bot.league.season import SeasonTransaction
from bot.panels.league.rulings import preview_panel
from bot.words.texts import texts
from data.preferences import Pace
from data.season_posts import CheckInPost
from data.season_rows import SeasonEventRow
from data.transaction import ReadTransaction
from league.events import Event, MatchFinished, MatchStarted, Result
from league.season import Season
from league.templates import TEMPLATES
from league.times import local
from marriage.rules import PRESETS
from tests.bot.league.house import CHANNEL, DAY, GUILD, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words

KATHMANDU = "Asia/Kathmandu"


async def change(house: LeagueHouse, season: int, name: str, value: str) -> None:
    await house.season_admin.set_number(season, STAFF, name, value, next(house.ids))


async def begins(house: LeagueHouse, season: int) -> str:
    """Return the time of the first draw, on the league's clock."""
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

    async def work(season_tx: SeasonTransaction) -> None:
        await season_tx.add(
            MatchStarted(1, 1, players), MatchFinished(1, Result(players, ((5, -5), (5, -5))))
        )

    await house.leagues.write(season, work)
    with pytest.raises(UserError, match="fixed"):
        await change(house, season, "day_cap", "1")


async def test_a_sign_up_that_is_cut_short_leaves_the_whole_time_to_confirm(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=10, confirm_hours=48)
    await house.join(season, *range(11, 15))
    announced = (await house.view(season)).row.starts_at
    await house.until(season, house.clock.at + 5 * DAY)
    await change(house, season, "signup_days", "3")
    seen = await house.view(season)
    assert 2 * DAY < seen.row.starts_at - house.clock.at < 3 * DAY
    assert (await begins(house, season)).endswith("19:00")
    await house.until(season, seen.row.starts_at - 2 * DAY)
    assert CheckInPost(1) in (await house.view(season)).posts
    await house.come(season, 1, *range(11, 15))
    await change(house, season, "signup_days", "2")
    assert (await house.view(season)).row.starts_at == seen.row.starts_at, "it does not come later"
    await change(house, season, "signup_days", "10")
    assert (await house.view(season)).row.starts_at == announced
    await house.until(season, announced)
    assert (await house.view(season)).season.drawn == 1


async def test_the_first_day_of_a_ladder_is_today_if_its_sign_up_is_over(house: LeagueHouse):
    season = await house.open("ladder", rest_weeks=1)
    await change(house, season, "rest_weeks", "0")
    assert (await house.view(season)).row.starts_at == house.clock.at


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


# Once the season has begun


async def begun(house: LeagueHouse, **options) -> int:
    season = await house.open(signup_days=1, confirm_hours=0, round_days=2, rounds=3, **options)
    await house.join(season, *range(11, 15))
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def renumber(house: LeagueHouse, season: int, name: str, value: str) -> SeasonEventRow:
    pace = (await house.view(season)).row.pace
    return await house.rule(season, "as asked", lambda told, _, __: renumbered(told, pace, name, value))


async def test_later_rounds_are_longer_and_shorter_again(house: LeagueHouse):
    season = await begun(house)
    before = await house.view(season)
    row = await renumber(house, season, "round_days", "5")
    seen = await house.view(season)
    assert seen.season.rounds == before.season.rounds, "the round in play keeps its deadline"
    assert draw_at(seen.row, seen.season, 3) == draw_at(before.row, before.season, 3) + 3 * DAY
    assert seen.season.opened_at == before.season.opened_at
    await house.undo(season, row.id)
    assert (await house.view(season)).season == before.season
    await house.play_round(season, 1)
    await house.assert_fold(season)


async def test_what_a_change_does_is_shown_before_it_counts(house: LeagueHouse):
    season = await begun(house)
    seen = await house.view(season)
    make = partial(_later, seen.row.pace)
    preview = await house.services.rulings.prepare(season, STAFF, "as asked", make)
    said = words(preview_panel(seen, preview, texts()))
    assert "`round_days` is now 5 (2 before)" in said
    assert "The draw of round 3" in said
    assert "The draw of round 2" not in said, "it is the deadline of the round in play"
    assert "stays as it is" in said
    assert (await house.view(season)).season.settings.round_days == 2


def _later(pace: Pace, told: Season, *_: object) -> Event:
    return renumbered(told, pace, "round_days", "5")


@pytest.mark.parametrize(
    ("name", "value"),
    [("rotations", "2"), ("absence_points", "-3"), ("duplicate", "yes"), ("rounds", "0"), ("no_such", "1")],
)
async def test_what_would_change_what_was_played_is_refused(house: LeagueHouse, name: str, value: str):
    season = await begun(house)
    with pytest.raises(UserError, match=r"fixed|bad_setting|no_setting"):
        await renumber(house, season, name, value)


async def test_a_season_can_become_longer_or_end_sooner_but_not_before_what_is_drawn(house: LeagueHouse):
    season = await begun(house)
    with pytest.raises(UserError, match="same_number"):
        await renumber(house, season, "rounds", "3")
    await renumber(house, season, "rounds", "4")
    await renumber(house, season, "rounds", "1")
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.closed_at is not None


async def test_a_round_that_is_added_while_the_last_one_runs_late_is_drawn_after_a_check_in(
    house: LeagueHouse,
):
    season = await begun(house)
    await renumber(house, season, "rounds", "1")
    seen = await house.view(season)
    table = seen.tables[1].id
    await house.sit_down(table, [*range(11, 15)])
    await house.get_ready(table, range(11, 15))
    await house.until(season, seen.season.rounds[1].due + DAY // 24)
    make = partial(_one_more, seen.row.pace)
    preview = await house.services.rulings.prepare(season, STAFF, "as asked", make)
    seen = await house.view(season)
    said = words(preview_panel(seen, preview, texts()))
    drawn_at = next_draw_hour(house.clock.at + DAY, seen.season.settings)
    ends = after_rounds(drawn_at, seen.season.settings, 1)
    assert f"The end: <t:{ends // 1000}:f>" in said
    await house.rule(season, "as asked", make)
    await house.play_deals_on(table)
    await house.until(season, drawn_at - DAY)
    assert CheckInPost(2) in (await house.view(season)).posts
    await house.come(season, 2, *range(11, 15))
    await house.until(season, drawn_at)
    await house.play_round(season, 2)
    await house.until(season, ends)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert {row.row.matches for row in seen.standings().rows} == {2}
    await house.assert_fold(season)


def _one_more(pace: Pace, told: Season, *_: object) -> Event:
    return renumbered(told, pace, "rounds", "2")


async def test_divisions_cannot_get_more_rounds(house: LeagueHouse):
    season = await house.open("divisions", signup_days=1, confirm_hours=0, division_size=4)
    await house.join(season, *range(11, 15))
    await house.until(season, (await house.view(season)).row.starts_at)
    with pytest.raises(UserError, match="fixed"):
        await renumber(house, season, "rounds", "9")


async def test_a_check_in_that_opens_sooner_is_posted(house: LeagueHouse):
    season = await begun(house)
    assert CheckInPost(2) not in (await house.view(season)).posts
    await renumber(house, season, "checkin_hours", "48")
    assert CheckInPost(2) in (await house.view(season)).posts


async def test_the_clock_of_later_tables_changes_and_comes_back(house: LeagueHouse):
    season = await begun(house)
    row = await renumber(house, season, "clock", "fast")
    assert (await house.view(season)).row.pace == Pace.FAST
    await house.undo(season, row.id)
    assert (await house.view(season)).row.pace == Pace.NONE


async def test_who_stands_by_is_not_drawn_in_by_another_number(house: LeagueHouse):
    season = await begun(house, late_entry=0)
    await house.join(season, 31)
    await renumber(house, season, "no_show_minutes", "20")
    seen = await house.view(season)
    assert seen.season.members[seen.by_person[31]].status == "waiting"


async def test_a_forgotten_name_goes_from_what_was_said_too(house: LeagueHouse):
    season = await begun(house)
    await renumber(house, season, "description", "By P11")
    await renumber(house, season, "description", "By all")
    await house.services.forgetting.forget(11)

    async def read(db: ReadTransaction):
        return [row.body for row in await db.seasons.events(season)]

    bodies = await house.store.read(read)
    assert not [body for body in bodies if "P11" in str(body)]
