"""Tournaments of one sitting: short rounds, each drawn once everyone has played, and arenas."""

from collections import Counter
from typing import get_args

import pytest

from bot.league.agenda import draw_at, due_at
from bot.league.free_seats import Offers
from bot.league.ruling_events import renumbered
from bot.panels.league.posts import post_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import NOW, DelayPost, PersonalPost, RoundPost, StandingsPost
from data.transaction import ReadTransaction
from league.results import Player
from league.season import Pod
from tests.bot.league.house import HOUR, LeagueHouse, entrant, waiting_posts
from tests.bot.league.test_postponing import away
from tests.bot.league.test_unplayed_matches import begins

PEOPLE = tuple(range(11, 20))
MINUTE = HOUR // 60
SWISS = {"rounds": 3, "round_minutes": 30, "confirm_hours": 0, "extra_hours": 0, "no_show_minutes": 5}
ARENA = {"rounds": 12, "confirm_hours": 0}


async def begun(house: LeagueHouse, format_: str, **numbers: object) -> int:
    season = await house.open(format_, **numbers)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def sit(house: LeagueHouse, season: int, pod: Pod, *without: Player) -> list[int]:
    seen = await house.view(season)
    persons = [seen.people[player].id for player in pod.players if player not in without]
    await house.sit_down(seen.tables[pod.id].id, persons)
    return persons


async def play(house: LeagueHouse, season: int, pod: Pod) -> None:
    table = (await house.view(season)).tables[pod.id].id
    await house.play_match(table, await sit(house, season, pod))
    await house.rounds.catch_up(season)


async def test_the_rounds_of_an_evening_follow_each_other_as_soon_as_everybody_has_played(house: LeagueHouse):
    season = await begun(house, "swiss", **SWISS)
    begins = house.clock.at
    for number in (1, 2, 3):
        seen = await house.view(season)
        assert seen.season.drawn == number
        for pod in seen.pods_of(number):
            await play(house, season, pod)
        await house.until(season, house.clock.at + 2 * MINUTE)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.row.closed_at < begins + 3 * 30 * MINUTE
    assert not seen.season.absences
    assert {row.row.matches for row in seen.standings().rows} == {3}
    await house.assert_fold(season)


async def test_the_matches_of_a_stage_of_finals_follow_each_other_so_that_nobody_misses_one_by_playing_another(
    house: LeagueHouse,
):
    season = await begun(house, "swiss", **SWISS | {"rounds": 1}, cut_to=4, final_matches=2)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    [first] = (await house.view(season)).pods_of(2)
    persons = await sit(house, season, first)
    await house.until(season, house.clock.at + 5 * MINUTE)
    await begins(house, (await house.view(season)).tables[first.id].id)
    await house.until(season, house.clock.at + 20 * MINUTE)
    seen = await house.view(season)
    assert list(seen.season.rounds) == [1, 2]
    await house.play_deals_on(seen.tables[first.id].id)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.closed_at is None
    seen = await house.view(season)
    [second] = seen.pods_of(3)
    assert second.players == first.players[::-1]
    assert due_at(seen.row, seen.season, 3) == house.clock.at + 30 * MINUTE
    await play(house, season, second)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert not [pod for pod in seen.season.pods.values() if pod.no_shows]
    assert seen.people[seen.champion() or 0].id in persons
    await house.assert_fold(season)


async def test_a_round_of_minutes_ends_at_its_time_and_the_next_one_is_drawn(house: LeagueHouse):
    season = await begun(house, "swiss", **SWISS)
    first, *_ = (await house.view(season)).pods_of(1)
    due = draw_at((await house.view(season)).row, (await house.view(season)).season, 2)
    assert due == house.clock.at + 30 * MINUTE
    await sit(house, season, first)
    await house.until(season, house.clock.at + 6 * MINUTE)
    seen = await house.view(season)
    missed = {player for pod in seen.pods_of(1) for player in pod.missed}
    assert len(missed) == len(PEOPLE) - len(first.players)
    await house.until(season, due)
    seen = await house.view(season)
    assert seen.season.drawn == 2
    assert {player for pod in seen.pods_of(2) for player in pod.drawn} == set(first.players)


async def test_in_an_arena_those_who_are_free_play_again_while_the_others_go_on(house: LeagueHouse):
    season = await begun(house, "arena", **ARENA)
    seen = await house.view(season)
    first, *others = seen.pods_of(1)
    assert sorted(len(pod.drawn) for pod in (first, *others)) in ([4, 5], [3, 3, 3])
    for pod in others:
        await sit(house, season, pod)
    await play(house, season, first)
    begins = seen.row.starts_at
    await house.until(season, begins + 5 * MINUTE)
    seen = await house.view(season)
    [again] = seen.pods_of(2)
    assert set(again.drawn) == set(first.players)
    assert due_at(seen.row, seen.season, 1) == due_at(seen.row, seen.season, 2) == begins + HOUR
    await house.until(season, begins + 10 * MINUTE)
    seen = await house.view(season)
    assert (seen.season.drawn, seen.pods_of(3)) == (3, [])
    assert RoundPost(3) not in seen.posts
    assert StandingsPost(NOW) in seen.posts
    assert StandingsPost(1) not in seen.posts
    assert "the table now" in str(post_panel(seen, StandingsPost(NOW), texts()).view.to_components())


async def test_an_arena_sends_a_player_four_direct_messages_at_most(house: LeagueHouse):
    season = await house.open("arena", rounds=6)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - 1)
    for person in PEOPLE:
        await house.entries.check_in(season, 1, entrant(person), next(house.ids))
    for number in range(1, 7):
        await house.until(season, begins + (number - 1) * 5 * MINUTE)
        pods = (await house.view(season)).pods_of(number)
        assert pods, "everybody is free"
        for pod in pods:
            await play(house, season, pod)
    await house.until(season, begins + 2 * HOUR)

    async def read(db: ReadTransaction):
        return [row.key.post for row in await waiting_posts(db, house.clock.at + 24 * HOUR)]

    posts = await house.store.read(read)
    told = Counter(post.player for post in posts if isinstance(post, get_args(PersonalPost)))
    assert (await house.view(season)).row.closed_at is not None
    assert len(told) == len(PEOPLE)
    assert max(told.values()) <= 4


async def test_who_missed_a_match_of_an_arena_is_drawn_again_once_they_are_back(house: LeagueHouse):
    season = await begun(house, "arena", **ARENA)
    seen = await house.view(season)
    first, *_ = seen.pods_of(1)
    members, away = set(seen.season.members), first.players[0]
    await sit(house, season, first, away)
    begins = house.clock.at
    await house.until(season, begins + 4 * MINUTE)
    pod = (await house.view(season)).season.pods[first.id]
    assert pod.missed == {away}
    elsewhere = [
        player for player in sorted(seen.people) if player not in first.players and player in members
    ]
    back = [away, *elsewhere[:2]]
    for player in back:
        await house.join(season, seen.people[player].id)
    await house.until(season, begins + 5 * MINUTE)
    [pod] = (await house.view(season)).pods_of(2)
    assert set(pod.drawn) == set(back)


@pytest.mark.parametrize(("format_", "numbers"), [("swiss", SWISS), ("arena", ARENA)])
async def test_a_table_with_a_substitute_begins_without_who_does_not_come(
    house: LeagueHouse, format_: str, numbers: dict[str, object]
):
    season = await house.open(format_, **(numbers | {"late_entry": 0}))
    await house.join(season, 11, 12, 13, 14)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.join(season, 15)
    seen = await house.view(season)
    pod, gone = seen.season.pods[1], seen.by_person[11]
    missing = next(player for player in pod.players if player != gone)
    await house.entries.leave(season, NamedPerson(11, "gone"), next(house.ids))
    await Offers(house.leagues).take(season, 1, gone, entrant(15), next(house.ids))
    persons = await sit(house, season, (await house.view(season)).season.pods[1], missing)
    await house.get_ready(seen.tables[1].id, persons)
    await house.until(season, house.clock.at + seen.season.settings.no_show_minutes * MINUTE)
    assert (await house.view(season)).season.pods[1].missed == {missing}
    await begins(house, seen.tables[1].id)


async def test_an_evening_to_which_all_come_late_waits_for_them(house: LeagueHouse):
    season = await begun(house, "swiss", **SWISS)
    begins = house.clock.at
    await house.until(season, begins + 10 * MINUTE)
    assert (await house.view(season)).season.drawn == 1
    await house.join(season, *PEOPLE[:3])
    await house.until(season, house.clock.at + 2 * MINUTE)
    seen = await house.view(season)
    assert [{seen.people[player].id for player in pod.players} for pod in seen.pods_of(2)] == [{*PEOPLE[:3]}]
    await house.until(season, begins + 3 * HOUR)
    assert (await house.view(season)).row.closed_at is not None


async def test_an_arena_ends_at_its_time(house: LeagueHouse):
    season = await begun(house, "arena", **ARENA)
    for pod in (await house.view(season)).pods_of(1):
        await play(house, season, pod)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins + 2 * HOUR)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert all(row.row.matches == 1 for row in seen.standings().rows)
    assert seen.champion() is not None
    await house.assert_fold(season)


@pytest.mark.parametrize(("format_", "numbers"), [("swiss", SWISS), ("arena", ARENA)])
async def test_after_an_outage_the_players_of_a_sitting_have_as_long_to_come_again(
    house: LeagueHouse, format_: str, numbers: dict[str, object]
):
    season = await begun(house, format_, **numbers)
    first, *_ = (await house.view(season)).pods_of(1)
    await sit(house, season, first, first.players[0])
    minutes = (await house.view(season)).season.settings.no_show_minutes
    await away(house, season, (minutes + 1) / 60)
    await house.until(season, house.clock.at + (minutes - 1) * MINUTE)
    assert not (await house.view(season)).season.pods[first.id].missed
    await house.until(season, house.clock.at + 2 * MINUTE)
    pod = (await house.view(season)).season.pods[first.id]
    assert pod.missed == {first.players[0]}


@pytest.mark.parametrize(("minutes", "from_m", "gone_m"), [(10, 1, 8), (30, 1, 28), (30, 4, 20)])
async def test_an_outage_of_some_minutes_delays_the_deadline_of_a_sitting_by_as_long(
    house: LeagueHouse, minutes: int, from_m: int, gone_m: int
):
    season = await begun(house, "swiss", **(SWISS | {"round_minutes": minutes}))
    due = due_at((seen := await house.view(season)).row, seen.season, 1)
    await house.until(season, house.clock.at + from_m * MINUTE)
    await away(house, season, gone_m / 60)
    seen = await house.view(season)
    assert due_at(seen.row, seen.season, 1) == pytest.approx(due + gone_m * MINUTE, abs=MINUTE)
    await house.until(season, house.clock.at + 4 * MINUTE)
    assert not any(pod.over for pod in (await house.view(season)).pods_of(1))


async def test_an_outage_delays_the_second_match_of_a_stage_by_as_long(house: LeagueHouse):
    season = await begun(house, "swiss", **SWISS | {"rounds": 1}, cut_to=4, final_matches=2)
    for number in (1, 2):
        await house.play_round(season, number)
        await house.until(season, house.clock.at + 3 * MINUTE)
    due = due_at((seen := await house.view(season)).row, seen.season, 3)
    await away(house, season, 10 / 60)
    seen = await house.view(season)
    assert due_at(seen.row, seen.season, 3) == pytest.approx(due + 10 * MINUTE, abs=MINUTE)


async def test_an_outage_after_the_last_deadline_of_a_sitting_announces_nothing(house: LeagueHouse):
    season = await begun(house, "swiss", **(SWISS | {"rounds": 1, "extra_hours": 2}))
    for pod in (await house.view(season)).pods_of(1):
        await sit(house, season, pod)
    await house.until(season, house.clock.at + 31 * MINUTE)
    await away(house, season, 10 / 60)
    seen = await house.view(season)
    assert seen.row.closed_at is None
    assert not any(isinstance(post, DelayPost) for post in seen.posts)


async def test_a_round_that_is_added_to_an_evening_in_its_last_matches_is_drawn_at_once(house: LeagueHouse):
    season = await begun(house, "swiss", **(SWISS | {"rounds": 1, "extra_hours": 1}))
    seen = await house.view(season)
    for pod in seen.pods_of(1):
        persons = await sit(house, season, pod)
        await house.get_ready(seen.tables[pod.id].id, persons)
    await house.until(season, seen.season.rounds[1].due + MINUTE)
    pace = (await house.view(season)).row.pace
    await house.rule(season, "one more", lambda told, _, __: renumbered(told, pace, "rounds", "2"))
    for pod in seen.pods_of(1):
        await house.play_deals_on(seen.tables[pod.id].id)
    await house.until(season, house.clock.at + MINUTE)
    seen = await house.view(season)
    assert {player for pod in seen.pods_of(2) for player in pod.players} == set(seen.season.members)
