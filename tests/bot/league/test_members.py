"""Staff add, approve, seed and ban members; all of it is logged and can be undone."""

import pytest

from bot.errors import UserError
from bot.league.members import Members, Reliability
from bot.league.ruling_events import added, banned, seeded, undoable, undone, withdrawn
from bot.league.rulings import Make, Rulings
from bot.panels.league.people import members_panel
from bot.panels.league.posts import signup_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from league.members import MemberSet
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse, entrant
from tests.bot.league.test_duplicate_season import words

say = texts()


async def rule(house: LeagueHouse, season: int, make: Make, *named: int) -> None:
    rulings = Rulings(house.leagues)
    people = [NamedPerson(number, f"P{number}") for number in named]
    preview = await rulings.prepare(season, STAFF, "as agreed", make, people)
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))


async def take_back_the_latest(house: LeagueHouse, season: int) -> None:
    number = undoable(await house.store.read(lambda db: db.seasons.events(season)))[0].id
    await rule(house, season, lambda _, entries, __: undone(entries, number))


async def names(house: LeagueHouse, season: int) -> dict[int, str]:
    """Return everyone's state, by person."""
    seen = await house.view(season)
    return {seen.people[player].id: member.status for player, member in seen.season.members.items()}


async def test_sign_ups_wait_until_staff_approve_them(house: LeagueHouse):
    season = await house.open(approval=True)
    for person in (1, 2, 3):
        assert await house.entries.join(season, entrant(person), next(house.ids)) == "league.asks"
    with pytest.raises(UserError, match=r"league\.asks_already"):
        await house.entries.join(season, entrant(1), next(house.ids))
    assert "Waiting for the staff's approval: 3" in words(signup_panel(await house.view(season), say))
    members, first = Members(house.leagues), (await house.view(season)).by_person[1]
    assert await members.approve(season, STAFF, [first], next(house.ids)) == 1
    assert await names(house, season) == {1: "waiting", 2: "asking", 3: "asking"}
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - HOUR)
    with pytest.raises(UserError, match=r"league\.asks_already"):
        await house.come(season, 1, 2)
    assert await members.approve(season, STAFF, None, next(house.ids)) == 2
    assert await names(house, season) == {1: "waiting", 2: "confirmed", 3: "confirmed"}, (
        "it is confirmed by then"
    )
    with pytest.raises(UserError, match=r"league\.none_asks"):
        await members.approve(season, STAFF, None, next(house.ids))
    assert len((await house.view(season)).acts) == 3
    await house.come(season, 1, 1)
    await house.until(season, begins)
    assert len((await house.view(season)).season.pods[1].players) == 3
    await house.assert_fold(season)


async def test_staff_refuse_and_add_before_the_draw(house: LeagueHouse):
    season = await house.open(confirm_hours=0)
    await house.join(season, 1, 2, 3)
    await rule(house, season, lambda s, _, p: withdrawn(s, p[3]), 3)
    assert (await names(house, season))[3] == "removed"
    await rule(house, season, lambda s, _, p: added(s, p[4]), 4)
    assert (await names(house, season))[4] == "confirmed"
    with pytest.raises(UserError, match=r"league\.plays_already"):
        await rule(house, season, lambda s, _, p: added(s, p[4]), 4)
    await rule(house, season, lambda s, _, p: added(s, p[5]), 5)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    assert {seen.people[player].id for player in seen.season.pods[1].players} == {1, 2, 4, 5}


async def test_somebody_added_late_has_missed_what_was_drawn(house: LeagueHouse):
    season = await house.open(confirm_hours=0, rounds=4, round_days=2, signup_days=1, late_entry=0)
    await house.join(season, 1, 2, 3)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins + DAY)
    await rule(house, season, lambda s, _, p: added(s, p[4]), 4)
    seen = await house.view(season)
    player = seen.by_person[4]
    assert (player, 1) in seen.season.absences
    assert (player, 2) in seen.season.check_ins


async def test_a_ban_lasts_over_seasons_until_it_is_taken_back(house: LeagueHouse):
    season = await house.open(confirm_hours=0)
    await house.join(season, 1, 2, 3, 4)
    await rule(house, season, lambda s, _, p: banned(s, p[4]), 4)
    assert (await names(house, season))[4] == "removed"
    with pytest.raises(UserError, match=r"league\.refused_banned"):
        await house.join(season, 4)
    with pytest.raises(UserError, match=r"league\.is_banned"):
        await rule(house, season, lambda s, _, p: added(s, p[4]), 4)
    await house.close_season(season, "for the test")
    following = await house.leagues.renew(season, STAFF, next(house.ids))
    with pytest.raises(UserError, match=r"league\.refused_banned"):
        await house.join(following, 4)
    seen = await house.view(following)
    assert "Banned" in words(members_panel(seen, {}, 0, say))
    await take_back_the_latest(house, following)
    await house.join(following, 4)
    assert (await names(house, following))[4] == "waiting" or (await names(house, following))[
        4
    ] == "confirmed"


async def test_seeds_decide_in_which_division_newcomers_play(house: LeagueHouse):
    season = await house.open("divisions", confirm_hours=0, division_size=4, signup_days=1)
    await house.join(season, *range(1, 9))
    for place, person in enumerate((8, 7, 6, 5), 1):
        await rule(house, season, lambda s, _, p, at=person, of=place: seeded(s, p[at], of), person)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    top = {seen.people[m.player].id for m in seen.season.members.values() if m.division == 1}
    assert top == {5, 6, 7, 8}
    with pytest.raises(UserError, match=r"league\.fixed"):
        await rule(house, season, lambda s, _, p: seeded(s, p[1], 1), 1)


async def test_reliability_counts_all_seasons_of_the_league(house: LeagueHouse):
    season = await house.open(confirm_hours=0, rounds=1, round_days=2, signup_days=1)
    await house.join(season, 1, 2, 3)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    following = await house.leagues.renew(season, STAFF, next(house.ids))
    await house.join(following, 1, 4)
    known = await Members(house.leagues).reliabilities(following)
    seen = await house.view(following)
    assert known[seen.by_person[1]] == Reliability(1, 1)
    assert known[seen.by_person[4]] == Reliability(0, 0)
    assert known[seen.by_person[4]].percent == 80


async def added_to_the_pod(house: LeagueHouse) -> tuple[int, list[int]]:
    """A season whose first pod has a player added by staff, and all its people."""
    season = await house.open(confirm_hours=0, rounds=3, round_days=2, signup_days=1)
    await house.join(season, 1, 2, 3)
    await rule(house, season, lambda s, _, p: added(s, p[4]), 4)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    people = [seen.people[player].id for player in seen.season.pods[1].players]
    assert sorted(people) == [1, 2, 3, 4]
    return season, people


async def take_back_adding(house: LeagueHouse, season: int) -> None:
    rows = undoable(await house.store.read(lambda db: db.seasons.events(season)))
    number = next(row.id for row in rows if isinstance(row.body, MemberSet))
    await rule(house, season, lambda _, entries, __: undone(entries, number))
    await house.rounds.catch_up(season)


async def test_adding_is_taken_back_after_the_draw(house: LeagueHouse):
    season, people = await added_to_the_pod(house)
    await take_back_adding(house, season)
    seen = await house.view(season)
    assert (await names(house, season))[4] == "removed"
    there = [person for person in people if person != 4]
    await house.play_table(seen.tables[1].id, there)
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert {seen.people[player].id for player in result.players} == set(there)
    await house.assert_fold(season)


async def test_adding_is_taken_back_after_the_match_and_the_others_keep_theirs(house: LeagueHouse):
    season, _ = await added_to_the_pod(house)
    await house.play_round(season, 1)
    seen = await house.view(season)
    before = {row.row.player: row.row.points for row in seen.standings().rows}
    await take_back_adding(house, season)
    after = {row.row.player: row.row.points for row in (await house.view(season)).standings().rows}
    del before[seen.by_person[4]]
    assert after == before
    await house.assert_fold(season)
