"""Deals that a player reports to staff: who may report, how often, who reads what, and the answer."""

from dataclasses import replace

import pytest
from sqlalchemy import delete

from bot.errors import UserError
from bot.history.past_deals import check_deal
from bot.panels.league.lists import list_panel
from bot.panels.league.reports import answer_panel, deal_report_panel, staff_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.repositories.deal_search import Sight
from data.schema.leagues import pod_table
from data.season_posts import DealReportNotice, DealReportPost
from league.events import DealReported
from league.standings import standings
from tests.bot.league.house import GUILD, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_wording import drawn
from tests.damaging import damage_season

REASON = "they *whispered*"


async def played(house: LeagueHouse) -> tuple[int, list[int], int]:
    """A season of one pod that has played, its people, and their table."""
    season, people = await drawn(house, rounds=3)
    await house.play_round(season, 1)
    return season, people, (await house.view(season)).tables[1].id


async def report(house: LeagueHouse, person: int, table: int, deal: int | None = None) -> DealReported:
    who, reports = NamedPerson(person, f"P{person}"), house.services.deal_reports
    return await reports.report(GUILD, who, table, deal, REASON, next(house.ids))


async def test_only_the_staff_see_who_reports_a_deal_and_why(house: LeagueHouse):
    season, people, table = await played(house)
    before = standings((await house.view(season)).season)
    told = await report(house, people[1], table, 2)
    assert (told.pod, told.table, told.deal) == (1, table, 2)
    view = await house.view(season)
    [row] = view.told.deal_reports
    assert DealReportPost(row.id) in await house.posts()
    public = words(deal_report_panel(view, row.id, texts()))
    assert "deal 2 of pod 1 is reported to the staff" in public
    for panel in (public, words(list_panel(view, "log", 0, None, texts()))):
        assert "whispered" not in panel
        assert view.name(told.player) not in panel
    at, deal = await house.services.deal_reports.look(season, row.id)
    staff = Sight(STAFF.id, GUILD)
    with pytest.raises(UserError, match="verify_hidden"):
        await check_deal(house.store, staff, at.id, deal)
    checked = await check_deal(house.store, replace(staff, reported=(at.id, deal)), at.id, deal)
    panel = staff_panel(view, row.id, at, checked, texts())
    assert [file.filename for file in panel.files] == [f"deal-{table}-2.json"]
    private = words(panel)
    assert "they \\*whispered\\*" in private
    assert f"Reported by **{view.name(told.player)}**" in private
    assert standings(view.season) == before
    await house.assert_fold(season)


async def test_the_player_hears_what_came_of_it_once(house: LeagueHouse):
    season, people, table = await played(house)
    told = await report(house, people[1], table)
    assert told.deal == 4  # the last one
    [row] = (await house.view(season)).told.deal_reports
    assert answer_panel(await house.view(season), row.id, texts()) is None
    reports = house.services.deal_reports
    await reports.answer(season, row.id, STAFF, "Looked at it.", next(house.ids), upheld=False)
    assert DealReportNotice(row.id, told.player) in await house.posts()
    view = await house.view(season)
    said = answer_panel(view, row.id, texts())
    assert said is not None
    assert "nothing was wrong. Looked at it\\." in words(said) or "nothing was wrong. Looked at it." in words(
        said
    )
    assert "they have answered" in words(deal_report_panel(view, row.id, texts()))
    with pytest.raises(UserError, match="answered_already"):
        await reports.answer(season, row.id, STAFF, "Again.", next(house.ids), upheld=True)


async def test_who_may_report_what_and_how_often(house: LeagueHouse):
    season, people, table = await played(house)
    with pytest.raises(UserError, match="not_in_league"):
        await report(house, 77, table)
    with pytest.raises(UserError, match="no_league"):
        await report(house, people[0], table + 1)
    with pytest.raises(UserError, match="no_deal"):
        await report(house, people[0], table, 9)
    for deal in (1, 2, 3):
        await report(house, people[0], table, deal)
    with pytest.raises(UserError, match=r"dealreport\.again"):
        await report(house, people[0], table, 3)
    with pytest.raises(UserError, match="too_many"):
        await report(house, people[0], table, 4)
    first = (await house.view(season)).told.deal_reports[0]
    await house.services.deal_reports.answer(season, first.id, STAFF, "Fine.", next(house.ids), upheld=True)
    await report(house, people[0], table, 4)
    await report(house, people[1], table, 4)


async def test_a_deal_that_is_not_of_a_drawn_table_is_found_although_a_season_is_damaged(house: LeagueHouse):
    """Such a table was not opened by the league: its match is found in the results of a season."""
    damaged = await house.open(name="Spring")
    season, people, table = await played(house)
    unlink = delete(pod_table).where(pod_table.c.table_id == table)
    await house.store.write(lambda db: db.tables._execute(unlink))
    await damage_season(house.store, damaged)
    told = await report(house, people[1], table, 2)
    assert (told.pod, told.table) == (1, table)
    assert len((await house.view(season)).told.deal_reports) == 1
