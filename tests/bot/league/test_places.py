"""A league with limited places: late sign-ups wait and move up in order. Also a league for one role."""

from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.panels.league.posts import signup_panel
from bot.words.texts import texts
from data.season_posts import AdmissionNotice
from league.season import Member
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse, entrant
from tests.bot.league.test_duplicate_season import words

PEOPLE = (11, 12, 13, 14, 15, 16)


async def members(house: LeagueHouse, season: int) -> dict[int, Member]:
    seen = await house.view(season)
    return {seen.people[player].id: member for player, member in seen.season.members.items()}


async def playing(house: LeagueHouse, season: int) -> list[int]:
    return sorted(person for person, member in (await members(house, season)).items() if member.plays)


async def drawn(house: LeagueHouse, season: int) -> list[int]:
    seen = await house.view(season)
    return sorted(seen.people[player].id for pod in seen.pods_of(1) for player in pod.players)


async def test_who_comes_when_all_places_are_taken_waits_and_moves_up(house: LeagueHouse):
    season = await house.open(most_players=4, confirm_hours=0, signup_days=1)
    said = [await house.entries.join(season, entrant(number), next(house.ids)) for number in PEOPLE]
    assert said == ["league.joined"] * 4 + ["league.full"] * 2
    assert "Places: 4" in words(signup_panel(await house.view(season), texts()))
    await house.entries.leave(season, entrant(12).person, next(house.ids))
    assert await playing(house, season) == [11, 13, 14, 15]
    seen = await house.view(season)
    posts = await house.posts()
    assert AdmissionNotice(seen.by_person[15]) in posts
    await house.until(season, seen.row.starts_at)
    assert await drawn(house, season) == [11, 13, 14, 15]
    assert await house.entries.join(season, entrant(20), next(house.ids)) == "league.full"
    await house.assert_fold(season)


async def test_who_returns_to_a_full_league_has_their_place_again_and_has_missed_what_they_missed(
    house: LeagueHouse,
):
    season = await house.open(
        most_players=4, rounds=8, signup_days=1, confirm_hours=0, round_days=2, late_entry=90
    )
    await house.join(season, *PEOPLE[:4])
    starts_at = (await house.view(season)).row.starts_at
    await house.until(season, starts_at)
    await house.play_round(season, 1)
    await house.entries.leave(season, entrant(11).person, next(house.ids))
    await house.until(season, starts_at + 2 * DAY)
    assert await house.entries.join(season, entrant(11), next(house.ids)) == "league.joined_late"
    assert await playing(house, season) == [*PEOPLE[:4]]
    seen = await house.view(season)
    assert (seen.by_person[11], 2) in seen.season.absences
    await house.assert_fold(season)


async def test_who_returns_to_a_full_ladder_is_told_that_they_are_in(house: LeagueHouse):
    season = await house.open("ladder", most_players=3)
    await house.join(season, *PEOPLE[:3])
    await house.entries.leave(season, entrant(11).person, next(house.ids))
    assert await house.entries.join(season, entrant(11), next(house.ids)) == "league.joined"


async def test_a_season_that_only_those_who_stand_by_have_confirmed_begins_with_them(house: LeagueHouse):
    season = await house.open(most_players=3, confirm_hours=12, signup_days=1)
    await house.join(season, *PEOPLE)
    starts_at = (await house.view(season)).row.starts_at
    await house.until(season, starts_at - HOUR)
    await house.come(season, 1, 14, 15, 16)
    await house.until(season, starts_at)
    assert await drawn(house, season) == [14, 15, 16]


async def test_places_that_are_not_confirmed_go_to_those_who_stand_by(house: LeagueHouse):
    season = await house.open(most_players=4, confirm_hours=12, signup_days=1)
    await house.join(season, *PEOPLE)
    starts_at = (await house.view(season)).row.starts_at
    await house.until(season, starts_at - 11 * HOUR)
    for person, answer in ((16, "stands_by"), (11, "checked_in"), (12, "checked_in"), (15, "stands_by")):
        said = await house.entries.check_in(season, 1, entrant(person), next(house.ids))
        assert said == f"league.{answer}"
    assert await playing(house, season) == [11, 12]
    await house.until(season, starts_at)
    assert await drawn(house, season) == [11, 12, 15, 16], "13 and 14 did not confirm"


async def test_the_staff_draw_no_more_than_there_is_room_for(house: LeagueHouse):
    season = await house.open(most_players=4, confirm_hours=12, signup_days=10)
    await house.join(season, *PEOPLE)
    await house.start(season)
    await house.rounds.catch_up(season)
    assert await drawn(house, season) == [11, 12, 13, 14]


async def test_more_places_let_those_in_who_wait(house: LeagueHouse):
    season = await house.open(most_players=4, confirm_hours=0)
    await house.join(season, *PEOPLE)
    await house.season_admin.set_number(season, STAFF, "most_players", "5", next(house.ids))
    assert await playing(house, season) == [11, 12, 13, 14, 15]


async def test_tables_of_another_size_are_drawn_and_played(house: LeagueHouse):
    season = await house.open(pod_size=3, confirm_hours=0, signup_days=1)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    assert [len(pod.players) for pod in (await house.view(season)).pods_of(1)] == [3, 3]
    await house.play_round(season, 1)
    assert all(pod.over for pod in (await house.view(season)).pods_of(1))


async def test_a_league_for_a_role_refuses_others(house: LeagueHouse):
    season = await house.open(role=77)
    assert "<@&77>" in words(signup_panel(await house.view(season), texts()))
    with pytest.raises(UserError, match="refused_role"):
        await house.entries.join(season, replace(entrant(11), roles=frozenset({5})), next(house.ids))
    await house.entries.join(season, replace(entrant(11), roles=frozenset({77})), next(house.ids))


async def test_what_is_said_of_a_league_has_no_effect_and_loses_a_forgotten_name(house: LeagueHouse):
    season = await house.open(description="By P11, *for* all <@7>")
    await house.join(season, 11, 12)
    assert r"By P11, \*for\* all ‹@7›" in words(signup_panel(await house.view(season), texts()))
    await house.services.forgetting.forget(11)
    assert "P11" not in (await house.view(season)).season.settings.description
    await house.season_admin.set_number(season, STAFF, "description", "Hello", next(house.ids))
    await house.season_admin.set_number(season, STAFF, "role", "<@&123456789012345678>", next(house.ids))
    settings = (await house.view(season)).season.settings
    assert (settings.description, settings.role) == ("Hello", 123456789012345678)
