"""A match with real cards: reported, confirmed or disputed, and then a result like any other."""

from collections.abc import Callable

import pytest

from bot.errors import RepeatedInteractionError, UserError
from bot.league.reports import MOST_CALLING, MOST_REPORTS, columns, prefilled
from bot.league.ruling_events import accepted, entered, read_deals, ruled, substituted, withdrawn
from bot.league.rulings import Rulings
from bot.people import NamedPerson
from data.season_posts import DisputePost, ReportNotice, ReportPost, TimeReminder
from league.events import Event
from league.season import Season
from league.times import MINUTE
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse
from tests.bot.league.test_unplayed_matches import set_time

PEOPLE = (11, 12, 13, 14)
DEALS = "24 -8 -8 -8\n" * 4


async def drawn(house: LeagueHouse, **options) -> tuple[int, list[NamedPerson]]:
    """A season of one pod, and its people by seat."""
    numbers = {"rounds": 1, "signup_days": 1, "confirm_hours": 0, "round_days": 2}
    season = await house.open(**(numbers | options))
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    return season, [
        NamedPerson(seen.people[player].id, seen.people[player].names.general)
        for player in seen.season.pods[1].players
    ]


async def reported(house: LeagueHouse, season: int, person: NamedPerson) -> int:
    await house.reports.report(season, 1, person, DEALS, [], next(house.ids))
    told = (await house.view(season)).season.pods[1].report
    assert told is not None
    return told.at


async def test_all_confirm_and_the_result_counts(house: LeagueHouse):
    season, people = await drawn(house)
    with pytest.raises(UserError, match="not_your_pod"):
        await house.reports.report(season, 1, NamedPerson(99, "ekta"), DEALS, [], next(house.ids))
    with pytest.raises(UserError, match="not_your_pod"):
        await house.reports.report(season, 77, people[0], DEALS, [], next(house.ids))
    with pytest.raises(UserError, match="bad_report"):
        await house.reports.report(season, 1, people[0], "24 -8 -8 -8", [], next(house.ids))
    at = await reported(house, season, people[0])
    with pytest.raises(UserError, match="own_report"):
        await house.reports.answer(season, 1, at, people[0], next(house.ids), agrees=True)
    with pytest.raises(UserError, match="other_report"):
        await house.reports.answer(season, 1, at - 1, people[1], next(house.ids), agrees=True)
    click = next(house.ids)
    assert (
        await house.reports.answer(season, 1, at, people[1], click, agrees=True) == "league.report_confirmed"
    )
    with pytest.raises(RepeatedInteractionError):
        await house.reports.answer(season, 1, at, people[1], click, agrees=True)
    for person in people[2:]:
        said = await house.reports.answer(season, 1, at, person, next(house.ids), agrees=True)
    assert said == "league.report_counts"
    with pytest.raises(UserError, match="other_report"):
        await house.reports.answer(season, 1, at, people[1], next(house.ids), agrees=False)
    table = (await house.view(season)).tables[1]
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert (await house.tables.status(table.id)) == "closed"
    assert seen.season.pods[1].result.reported
    assert seen.people[seen.standings().rows[0].row.player].id == people[0].id
    assert seen.row.closed_at is not None
    await house.assert_fold(season)


async def test_nobody_objects_until_the_deadline(house: LeagueHouse):
    season, people = await drawn(house, report_hours=72)
    await reported(house, season, people[0])
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins + 3 * DAY - HOUR)  # the round's deadline rules on nothing meanwhile
    assert not (await house.view(season)).season.pods[1].over
    await house.until(season, begins + 3 * DAY)
    seen = await house.view(season)
    assert seen.season.pods[1].result is not None
    assert seen.row.closed_at is not None


async def test_a_disputed_report_is_for_the_staff_or_reported_anew(house: LeagueHouse):
    season, people = await drawn(house, dispute_hours=0)
    first = await reported(house, season, people[0])
    assert await house.reports.answer(season, 1, first, people[1], next(house.ids), agrees=False) == (
        "league.objected"
    )
    with pytest.raises(UserError, match="disputed"):
        await house.reports.answer(season, 1, first, people[2], next(house.ids), agrees=True)
    house.clock.at += HOUR
    second = await reported(house, season, people[1])
    await house.reports.answer(season, 1, second, people[2], next(house.ids), agrees=False)
    await house.until(season, house.clock.at + 9 * DAY)
    seen = await house.view(season)
    assert not seen.season.pods[1].over
    assert seen.row.closed_at is None
    rulings = Rulings(house.leagues)
    typed = "; ".join(["30 -10 -10 -10"] * 4)
    preview = await rulings.prepare(
        season, STAFF, "asked all", lambda season, _, __: entered(season, 1, typed)
    )
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.closed_at is not None


async def test_one_report_after_another_calls_nobody_without_end(house: LeagueHouse):
    """A player may also object to their own report."""
    season, people = await drawn(house)
    posts = set[object]()
    for _ in range(MOST_REPORTS):
        at = await reported(house, season, people[0])
        await house.reports.answer(season, 1, at, people[0], next(house.ids), agrees=False)
        posts |= set(await house.posts())
        house.clock.at += 1_000
    with pytest.raises(UserError) as refused:
        await reported(house, season, people[0])
    assert refused.value.key == "league.reported_often"
    assert sum(isinstance(post, ReportNotice) for post in posts) == MOST_REPORTS * (len(people) - 1)
    assert sum(isinstance(post, DisputePost) for post in posts) == MOST_CALLING
    await reported(house, season, people[1])
    assert ReportPost(1) in posts


async def test_nobody_takes_a_seat_while_a_report_waits(house: LeagueHouse):
    season, people = await drawn(house, late_entry=0)
    await house.join(season, 31)
    seen = await house.view(season)
    gone, other = seen.by_person[people[0].id], seen.by_person[31]
    row = await house.rule(season, "ill", lambda told, _, __: substituted(told, 1, gone, other))
    await reported(house, season, people[1])
    with pytest.raises(UserError, match="report_pending"):
        await house.undo(season, row.id)
    with pytest.raises(UserError, match="report_pending"):
        await house.rule(season, "well again", lambda told, _, __: substituted(told, 1, other, gone))
    await house.until(season, house.clock.at + 3 * DAY)
    assert not (await house.view(season)).season.pods[1].no_shows


async def test_nobody_misses_the_agreed_time_of_a_match_that_was_reported(house: LeagueHouse):
    season, people = await drawn(house)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *PEOPLE)
    await house.until(season, agreed - 20 * MINUTE)
    await reported(house, season, people[0])
    await house.until(season, agreed + HOUR)
    pod = (await house.view(season)).season.pods[1]
    assert (pod.no_shows, pod.over) == (frozenset(), False)
    assert not [post for post in await house.posts() if isinstance(post, TimeReminder)]
    await house.until(season, agreed + 3 * DAY)
    assert (await house.view(season)).season.pods[1].result is not None


async def test_nobody_misses_a_match_of_an_evening_that_is_reported_in_its_first_minutes(house: LeagueHouse):
    season, people = await drawn(house, round_minutes=30)
    house.clock.at += MINUTE
    await reported(house, season, people[0])
    await house.until(season, house.clock.at + HOUR)
    pod = (await house.view(season)).season.pods[1]
    assert (pod.no_shows, pod.over) == (frozenset(), False)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda told: ruled(told, 1, []), id="ruled"),
        pytest.param(
            lambda told: entered(told, 1, DEALS.replace("24", "-24").replace("-8", "8")), id="entered"
        ),
        pytest.param(lambda told: accepted(told, 1), id="accepted"),
    ],
)
async def test_a_report_waits_again_once_what_replaced_it_is_taken_back(
    house: LeagueHouse, make: Callable[[Season], Event]
):
    season, people = await drawn(house, rounds=3)
    at = await reported(house, season, people[0])
    await house.reports.answer(season, 1, at, people[1], next(house.ids), agrees=True)
    row = await house.rule(season, "the wrong pod", lambda told, _, __: make(told))
    await house.until(season, house.clock.at + 3 * DAY)
    await house.undo(season, row.id)
    asked = [post for post in await house.posts() if isinstance(post, ReportNotice)]
    seen = await house.view(season)
    assert {post.player for post in asked if post.at == house.clock.at} == {
        seen.by_person[person.id] for person in people[2:]
    }
    await house.until(season, house.clock.at + 2 * DAY - HOUR)
    assert not (await house.view(season)).season.pods[1].over
    await house.until(season, house.clock.at + HOUR)
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert result.reported
    await house.assert_fold(season)


@pytest.mark.parametrize("objects", [False, True])
async def test_a_report_counts_although_all_others_leave_the_season(house: LeagueHouse, objects: bool):
    season, people = await drawn(house, rounds=3)
    at = await reported(house, season, people[0])
    if objects:
        await house.reports.answer(season, 1, at, people[1], next(house.ids), agrees=False)
    for person in people[1:]:
        assert (await house.view(season)).season.pods[1].report is not None
        await house.entries.leave(season, person, next(house.ids))
        await house.rounds.catch_up(season)
    pod = (await house.view(season)).season.pods[1]
    assert (pod.is_disputed, pod.result is None) == (objects, objects)
    assert not pod.verdicts
    await house.assert_fold(season)


async def test_a_report_no_longer_waits_for_a_player_whom_the_staff_take_out(house: LeagueHouse):
    season, people = await drawn(house, rounds=3)
    at = await reported(house, season, people[0])
    for person in people[1:3]:
        await house.reports.answer(season, 1, at, person, next(house.ids), agrees=True)
    player = (await house.view(season)).by_person[people[3].id]
    await house.rule(season, "rude", lambda told, _, __: withdrawn(told, player))
    assert (await house.view(season)).season.pods[1].result is not None


async def test_who_plays_in_chat_takes_the_report_back(house: LeagueHouse):
    season, people = await drawn(house)
    at = await reported(house, season, people[0])
    seen = await house.view(season)
    await house.play_table(seen.tables[1].id, [person.id for person in people])
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert not result.reported
    with pytest.raises(UserError, match="other_report"):
        await house.reports.answer(season, 1, at, people[1], next(house.ids), agrees=True)
    with pytest.raises(UserError):
        await house.reports.report(season, 1, people[0], DEALS, [], next(house.ids))


def test_an_evening_fills_the_form_in():
    names = ["Asha", "Bikram"]
    assert columns(["Bikram", "asha"], names) == [1, 0]
    assert columns(["Bikram", "asha", "Chandra"], names) is None
    typed = prefilled(["a;b", *names[1:]], [(8, -8), (-3, 3)])
    assert read_deals(typed) == [(8, -8), (-3, 3)]
    with pytest.raises(UserError, match="unread_points"):
        read_deals("eight")
