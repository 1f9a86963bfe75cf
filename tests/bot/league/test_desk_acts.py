"""Acts of the desk that move people and draws, book points by hand, and write to members."""

import pytest

from bot.errors import StaleRevisionError, UserError
from bot.league.meetings import Meetings
from bot.league.pod_tables import match_begins
from bot.league.ruling_events import (
    added,
    booked,
    entered,
    moved,
    redrawn,
    reopened,
    ruled,
    substituted,
    undone,
    written_to,
)
from bot.panels.league.desk import act_fields, matter_panel
from bot.panels.league.desk import written_to as whom
from bot.panels.league.direct_messages import next_panel, reminder_panel
from bot.panels.league.posts import post_panel
from bot.panels.league.rulings import preview_panel
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.words.texts import texts
from data.ids import ChannelId
from data.outbox_keys import OutboxKey, ThreadAccessKey
from data.repositories.messages import OutboxRow
from data.season_posts import DisputePost, MessageNotice, PlayReminder, ReportPost, TableNotice
from data.transaction import WriteTransaction
from league.ids import PersonId
from league.members import MembersWritten
from league.results import Player
from league.season import Pod
from league.times import DAY, HOUR, MINUTE
from tests.bot.league.house import STAFF, LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_rulings_over_rulings import DEALS

say = texts()
PEOPLE = tuple(range(11, 19))


async def begun(house: LeagueHouse, format_: str = "pods", *people: int, **options) -> int:
    """A season of two tables of four whose first round is drawn."""
    numbers = {"rounds": 2, "signup_days": 1, "confirm_hours": 0, "round_days": 2}
    season = await house.open(format_, **(numbers | options))
    await house.join(season, *(people or PEOPLE))
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def pods(house: LeagueHouse, season: int) -> list[Pod]:
    return (await house.view(season)).pods_of(1)


async def person(house: LeagueHouse, season: int, player: int) -> int:
    return (await house.view(season)).people[player].id


async def invited(house: LeagueHouse, season: int, pod: int) -> set[int]:
    """Return the players for whom the table of a pod keeps seats."""
    seen = await house.view(season)
    guests = await house.store.read(lambda db: db.guests.of_table(seen.tables[pod].id))
    return {seen.by_person[number] for number, standing in guests.items() if standing == "invited"}


async def test_an_exchange_moves_the_seats_at_the_tables_and_can_be_taken_back(house: LeagueHouse):
    season = await begun(house)
    first, second = await pods(house, season)
    gone, came = first.players[1], second.players[2]
    there = await person(house, season, gone)
    await house.sit_down((await house.view(season)).tables[first.id].id, [there])
    row = await house.rule(season, "a quarrel", lambda told, _, __: moved(told, gone, None, came))
    await house.rounds.catch_up(season)
    assert came in await invited(house, season, first.id)
    assert gone in await invited(house, season, second.id)
    assert gone not in await invited(house, season, first.id)
    seen = await house.view(season)
    assert await house.store.read(lambda db: db.tables.seats(seen.tables[first.id].id)) == (), (
        "who plays elsewhere gets up"
    )
    told = await house.posts()
    for player, pod in ((gone, second), (came, first)):
        assert TableNotice(1, player, seen.tables[pod.id].id) in told
    await house.undo(season, row.id)
    assert [pod.players for pod in await pods(house, season)] == [first.players, second.players]
    assert gone in await invited(house, season, first.id)
    await house.play_round(season, 1)
    assert all(pod.over for pod in await pods(house, season))
    await house.assert_fold(season)


async def test_who_sat_down_elsewhere_gets_up_when_the_move_is_undone_and_the_others_begin(
    house: LeagueHouse,
):
    season = await begun(house, "pods", *PEOPLE[:7])
    small, large = sorted(await pods(house, season), key=lambda pod: len(pod.players))
    seen = await house.view(season)
    table, mover = seen.tables[small.id].id, large.players[0]
    row = await house.rule(season, "by car", lambda told, _, __: moved(told, mover, small.id))
    await house.rounds.catch_up(season)
    persons = [await person(house, season, player) for player in (*small.players, mover)]
    await house.sit_down(table, persons)
    await house.get_ready(table, persons[:-1])
    await house.undo(season, row.id)
    await house.rounds.catch_up(season)
    await house.play.all_ready(table, (await house.ready_deadline(table)).revision)
    seats = await house.store.read(lambda db: db.tables.seats(table))
    assert {seat.person_id for seat in seats} == set(persons[:-1])


async def test_those_who_are_ready_begin_when_the_move_of_an_absent_player_is_undone(house: LeagueHouse):
    season = await begun(house, "pods", *PEOPLE[:7])
    small, large = sorted(await pods(house, season), key=lambda pod: len(pod.players))
    table = (await house.view(season)).tables[small.id].id
    row = await house.rule(season, "by car", lambda told, _, __: moved(told, large.players[0], small.id))
    persons = [await person(house, season, player) for player in small.players]
    await house.sit_down(table, persons)
    await house.get_ready(table, persons)
    await house.rounds.catch_up(season)
    assert await house.tables.status(table) == "lobby"
    await house.undo(season, row.id)
    await house.rounds.catch_up(season)
    await house.play.all_ready(table, (await house.ready_deadline(table)).revision)
    assert await house.tables.status(table) == "playing"


async def test_who_still_sat_at_the_former_table_leaves_its_thread_when_they_get_up(house: LeagueHouse):
    season = await begun(house)
    first, second = await pods(house, season)
    there = await person(house, season, first.players[1])
    table = (await house.view(season)).tables[first.id].id
    await house.sit_down(table, [there])

    async def amend(tx: TableTransaction) -> None:
        tx.update(thread_id=ChannelId(77))

    async def reviewed() -> list[OutboxRow[OutboxKey]]:
        rows = await house.store.read(lambda db: db.outbox.due(house.clock.at, 1_000))
        return [row for row in rows if row.key == ThreadAccessKey(table, PersonId(there))]

    await house.tables.amend(table, amend)
    await house.rule(
        season, "a quarrel", lambda told, _, __: moved(told, first.players[1], None, second.players[2])
    )
    [early] = await reviewed()
    assert (await house.tables.snapshot(table)).belongs(PersonId(there)), "they have their seat"
    await house.store.write(lambda db: db.outbox.done([(early, early.revision)], house.clock.at))
    await house.rounds.catch_up(season)
    assert await reviewed()
    assert not (await house.tables.snapshot(table)).belongs(PersonId(there))


async def test_a_player_goes_to_a_smaller_pod_and_both_matches_are_played(house: LeagueHouse):
    season = await begun(house, "pods", *PEOPLE[:7])
    small, large = sorted(await pods(house, season), key=lambda pod: len(pod.players))
    await house.rule(season, "by car", lambda told, _, __: moved(told, large.players[0], small.id))
    seen = await house.view(season)
    assert len(seen.season.pods[small.id].players) == 4
    await house.play_round(season, 1)
    results = [pod.result for pod in await pods(house, season)]
    assert sorted(len(result.players) for result in results if result) == [3, 4]
    with pytest.raises(UserError, match="move_nothing"):
        moved((await house.view(season)).season, small.players[0], large.id)
    await house.assert_fold(season)


async def agreed(house: LeagueHouse, season: int, hours: int) -> tuple[Pod, Pod, int]:
    """Let all players of the first pod agree on a time, and pass all but so many hours until then; return both pods and the time."""
    first, second = await pods(house, season)
    at, meetings = house.clock.at + 40 * HOUR, Meetings(house.leagues)
    proposer, *others = [NamedPerson(await person(house, season, player), "P") for player in first.players]
    await meetings.propose(season, proposer, at, next(house.ids))
    for other in others:
        await meetings.agree(season, first.id, at, other, next(house.ids))
    await house.until(season, at - hours * HOUR)
    return first, second, at


async def put_in(house: LeagueHouse, season: int, first: Pod, second: Pod, how: str) -> tuple[Player, int]:
    """Have the staff put someone into the first pod; return the player, and the number of the act."""
    if how == "exchanged":
        came = second.players[0]
        make = lambda told, _, __: moved(told, first.players[3], None, came)  # noqa: E731
    else:
        await house.join(season, 30)
        came = (await house.view(season)).by_person[30]
        make = lambda told, _, __: substituted(told, first.id, first.players[3], came)  # noqa: E731
    return came, (await house.rule(season, "a quarrel", make)).id


BOTH_WAYS = pytest.mark.parametrize("how", ["exchanged", "substituted"])


@BOTH_WAYS
async def test_nobody_whom_the_staff_put_into_a_pod_misses_a_time_that_they_have_not_agreed_to(
    house: LeagueHouse, how: str
):
    season = await begun(house, round_days=3, late_entry=0)
    first, second, at = await agreed(house, season, 1)
    came, _ = await put_in(house, season, first, second, how)
    seen = await house.view(season)
    assert say("league.agree") in str(next_panel(seen, came, say).view.to_components())
    await house.sit_down(seen.tables[first.id].id, [seen.people[p].id for p in first.players[:3]])
    await house.until(season, at + HOUR)
    assert not (await house.view(season)).season.pods[first.id].missed


@BOTH_WAYS
@pytest.mark.parametrize("hours", [1, 13])
async def test_a_time_holds_for_who_is_put_into_a_pod_with_their_consent_or_as_much_notice(
    house: LeagueHouse, how: str, hours: int
):
    season = await begun(house, round_days=3, late_entry=0)
    first, second, at = await agreed(house, season, hours)
    came, _ = await put_in(house, season, first, second, how)
    if hours == 1:
        newcomer = NamedPerson(await person(house, season, came), "P")
        await Meetings(house.leagues).agree(season, first.id, at, newcomer, next(house.ids))
    seen = await house.view(season)
    await house.sit_down(seen.tables[first.id].id, [seen.people[p].id for p in first.players[:3]])
    await house.until(season, at + HOUR)
    assert (await house.view(season)).season.pods[first.id].missed == {came}


async def test_a_time_holds_again_for_those_who_agreed_once_an_exchange_is_taken_back(house: LeagueHouse):
    season = await begun(house, round_days=3)
    first, second, at = await agreed(house, season, 1)
    _, row = await put_in(house, season, first, second, "exchanged")
    await house.undo(season, row)
    seen = await house.view(season)
    await house.sit_down(seen.tables[first.id].id, [seen.people[p].id for p in first.players[:3]])
    await house.until(season, at + HOUR)
    assert (await house.view(season)).season.pods[first.id].missed == {first.players[3]}


async def test_who_is_exchanged_in_an_evening_has_all_minutes_to_come(house: LeagueHouse):
    season = await begun(house, round_minutes=60)
    first, second = await pods(house, season)
    await house.until(season, house.clock.at + 9 * MINUTE)
    await put_in(house, season, first, second, "exchanged")
    await house.until(season, house.clock.at + 9 * MINUTE)
    assert not [pod for pod in await pods(house, season) if pod.missed]


async def test_what_cannot_be_moved_is_refused(house: LeagueHouse):
    season = await begun(house)
    first, second = await pods(house, season)
    told = (await house.view(season)).season
    with pytest.raises(UserError, match="move_where"):
        moved(told, first.players[0], None)
    with pytest.raises(UserError, match="move_elsewhere"):
        moved(told, first.players[0], first.id)
    with pytest.raises(UserError, match="no_pod"):
        moved(told, first.players[0], 99)
    row = await house.rule(season, "once", lambda told, _, __: moved(told, first.players[0], second.id))
    await house.play_round(season, 1)
    with pytest.raises(UserError, match="begun_or_over"):
        await house.undo(season, row.id)


async def test_two_players_of_different_divisions_exchange_them(house: LeagueHouse):
    season = await begun(house, "divisions", division_size=4)
    seen = await house.view(season)
    high, low = (next(m.player for m in seen.season.members.values() if m.division == n) for n in (1, 2))
    row = await house.rule(season, "misjudged", lambda told, _, __: moved(told, high, None, low))
    seen = await house.view(season)
    assert (seen.season.members[high].division, seen.season.members[low].division) == (2, 1)
    assert all((low in pod.players) == (pod.division == 1) for pod in seen.season.pods.values())
    for pod in seen.season.pods.values():
        if pod.id in seen.tables:
            assert await invited(house, season, pod.id) == set(pod.players)
    await house.undo(season, row.id)
    assert (await house.view(season)).season.members[high].division == 1
    await house.play_round(season, 1)
    with pytest.raises(UserError, match="begun_or_over"):
        moved((await house.view(season)).season, high, None, low)


@pytest.mark.parametrize("format_", ["pods", "divisions"])
async def test_a_round_is_drawn_anew_at_once_with_the_same_deadline(house: LeagueHouse, format_: str):
    season = await begun(house, format_, division_size=4)
    before = await house.view(season)
    old = {pod.id: before.tables[pod.id].id for pod in before.pods_of(1)}
    await house.rule(season, "a mistake", lambda told, _, __: redrawn(told))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    drawn = seen.pods_of(1)
    assert not {pod.id for pod in drawn} & set(old)
    assert seen.season.rounds[1].due == before.season.rounds[1].due
    assert sorted(p for pod in drawn for p in pod.players) == sorted(seen.season.members)
    tables = await house.store.read(lambda db: db.tables.get_many(old.values()))
    assert {table.status for table in tables.values()} == {"closed"}
    told = await house.posts()
    for pod in drawn:
        assert all(TableNotice(1, player, seen.tables[pod.id].id) in told for player in pod.players)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    with pytest.raises(UserError, match="redraw_played"):
        redrawn((await house.view(season)).season)
    await house.assert_fold(season)


async def test_a_round_that_is_drawn_anew_decides_no_match_of_the_round_before_it(house: LeagueHouse):
    season = await begun(house, rounds=3, extra_hours=2)
    first, second = await pods(house, season)
    rows = [
        await house.rule(season, "from paper", lambda told, _, __, pod=pod: entered(told, pod.id, DEALS))
        for pod in (first, second)
    ]
    due = (await house.view(season)).season.rounds[1].due
    await house.until(season, due - HOUR)
    await house.come(season, 2, *PEOPLE)
    await house.until(season, due + 26 * HOUR)
    await house.undo(season, rows[0].id)
    before = (await house.view(season)).season
    house.clock.at += HOUR
    await house.rule(season, "a mistake", lambda told, _, __: redrawn(told))
    asked = set(await house.posts())
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert not seen.season.pods[first.id].over
    assert seen.season.rounds[2].due == before.rounds[2].due
    assert {player for pod in seen.pods_of(2) for player in pod.players} == {*seen.season.members}
    assert not [post for post in set(await house.posts()) - asked if isinstance(post, PlayReminder)]
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    assert not (await house.view(season)).season.pods[first.id].over
    await house.assert_fold(season)


async def test_a_round_is_drawn_anew_with_the_deadline_to_which_it_was_extended(house: LeagueHouse):
    season = await begun(house)
    due = (await house.view(season)).season.rounds[1].due
    await house.extend(season, due + DAY, "a festival")
    await house.until(season, due + HOUR)
    await house.rule(season, "a mistake", lambda told, _, __: redrawn(told))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert seen.season.rounds[1].due == due + DAY
    assert not [pod for pod in seen.pods_of(1) if pod.over]


async def test_a_round_is_not_drawn_anew_after_its_deadline(house: LeagueHouse):
    season = await begun(house)
    due = (await house.view(season)).season.rounds[1].due
    house.clock.at = due
    with pytest.raises(UserError, match="redraw_late"):
        await house.rule(season, "a mistake", lambda told, _, __: redrawn(told))


async def test_a_round_with_a_pod_that_plays_after_all_is_not_drawn_anew(house: LeagueHouse):
    season = await begun(house)
    pod, *_ = await pods(house, season)
    await house.rule(season, "a quarrel", lambda told, _, __: ruled(told, pod.id, []))
    await house.rounds.catch_up(season)
    due = house.clock.at + DAY
    await house.rule(season, "after all", lambda told, _, __: reopened(told, pod.id, due))
    with pytest.raises(UserError, match="redraw_played"):
        redrawn((await house.view(season)).season)


async def test_messages_about_a_report_of_a_pod_that_was_drawn_anew_say_that_it_is_gone(house: LeagueHouse):
    season = await begun(house)
    gone, *_ = await pods(house, season)
    await house.rule(season, "a mistake", lambda told, _, __: redrawn(told))
    seen = await house.view(season)
    for post in (ReportPost(gone.id), DisputePost(gone.id, house.clock.at)):
        assert "is taken back" in words(post_panel(seen, post, say))


async def test_finals_are_drawn_anew_without_a_finalist_who_has_left(house: LeagueHouse):
    season = await begun(house, cut_to=4, final_matches=2)
    for number in (1, 2):
        await house.play_round(season, number)
        await house.rounds.catch_up(season)
        seen = await house.view(season)
        if number == 1:
            await house.until(season, seen.season.rounds[1].due)
    before = await house.view(season)
    finals = [pod for pod in before.season.pods.values() if pod.stage]
    table = [row.row.player for row in before.standings().rows]
    assert [set(pod.players) for pod in finals] == [{*table[:4]}] * 2
    await house.entries.leave(season, NamedPerson(before.people[table[1]].id, "P"), next(house.ids))
    make = lambda told, _, __: redrawn(told)  # noqa: E731
    preview = await house.services.rulings.prepare(season, STAFF, "has left", make)
    assert "The table as it is now decides" in words(
        preview_panel(await house.view(season), preview, texts())
    )
    await house.services.rulings.enact(season, preview.draft, STAFF, next(house.ids))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    drawn = [pod for pod in seen.season.pods.values() if pod.stage]
    assert [set(pod.players) for pod in drawn] == [{table[0], *table[2:5]}] * 2
    assert {seen.season.rounds[pod.round].due for pod in drawn} == {before.season.rounds[3].due}
    for number in (3, 4):
        await house.play_round(season, number)
    with pytest.raises(UserError, match="redraw_played"):
        redrawn((await house.view(season)).season)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).champion() in {table[0], *table[2:5]}
    await house.assert_fold(season)


async def test_who_was_added_after_the_draw_is_in_the_new_one(house: LeagueHouse):
    season = await begun(house, "pods", *PEOPLE[:7])

    async def write(db: WriteTransaction):
        await db.people.keep(18, "P18", house.clock.at)
        return await db.seasons.keep_player(18)

    late = await house.store.write(write)
    await house.rule(season, "was forgotten", lambda told, _, __: added(told, late))
    assert (late, 1) in (await house.view(season)).season.absences
    await house.rule(season, "was forgotten", lambda told, _, __: redrawn(told))
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert any(late in pod.players for pod in seen.pods_of(1))
    assert not seen.season.absences


async def test_a_table_that_was_drawn_anew_does_not_begin(house: LeagueHouse):
    season = await begun(house)
    pod, *_ = await pods(house, season)
    table = (await house.view(season)).tables[pod.id].id
    await house.rule(season, "a mistake", lambda told, _, __: redrawn(told))
    with pytest.raises(StaleRevisionError):
        await house.tables.change(table, match_begins)


async def test_points_are_given_by_hand_and_taken_back(house: LeagueHouse):
    season = await begun(house)
    await house.play_round(season, 1)
    player, *_ = (await house.view(season)).season.members
    before = {row.row.player: row.row.points for row in (await house.view(season)).standings().rows}
    row = await house.rule(season, "a wrong count", lambda told, _, __: booked(told, player, 5))
    after = {row.row.player: row.row.points for row in (await house.view(season)).standings().rows}
    assert after == before | {player: before[player] + 500}
    await house.undo(season, row.id)
    assert {r.row.player: r.row.points for r in (await house.view(season)).standings().rows} == before
    for points, conduct in ((0, 0), (101, 0), (0, 11)):
        with pytest.raises(UserError, match="bad_booking"):
            booked((await house.view(season)).season, player, points, conduct)


async def test_a_result_is_entered_a_deal_a_line(house: LeagueHouse):
    season = await begun(house)
    pod, *_ = await pods(house, season)
    typed = "# names\n24 -8 -8 -8\n-8 24 -8 -8\n\n"
    await house.rule(season, "on paper", lambda told, _, __: entered(told, pod.id, typed))
    result = (await house.view(season)).season.pods[pod.id].result
    assert result is not None
    assert result.deals == ((24, -8, -8, -8), (-8, 24, -8, -8))


async def write(house: LeagueHouse, season: int, text: str, *players: int):
    now = house.clock.at
    return await house.rule(
        season, "", lambda told, entries, _: written_to(told, entries, text, players, now)
    )


async def test_a_message_goes_to_those_it_is_for_without_mentions_and_not_more_than_three_a_day(
    house: LeagueHouse,
):
    season = await begun(house)
    first, second, third, *_ = (await house.view(season)).season.members
    row = await write(
        house, season, "Play by **Sunday**, @everyone\n<@&7> https://evil.example", first, second
    )
    told = await house.posts()
    assert [post for post in told if isinstance(post, MessageNotice)] == [
        MessageNotice(row.id, first),
        MessageNotice(row.id, second),
    ]
    seen = await house.view(season)
    said = words(reminder_panel(seen, MessageNotice(row.id, first), say))
    assert r"Play by \*\*Sunday\*\*" in said
    assert not [part for part in ("@everyone", "<@", "://") if part in said]
    assert "Sunday" in words(next_panel(seen, first, say))
    assert "Sunday" not in words(next_panel(seen, third, say))
    assert reminder_panel(seen, MessageNotice(row.id - 1, first), say) is None
    house.clock.at += HOUR
    await write(house, season, "again", first)
    await write(house, season, "again", first)
    with pytest.raises(UserError, match="write_enough"):
        await write(house, season, "again", first, third)
    await write(house, season, "again", third)
    house.clock.at += DAY
    await write(house, season, "a day later", first)


async def test_a_message_cannot_be_taken_back_and_goes_to_members_alone(house: LeagueHouse):
    season = await begun(house)
    first, *_ = (await house.view(season)).season.members
    row = await write(house, season, "hello", first)
    entries = await house.store.read(lambda db: db.seasons.events(season))
    with pytest.raises(UserError, match="unsent"):
        undone(entries, row.id)
    with pytest.raises(UserError, match="write_nobody"):
        await write(house, season, "hello")
    with pytest.raises(UserError, match="not_a_member"):
        await write(house, season, "hello", 999)


async def test_a_group_is_written_to_as_it_is_now(house: LeagueHouse):
    season = await begun(house)
    await house.join(season, 30)
    seen = await house.view(season)
    late = seen.by_person[30]
    assert set(whom(seen, "all")) == set(seen.season.members)
    assert whom(seen, "standing_by") == ([late] if seen.season.members[late].status == "waiting" else [])
    assert whom(seen, "named") == []
    pod, *_ = await pods(house, season)
    await house.play_table(seen.tables[pod.id].id, [seen.people[p].id for p in pod.players])
    seen = await house.view(season)
    assert not set(pod.players) & set(whom(seen, "to_play"))


async def test_a_forgotten_name_goes_from_messages_too(house: LeagueHouse):
    season = await begun(house)
    first, *_ = (await house.view(season)).season.members
    await write(house, season, "Ask P12 for the key", first)
    await house.services.forgetting.forget(12)
    [written] = [act.body for act in (await house.view(season)).acts if isinstance(act.body, MembersWritten)]
    assert written.text.startswith("Ask ")
    assert "P12" not in written.text


async def test_every_act_has_a_form_that_discord_takes(house: LeagueHouse):
    season = await begun(house)
    seen = await house.view(season)
    pod, *_ = seen.pods_of(1)
    player = pod.players[0]
    for kind, number in (("pod", pod.id), ("player", player)):
        shown = str(matter_panel(seen, kind, number, say).view.to_components())
        assert say("desk.move") in shown
        assert say("desk.substitute") in shown
    for act in ("enter", "rule", "move", "substitute", "points", "write-some", "pause"):
        fields = act_fields(seen, act, pod.id, say)
        assert 1 <= len(fields) <= 5
