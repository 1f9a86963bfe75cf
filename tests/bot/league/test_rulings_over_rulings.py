"""A ruling by staff overrides earlier ones; every line of the standings has a cause that can be undone."""

from collections.abc import Callable

import pytest

from bot.errors import UserError
from bot.league.meetings import Meetings
from bot.league.ruling_events import corrected, entered, penalised, reopened, ruled, undoable, undone, voided
from bot.league.season import SeasonTransaction
from bot.panels.league.direct_messages import next_panel, reminder_panel
from bot.panels.league.lists import list_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import PlayReminder, TableNotice
from league.book import BookLine, book
from league.events import AbsenceBooked, Adjudicated, Event, MatchFinished, NoShowBooked, SeasonClosed
from league.ids import GuildId
from league.results import Player
from league.season import Season
from league.times import MINUTE
from tests.bot.league.house import DAY, GUILD, HOUR, STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_unplayed_matches import set_time
from tests.bot.league.test_wording import drawn, shown

DEALS = "30 -10 -10 -10; 30 -10 -10 -10; 30 -10 -10 -10; 30 -10 -10 -10"
SHORT = "30 -30; 30 -30"


async def unplayed(house: LeagueHouse, **options) -> tuple[int, list[int]]:
    """A season whose only pod missed its deadline, so all its players are no-shows."""
    season, people = await drawn(house, **({"rounds": 3} | options))
    await house.until(season, (await house.view(season)).row.starts_at + 2 * DAY)
    return season, people


async def lines(house: LeagueHouse, season: int) -> dict[Player, BookLine]:
    """Return what round 1 gave each player."""
    written = book((await house.view(season)).season)
    return {player: lines[0] for player, lines in written.lines.items()}


async def take_back(house: LeagueHouse, season: int, kind: type[Event]) -> str:
    """Undo the latest event of this kind from the staff's list; return the text read before confirming."""
    offered = undoable(await house.store.read(lambda db: db.seasons.events(season)))
    row = next(row for row in offered if isinstance(row.body, kind))
    return await shown(house, season, lambda _, rows, __: undone(rows, row.id))


async def test_a_result_that_is_entered_replaces_an_automatic_ruling(house: LeagueHouse):
    season, _ = await unplayed(house)
    assert {line.kind for line in (await lines(house, season)).values()} == {"no_show"}
    said = await shown(house, season, lambda season, _, __: entered(season, 1, DEALS))
    assert "→" in said
    booked = await lines(house, season)
    assert {line.kind for line in booked.values()} == {"match"}
    rows = (await house.view(season)).standings().rows
    assert [(row.row.matches, row.row.conduct) for row in rows] == [(1, 0)] * 4
    assert sum(row.row.points for row in rows) == 0


async def test_a_result_is_entered_of_those_who_came(house: LeagueHouse):
    season, people = await unplayed(house)
    seen = await house.view(season)
    came, absent = (
        [seen.by_person[person] for person in people[:2]],
        [seen.by_person[person] for person in people[2:]],
    )

    def make(season, _, by):
        return entered(season, 1, SHORT, [by[person] for person in people[2:]])

    said = await shown(house, season, make, *people[2:])
    assert "did not come" in said
    booked = await lines(house, season)
    assert [booked[player].kind for player in came + absent] == ["match"] * 2 + ["no_show"] * 2
    with pytest.raises(UserError, match="too_few_came"):
        await shown(
            house, season, lambda season, _, by: entered(season, 1, "9", [by[p] for p in people[1:]]), *people
        )
    with pytest.raises(UserError, match="not_in_pod"):
        await shown(house, season, lambda season, _, by: entered(season, 1, SHORT, [by[77]]), 77)


async def test_without_the_entered_result_the_ruling_counts_again(house: LeagueHouse):
    season, _ = await unplayed(house)
    before = await lines(house, season)
    await shown(house, season, lambda season, _, __: entered(season, 1, DEALS))
    row = undoable(await house.store.read(lambda db: db.seasons.events(season)))[0]
    await shown(house, season, lambda _, rows, __: undone(rows, row.id))
    assert await lines(house, season) == before
    await house.assert_fold(season)


async def test_a_result_that_is_entered_anew_has_no_void_deals_of_the_old_one(house: LeagueHouse):
    season, _ = await unplayed(house)
    await house.rule(season, "sheet", lambda told, _, __: entered(told, 1, DEALS))
    void = await house.rule(season, "wrong", lambda told, _, __: voided(told, 1, 1))
    row = await house.rule(season, "the real sheet", lambda told, _, __: entered(told, 1, "24 -8 -8 -8"))
    assert {line.kind for line in (await lines(house, season)).values()} == {"match"}
    with pytest.raises(UserError, match="later_first"):
        await house.undo(season, void.id)
    await house.undo(season, row.id)
    assert (await house.view(season)).season.pods[1].void == {0}
    await house.undo(season, void.id)
    assert not (await house.view(season)).season.pods[1].void
    await house.assert_fold(season)


async def test_a_deal_corrected_since_keeps_its_points_when_the_entered_sheet_is_taken_back(
    house: LeagueHouse,
):
    season, _ = await unplayed(house)
    await house.rule(season, "sheet", lambda told, _, __: entered(told, 1, "24 -8 -8 -8;8 -8 8 -8"))
    await house.rule(season, "wrong", lambda told, _, __: voided(told, 1, 1))
    row = await house.rule(season, "anew", lambda told, _, __: entered(told, 1, "-8 24 -8 -8;8 -8 8 -8"))
    await house.rule(season, "typo", lambda told, _, __: corrected(told, 1, 2, "4 -4 4 -4"))
    await house.undo(season, row.id)
    pod = (await house.view(season)).season.pods[1]
    assert pod.result is not None
    assert (pod.result.deals, pod.void) == (((24, -8, -8, -8), (4, -4, 4, -4)), {0})


async def in_play(house: LeagueHouse) -> tuple[int, int, list[int]]:
    """A season whose only pod plays, with its table and its people."""
    season, people = await drawn(house, rounds=2)
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, people)
    await house.get_ready(table, people)
    return season, table, people


@pytest.mark.parametrize("leave", [False, True])
@pytest.mark.parametrize("kind", [Adjudicated, MatchFinished])
async def test_without_a_ruling_a_recorded_match_counts_at_its_deadline(
    house: LeagueHouse, kind: type[Event], leave: bool
):
    season, table, people = await in_play(house)
    if kind is Adjudicated:
        await shown(house, season, lambda season, _, __: ruled(season, 1, ()))
    await house.play_deals_on(table)
    if leave:
        for person in people:
            await house.leaving.leave(table, person, next(house.ids))
    said = await take_back(house, season, kind)
    assert "counts at the deadline" in said
    seen = await house.view(season)
    assert not seen.season.pods[1].over
    await house.until(season, seen.season.rounds[1].due)
    seen = await house.view(season)
    assert {line.kind for line in (await lines(house, season)).values()} == {"match"}
    result = seen.season.pods[1].result
    assert result is not None
    assert (len(result.deals), result.left) == (4, ())
    assert await house.tables.status(table) == "closed"
    await house.until(season, house.clock.at + 9 * DAY)
    assert (await house.view(season)).row.closed_at is not None
    await house.assert_fold(season)


async def test_who_left_such_a_match_has_left_it(house: LeagueHouse):
    season, table, _ = await in_play(house)
    seen = await house.view(season)
    *_, later, gone = [seen.people[player].id for player in seen.season.pods[1].players]
    await house.leaving.leave(table, gone, next(house.ids))
    await house.play_deals_on(table)
    before = (await house.view(season)).season.pods[1].result
    await house.leaving.leave(table, later, next(house.ids))
    await take_back(house, season, MatchFinished)
    await house.until(season, (await house.view(season)).season.rounds[1].due)
    after = (await house.view(season)).season.pods[1].result
    assert before is not None
    assert before == after
    assert before.left == (seen.by_person[gone],)


async def test_everybody_may_be_missing(house: LeagueHouse):
    season, people = await drawn(house, rounds=3)
    await shown(
        house, season, lambda season, _, by: ruled(season, 1, [by[person] for person in people]), *people
    )
    assert {line.kind for line in (await lines(house, season)).values()} == {"no_show"}


async def test_what_the_season_ruled_by_itself_is_listed_and_can_be_undone(house: LeagueHouse):
    season, _ = await unplayed(house)
    log = words(list_panel(await house.view(season), "log", 0, None, texts()))
    assert "By the rules: pod 1 is not played" in log
    said = await take_back(house, season, Adjudicated)
    assert "Pod 1 then waits for its result" in said
    assert {line.round for line in (await lines(house, season)).values()} == {2}
    due = house.clock.at + DAY
    await shown(house, season, lambda season, _, __: reopened(season, 1, due))


async def test_an_absence_can_be_excused(house: LeagueHouse):
    season, people = await drawn(house, rounds=3)
    await house.until(season, (await house.view(season)).row.starts_at + 2 * DAY)
    seen = await house.view(season)
    assert all((player, 2) in seen.season.absences for player in seen.season.members)
    said = await take_back(house, season, AbsenceBooked)
    assert "is excused from round 2" in said
    assert len((await house.view(season)).season.absences) == len(people) - 1


async def test_a_no_show_can_be_taken_back(house: LeagueHouse):
    season, people = await drawn(house, rounds=3)
    seen = await house.view(season)
    player = seen.by_person[people[0]]

    async def change(season_tx: SeasonTransaction) -> None:
        await season_tx.add(NoShowBooked(1, player))

    await house.leagues.write(season, change)
    log = words(list_panel(await house.view(season), "log", 0, None, texts()))
    assert f"P{people[0]} did not come to pod 1" in log
    assert "no longer a no-show" in await take_back(house, season, NoShowBooked)
    assert (await house.view(season)).season.pods[1].missed == frozenset()


async def test_a_no_show_who_has_left_gets_no_seat_back_and_is_absent_instead(house: LeagueHouse):
    season, people = await drawn(house, rounds=2)
    seen = await house.view(season)
    player = seen.by_person[people[0]]

    async def change(season_tx: SeasonTransaction) -> None:
        await season_tx.add(NoShowBooked(1, player))

    await house.leagues.write(season, change)
    await house.entries.leave(season, NamedPerson(people[0], "P"), next(house.ids))
    assert (await house.view(season)).season.absences == frozenset()
    await take_back(house, season, NoShowBooked)
    invited = await house.store.read(lambda db: db.guests.of_table(seen.tables[1].id))
    assert invited == dict.fromkeys(people[1:], "invited")
    assert (await house.view(season)).season.absences == {(player, 1)}


async def test_after_the_draw_of_the_finals_the_advice_works(house: LeagueHouse):
    season, people = await drawn(house, rounds=2, cut_to=4)
    await house.play_round(season, 1)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins + DAY + HOUR)
    await house.come(season, 2, *people)
    await house.until(season, begins + 4 * DAY)
    seen = await house.view(season)
    assert any(pod.stage for pod in seen.season.pods.values())
    with pytest.raises(UserError, match="finals_drawn") as refused:
        await shown(house, season, lambda season, _, __: reopened(season, 2, house.clock.at + DAY))
    said = texts()(refused.value.key, **refused.value.values)
    assert "`/league-staff enter` books a result" in said
    before = seen.standings().rows
    await shown(house, season, lambda season, _, __: entered(season, 2, DEALS))
    after = (await house.view(season)).standings().rows
    assert [row.row.matches for row in before] == [1] * 4
    assert [row.row.matches for row in after] == [2] * 4


async def test_no_more_deals_are_entered_than_a_match_has(house: LeagueHouse):
    season, _ = await unplayed(house)
    with pytest.raises(UserError, match="too_many_deals"):
        await shown(house, season, lambda season, _, __: entered(season, 1, f"{DEALS}; 30 -10 -10 -10"))


async def test_a_penalty_in_divisions_counts_at_once(house: LeagueHouse):
    season = await house.open("divisions", rounds=4, signup_days=1, confirm_hours=0, division_size=4)
    await house.join(season, 11, 12, 13, 14)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.play_round(season, 1)
    seen = await house.view(season)
    player = seen.by_person[11]
    said = await shown(house, season, lambda season, _, __: penalised(season, player, 10, 1))
    assert "→" in said
    before, after = (view.standings(1) for view in (seen, await house.view(season)))
    points = [table.rows[table.index_of(player) or 0].row.points for table in (before, after)]
    assert points[1] == points[0] - 1000


async def test_a_match_that_was_decided_before_its_round_is_played_if_that_is_taken_back(house: LeagueHouse):
    season, _ = await drawn(house, format_="divisions", division_size=4, rounds=3)
    second = (await house.view(season)).pods_of(2)[0].id
    row = await house.rule(season, "by mistake", lambda told, _, __: entered(told, second, DEALS))
    begins = (await house.view(season)).row.starts_at
    await house.play_round(season, 1)
    await house.until(season, begins + 3 * DAY)
    assert second not in (await house.view(season)).tables
    await house.undo(season, row.id)
    await house.play_round(season, 2)
    assert (await house.view(season)).season.pods[second].result is not None
    await house.until(season, begins + 30 * DAY)
    assert not (await house.view(season)).season.open


BY_MISTAKE = [
    pytest.param(lambda told: entered(told, 1, DEALS), id="entered"),
    pytest.param(lambda told: ruled(told, 1, []), id="ruled"),
]


@pytest.mark.parametrize("make", BY_MISTAKE)
async def test_a_match_whose_ruling_is_taken_back_in_time_is_played_at_another_table(
    house: LeagueHouse, make: Callable[[Season], Event]
):
    season, people = await drawn(house, rounds=3, round_days=4)
    first = (await house.view(season)).tables[1].id
    await set_time(house, season, house.clock.at + 3 * DAY, *people)
    row = await house.rule(season, "the wrong pod", lambda told, _, __: make(told))
    await house.rounds.catch_up(season)
    assert await house.tables.status(first) == "closed"
    said = await shown(house, season, lambda _, rows, __: undone(rows, row.id), corrects=row.id)
    assert "is then to be played until" in said
    seen = await house.view(season)
    table = seen.tables[1].id
    assert table != first
    told = {TableNotice(1, player, table) for player in seen.season.pods[1].players}
    assert told <= set(await house.posts())
    assert seen.times, "they have time to learn that they are to play then"
    await house.play_table(table, people)
    assert (await house.view(season)).season.pods[1].result is not None
    await house.assert_fold(season)


@pytest.mark.parametrize("make", BY_MISTAKE)
@pytest.mark.parametrize("late", [False, True])
async def test_nobody_misses_a_match_whose_ruling_is_taken_back_shortly_before_its_deadline_or_after_it(
    house: LeagueHouse, make: Callable[[Season], Event], late: bool
):
    season, people = await drawn(house, rounds=3)
    due = (await house.view(season)).season.rounds[1].due
    await set_time(house, season, due - HOUR, *people)
    row = await house.rule(season, "the wrong pod", lambda told, _, __: make(told))
    await house.until(season, due + HOUR if late else due - 2 * HOUR)
    said = await shown(house, season, lambda _, rows, __: undone(rows, row.id), corrects=row.id)
    assert "waits for its result" in said
    await house.until(season, due + 3 * DAY)
    seen = await house.view(season)
    pod, player = seen.season.pods[1], seen.by_person[people[0]]
    assert (pod.over, pod.no_shows, seen.times) == (False, frozenset(), {})
    assert "waits for the league's staff" in words(next_panel(seen, player, texts()))
    assert "waits for the staff" in words(list_panel(seen, "pods-1", 0, None, texts()))
    assert reminder_panel(seen, PlayReminder(1, 24, player, 0), texts()) is None


async def test_an_agreed_time_that_is_near_counts_no_longer_once_a_ruling_is_taken_back(house: LeagueHouse):
    season, people = await drawn(house, rounds=3, round_days=4)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *people)
    row = await house.rule(season, "the wrong pod", lambda told, _, __: ruled(told, 1, []))
    await house.until(season, agreed - 2 * HOUR)
    await house.undo(season, row.id)
    await house.until(season, agreed + HOUR)
    seen = await house.view(season)
    assert (seen.season.pods[1].no_shows, seen.times) == (frozenset(), {})


async def test_a_match_of_an_evening_whose_ruling_is_taken_back_begins_again_at_once(house: LeagueHouse):
    season = await house.open(rounds=3, signup_days=1, confirm_hours=0, round_minutes=60)
    await house.join(season, *range(11, 19))
    await house.until(season, (await house.view(season)).row.starts_at + 5 * MINUTE)
    row = await house.rule(season, "the wrong pod", lambda told, _, __: ruled(told, 1, []))
    await house.rounds.catch_up(season)
    await house.undo(season, row.id)
    seen = await house.view(season)
    people = [seen.people[player].id for player in seen.season.pods[1].players]
    await house.sit_down(seen.tables[1].id, people[:3])
    await house.until(season, house.clock.at + 9 * MINUTE)
    assert not (await house.view(season)).season.pods[1].missed
    await house.until(season, house.clock.at + 2 * MINUTE)
    seen = await house.view(season)
    assert seen.season.pods[1].missed == {seen.by_person[people[3]]}


async def test_a_reported_match_whose_result_is_taken_back_waits_for_the_staff(house: LeagueHouse):
    season, people = await drawn(house, rounds=3, round_days=4)
    player, *others = (NamedPerson(person, "P") for person in people)
    await house.reports.report(season, 1, player, DEALS.replace(";", "\n"), [], next(house.ids))
    for person in others:
        await house.reports.answer(season, 1, house.clock.at, person, next(house.ids), agrees=True)
    await house.rounds.catch_up(season)
    await take_back(house, season, MatchFinished)
    await house.until(season, house.clock.at + 9 * DAY)
    pod = (await house.view(season)).season.pods[1]
    assert (pod.over, pod.no_shows) == (False, frozenset())


async def test_a_match_to_which_someone_did_not_come_waits_for_the_staff_without_its_ruling(
    house: LeagueHouse,
):
    season, people = await drawn(house, rounds=3, round_days=4)
    agreed = house.clock.at + DAY
    await set_time(house, season, agreed, *people)
    await house.sit_down((await house.view(season)).tables[1].id, people[:1])
    await house.until(season, agreed + HOUR)
    await take_back(house, season, Adjudicated)
    await house.until(season, agreed + 9 * DAY)
    seen = await house.view(season)
    assert (seen.season.pods[1].over, seen.by_person[people[0]] in seen.season.pods[1].no_shows) == (
        False,
        False,
    )
    await shown(house, season, lambda season, _, __: reopened(season, 1, house.clock.at + DAY))


async def test_nobody_misses_a_match_whose_table_the_staff_have_closed(house: LeagueHouse):
    season, people = await drawn(house, format_="divisions", division_size=4, rounds=3)
    table, agreed = (await house.view(season)).tables[1].id, house.clock.at + DAY
    await set_time(house, season, agreed, *people)
    await house.endings.by_staff(table, GuildId(GUILD), STAFF, "a mistake", next(house.ids))
    await house.until(season, agreed + DAY + HOUR)
    seen = await house.view(season)
    assert (seen.season.pods[1].over, seen.season.pods[1].no_shows) == (False, frozenset())
    proposer = NamedPerson(people[0], "P")
    later = house.clock.at + HOUR
    assert await Meetings(house.leagues).propose(season, proposer, later, next(house.ids)) == 2, (
        "the match that waits for the staff keeps nobody from the next one"
    )
    await house.rule(season, "sorry", lambda told, _, __: reopened(told, 1, house.clock.at + DAY))
    assert (await house.view(season)).tables[1].status == "lobby"


async def test_a_match_that_waits_for_the_staff_gets_no_table_when_the_season_goes_on_after_an_end(
    house: LeagueHouse,
):
    season, _ = await drawn(house, rounds=3)
    due = (await house.view(season)).season.rounds[1].due
    row = await house.rule(season, "the wrong pod", lambda told, _, __: ruled(told, 1, []))
    await house.until(season, due + HOUR)
    await house.undo(season, row.id)
    await house.close_season(season, "too early")
    await take_back(house, season, SeasonClosed)
    assert (await house.view(season)).tables[1].status == "closed"
    await house.until(season, due + 3 * DAY)
    assert not (await house.view(season)).season.pods[1].over
