"""The organiser's desk: what needs staff, what happens next automatically, and the act for each matter."""

import pytest

from bot.errors import UserError
from bot.league.ruling_events import accepted, reopened
from bot.panels.league.desk import PLAYER, POD, desk_panel, matter_panel, matters
from bot.ui.panel import Panel
from bot.words.texts import texts
from league.ids import GuildId
from league.times import DAY, HOUR
from tests.bot.league.house import GUILD, STAFF, LeagueHouse
from tests.bot.league.test_disputes import disputed
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_unplayed_matches import PEOPLE, begun, propose

say = texts()


def buttons(panel: Panel | None) -> str:
    """Return the components of a panel as text, including labels."""
    assert panel is not None
    return str(panel.view.to_components())


async def told(house: LeagueHouse, season: int) -> str:
    return words(desk_panel(await house.view(season), say))


async def test_it_says_what_comes_next_by_itself_and_when(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    starts_at = (await house.view(season)).row.starts_at
    said = await told(house, season)
    assert f"<t:{starts_at // 1000}:R>: round 1 is drawn" in said
    assert "Nothing needs you now" in said
    await house.pause(season, "a festival")
    assert "nothing happens by itself" in await told(house, season)


async def test_matches_to_play_and_players_who_do_not_answer_are_on_it(house: LeagueHouse):
    season, at = await begun(house)
    said = await told(house, season)
    assert "nobody has proposed a time" in said
    assert "has not answered" not in said, "there is time"
    await propose(house, season, 11, at + DAY + 8 * HOUR)
    seen = await house.view(season)
    assert "a time is proposed" in await told(house, season)
    silent = {matter.number for matter in matters(seen, say) if matter.kind == PLAYER}
    assert {seen.people[player].id for player in silent} == {12, 13, 14}
    await house.store.write(lambda db: db.people.set_dms(11, open_=False))
    assert "P11** takes no direct messages" in await told(house, season)


async def test_shortly_before_the_deadline_silence_is_a_matter(house: LeagueHouse):
    season, at = await begun(house)
    await house.until(season, at + DAY + HOUR)
    seen = await house.view(season)
    assert sum(matter.kind == PLAYER for matter in matters(seen, say)) == len(PEOPLE)


async def test_a_dispute_comes_first_and_its_report_can_be_made_to_count(house: LeagueHouse):
    season, _, _ = await disputed(house)
    seen = await house.view(season)
    first = matters(seen, say)[0]
    assert (first.kind, first.number) == (POD, 1)
    assert "objects to the reported result" in words(matter_panel(seen, POD, 1, say))
    assert say("desk.accept") in buttons(matter_panel(seen, POD, 1, say))
    await house.rule(season, "asked all four", lambda told, _, __: accepted(told, 1))
    seen = await house.view(season)
    assert seen.season.pods[1].over
    assert seen.season.pods[1].result is not None
    assert "is over" in words(matter_panel(seen, POD, 1, say))
    assert say("desk.accept") not in buttons(matter_panel(seen, POD, 1, say))
    with pytest.raises(UserError, match="other_report"):
        accepted(seen.season, 1)
    await house.assert_fold(season)


async def test_a_match_whose_table_is_closed_can_be_played_after_all(house: LeagueHouse):
    season, at = await begun(house)
    table = (await house.view(season)).tables[1].id
    await house.endings.by_staff(table, GuildId(GUILD), STAFF, "a mistake", next(house.ids))
    seen = await house.view(season)
    assert "its table is closed" in await told(house, season)
    assert say("desk.reopen") in buttons(matter_panel(seen, POD, 1, say))
    await house.rule(season, "they will play", lambda told, _, __: reopened(told, 1, at + 9 * DAY))
    assert "its table is closed" not in await told(house, season)
