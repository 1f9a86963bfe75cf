"""The texts of a season for staff and players: whose points a ruling changes, absences, the finals."""

import pytest

from bot.errors import UserError
from bot.league.meetings import Meetings
from bot.league.ruling_events import (
    corrected,
    entered,
    penalised,
    reopened,
    ruled,
    substituted,
    undoable,
    undone,
    withdrawn,
)
from bot.league.rulings import Make, Rulings
from bot.panels.league.direct_messages import next_panel, reminder_panel
from bot.panels.league.lists import list_panel
from bot.panels.league.posts import post_panel, round_panel
from bot.panels.league.rulings import preview_panel
from bot.panels.league.standings import standings_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import EndPost, PlayReminder, SignupPost, StandingsPost
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse, entrant
from tests.bot.league.test_duplicate_season import words

PEOPLE = tuple(range(11, 15))
say = texts()


async def drawn(house: LeagueHouse, **options) -> tuple[int, list[int]]:
    """A season of one pod, and its people by seat."""
    season = await house.open(
        **({"rounds": 2, "signup_days": 1, "confirm_hours": 0, "round_days": 2} | options)
    )
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    return season, [seen.people[player].id for player in seen.season.pods[1].players]


async def shown(
    house: LeagueHouse, season: int, make: Make, *named: int, enact: bool = True, corrects: int | None = None
) -> str:
    """Enact a ruling, and return the preview that its author reads before it."""
    rulings = Rulings(house.leagues)
    people = [NamedPerson(number, f"P{number}") for number in named]
    preview = await rulings.prepare(season, STAFF, "a *reason*", make, people, corrects)
    said = words(preview_panel(await house.view(season), preview, say))
    if enact:
        await rulings.enact(season, preview.draft, STAFF, next(house.ids))
        await house.rounds.catch_up(season)
    return said


async def test_who_has_left_is_asked_to_play_no_match(house: LeagueHouse):
    season, people = await drawn(house)
    await house.entries.leave(season, NamedPerson(people[0], "P"), next(house.ids))
    seen = await house.view(season)
    gone, stays = seen.by_person[people[0]], seen.by_person[people[1]]
    assert reminder_panel(seen, PlayReminder(1, 24, gone, 0), say) is None
    assert reminder_panel(seen, PlayReminder(1, 24, stays, 0), say) is not None
    assert say("league.next_not_in") in words(next_panel(seen, gone, say))


async def test_a_correction_says_whose_points_it_changes(house: LeagueHouse):
    season, people = await drawn(house)
    await house.play_round(season, 1)
    seen = await house.view(season)
    result = seen.season.pods[1].result
    assert result is not None
    first, *_ = names = [seen.plain_name(player) for player in result.players]
    with pytest.raises(UserError, match="bad_points") as refused:
        await shown(house, season, lambda season, _, __: corrected(season, 1, 1, "9 -3 -3"))
    assert refused.value.values == {"count": 4, "names": ", ".join(names)}
    with pytest.raises(UserError, match="bad_points") as refused:
        await shown(house, season, lambda season, _, __: entered(season, 1, "9 -9; 9 -9"))
    assert refused.value.values["names"] == ", ".join(seen.names(seen.season.pods[1].players).split(", "))
    with pytest.raises(UserError, match="no_deal"):
        await shown(house, season, lambda season, _, __: corrected(season, 1, 5, "9 -3 -3 -3"))
    said = await shown(house, season, lambda season, _, __: corrected(season, 1, 1, "90 -30 -30 -30"))
    assert "deal 1 of pod 1 is corrected" in said
    assert f"{first} {result.deals[0][0]:+} → +90" in said
    assert "`#" not in said  # it has no number yet
    assert "a \\*reason\\*" in said
    with pytest.raises(UserError, match="has_result"):
        await shown(house, season, lambda season, _, __: ruled(season, 1, []))
    with pytest.raises(UserError, match="over_ruled"):
        await shown(
            house, season, lambda season, _, by: substituted(season, 1, by[people[0]], by[77]), people[0], 77
        )

    entries = await house.store.read(lambda db: db.seasons.events(season))
    latest, played = undoable(entries)
    assert (latest.body.event, played.body.event) == ("result_corrected", "match_finished")
    assert "is taken back" in await shown(house, season, lambda _, rows, __: undone(rows, played.id))
    log = words(list_panel(await house.view(season), "log", 0, None, say))
    assert "the result of pod 1 is taken back" in log
    said = await shown(house, season, lambda season, _, __: entered(season, 1, "9 -3 -3 -3; 9 -3 -3 -3"))
    assert "the result of pod 1 is entered" in said
    assert "**+18**" in said


async def test_rulings_say_who_gets_what(house: LeagueHouse):
    season, people = await drawn(house)
    with pytest.raises(UserError, match="no_penalty"):
        await shown(house, season, lambda season, _, by: penalised(season, by[people[0]], 0, 0), people[0])
    said = await shown(house, season, lambda season, _, by: penalised(season, by[people[0]], 5, 1), people[0])
    assert f"P{people[0]} gets −5.00 league points and 1 conduct point" in said
    said = await shown(house, season, lambda season, _, by: penalised(season, by[people[0]], 0, 2), people[0])
    assert f"P{people[0]} gets 2 conduct points" in said
    said = await shown(house, season, lambda season, _, by: ruled(season, 1, [by[people[1]]]), people[1])
    assert f"P{people[1]} did not come, the others get Average+" in said
    assert "Average+" not in words(round_panel(await house.view(season), 1, say))


async def test_who_did_not_come_is_told_and_so_are_the_others(house: LeagueHouse):
    season, people = await drawn(house, rounds=4)
    meetings = Meetings(house.leagues)
    at = house.clock.at + 2 * HOUR
    await meetings.propose(season, NamedPerson(people[0], "P"), at, next(house.ids))
    for person in people[1:]:
        await meetings.agree(season, 1, at, NamedPerson(person, "P"), next(house.ids))
    seen = await house.view(season)
    await house.sit_down(seen.tables[1].id, people[:2])
    await house.until(season, at + 11 * 60_000)
    seen = await house.view(season)
    late = [seen.by_person[person] for person in people[2:]]
    assert seen.season.pods[1].missed == set(late)
    assert f"did not come: {seen.names(sorted(late))}" in words(round_panel(seen, 1, say))
    assert "no-show for you" in words(next_panel(seen, late[0], say))
    there = words(next_panel(seen, seen.by_person[people[0]], say))
    assert "Those who are there can play without" in there
    assert "All agree" not in there

    await house.until(season, seen.row.starts_at + 3 * DAY)
    due = house.clock.at + DAY
    await shown(house, season, lambda season, _, __: reopened(season, 1, due))
    seen = await house.view(season)
    assert 1 not in seen.times  # the time agreed on then is no longer agreed
    assert f"until <t:{due // 1000}:f>" in words(round_panel(seen, 1, say))
    assert "All agree" not in words(next_panel(seen, late[0], say))


async def test_the_finals_show_what_was_carried_into_them(house: LeagueHouse):
    season, _ = await drawn(house, rounds=1, cut_to=4, final_matches=1)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    rows = seen.standings().rows
    for post in (StandingsPost(2), EndPost()):
        said = words(post_panel(seen, post, say))
        assert said.count("carried from the season") == 4
        for row in rows:
            carried = abs(row.row.points) // 2
            assert f"{carried // 100}." in said
    champion = seen.champion()
    assert champion is not None
    assert words(post_panel(seen, StandingsPost(2), say)).split("**")[1] == seen.plain_name(champion)


async def test_a_season_may_begin_before_anybody_could_confirm(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=5, confirm_hours=24)
    await house.join(season, *PEOPLE[:2])
    with pytest.raises(UserError, match="too_few"):
        await house.start(season)
    await house.join(season, *PEOPLE[2:])
    seen = await house.view(season)
    assert "you can confirm your place" in words(next_panel(seen, seen.by_person[PEOPLE[0]], say))
    await house.start(season)
    await house.rounds.catch_up(season)
    assert [len(pod.players) for pod in (await house.view(season)).pods_of(1)] == [4]


async def test_who_was_put_out_by_staff_cannot_come_back_by_himself(house: LeagueHouse):
    season, people = await drawn(house, rounds=6)
    await shown(house, season, lambda season, _, by: withdrawn(season, by[people[0]]), people[0])
    with pytest.raises(UserError, match="put_out"):
        await house.entries.join(season, entrant(people[0]), next(house.ids))
    await house.entries.leave(season, NamedPerson(people[1], "P"), next(house.ids))
    await house.entries.join(season, entrant(people[1]), next(house.ids))
    act = undoable(await house.store.read(lambda db: db.seasons.events(season)))[0]
    await shown(house, season, lambda _, rows, __: undone(rows, act.id))
    seen = await house.view(season)
    assert all(seen.season.members[seen.by_person[person]].plays for person in people)


async def test_a_ladder_speaks_of_days_and_nobody_wins_what_nobody_played(house: LeagueHouse):
    season = await house.open("ladder", rounds=3)
    await house.join(season, *PEOPLE)
    with pytest.raises(UserError, match="no_draw"):
        await house.start(season)
    with pytest.raises(UserError, match="no_reports"):
        await house.reports.pod_of(season, NamedPerson(PEOPLE[0], "P"))
    seen = await house.view(season)
    said = words(post_panel(seen, SignupPost(), say))
    assert "3 days" in said
    assert "sealed" not in said
    assert "No match of members was played that day" in words(round_panel(seen, seen.current_round, say))
    await house.until(season, seen.row.starts_at + 3 * DAY)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.champion() is None
    assert "nobody has won" in words(post_panel(seen, EndPost(), say))


async def test_the_lot_decides_who_plays_the_finals_where_nothing_else_does(house: LeagueHouse):
    season = await house.open(
        rounds=1,
        signup_days=1,
        confirm_hours=0,
        round_days=2,
        cut_to=4,
        final_matches=1,
        least_matches=0,
    )
    await house.join(season, *range(11, 27))
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins + 2 * DAY)  # no one plays, so all are equal
    seen = await house.view(season)
    finalists = {player for pod in seen.pods_of(2) for player in pod.players}
    assert len(finalists) == 4
    await house.until(season, begins + 6 * DAY)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    first = [row.row for row in seen.standings(through=1).rows[:4]]
    assert {row.player for row in first} == finalists
    assert {row.by for row in first} == {"lot"}
    assert {row.row.player for row in seen.standings().rows[:4]} == finalists, "the final ranking"
    said = words(post_panel(seen, StandingsPost(1), say))
    assert "equal in every tie-break" in said
    assert all(seen.name(player) in said for player in finalists)


async def test_a_round_and_a_line_of_the_finals_are_named_as_they_are(house: LeagueHouse):
    season = await house.open(
        rounds=1, signup_days=1, confirm_hours=0, round_days=2, cut_to=4, final_matches=1, late_entry=0
    )
    await house.join(season, *range(11, 19))
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    assert "To the finals" not in words(standings_panel(seen, 0, 0, None, say)), "no match was played"
    first, second = seen.pods_of(1)
    await house.play_table(seen.tables[first.id].id, [seen.people[player].id for player in first.players])
    said = words(standings_panel(await house.view(season), 0, 0, None, say))
    assert "As it stands while round 1 of 1 is being played" in said
    assert "In the finals, as it stands" in said
    await house.play_table(seen.tables[second.id].id, [seen.people[player].id for player in second.players])
    said = words(standings_panel(await house.view(season), 0, 0, None, say))
    assert "After round 1 of 1" in said
    assert "To the finals:" in said
    await house.rounds.catch_up(season)
    said = words(post_panel(await house.view(season), SignupPost(), say))
    assert "**Final** is being played" in said
    assert "Round" not in said
