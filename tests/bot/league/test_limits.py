"""What one member may do in a league in a day: each act is kept for good or notifies others."""

import pytest
from sqlalchemy import update

from bot.errors import UserError
from bot.forgetting import Forgetting
from bot.league.meetings import Meetings
from bot.league.ruling_events import banned, closing
from bot.league.season import MOST_CHANGES, MOST_PROPOSALS
from bot.people import NamedPerson
from data.errors import EventsDamaged
from data.repositories.seasons import SeasonQueries
from data.schema.leagues import season as seasons
from data.season_posts import ProposalNotice
from tests.bot.house import GUILD
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse, entrant
from tests.damaging import damage_season

PEOPLE = (11, 12, 13, 14)
RESTLESS, OTHER = NamedPerson(11, "P11"), NamedPerson(12, "P12")


async def events(house: LeagueHouse, season: int) -> int:
    return len(await house.store.read(lambda db: db.seasons.events(season)))


async def test_joining_and_leaving_without_end_is_refused_until_the_next_day(house: LeagueHouse):
    season = await house.open(signup_days=30, confirm_hours=0)
    for _ in range(MOST_CHANGES // 2):
        await house.entries.join(season, entrant(11), next(house.ids))
        await house.entries.leave(season, RESTLESS, next(house.ids))
        house.clock.at += 60_000
    before = await events(house, season)
    with pytest.raises(UserError, match="changed_often") as refused:
        await house.entries.join(season, entrant(11), next(house.ids))
    assert refused.value.values["most"] == MOST_CHANGES
    assert await events(house, season) == before
    await house.entries.join(season, entrant(12), next(house.ids))
    house.clock.at += DAY
    await house.entries.join(season, entrant(11), next(house.ids))


async def test_checking_in_and_out_and_changing_teams_count_with_it(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=24, team_size=2)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at - HOUR)
    teams = house.services.teams
    for number in range(MOST_CHANGES // 5):
        await house.entries.check_in(season, 1, entrant(11), next(house.ids))
        await house.entries.check_out(season, 1, RESTLESS, next(house.ids))
        await house.entries.always(season, RESTLESS, next(house.ids))
        await teams.found(season, RESTLESS, f"Team {number}", next(house.ids))
        await teams.leave(season, RESTLESS, next(house.ids))
    before = await events(house, season)
    for act in (
        house.entries.check_in(season, 1, entrant(11), next(house.ids)),
        house.entries.check_out(season, 1, RESTLESS, next(house.ids)),
        house.entries.always(season, RESTLESS, next(house.ids)),
        house.entries.leave(season, RESTLESS, next(house.ids)),
        teams.found(season, RESTLESS, "Team", next(house.ids)),
    ):
        with pytest.raises(UserError, match="changed_often"):
            await act
    assert await events(house, season) == before
    await house.entries.check_in(season, 1, entrant(12), next(house.ids))


async def test_what_is_refused_for_another_reason_counts_for_nothing(house: LeagueHouse):
    season = await house.open(signup_days=1, confirm_hours=0)
    await house.join(season, 11)
    for _ in range(2 * MOST_CHANGES):
        with pytest.raises(UserError, match="already_in"):
            await house.entries.join(season, entrant(11), next(house.ids))
    await house.entries.leave(season, RESTLESS, next(house.ids))


async def test_a_restless_member_can_be_forgotten(house: LeagueHouse):
    season = await house.open(signup_days=1, confirm_hours=0)
    for _ in range(MOST_CHANGES // 2 - 1):
        await house.entries.join(season, entrant(11), next(house.ids))
        await house.entries.leave(season, RESTLESS, next(house.ids))
    await house.entries.join(season, entrant(11), next(house.ids))
    await house.entries.always(season, RESTLESS, next(house.ids))
    forgetting: Forgetting = house.services.forgetting
    assert await forgetting.forget(11)
    assert not (await house.view(season)).season.waiting()


async def test_who_signs_up_while_they_are_being_forgotten_is_not_left_in_the_season(
    house: LeagueHouse, monkeypatch: pytest.MonkeyPatch
):
    season = await house.open(signup_days=1, confirm_hours=0)
    await house.join(season, *PEOPLE)
    leave_all, again = house.entries.leave_all, iter([True])

    async def leave_and_join(person_id):
        left = await leave_all(person_id)
        if next(again, False):
            await house.join(season, 11)
        return left

    monkeypatch.setattr(house.entries, "leave_all", leave_and_join)
    assert await house.services.forgetting.forget(11)
    seen = await house.view(season)
    there = [seen.people[member.player].id for member in seen.season.members.values() if member.plays]
    assert there == [*PEOPLE[1:]]


async def test_one_proposal_after_another_notifies_the_pod_so_many_times_a_day(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=9)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    meetings, at = Meetings(house.leagues), house.clock.at + 3 * DAY
    told = set[object]()
    for number in range(MOST_PROPOSALS):
        await meetings.propose(season, RESTLESS, at + number * HOUR, next(house.ids))
        told |= {post for post in await house.posts() if isinstance(post, ProposalNotice)}
    assert len(told) == MOST_PROPOSALS * (len(PEOPLE) - 1)
    with pytest.raises(UserError, match="proposed_often"):
        await meetings.propose(season, RESTLESS, at, next(house.ids))
    await meetings.propose(season, OTHER, at, next(house.ids))
    house.clock.at += DAY
    await meetings.propose(season, RESTLESS, at, next(house.ids))


@pytest.mark.parametrize("is_over", [False, True], ids=["during the season", "after it"])
async def test_being_forgotten_lifts_no_ban(house: LeagueHouse, is_over: bool):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0)
    await house.join(season, *PEOPLE)
    player = (await house.view(season)).by_person[11]
    await house.rule(season, "cheated", lambda told, _, __: banned(told, player))
    if is_over:
        await house.close_season(season, "over")
    assert await house.services.forgetting.forget(11)
    if not is_over:
        with pytest.raises(UserError, match="refused_banned"):
            await house.join(season, 11)
        await house.close_season(season, "over")
    await house.store.write(lambda db: db.forget_old(house.clock.at))
    for _ in range(2):
        season = await house.leagues.renew(season, STAFF, next(house.ids))
        await house.store.write(lambda db: db.forget_old(house.clock.at))
        with pytest.raises(UserError, match="refused_banned"):
            await house.join(season, 11)
        await house.join(season, 12)
        await house.close_season(season, "over")


async def test_a_ban_that_was_taken_back_limits_nobody_who_is_forgotten(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0)
    await house.join(season, *PEOPLE)
    player = (await house.view(season)).by_person[11]
    ban = await house.rule(season, "cheated", lambda told, _, __: banned(told, player))
    await house.undo(season, ban.id)
    assert await house.services.forgetting.forget(11)
    await house.join(season, 11)


async def test_who_left_a_season_and_was_forgotten_stays_out_if_its_end_is_undone(house: LeagueHouse):
    season = await house.open(rounds=4, signup_days=1, confirm_hours=0)
    await house.join(season, *PEOPLE, 15)
    await house.until(season, (await house.view(season)).row.starts_at)
    assert await house.services.forgetting.forget(11)
    with pytest.raises(UserError, match="forgotten_out"):
        await house.join(season, 11)
    end = await house.rule(season, "over", lambda told, _, __: closing(told))
    await house.store.write(lambda db: db.forget_old(house.clock.at))
    await house.undo(season, end.id)
    with pytest.raises(UserError, match="forgotten_out"):
        await house.join(season, 11)


async def test_a_damaged_season_of_others_keeps_nobody_from_being_forgotten(house: LeagueHouse):
    season, other = await house.open(signup_days=1), await house.open(name="Spring", signup_days=1)
    await house.join(season, *PEOPLE)
    elsewhere = update(seasons).where(seasons.c.id == other).values(guild_id=GUILD + 1)
    await house.store.write(lambda db: db.guilds.keep(GUILD + 1))
    await house.store.write(lambda db: db.tables._execute(elsewhere))
    await damage_season(house.store, other)
    assert await house.services.forgetting.forget(11)
    assert 11 not in {person.id for person in (await house.view(season)).people.values()}


async def test_who_is_in_a_damaged_season_stays_until_it_is_restored_and_stops_no_start(house: LeagueHouse):
    season = await house.open(signup_days=1)
    await house.join(season, *PEOPLE)
    await damage_season(house.store, season)
    forgetting: Forgetting = house.services.forgetting
    with pytest.raises(EventsDamaged):
        await forgetting.forget(11)
    (request,) = forgetting._ledger.requests()
    assert await forgetting.forget_again() == 0
    assert await house.store.directory.person(11) is not None
    # The next start tries it again.
    assert request.mark not in await house.store.read(lambda db: db.privacy.erasures())


async def test_whoever_is_forgotten_makes_nobody_wait_for_the_leagues_of_others(
    house: LeagueHouse, monkeypatch: pytest.MonkeyPatch
):
    """Everyone waits for a write."""
    seasons_of = [await house.open(name=name, signup_days=1) for name in ("Spring", "Summer", "Autumn")]
    await house.join(seasons_of[0], 11)
    for season in seasons_of[1:]:
        await house.join(season, *PEOPLE[1:])
    looked: list[tuple[str, int]] = []
    really_read, really_told, really_write = SeasonQueries.events, SeasonQueries.projection, house.store.write

    async def read(queries: SeasonQueries, season_id: int, since: int = 0):
        looked.append(("events", season_id))
        return await really_read(queries, season_id, since)

    async def told(queries: SeasonQueries, season_id: int):
        looked.append(("projection", season_id))
        return await really_told(queries, season_id)

    async def write(work, *args):
        with monkeypatch.context() as writing:
            writing.setattr(SeasonQueries, "events", read)
            writing.setattr(SeasonQueries, "projection", told)
            return await really_write(work, *args)

    monkeypatch.setattr(house.store, "write", write)
    assert await house.services.forgetting.forget(11)
    assert {season for _, season in looked} == {seasons_of[0]}
