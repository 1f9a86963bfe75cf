"""Closing a season early: a preview shows what would end, and undoing it restores everything."""

import pytest

from bot.errors import UserError
from bot.league.leagues import MOST_OPEN
from bot.league.meetings import Meetings, is_agreed
from bot.league.ruling_events import closing, entered, undone
from bot.panels.league.direct_messages import next_panel, reminder_panel
from bot.panels.league.posts import post_panel
from bot.panels.league.rulings import preview_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import (
    CalendarPost,
    CheckInPost,
    EndPost,
    FreeSeatPost,
    ReportNotice,
    RoundPost,
    TableNotice,
)
from league.events import SeasonClosed
from league.ids import GuildId
from league.times import MINUTE
from tests.bot.league.house import DAY, GUILD, HOUR, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_postponing import revisions
from tests.bot.league.test_rulings_over_rulings import DEALS
from tests.bot.league.test_unplayed_matches import set_time

PEOPLE = (11, 12, 13, 14)


async def begun(house: LeagueHouse, **numbers: object) -> int:
    season = await house.open(signup_days=1, confirm_hours=0, round_days=2, final_matches=1, **numbers)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def take_back(house: LeagueHouse, season: int) -> str:
    """Undo the end of the season as staff, and return the text that they read before confirming."""
    rows = await house.store.read(lambda db: db.seasons.events(season))
    end = next(row.id for row in reversed(rows) if isinstance(row.body, SeasonClosed))
    rulings = house.services.rulings
    preview = await rulings.prepare(
        season, STAFF, "too early", lambda _, entries, __: undone(entries, end), corrects=end
    )
    said = words(preview_panel(await house.view(season), preview, texts()))
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    return said


async def test_nothing_is_closed_before_it_is_confirmed(house: LeagueHouse):
    season = await begun(house, rounds=3)
    rulings = house.services.rulings
    preview = await rulings.prepare(season, STAFF, "too few", lambda told, _, __: closing(told))
    said = words(preview_panel(await house.view(season), preview, texts()))
    assert "not finished and will not count: 1" in said
    assert "not drawn any more: 2" in said
    assert (await house.view(season)).row.closed_at is None
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.season.seed == seen.row.seed.hex()
    with pytest.raises(UserError, match=r"league\.closed"):
        await rulings.prepare(season, STAFF, "again", lambda told, _, __: closing(told))


async def test_taken_back_the_season_goes_on_with_a_new_seed_and_plays_its_finals(house: LeagueHouse):
    season = await begun(house, rounds=1, cut_to=4)
    revealed = (await house.view(season)).row.seed
    await house.close_season(season, "by mistake")
    house.clock.at += 3 * DAY
    assert "goes on as it was" in await take_back(house, season)
    seen = await house.view(season)
    assert seen.row.closed_at is None
    assert seen.row.seed != revealed
    assert (seen.season.seed, seen.season.reopened) == ("", False)
    assert seen.season.rounds[1].due > house.clock.at, "nobody has lost time to play"
    await house.rounds.catch_up(season)
    assert not (await house.view(season)).season.pods[1].over
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).season.rounds[2].stage == 4
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.champion() is not None
    assert seen.season.seed == seen.row.seed.hex() != revealed.hex()
    await house.assert_fold(season)


async def test_a_season_that_was_over_waits_for_a_pod_that_is_opened_again(house: LeagueHouse):
    season = await begun(house, rounds=1)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.closed_at is not None
    assert "stays open until" in await take_back(house, season)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert (seen.row.closed_at, seen.season.reopened) == (None, True)


async def test_a_league_that_is_opened_again_counts_with_the_others(house: LeagueHouse):
    season = await house.open(name="Autumn")
    await house.close_season(season, "by mistake")
    await house.open(name="autumn")
    with pytest.raises(UserError, match="name_taken"):
        await take_back(house, season)
    other = await house.open(name="Winter")
    await house.close_season(other, "by mistake")
    for number in range(MOST_OPEN - 1):
        await house.open(name=f"League {number}")
    with pytest.raises(UserError, match="too_many"):
        await take_back(house, other)


async def test_a_season_that_was_closed_while_paused_stands_still_until_it_resumes(house: LeagueHouse):
    season = await begun(house, rounds=2)
    due = (await house.view(season)).season.rounds[1].due
    await house.pause(season, "a festival")
    house.clock.at += DAY
    await house.close_season(season, "by mistake")
    house.clock.at += 2 * DAY
    await take_back(house, season)
    seen = await house.view(season)
    assert seen.season.paused_at is not None
    assert seen.season.rounds[1].due == due
    house.clock.at += DAY
    await house.resume(season, "it is over")
    assert (await house.view(season)).season.rounds[1].due == due + 4 * DAY


async def test_nobody_misses_a_time_that_came_while_the_season_was_closed(house: LeagueHouse):
    season = await begun(house, rounds=1)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    await house.until(season, agreed - HOUR)
    await house.close_season(season, "the wrong league")
    house.clock.at = agreed + 12 * MINUTE
    await take_back(house, season)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert (seen.season.pods[1].missed, seen.times) == (frozenset(), {})
    await house.play_round(season, 1)
    assert (await house.view(season)).season.pods[1].result is not None


@pytest.mark.parametrize(
    ("there", "closed", "opened"),
    [(PEOPLE, 8, 11), (PEOPLE[:3], 12, 22)],
    ids=["before attendance is checked", "while they wait for a substitute"],
)
async def test_nobody_misses_a_time_that_came_before_a_short_closure(
    house: LeagueHouse, there: tuple[int, ...], closed: int, opened: int
):
    season = await begun(house, rounds=1)
    await house.join(season, 15)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    await house.sit_down((await house.view(season)).tables[1].id, [*there])
    await house.until(season, agreed + closed * MINUTE)
    missed = (await house.view(season)).season.pods[1].missed
    assert len(missed) == len(PEOPLE) - len(there)
    await house.close_season(season, "the wrong league")
    await house.rounds.catch_up(season)
    house.clock.at = agreed + opened * MINUTE
    await take_back(house, season)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert (seen.season.pods[1].missed, seen.times) == (missed, {})
    assert not seen.season.pods[1].over


async def test_the_table_of_a_season_that_is_opened_again_waits_for_no_no_show(house: LeagueHouse):
    season = await begun(house, rounds=1)
    await house.join(season, 15)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    there = [*PEOPLE[:3]]
    await house.sit_down((await house.view(season)).tables[1].id, there)
    await house.until(season, agreed + 12 * MINUTE)
    await house.close_season(season, "the wrong league")
    await house.rounds.catch_up(season)
    house.clock.at = agreed + 3 * HOUR
    await take_back(house, season)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    table, absent = seen.tables[1].id, seen.by_person[PEOPLE[3]]
    assert seen.season.pods[1].missed == {absent}
    assert TableNotice(1, absent, table) not in await house.posts()
    await house.play_table(table, there)
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert absent not in result.players


async def test_a_time_to_come_still_counts_after_a_closure(house: LeagueHouse):
    season = await begun(house, rounds=1)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    await house.close_season(season, "the wrong league")
    await house.rounds.catch_up(season)
    house.clock.at += MINUTE
    await take_back(house, season)
    assert [time.proposal.at for time in (await house.view(season)).times.values()] == [agreed]


async def test_a_closed_season_sends_nobody_to_a_match_and_takes_no_times(house: LeagueHouse):
    season = await begun(house, rounds=2)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    await house.close_season(season, "too few")
    await house.rounds.catch_up(season)
    seen, meetings = await house.view(season), Meetings(house.leagues)
    player = seen.by_person[11]
    assert "The season is over" in words(next_panel(seen, player, texts()))
    assert reminder_panel(seen, TableNotice(1, player), texts()) is None
    assert "no result" in words(post_panel(seen, RoundPost(1), texts()))
    with pytest.raises(UserError, match=r"league\.closed"):
        await meetings.propose(season, NamedPerson(11, "P"), agreed + HOUR, next(house.ids))
    with pytest.raises(UserError, match=r"league\.closed"):
        await meetings.agree(season, 1, agreed, NamedPerson(12, "P"), next(house.ids))


async def test_a_closed_season_offers_no_seat_and_asks_nobody_to_check_in(house: LeagueHouse):
    season = await begun(house, rounds=2, checkin_hours=24, late_entry=0)
    await house.join(season, 15)
    await house.entries.leave(season, NamedPerson(14, "P"), next(house.ids))
    await house.until(season, house.clock.at + 25 * HOUR)
    seen = await house.view(season)
    free, question = FreeSeatPost(1, seen.by_person[14]), CheckInPost(2)
    assert {free, question} < seen.posts.keys()
    before = await revisions(house)
    await house.close_season(season, "too few")
    after = await revisions(house)
    assert after[free] > before[free]
    assert after[question] > before[question]
    seen = await house.view(season)
    assert "is taken" in words(post_panel(seen, free, texts()))
    assert "The season ended" in words(post_panel(seen, question, texts()))


async def test_an_agreed_match_is_on_the_calendar_only_while_the_season_is_open(house: LeagueHouse):
    season = await begun(house, rounds=1)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    seen, before = await house.view(season), await revisions(house)
    assert is_agreed(seen.season, seen.season.pods[1], seen.times[1], seen.now)
    await house.close_season(season, "the wrong league")
    seen, closed = await house.view(season), await revisions(house)
    assert not is_agreed(seen.season, seen.season.pods[1], seen.times[1], seen.now)
    await house.rounds.catch_up(season)
    await take_back(house, season)
    seen, opened = await house.view(season), await revisions(house)
    assert is_agreed(seen.season, seen.season.pods[1], seen.times[1], seen.now)
    assert before[CalendarPost(1)] < closed[CalendarPost(1)] < opened[CalendarPost(1)]


async def test_a_match_that_ends_after_the_season_counts_in_its_last_message(house: LeagueHouse):
    season = await begun(house, rounds=2)
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, [*PEOPLE])
    await house.get_ready(table, PEOPLE)
    await house.close_season(season, "too few")
    await house.until(season, house.clock.at)
    before = await revisions(house)
    await house.play_deals_on(table)
    await house.until(season, house.clock.at)
    assert (await house.view(season)).season.pods[1].result is not None
    assert (await revisions(house))[EndPost()] > before[EndPost()]


@pytest.mark.parametrize("confirmed", [True, False], ids=["confirmed by all", "after its time"])
async def test_a_report_that_counts_after_the_season_is_in_its_last_message(
    house: LeagueHouse, confirmed: bool
):
    season = await begun(house, rounds=2)
    await house.reports.report(season, 1, NamedPerson(11, "P"), DEALS.replace(";", "\n"), [], next(house.ids))
    report = (await house.view(season)).season.pods[1].report
    assert report is not None
    await house.close_season(season, "too few")
    await house.until(season, report.due - 1)
    seen, before = await house.view(season), await revisions(house)
    notice = ReportNotice(1, report.at, seen.by_person[12])
    assert reminder_panel(seen, notice, texts()) is not None, "they can still confirm it"
    for person in PEOPLE[1:] if confirmed else ():
        await house.reports.answer(
            season, 1, report.at, NamedPerson(person, "P"), next(house.ids), agrees=True
        )
    await house.until(season, report.due - confirmed)
    seen = await house.view(season)
    assert seen.season.pods[1].result is not None
    assert seen.row.due_at is None
    assert (await revisions(house))[EndPost()] > before[EndPost()]


async def test_a_report_counts_at_its_time_also_if_the_season_was_closed_while_it_was_paused(
    house: LeagueHouse,
):
    season = await begun(house, rounds=2, report_hours=4)
    await house.reports.report(season, 1, NamedPerson(11, "P"), DEALS.replace(";", "\n"), [], next(house.ids))
    await house.pause(season, "a festival")
    await house.until(season, house.clock.at + DAY)
    await house.close_season(season, "too few")
    await house.until(season, house.clock.at + 4 * HOUR - 1)
    assert not (await house.view(season)).season.pods[1].over, "they had no time to object during the pause"
    await house.until(season, house.clock.at + 1)
    seen = await house.view(season)
    assert seen.season.pods[1].result is not None
    assert seen.row.due_at is None


async def test_a_report_counts_although_the_server_of_a_closed_season_was_without_the_bot(
    house: LeagueHouse,
):
    season = await begun(house, rounds=2, report_hours=4)
    await house.open(name="another")
    await house.reports.report(season, 1, NamedPerson(11, "P"), DEALS.replace(";", "\n"), [], next(house.ids))
    await house.close_season(season, "too few")
    await house.until(season, house.clock.at + HOUR)
    await house.services.postponing.server_gone(GuildId(GUILD))
    await house.until(season, house.clock.at + DAY)
    assert (await house.view(season)).row.due_at is None
    await house.services.postponing.server_back(GuildId(GUILD))
    assert (await house.view(season)).row.due_at is not None
    await house.until(season, house.clock.at)
    assert (await house.view(season)).season.pods[1].result is not None


async def test_a_report_that_counts_while_the_season_is_closed_leaves_its_deadlines_to_be_moved(
    house: LeagueHouse,
):
    season = await begun(house, rounds=2, report_hours=1)
    due = (await house.view(season)).season.rounds[1].due
    await house.until(season, due - 30 * MINUTE)
    await house.reports.report(season, 1, NamedPerson(11, "P"), DEALS.replace(";", "\n"), [], next(house.ids))
    await house.close_season(season, "the wrong league")
    await house.until(season, due + HOUR)
    assert (await house.view(season)).season.pods[1].result is not None
    await take_back(house, season)
    assert (await house.view(season)).season.rounds[1].due == due + 90 * MINUTE


async def test_a_result_that_is_entered_once_the_season_is_closed_leaves_no_table_to_play_at(
    house: LeagueHouse,
):
    season = await begun(house, rounds=1)
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, [*PEOPLE])
    await house.close_season(season, "early end")
    await house.rule(season, "from paper", lambda told, _, __: entered(told, 1, DEALS))
    await house.rounds.catch_up(season)
    assert await house.tables.status(table) == "closed"
