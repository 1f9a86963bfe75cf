"""A season from its sign-up to its end, at the level of the services."""

import pytest

from bot.errors import UserError
from bot.league.ruling_events import corrected, undone
from bot.league.rulings import Rulings
from bot.people import NamedPerson
from data.season_posts import CheckInPost, StandingsPost
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse
from tests.statements import statements

PEOPLE = tuple(range(11, 19))


async def test_pods_from_the_first_sign_up_to_the_archive(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=3, confirm_hours=24, round_days=2)
    begins = (await house.view(season)).row.starts_at
    await house.join(season, *PEOPLE)
    assert len((await house.view(season)).season.waiting()) == 8

    await house.until(season, begins - 24 * HOUR)
    seen = await house.view(season)
    assert CheckInPost(1) in seen.posts
    await house.come(season, 1, *PEOPLE[:7])
    await house.until(season, begins)
    seen = await house.view(season)
    assert sorted(len(pod.players) for pod in seen.pods_of(1)) == [3, 4]
    assert [seen.people[pod.player].id for pod in seen.season.waiting()] == [PEOPLE[7]]
    assert len(seen.tables) == 2

    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert all(pod.result for pod in seen.pods_of(1))
    assert StandingsPost(1) in seen.posts
    assert abs(sum(row.row.points for row in seen.standings().rows)) < len(PEOPLE)  # except for rounding

    await house.until(season, begins + 2 * DAY - HOUR)
    await house.come(season, 2, *PEOPLE[:6])
    await house.until(season, begins + 2 * DAY)
    seen = await house.view(season)
    assert len(seen.season.absences) == 1
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.champion() == seen.standings().rows[0].row.player
    await house.assert_fold(season)


async def test_the_end_of_a_deal_reads_its_events_once(house: LeagueHouse):
    """For its statistics; the table, the season and the standings go on from what is known of it."""
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0)
    await house.join(season, *PEOPLE[:4])
    await house.until(season, (await house.view(season)).row.starts_at)
    (table,) = (await house.view(season)).tables.values()
    await house.sit_down(table.id, [*PEOPLE[:4]])
    await house.get_ready(table.id, PEOPLE[:4])
    made, is_over = statements(house.store), False
    while not is_over:
        made.clear()
        await house.finish_deal(table.id)
        shown = await house.tables.snapshot(table.id)
        await house.rounds.catch_up(season)
        await house.view(season)
        assert sum(said.startswith("SELECT") and "FROM event " in said for said in made) == 1
        is_over = shown.match is not None and shown.match.row.is_over
        if not is_over:
            await house.next_deal(table.id, PEOPLE[0])
    assert (await house.view(season)).season.pods[1].result is not None


async def test_a_ruling_is_shown_first_then_counts_and_can_be_taken_back(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE[:4])
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.play_round(season, 1)
    rulings = Rulings(house.leagues)
    before = (await house.view(season)).season
    pod = before.pods[1]
    result = pod.result
    assert result is not None
    preview = await rulings.prepare(
        season, STAFF, "typed wrongly", lambda season, _, __: corrected(season, 1, 1, "90 -30 -30 -30")
    )
    assert preview.changes
    assert (await house.view(season)).season == before
    with pytest.raises(UserError, match="not_your_draft"):
        await rulings.enact(season, preview.draft, NamedPerson(11, "P11"), next(house.ids))
    row = await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    corrected_pod = (await house.view(season)).season.pods[1]
    assert corrected_pod.result is not None
    assert corrected_pod.result.deals[0] == (90, -30, -30, -30)

    async def take_back() -> None:
        undo = await rulings.prepare(
            season, STAFF, "it was right", lambda _, rows, __: undone(rows, row.id), corrects=row.id
        )
        await rulings.enact(season, undo.draft, STAFF, next(house.ids))

    await take_back()
    seen = await house.view(season)
    assert seen.season.pods[1].result == result
    assert [act.reason for act in seen.acts] == ["typed wrongly", "it was right"]
    with pytest.raises(UserError, match="stands"):
        await take_back()
    await house.assert_fold(season)


async def test_who_does_not_play_in_time_is_ruled_on_and_who_leaves_is_not_waited_for(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=2, cut_to=0)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins)
    seen = await house.view(season)
    first, second = seen.pods_of(1)
    persons = [seen.people[player].id for player in second.players]
    await house.play_table(seen.tables[first.id].id, [seen.people[player].id for player in first.players])
    await house.sit_down(seen.tables[second.id].id, persons[:2])
    await house.entries.leave(season, NamedPerson(persons[3], "gone"), next(house.ids))
    await house.until(season, begins + 3 * DAY)
    seen = await house.view(season)
    verdicts = {
        seen.people[player].id: verdict for player, verdict in seen.season.pods[second.id].verdicts.items()
    }
    assert [verdicts[person] for person in persons[:3]] == ["average_plus", "average_plus", "no_show"]
    assert seen.tables[second.id].status == "closed"
    assert seen.row.closed_at is not None
    await house.assert_fold(season)
