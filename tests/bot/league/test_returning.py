"""Players who leave a season and return: they can play what still waits, and have missed the rest."""

from collections.abc import Callable

import pytest

from bot.league import ruling_events
from bot.panels.league.people import leaving_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from league.book import book
from league.events import Event
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words

PEOPLE = (11, 12, 13, 14)


async def second_round(house: LeagueHouse) -> int:
    """A season whose first round is played and whose second is drawn."""
    season = await house.open(rounds=8, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    at = (await house.view(season)).row.starts_at
    await house.until(season, at)
    await house.play_round(season, 1)
    await house.until(season, at + DAY + HOUR)
    await house.come(season, 2, *PEOPLE)
    await house.until(season, at + 2 * DAY)
    return season


async def leave(house: LeagueHouse, season: int, person: int) -> None:
    await house.entries.leave(season, NamedPerson(person, f"P{person}"), next(house.ids))
    await house.rounds.catch_up(season)


async def kinds(house: LeagueHouse, season: int, person: int) -> list[str]:
    """Return what each round was to this person."""
    seen = await house.view(season)
    return [line.kind for line in book(seen.season).lines[seen.by_person[person]]]


async def test_who_comes_back_in_time_sits_down_again(house: LeagueHouse):
    season = await second_round(house)
    await leave(house, season, 11)
    await house.join(season, 11)
    await house.rounds.catch_up(season)
    await house.play_round(season, 2)
    assert await kinds(house, season, 11) == ["match", "match"]
    await house.assert_fold(season)


@pytest.mark.parametrize("begun", [False, True])
async def test_who_comes_back_after_the_match_has_missed_it(house: LeagueHouse, begun: bool):
    season = await second_round(house)
    await leave(house, season, 11)
    seen = await house.view(season)
    [pod] = seen.pods_of(2)
    table = seen.tables[pod.id].id
    await house.sit_down(table, [12, 13, 14])
    if begun:
        await house.get_ready(table, (12, 13, 14))
    else:
        await house.play_match(table, [12, 13, 14])
    await house.join(season, 11)
    if begun:
        await house.finish_deal(table)
    assert await kinds(house, season, 11) == ["match", "absence"]
    row = next(line.row for line in (await house.view(season)).standings().rows if line.name == "P11")
    mean = row.lines[0].points
    assert row.lines[1].points == min(0, mean) - 1500


@pytest.mark.parametrize("late", [False, True], ids=["the row had gone", "the row had stayed"])
async def test_who_comes_back_after_the_match_was_reported_is_absent_from_it_and_no_no_show(
    house: LeagueHouse, late: bool
):
    season = await (one_of_two_rounds(house) if late else second_round(house))
    await leave(house, season, 11)
    number = 1 if late else 2
    seen = await house.view(season)
    [pod] = seen.pods_of(number)
    deals, player = "\n".join(["24 -12 -12"] * 3), seen.by_person[11]
    await house.reports.report(season, pod.id, NamedPerson(12, "P"), deals, [player], next(house.ids))
    report = (await house.view(season)).season.pods[pod.id].report
    assert report is not None
    await house.join(season, 11)
    for person in (13, 14):
        await house.reports.answer(
            season, pod.id, report.at, NamedPerson(person, "P"), next(house.ids), agrees=True
        )
    seen = await house.view(season)
    assert seen.season.pods[pod.id].result is not None
    assert not seen.season.pods[pod.id].no_shows
    assert (await kinds(house, season, 11))[-1] == "absence"


async def test_who_left_a_match_that_nobody_played_has_missed_it(house: LeagueHouse):
    season = await second_round(house)
    await leave(house, season, 11)
    due = (await house.view(season)).season.rounds[2].due
    await house.until(season, due - 1)
    await house.come(season, 3, 12, 13, 14)
    await house.until(season, due)
    await house.join(season, 11)
    assert await kinds(house, season, 11) == ["match", "absence", "absence"]


async def test_staff_who_add_somebody_again_give_them_their_seat(house: LeagueHouse):
    season = await second_round(house)
    await leave(house, season, 11)
    player = (await house.view(season)).by_person[11]
    rulings = house.services.rulings
    added = await rulings.prepare(
        season, STAFF, "a mistake", lambda known, _, __: ruling_events.added(known, player)
    )
    await rulings.enact(season, added.draft, STAFF, next(house.ids))
    await house.rounds.catch_up(season)
    await house.play_round(season, 2)
    assert await kinds(house, season, 11) == ["match", "match"]
    assert ((player, 3)) in (await house.view(season)).season.check_ins


async def one_of_two_rounds(house: LeagueHouse, *others: int) -> int:
    """A season whose first of two rounds is drawn, and whose leavers so stay in the table."""
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2, late_entry=100)
    await house.join(season, *PEOPLE, *others)
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def test_who_leaves_after_half_of_the_season_misses_the_match_that_goes_on_and_the_rounds_that_follow(
    house: LeagueHouse,
):
    season = await one_of_two_rounds(house)
    await leave(house, season, 11)
    due = (await house.view(season)).season.rounds[1].due
    table = (await house.view(season)).tables[1].id
    await house.play_table(table, [12, 13, 14])
    await house.until(season, due - HOUR)
    await house.come(season, 2, 12, 13, 14)
    await house.until(season, due)
    assert await kinds(house, season, 11) == ["absence", "absence"]
    row = next(line.row for line in (await house.view(season)).standings().rows if line.name == "P11")
    assert row.points == -1500, "the second round counts once a match of it has begun"
    await house.assert_fold(season)


async def test_who_leaves_after_half_of_the_season_and_is_back_in_time_has_missed_nothing(house: LeagueHouse):
    season = await one_of_two_rounds(house)
    await leave(house, season, 11)
    await house.join(season, 11)
    assert not (await house.view(season)).season.absences
    await house.play_round(season, 1)
    assert await kinds(house, season, 11) == ["match"]


@pytest.mark.parametrize("make", [ruling_events.withdrawn, ruling_events.banned])
async def test_a_withdrawal_that_is_taken_back_costs_no_round(house: LeagueHouse, make: Callable[..., Event]):
    season = await one_of_two_rounds(house)
    seen = await house.view(season)
    player = seen.by_person[11]
    row = await house.rule(season, "rude", lambda told, _, __: make(told, player))
    await house.rounds.catch_up(season)
    await house.play_table(seen.tables[1].id, [12, 13, 14])
    due = seen.season.rounds[1].due
    await house.until(season, due - HOUR)
    await house.come(season, 2, 12, 13, 14)
    await house.until(season, due)
    assert (await house.view(season)).season.absences == {(player, 1), (player, 2)}
    await house.undo(season, row.id)
    assert not (await house.view(season)).season.absences


async def test_the_preview_of_a_withdrawal_or_its_undoing_shows_the_absences(house: LeagueHouse):
    season = await one_of_two_rounds(house, 15, 16, 17, 18)
    seen = await house.view(season)
    first, second = seen.pods_of(1)
    await house.play_table(seen.tables[first.id].id, [seen.people[player].id for player in first.players])
    player = second.players[0]
    rulings = house.services.rulings
    preview = await rulings.prepare(
        season, STAFF, "ill", lambda told, _, __: ruling_events.withdrawn(told, player)
    )
    [change] = [change for change in preview.changes if change.player == player]
    assert change.after is not None
    assert change.after.points == -1500
    row = await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    preview = await rulings.prepare(
        season, STAFF, "well", lambda _, rows, __: ruling_events.undone(rows, row.id), corrects=row.id
    )
    [change] = [change for change in preview.changes if change.player == player]
    assert change.after is not None
    assert change.after.points == 0


async def test_who_is_about_to_leave_is_told_what_it_costs(house: LeagueHouse):
    person = NamedPerson(11, "P11")
    season = await one_of_two_rounds(house)
    assert "is an absence" in words(leaving_panel(await house.view(season), person, texts()))
    await house.play_round(season, 1)
    await house.until(season, house.clock.at + 2 * DAY)
    assert "is an absence" not in words(leaving_panel(await house.view(season), person, texts()))
