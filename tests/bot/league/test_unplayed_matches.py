"""Matches that no one began in time: trying to play is not blamed, and not playing gains nothing."""

import pytest

from bot.errors import UserError
from bot.league.agenda import latest_time
from bot.league.free_seats import Offers
from bot.league.meetings import Meetings
from bot.panels.league.posts import closed_panel
from bot.panels.table.more import more_panel
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.table import PAUSED, READY, TURN, WINDOW
from bot.table.hosting import Actor
from bot.words.texts import texts
from data.ids import ChannelId, MessageId
from data.outbox_keys import TableMessageKey
from data.season_posts import AgreedNotice, TableNotice
from data.season_rows import SeasonEventRow
from data.transaction import ReadTransaction
from league.book import book
from league.events import NoShowBooked
from league.times import MINUTE
from tests.bot.league.house import CHANNEL, DAY, HOUR, LeagueHouse, entrant, waiting_posts
from tests.bot.league.test_duplicate_season import words
from tests.bot.panels.test_buttons_by_state import labels

PEOPLE = (11, 12, 13, 14)


async def begun(house: LeagueHouse) -> tuple[int, int]:
    """A season whose only pod is drawn, and the time of the draw."""
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    at = (await house.view(season)).row.starts_at
    await house.until(season, at)
    return season, at


async def propose(house: LeagueHouse, season: int, person: int, at: int) -> None:
    await Meetings(house.leagues).propose(season, NamedPerson(person, "P"), at, next(house.ids))


async def agree(house: LeagueHouse, season: int, person: int, at: int) -> None:
    await Meetings(house.leagues).agree(season, 1, at, NamedPerson(person, "P"), next(house.ids))


async def told(house: LeagueHouse) -> int:
    """Return how many players were notified that a time holds."""
    rows = await house.store.read(waiting_posts, house.clock.at)
    return sum(isinstance(row.key.post, AgreedNotice) for row in rows)


async def booked(house: LeagueHouse, season: int) -> dict[int, tuple[str, int]]:
    """Return the first round's kind and points of each person."""
    seen = await house.view(season)
    lines = book(seen.season, 1).lines
    return {seen.people[player].id: (line.kind, line.points) for player, (line,) in lines.items()}


async def set_time(house: LeagueHouse, season: int, at: int, *people: int) -> None:
    """Have the first person propose a time, and the others agree."""
    await propose(house, season, people[0], at)
    for person in people[1:]:
        await agree(house, season, person, at)


async def table_of(house: LeagueHouse, season: int) -> int:
    return (await house.view(season)).tables[1].id


async def begins(house: LeagueHouse, table: int) -> None:
    """Start the table by its deadline; fail if it has none."""
    await house.play.all_ready(table, (await house.ready_deadline(table)).revision)


async def test_a_silent_player_does_not_stop_the_match_of_three_who_agree(house: LeagueHouse):
    season, at = await begun(house)
    await set_time(house, season, at + DAY, 11, 12, 13)
    table = await table_of(house, season)
    await house.sit_down(table, [11, 12, 13])
    await house.get_ready(table, (11, 12, 13))
    await house.until(season, at + DAY + 10 * MINUTE)
    await begins(house, table)
    seen = await house.view(season)
    assert seen.season.pods[1].table == table, "the match has begun"
    assert {seen.people[player].id for player in seen.season.pods[1].missed} == {14}
    await house.assert_fold(season)


async def test_those_who_sit_at_the_table_begin_ready_or_not(house: LeagueHouse):
    season, at = await begun(house)
    await set_time(house, season, at + DAY, *PEOPLE)
    table = await table_of(house, season)
    await house.sit_down(table, [11, 12, 13])
    await house.play.ready(table, 11, next(house.ids))
    await house.until(season, at + DAY + 10 * MINUTE)
    await begins(house, table)
    assert (await house.view(season)).season.pods[1].table == table


async def test_who_is_ready_takes_it_back_behind_more(house: LeagueHouse):
    season, at = await begun(house)
    await set_time(house, season, at + DAY, *PEOPLE)
    table = await table_of(house, season)
    await house.sit_down(table, [11, 12])

    async def offered() -> list[str]:
        snapshot = await house.tables.snapshot(table)
        return labels(more_panel(snapshot, Actor(NamedPerson(11, "P")), texts()))

    not_ready, ready = texts()("button.not_ready"), texts()("button.ready")
    assert not {not_ready, ready} & {*(await offered())}, "the message of the table has Ready"
    await house.play.ready(table, 11, next(house.ids))
    assert not_ready in await offered()


async def test_substitutes_have_as_long_again_before_the_others_begin(house: LeagueHouse):
    season, at = await begun(house)
    await house.entries.join(season, entrant(15), next(house.ids))
    await set_time(house, season, at + DAY, 11, 12, 13)
    table = await table_of(house, season)
    await house.sit_down(table, [11, 12])
    await house.until(season, at + DAY + 19 * MINUTE)

    async def read(db: ReadTransaction) -> None:
        assert not [row for row in await db.deadlines.of_table(table) if row.kind == READY]

    await house.store.read(read)
    await house.until(season, at + DAY + 20 * MINUTE)
    await begins(house, table)


async def ready_and_missing_one(house: LeagueHouse) -> tuple[int, int, int]:
    """A season, its table and the agreed time, at which three are ready, the fourth is a no-show and two stand by."""
    season, at = await begun(house)
    await house.join(season, 15, 16)
    await set_time(house, season, at + DAY, *PEOPLE)
    table = await table_of(house, season)
    await house.sit_down(table, [11, 12, 13])
    await house.get_ready(table, (11, 12, 13))
    await house.until(season, at + DAY + 10 * MINUTE)
    return season, table, at + DAY


async def may_begin(house: LeagueHouse, table: int) -> bool:
    return READY in (await house.tables.get(table)).deadlines


async def test_players_who_are_ready_wait_for_a_substitute_too(house: LeagueHouse):
    season, table, at = await ready_and_missing_one(house)
    assert not await may_begin(house, table)
    for _ in range(2):
        await house.play.ready(table, 11, next(house.ids))
    assert await house.tables.status(table) == "lobby", "no press ends the wait"
    await house.until(season, at + 20 * MINUTE - 1)
    assert not await may_begin(house, table)
    await house.until(season, at + 20 * MINUTE)
    await begins(house, table)
    assert len((await house.tables.get(table)).seats) == 3


async def test_players_who_are_ready_begin_with_the_substitute(house: LeagueHouse):
    season, table, at = await ready_and_missing_one(house)
    missed = (await house.view(season)).by_person[14]
    await Offers(house.leagues).take(season, 1, missed, entrant(15), next(house.ids))
    await house.until(season, at + 15 * MINUTE)
    assert not await may_begin(house, table)
    await house.sit_down(table, [15])
    await house.play.ready(table, 15, next(house.ids))
    assert await house.tables.status(table) == "playing"


async def test_players_who_are_ready_begin_once_no_substitute_is_left(house: LeagueHouse):
    season, table, _ = await ready_and_missing_one(house)
    for person in (15, 16):
        assert not await may_begin(house, table)
        await house.entries.leave(season, NamedPerson(person, "P"), next(house.ids))
        await house.rounds.catch_up(season)
    await begins(house, table)


async def test_players_who_are_ready_begin_if_the_bot_was_away_when_they_were_to_begin(house: LeagueHouse):
    season, table, at = await ready_and_missing_one(house)
    house.clock.at = at + 26 * MINUTE
    await house.rounds.catch_up(season)
    await begins(house, table)


async def no_shows(house: LeagueHouse, season: int) -> list[SeasonEventRow]:
    rows = await house.store.read(lambda db: db.seasons.events(season))
    return [row for row in rows if isinstance(row.body, NoShowBooked)]


async def missed(house: LeagueHouse, season: int) -> set[int]:
    """Return the people who are no-shows of the first pod."""
    seen = await house.view(season)
    return {seen.people[player].id for player in seen.season.pods[1].missed}


async def test_a_no_show_that_is_taken_back_has_the_seat_again(house: LeagueHouse):
    season, table, at = await ready_and_missing_one(house)
    [booked] = await no_shows(house, season)
    await house.undo(season, booked.id)
    assert TableNotice(1, booked.body.player, table) in await house.posts()
    await house.until(season, at + 20 * MINUTE)
    assert await missed(house, season) == set(), (
        "nobody is booked again at the time at which the others would begin"
    )
    await house.sit_down(table, [14])
    await house.play.ready(table, 14, next(house.ids))
    assert await house.tables.status(table) == "playing"


async def test_a_no_show_that_counts_after_all_loses_the_seat_again(house: LeagueHouse):
    season, table, _ = await ready_and_missing_one(house)
    await house.undo(season, (await no_shows(house, season))[0].id)
    await house.undo(season, (await no_shows(house, season))[-1].id)
    with pytest.raises(UserError, match="players_stay"):
        await house.sit_down(table, [14])


async def test_a_no_show_who_was_substituted_does_not_get_the_seat_back(house: LeagueHouse):
    season, table, at = await ready_and_missing_one(house)
    [booked] = await no_shows(house, season)
    await Offers(house.leagues).take(season, 1, booked.body.player, entrant(15), next(house.ids))
    await house.undo(season, booked.id)
    with pytest.raises(UserError, match="players_stay"):
        await house.sit_down(table, [14])
    await house.until(season, at + 20 * MINUTE)
    await begins(house, table)
    assert await missed(house, season) == {15}


@pytest.mark.parametrize("there", [(), (11, 12)])
async def test_nobody_is_a_no_show_at_a_table_whose_channel_is_gone(
    house: LeagueHouse, there: tuple[int, ...]
):
    season, at = await begun(house)
    await set_time(house, season, at + DAY, *PEOPLE)
    await house.sit_down(await table_of(house, season), [*there])
    await house.until(season, at + DAY - HOUR)
    await house.pauses.place_gone(CHANNEL)
    await house.until(season, at + DAY + 20 * MINUTE)
    seen = await house.view(season)
    assert (seen.season.pods[1].missed, seen.times) == (frozenset(), {}), "the time counts no longer"
    await house.until(season, at + 2 * DAY)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("average", 0))
    await house.assert_fold(season)


async def show_tables(house: LeagueHouse) -> None:
    """Show the tables that are to be shown now."""
    for row in await house.store.read(lambda db: db.outbox.due(house.clock.at, 1_000)):
        if isinstance(row.key, TableMessageKey):
            await house.store.write(lambda db, row=row: db.outbox.done([(row, row.revision)], house.clock.at))
            await house.pauses.shown(row.key.table_id)


@pytest.mark.parametrize("thread", [None, 777], ids=["in a channel", "in a thread"])
async def test_a_table_that_is_shown_elsewhere_waits_for_its_players_again(
    house: LeagueHouse, thread: ChannelId | None
):
    season, at = await begun(house)
    table = await table_of(house, season)

    async def opens_thread(tx: TableTransaction) -> None:
        tx.update(thread_id=thread, message_id=MessageId(778))

    await house.tables.change(table, opens_thread)
    await show_tables(house)
    await house.pauses.place_gone(CHANNEL)
    paused = (await house.tables.get(table)).deadlines[PAUSED]
    house.clock.at = paused.due_at
    await house.deadlines.act(paused)
    assert await house.tables.status(table) == "lobby", "it waits for the deadline of its round"
    house.clock.at = at
    await house.season_admin.set_place(season, CHANNEL + 1, next(house.ids))
    await show_tables(house)
    assert PAUSED not in (await house.tables.get(table)).deadlines
    await set_time(house, season, at + DAY, *PEOPLE)
    await house.sit_down(table, [11, 12, 13])
    await house.until(season, at + DAY + 10 * MINUTE)
    await begins(house, table)
    assert await missed(house, season) == {14}


async def test_a_proposal_that_nobody_answers_holds_after_some_hours(house: LeagueHouse):
    season, at = await begun(house)
    await propose(house, season, 11, at + DAY)
    await house.until(season, at + 12 * HOUR - 1)
    assert not await told(house)
    await house.until(season, at + 12 * HOUR)
    assert await told(house) == len(PEOPLE)
    await house.sit_down(await table_of(house, season), [11, 12])
    await house.until(season, at + DAY + 10 * MINUTE)
    await begins(house, await table_of(house, season))
    seen = await house.view(season)
    assert {seen.people[player].id for player in seen.season.pods[1].missed} == {13, 14}


async def test_a_time_that_the_others_cannot_have_seen_makes_nobody_a_no_show(house: LeagueHouse):
    season, at = await begun(house)
    await set_time(house, season, at + HOUR, 11, 12, 13)
    await house.sit_down(await table_of(house, season), [11, 12, 13])
    await house.until(season, at + 2 * HOUR)
    assert not (await house.view(season)).season.pods[1].missed


async def test_to_propose_a_time_is_not_to_be_there(house: LeagueHouse):
    season, at = await begun(house)
    await propose(house, season, 11, at + DAY)
    await propose(house, season, 12, at + 2 * DAY - HOUR)
    await house.until(season, at + 2 * DAY)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("no_show", -2000))
    await house.assert_fold(season)


async def test_once_the_agreed_time_has_come_a_proposal_changes_nothing(house: LeagueHouse):
    season, at = await begun(house)
    await set_time(house, season, at + DAY, *PEOPLE)
    await house.sit_down(await table_of(house, season), [11, 12, 13])
    await house.until(season, at + DAY + 9 * MINUTE)
    with pytest.raises(UserError, match="time_has_come"):
        await propose(house, season, 14, at + DAY + 5 * HOUR)
    await house.until(season, at + DAY + 10 * MINUTE)
    await begins(house, await table_of(house, season))
    with pytest.raises(UserError, match="nothing_to_play"):
        await propose(house, season, 14, at + DAY + 5 * HOUR)
    seen = await house.view(season)
    assert {seen.people[player].id for player in seen.season.pods[1].missed} == {14}


async def test_a_change_of_the_time_takes_the_consent_that_the_time_took(house: LeagueHouse):
    season, at = await begun(house)
    later = at + DAY + 3 * HOUR
    await set_time(house, season, at + DAY, *PEOPLE)
    await propose(house, season, 14, later)
    for person in (11, 12):
        await agree(house, season, person, later)
    times = (await house.view(season)).times
    assert times[1].proposal.at == at + DAY, "three of four are fewer than agreed before"
    await agree(house, season, 13, later)
    times = (await house.view(season)).times
    assert (times[1].proposal.at, times[1].change) == (later, None)
    with pytest.raises(UserError, match="other_time"):
        await agree(house, season, 13, at + DAY)


async def test_at_the_deadline_those_who_sit_at_the_table_begin(house: LeagueHouse):
    season, at = await begun(house)
    table = await table_of(house, season)
    await house.sit_down(table, [11, 12])
    await house.until(season, at + 2 * DAY)
    await begins(house, table)
    seen = await house.view(season)
    assert {seen.people[player].id for player in seen.season.pods[1].missed} == {13, 14}
    await house.play_deals_on(table)
    kinds = {person: kind for person, (kind, _) in (await booked(house, season)).items()}
    assert kinds == dict.fromkeys((11, 12), "match") | dict.fromkeys((13, 14), "no_show")


async def test_a_pod_that_sits_down_and_does_not_play_gains_nothing(house: LeagueHouse):
    season, at = await begun(house)
    table = await table_of(house, season)
    await house.sit_down(table, list(PEOPLE))
    await house.until(season, at + 2 * DAY)
    await begins(house, table)
    await house.until(season, at + 3 * DAY)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("average", 0))


async def test_a_time_is_early_enough_to_see_before_the_deadline_who_has_come(house: LeagueHouse):
    season, _ = await begun(house)
    seen = await house.view(season)
    latest = latest_time(seen.row, seen.season, seen.season.pods[1])
    with pytest.raises(UserError, match="bad_time"):
        await propose(house, season, 11, latest + 1)
    await propose(house, season, 11, latest)
    for person in PEOPLE[1:]:
        await agree(house, season, person, latest)
    await house.until(season, seen.season.rounds[1].due)
    assert await booked(house, season) == dict.fromkeys(PEOPLE, ("no_show", -2000))


async def test_a_final_to_which_nobody_comes_has_no_champion(house: LeagueHouse):
    season = await house.open(
        rounds=1, signup_days=1, confirm_hours=0, round_days=2, cut_to=4, final_matches=1
    )
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.play_round(season, 1)
    await house.until(season, house.clock.at + 9 * DAY)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert seen.champion() is None
    assert "no champion" in words(closed_panel(seen, texts()))
    await house.assert_fold(season)


@pytest.mark.parametrize(("leaves", "booked_as"), [(False, ("no_show", -2000)), (True, ("absence", -1500))])
async def test_a_match_that_is_stopped_gives_nothing_to_those_who_were_not_at_it(
    house: LeagueHouse, leaves: bool, booked_as: tuple[str, int]
):
    season, at = await begun(house)
    if leaves:
        await house.entries.leave(season, NamedPerson(14, "P"), next(house.ids))
        await house.rounds.catch_up(season)
    else:
        await set_time(house, season, at + DAY, *PEOPLE)
        await house.until(season, at + DAY)
    table = (await house.view(season)).tables[1].id
    await house.sit_down(table, list(PEOPLE[:3]))
    await house.until(season, at + DAY + HOUR)
    if leaves:
        await house.get_ready(table, PEOPLE[:3])
    else:
        await begins(house, table)
    await house.finish_deal(table)
    await house.until(season, at + 4 * DAY)
    assert await booked(house, season) == {**dict.fromkeys(PEOPLE[:3], ("average", 0)), 14: booked_as}


async def times_out(house: LeagueHouse, table: int) -> int:
    """Let the turns pass until somebody's time runs out, and return that person."""
    while True:
        seen = await house.tables.get(table)
        assert seen.state is not None
        due = seen.deadlines.get(TURN) or seen.deadlines[WINDOW]
        house.clock.at = max(house.clock.at, due.due_at)
        await house.deadlines.act(due)
        if due.kind == TURN:
            person = seen.seats[seen.state.turn].person_id
            assert person is not None
            return person


async def match_with_someone_away(
    house: LeagueHouse, away_in: int, back_in: int | None = None
) -> tuple[int, int]:
    """Play a match of four deals; in one of them somebody's time runs out, and in another they may come back.

    Return the season and that person.
    """
    season, _ = await begun(house)
    table, away = await table_of(house, season), 0
    await house.sit_down(table, [*PEOPLE])
    await house.get_ready(table, PEOPLE)
    for number in range(1, 5):
        if number == away_in:
            away = await times_out(house, table)
        if number == back_in:
            assert await house.presence.back(table, away) is not None
        await house.finish_deal(table)
        if number < 4:
            await house.next_deal(table, next(person for person in PEOPLE if person != away))
    return season, away


async def test_who_is_away_to_the_end_of_a_match_is_last_and_gains_nothing(house: LeagueHouse):
    season, away = await match_with_someone_away(house, away_in=1)
    seen = await house.view(season)
    player, pod = seen.by_person[away], seen.season.pods[1]
    assert pod.result is not None
    assert pod.result.left == (player,)
    [line] = book(seen.season, 1).lines[player]
    assert line.match is not None
    assert (line.match.bonus, line.match.score <= 0) == (-1000, True)


@pytest.mark.parametrize(("away_in", "back_in"), [(4, None), (3, None), (1, 4), (1, 3), (2, 2)])
async def test_who_comes_back_or_is_away_only_at_the_very_end_has_not_left_the_match(
    house: LeagueHouse, away_in: int, back_in: int | None
):
    season, _ = await match_with_someone_away(house, away_in, back_in)
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    assert (result.left, len(result.deals)) == ((), 4)
