"""The public pages of seasons, and their calendar file."""

from pathlib import Path

import icalendar
import pytest
from discord.utils import remove_markdown
from sqlalchemy import text, update
from structlog.testing import capture_logs

from bot.history.replays import step_words
from bot.history.season_pages import PAGE, SeasonPages, calendar_file
from bot.league.ruling_events import replayed, substituted
from bot.panels.league.posts import post_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from bot.workpool.pool import WorkPool
from data.ids import SeasonId
from data.repositories.people import Nickname
from data.repositories.seasons import SeasonQueries
from data.schema.core import event, person
from data.season_posts import EndPost, SignupPost
from data.season_rows import UNTOLD, SeasonCache, SeasonProjection
from league.ids import GuildId, PersonId
from league.times import utc
from marriage.events import Drew
from marriage.review import steps
from tests.bot.league.house import GUILD, HOUR, STAFF, LeagueHouse, house
from tests.bot.league.test_calendar_acts import draws
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_unplayed_matches import set_time
from tests.damaging import damage_season

__all__ = ["house"]
PEOPLE = tuple(range(11, 15))
ADDRESS = "https://example.org/leagues"
say = texts()
FILES = {PAGE, "calendar.ics"} | {
    f"{sheet}.{ending}" for sheet in ("results", "standings", "deals") for ending in ("csv", "json")
}


@pytest.fixture
async def pages(house: LeagueHouse, tmp_path: Path):
    pool = WorkPool()
    yield SeasonPages(house.store, house.clock, pool, tmp_path / "pages")
    await pool.close()


async def begun(house: LeagueHouse, **numbers: object) -> int:
    season = await house.open(rounds=2, signup_days=2, confirm_hours=0, timezone="Asia/Kathmandu", **numbers)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def test_the_pages_of_a_season_follow_its_results(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    secret = await house.open(name="Secret")
    assert await pages.publish() == [season]
    assert await pages.publish() == []
    folder = tmp_path / "pages"
    assert {path.name for path in (folder / str(season)).iterdir()} == FILES
    assert not (folder / str(secret)).exists()
    index = (folder / PAGE).read_text()
    assert f'href="{season}/index.html"' in index
    assert "Secret" not in index
    assert "<script" not in index

    before = (folder / str(season) / PAGE).read_text()
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    assert await pages.publish() == [season]
    after = (folder / str(season) / PAGE).read_text()
    assert "P11" in after
    assert after != before
    assert (folder / str(season) / "results.csv").read_text().count("match") == len(PEOPLE)
    assert 'href="match-1.html"' in after


async def test_a_name_that_is_gone_is_gone_from_the_pages(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    await house.play_round(season, 1)
    await pages.publish()
    await house.store.write(
        lambda db: db.tables._execute(update(person).where(person.c.id == 11).values(name="Asha"))
    )
    assert await pages.publish() == [season]
    assert "P11" not in (tmp_path / "pages" / str(season) / PAGE).read_text()


async def called(house: LeagueHouse, person_id: int, name: str, there: Nickname | None = None) -> None:
    await house.store.write(lambda db: db.people.keep(PersonId(person_id), name, house.clock.at, there))


async def test_the_pages_show_and_follow_the_names_of_the_server_of_their_season(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    await pages.publish()
    page = tmp_path / "pages" / str(season) / PAGE
    await called(house, 11, "P11", Nickname(GuildId(GUILD), "Didi"))
    assert await pages.publish() == [season]
    assert "Didi" in page.read_text()
    await called(house, 11, "Asha", Nickname(GuildId(GUILD + 1), "Dr Sharma"))
    assert await pages.publish() == []
    await called(house, 11, "Asha", Nickname(GuildId(GUILD), None))
    assert await pages.publish() == [season]
    assert "Asha" in page.read_text()


async def test_two_names_of_a_person_rewrite_closed_seasons_once_a_day_and_no_match(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    closed = await begun(house, public_page=True)
    await house.play_round(closed, 1)
    await house.close_season(closed, "a test")
    playing = await house.open(name="Playing", public_page=True)
    await house.join(playing, 11)
    await pages.publish()
    page, match = (tmp_path / "pages" / str(closed) / name for name in (PAGE, "match-1.html"))
    written_at = match.stat().st_mtime_ns
    await called(house, 11, "Asha")
    assert await pages.publish() == [playing]
    house.clock.at += 24 * HOUR
    assert await pages.publish() == [closed]
    assert "Asha" in page.read_text()
    for name in ("P11", "Asha", "P11"):
        await called(house, 11, name)
        assert await pages.publish() == [playing]
    assert match.stat().st_mtime_ns == written_at


async def test_a_forgotten_name_is_gone_at_once_from_a_closed_season(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    await house.play_round(season, 1)
    await house.close_season(season, "a test")
    await pages.publish()
    await called(house, 12, "Asha")
    assert await house.services.forgetting.forget(PersonId(11))
    assert await pages.publish() == [season]
    folder = tmp_path / "pages" / str(season)
    assert [path.name for path in folder.iterdir() if b"P11" in path.read_bytes()] == []
    assert "Asha" in (folder / PAGE).read_text()
    assert await pages.publish() == []


async def test_a_forgotten_name_is_gone_at_once_from_the_name_of_a_team_of_others(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    """The person was never in that season."""
    season, other = await house.open(public_page=True, team_size=2), await house.open(name="Other")
    await house.join(season, 11)
    await house.join(other, 12)
    await called(house, 12, "Asha")
    await house.services.teams.found(
        season, NamedPerson(PersonId(11), "P11"), "Asha's friends", next(house.ids)
    )
    await house.close_season(season, "a test")
    await pages.publish()
    page = tmp_path / "pages" / str(season) / PAGE
    assert "Asha" in page.read_text()
    assert await house.services.forgetting.forget(PersonId(12))
    assert await pages.publish() == [season]
    assert "Asha" not in page.read_text()


async def test_a_match_has_a_page_with_every_move_that_everybody_saw(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    await pages.publish()
    match = tmp_path / "pages" / str(season) / "match-1.html"
    assert not match.exists()
    await house.play_round(season, 1)
    await pages.publish()
    page = match.read_text()
    assert "<script" not in page
    assert page.count("<h2>") == 4  # deals
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert all(f"{points:+d}" in page for deal in result.deals for points in deal)
    assert page.count(" ★") == 4
    view = await house.view(season)
    events = await house.store.read(lambda db: db.deals.events(view.tables[1].id, 1))
    names = [view.plain_name(player) for player in result.players]
    drawn = [step for step in steps(events) if isinstance(step.event, Drew)]
    assert drawn
    for step in drawn:
        assert remove_markdown(step_words(step.seen_by(None), names, say)) in page
        assert remove_markdown(step_words(step.opened(), names, say)) not in page
    assert page.count("<li>") > 4 * 4
    assert await pages.publish() == []
    await house.store.write(
        lambda db: db.tables._execute(update(person).where(person.c.id == 11).values(name="Asha"))
    )
    await pages.publish()
    assert match.exists()


async def test_a_name_that_is_gone_is_gone_from_the_page_of_a_match_that_others_played_again(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    """The page also shows the deals that were played first."""
    season = await begun(house, public_page=True)
    await house.play_round(season, 1)
    await house.rule(
        season, "a mess", lambda told, _, __: replayed(told, 1, None, house.clock.at + 24 * HOUR)
    )
    await house.store.write(lambda db: db.people.keep(15, "P15", house.clock.at))
    coming = await house.store.write(lambda db: db.seasons.keep_player(15))
    left = (await house.view(season)).by_person[11]
    await house.rule(season, "ill", lambda told, _, __: substituted(told, 1, left, coming))
    await house.play_table((await house.view(season)).tables[1].id, [15, 12, 13, 14])
    await pages.publish()
    match = tmp_path / "pages" / str(season) / "match-1.html"
    assert {name for name in ("P11", "P12", "P15") if name in match.read_text()} == {"P11", "P12", "P15"}
    assert await house.services.forgetting.forget(PersonId(11))
    await pages.publish()
    assert "P11" not in match.read_text()
    assert "P12" in match.read_text()


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_match_that_counts_no_more_has_no_page(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path, restarts
):
    season = await begun(house, public_page=True)
    await house.play_round(season, 1)
    await pages.publish()
    folder = tmp_path / "pages" / str(season)
    assert (folder / "match-1.html").exists()
    await house.rule(
        season, "a mess", lambda told, _, __: replayed(told, 1, None, house.clock.at + 24 * HOUR)
    )
    if restarts:
        pages = SeasonPages(house.store, house.clock, pages._workpool, tmp_path / "pages")
    await pages.publish()
    assert not (folder / "match-1.html").exists()
    assert "match-1.html" not in (folder / PAGE).read_text()
    await house.play_table((await house.view(season)).tables[1].id, [11, 12, 13, 14])
    await pages.publish()
    assert (folder / "match-1.html").exists()


async def test_a_season_whose_staff_want_no_page_any_more_has_none(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await house.open(public_page=True)
    other = tmp_path / "pages" / "robots.txt"
    await pages.publish()
    other.write_text("")
    assert (tmp_path / "pages" / str(season) / PAGE).exists()
    await house.season_admin.set_number(season, STAFF, "public_page", "no", next(house.ids))
    await pages.publish()
    assert not (tmp_path / "pages" / str(season)).exists()
    assert "page.no_league" not in (tmp_path / "pages" / PAGE).read_text()
    assert other.exists()


async def test_the_messages_of_a_season_link_to_its_page_only_if_there_is_one(house: LeagueHouse):
    season = await house.open(public_page=True)
    secret = await house.open(name="Secret")
    seen = await house.view(season)
    address = f"{ADDRESS}/{season}/index.html"
    assert f"({address})" in words(post_panel(seen, SignupPost(), say, ADDRESS))
    assert "index.html" not in words(post_panel(seen, SignupPost(), say))
    assert "index.html" not in words(post_panel(await house.view(secret), SignupPost(), say, ADDRESS))
    await house.close_season(season, "a test")
    assert f"({address})" in words(post_panel(await house.view(season), EndPost(), say, ADDRESS))


async def test_the_calendar_file_has_every_draw_and_agreed_matches(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    seen = await house.view(season)
    people = [seen.people[player] for player in seen.season.pods[1].players]
    at = house.clock.at + 5 * HOUR
    meetings = house.services.meetings
    await meetings.propose(season, NamedPerson(people[0].id, "P"), at, next(house.ids))
    for other in people[1:]:
        await meetings.agree(season, 1, at, NamedPerson(other.id, "P"), next(house.ids))
    await pages.publish()
    content = (tmp_path / "pages" / str(season) / "calendar.ics").read_bytes()
    calendar = icalendar.Calendar.from_ical(content)
    events = {str(event["uid"]): event for event in calendar.walk("VEVENT")}
    first, second, end, _ = await draws(house, season)
    names = ("draw-1", "draw-2", "end", "pod-1")
    starts = [events[f"season-{season}-{name}@tiplu"].start for name in names]
    assert starts == [utc(moment) for moment in (first, second, end, at)]
    assert len(events) == len(names)
    assert b"\r\n" in content


async def test_the_calendar_file_of_a_season_that_was_closed_early_ends_with_it(house: LeagueHouse):
    season = await begun(house, public_page=True)
    await set_time(house, season, house.clock.at + 5 * HOUR, *PEOPLE)
    await house.close_season(season, "too few")
    calendar = icalendar.Calendar.from_ical(calendar_file(await house.view(season), say))
    assert [str(event["uid"]) for event in calendar.walk("VEVENT")] == [f"season-{season}-draw-1@tiplu"]


@pytest.mark.parametrize("had_page", [False, True])
async def test_a_damaged_season_keeps_its_pages_and_stops_no_other(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path, had_page: bool
):
    damaged = await house.open(name="Secret", public_page=had_page)
    season = await begun(house, public_page=True)
    await pages.publish()
    await damage_season(house.store, damaged)
    pages = SeasonPages(house.store, house.clock, pages._workpool, tmp_path / "pages")  # as after a restart
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    with capture_logs() as logs:
        assert await pages.publish() == [season]
    assert [entry["event"] for entry in logs] == ["pages.season_stopped"]
    folder = tmp_path / "pages"
    assert (folder / str(season) / "results.csv").read_text().count("match") == len(PEOPLE)
    assert (folder / str(damaged) / PAGE).exists() == had_page


async def test_an_unreadable_time_of_one_season_stops_the_pages_of_no_other(
    house: LeagueHouse, pages: SeasonPages
):
    damaged, season = [await begun(house, name=name, public_page=True) for name in ("Spring", "Autumn")]
    assert len(await pages.publish()) == 2
    time = text("INSERT INTO pod_time (season, pod, proposal, change) VALUES (:season, 1, '[]', NULL)")
    await house.store.write(lambda db: db.tables._execute(time, {"season": damaged}))
    await house.play_round(season, 1)
    with capture_logs() as logs:
        assert await pages.publish() == [season]
        assert await pages.publish() == []
    assert [entry["event"] for entry in logs] == ["pages.season_stopped"]


def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the list of the seasons that are read from now on."""
    read, projection = list[int](), SeasonQueries.projection

    async def note(db: SeasonQueries, season_id: SeasonId, **how: bool) -> SeasonProjection:
        read.append(season_id)
        return await projection(db, season_id, **how)

    monkeypatch.setattr(SeasonQueries, "projection", note)
    return read


async def test_a_season_in_which_nothing_has_changed_is_not_read(
    house: LeagueHouse, pages: SeasonPages, monkeypatch: pytest.MonkeyPatch
):
    season, other = await begun(house, public_page=True), await house.open(public_page=True, name="Other")
    await house.open(name="Secret")
    await pages.publish()
    read = reads(monkeypatch)
    assert await pages.publish() == []
    assert read == []
    await house.join(other, 21)
    assert await pages.publish() == [other]
    assert set(read) == {other}
    assert season != other


async def test_looking_at_all_seasons_keeps_none_of_them_in_memory(house: LeagueHouse, pages: SeasonPages):
    season = await begun(house, public_page=True)
    await house.close_season(season, "a test")
    house.store._season_cache = SeasonCache()
    assert await pages.publish() == [season]
    assert house.store._season_cache.of(SeasonId(season)) is UNTOLD


async def test_a_time_that_holds_because_nobody_answers_comes_into_the_calendar(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True, answer_hours=2)
    person = (await house.view(season)).people[(await house.view(season)).season.pods[1].players[0]]
    at = house.clock.at + 20 * HOUR
    await house.services.meetings.propose(season, NamedPerson(person.id, "P"), at, next(house.ids))
    await pages.publish()
    calendar = tmp_path / "pages" / str(season) / "calendar.ics"
    assert b"pod-1" not in calendar.read_bytes()
    house.clock.at += 2 * HOUR  # and nothing is stored then
    assert await pages.publish() == [season]
    assert b"pod-1" in calendar.read_bytes()
    assert await pages.publish() == []


async def test_seasons_in_play_come_first_and_closed_ones_a_few_at_a_time(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.history.season_pages.MOST_CLOSED", 1)
    playing = await house.open(public_page=True, name="Playing")
    closed = [await house.open(public_page=True, name=f"Closed {number}") for number in (1, 2)]
    for season in closed:
        await house.close_season(season, "a test")
    index = tmp_path / "pages" / PAGE
    assert await pages.keep_up() == 0
    assert {path.name for path in index.parent.iterdir()} == {str(playing), str(closed[1])}
    assert await pages.keep_up() > 0
    assert {path.name for path in index.parent.iterdir()} == {PAGE, *map(str, (playing, *closed))}
    assert all(f'href="{season}/index.html"' in index.read_text() for season in (playing, *closed))


async def test_a_damaged_deal_is_left_out_of_the_page_of_its_match(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    season = await begun(house, public_page=True)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    table = (await house.view(season)).tables[1].id
    change = update(event).where(event.c.table_id == table, event.c.deal_no == 2).values(at=77)
    await house.store.write(lambda db: db.tables._execute(change))
    with capture_logs() as logs:
        assert await pages.publish() == [season]
    assert [entry["event"] for entry in logs] == ["pages.deal_left_out"]
    assert (tmp_path / "pages" / str(season) / "match-1.html").read_text().count("<h2>") == 3


async def test_the_page_of_a_match_shows_its_deals_once_the_boards_of_a_season_closed_early_are_opened(
    house: LeagueHouse, pages: SeasonPages, tmp_path: Path
):
    people = tuple(range(11, 23))
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, duplicate=True, public_page=True)
    await house.join(season, *people)
    await house.until(season, (await house.view(season)).row.starts_at)
    await pages.publish()
    seen = await house.view(season)
    for pod in seen.pods_of(1)[:2]:
        await house.play_table(seen.tables[pod.id].id, [seen.people[player].id for player in pod.players])
    await house.close_season(season, "too few")
    await pages.publish()
    match = tmp_path / "pages" / str(season) / "match-1.html"
    assert match.read_text().count("<h2>") == 0, "the last table may still play these boards"
    await house.until(season, house.clock.at)
    await pages.publish()
    assert match.read_text().count("<h2>") == 4
    assert await pages.publish() == []
