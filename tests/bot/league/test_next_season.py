"""The next season of a league: what it inherits, who is asked, and what stays readable."""

import pytest

from bot.errors import UserError
from bot.league.agenda import next_draw_hour
from bot.league.leagues import Asker
from bot.league.ruling_events import undone
from bot.league.rulings import Rulings
from data.store import Store
from data.transaction import ReadTransaction
from tests.bot.league.house import CHANNEL, DAY, GUILD, HOUR, STAFF, LeagueHouse, entrant
from tests.damaging import damage_season

PEOPLE = tuple(range(101, 109))
DIVIDED = {
    "rounds": 1,
    "signup_days": 1,
    "confirm_hours": 0,
    "round_days": 1,
    "division_size": 4,
    "promoted": 1,
}


async def played_out(house: LeagueHouse) -> int:
    season = await house.open("divisions", **DIVIDED, rest_weeks=1)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    return season


async def test_a_next_season_takes_over_settings_divisions_and_players(house: LeagueHouse):
    first = await house.open("divisions", **DIVIDED)
    with pytest.raises(UserError, match="still_on"):
        await house.leagues.renew(first, STAFF, next(house.ids))
    await house.close_season(first, "nobody came")

    former = await played_out(house)
    assert [row.id for row in await house.leagues.over(GUILD, Asker(STAFF.id, CHANNEL))] == [former]
    season = await house.leagues.renew(former, STAFF, next(house.ids))
    with pytest.raises(UserError, match="has_next"):
        await house.leagues.renew(former, STAFF, next(house.ids))
    before, seen = await house.view(former), await house.view(season)
    assert (seen.title, seen.row.number, seen.row.former) == ("Autumn 2", 2, former)
    assert seen.season.settings == before.season.settings
    assert seen.row.rules == before.row.rules
    assert seen.row.seed != before.row.seed
    assert before.row.closed_at is not None
    rested = before.row.closed_at + 7 * DAY  # the rest is longer than the sign-up
    assert seen.row.starts_at == next_draw_hour(rested, seen.season.settings)
    await house.season_admin.set_number(season, STAFF, "rest_weeks", "0", next(house.ids))
    signed_up = next_draw_hour(seen.row.created_at + DAY, seen.season.settings)
    assert (await house.view(season)).row.starts_at == signed_up

    asked = await house.store.read(lambda db: db.seasons.players_written_to(season))
    assert {seen.people[player].id for player in asked} == set(PEOPLE)
    with pytest.raises(UserError, match="join_there"):
        await house.entries.join(season, entrant(999), next(house.ids), by_invitation=True)
    for number in PEOPLE:
        await house.entries.join(season, entrant(number), next(house.ids), by_invitation=True)
    await house.until(season, (await house.view(season)).row.starts_at + HOUR)
    now = (await house.view(season)).season.members
    down, up = before.standings(1).rows[-1].row.player, before.standings(2).rows[0].row.player
    stayed = before.standings(1).rows[0].row.player
    assert [now[player].division for player in (down, up, stayed)] == [2, 1, 1]
    await house.assert_fold(season)


async def test_the_archive_leaves_out_a_damaged_season(house: LeagueHouse):
    former = await played_out(house)
    damaged = await house.open(name="Spring")
    await house.close_season(damaged, "a mistake")
    await damage_season(house.store, damaged)
    assert [view.row.id for view in (await house.leagues.archive(GUILD)).views] == [former]


async def test_a_damaged_season_keeps_nobody_from_joining_the_next_one(house: LeagueHouse):
    former = await played_out(house)
    season = await house.leagues.renew(former, STAFF, next(house.ids))
    await damage_season(house.store, former)
    await house.join(season, 11)
    assert (await house.view(season)).season.members


async def test_the_archive_lists_what_is_over_and_a_followed_season_stays_closed(
    house: LeagueHouse, store: Store
):
    former = await played_out(house)
    season = await house.leagues.renew(former, STAFF, next(house.ids))
    archive = await house.leagues.archive(GUILD, 7)
    assert [view.row.id for view in archive.views] == [former]
    assert archive.page == 0
    assert archive.views[0].champion() is not None

    async def read(db: ReadTransaction):
        return next(row for row in await db.seasons.events(former) if row.body.event == "season_closed")

    closing = await store.read(read)
    with pytest.raises(UserError, match="reopened_too_late"):
        await Rulings(house.leagues).prepare(
            former, STAFF, "too early", lambda _, rows, __: undone(rows, closing.id), corrects=closing.id
        )
    assert (await house.leagues.find(GUILD, "autumn")).id == season
