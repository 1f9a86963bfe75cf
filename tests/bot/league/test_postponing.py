"""After an outage nothing is skipped: check-ins, draws and deadlines happen later."""

from functools import partial
from types import SimpleNamespace
from typing import cast

import discord
import pytest

from bot.league.agenda import draw_at, due_at, pod_due_at
from bot.league.calendar_acts import Postponing
from bot.league.meetings import Meetings
from bot.league.ruling_events import reopened, ruled
from bot.league.rulings import Rulings
from bot.outages import Outages
from bot.people import NamedPerson
from cogs.server.setup_commands import Places
from data.errors import StoreUnavailableError
from data.season_posts import CalendarPost, DelayPost, RoundPost
from data.shards import Share
from league.events import DeadlinesPutOff
from league.ids import GuildId
from league.times import MINUTE, local
from tests.bot.clocks import connect
from tests.bot.league.house import DAY, GUILD, HOUR, STAFF, LeagueHouse, waiting_posts
from tests.damaging import damage_season

PEOPLE = tuple(range(11, 15))
KATHMANDU = "Asia/Kathmandu"


async def away(house: LeagueHouse, season: int, hours: float) -> None:
    """Take the bot offline for some hours, then let it catch up."""
    await house.store.write(lambda db: db.key_values.alive(house.clock.at))
    house.clock.at += int(hours * HOUR)
    outages = Outages(house.store, house.clock)
    outages.on_loss(Postponing(house.leagues).put_off)
    await connect(outages)
    await house.rounds.catch_up(season)


async def test_a_damaged_season_keeps_no_other_from_being_put_off(house: LeagueHouse):
    damaged, season = [
        await house.open(name=name, rounds=2, signup_days=2, confirm_hours=24, round_days=3)
        for name in ("Spring", "Autumn")
    ]
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - 30 * HOUR)
    await damage_season(house.store, damaged)
    await away(house, season, 40)
    assert (await house.view(season)).row.starts_at == begins + 40 * HOUR


async def test_a_check_in_that_was_missed_is_held_later(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=2, confirm_hours=24, round_days=3)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - 30 * HOUR)
    await away(house, season, 40)  # all of check-in, and the draw: it would come at eleven in the morning
    seen = await house.view(season)
    assert seen.season.drawn == 0
    assert seen.row.starts_at == begins + 40 * HOUR
    assert DelayPost(seen.row.starts_at) in seen.posts
    await house.until(season, seen.row.starts_at - HOUR)
    await house.come(season, 1, *PEOPLE)
    await house.until(season, seen.row.starts_at)
    seen = await house.view(season)
    assert [len(pod.players) for pod in seen.pods_of(1)] == [4]

    due = draw_at(seen.row, seen.season, 2)
    await house.until(season, due - 22 * HOUR)
    await away(house, season, 5)  # a part of check-in: the draw would come at midnight
    assert await draws(house, season, 2) == due + DAY
    await away(house, season, 0)
    house.clock.at += 1
    assert await draws(house, season, 2) == due + DAY


async def draws(house: LeagueHouse, season: int, number: int) -> int:
    seen = await house.view(season)
    return draw_at(seen.row, seen.season, number)


async def test_a_season_is_put_off_once_although_the_bot_was_killed_before_it_credited_the_clocks(
    house: LeagueHouse,
):
    season = await house.open(rounds=2, signup_days=2, confirm_hours=24, round_days=3)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - 23 * HOUR)
    await house.store.write(lambda db: db.key_values.alive(house.clock.at))
    house.clock.at += 2 * HOUR

    async def kill(_since: int, _until: int, _share: Share) -> None:
        raise StoreUnavailableError("the test kills the bot")

    for _ in range(2):
        outages = Outages(house.store, house.clock)
        outages.on_loss(Postponing(house.leagues).put_off)
        outages.on_loss(kill)
        with pytest.raises(StoreUnavailableError):
            await connect(outages)
        assert (await house.view(season)).row.starts_at == begins + 2 * HOUR
        house.clock.at += HOUR // 60


@pytest.mark.parametrize(("paused_after_h", "hours"), [(2.0, 0.0), (2.0, 0.25), (-1.0, 3.0)])
async def test_the_end_of_a_pause_is_no_postponement_after_an_outage(
    house: LeagueHouse, paused_after_h: float, hours: float
):
    """The bot is reached again after two hours, but the store refuses the credit; meanwhile the staff act."""
    season = await house.open(rounds=2, signup_days=2, confirm_hours=24, round_days=3)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    away_from = begins - 20 * HOUR
    await house.until(season, away_from + int(paused_after_h * HOUR))
    await house.pause(season, "a holiday")
    house.clock.at += int(hours * HOUR)
    await house.resume(season, "it is over")
    for _ in range(2):
        house.clock.at += 1_000
        await Postponing(house.leagues).put_off(away_from, house.clock.at, Share())
    lost = [2 * HOUR + 1_000] if paused_after_h > 0 else []
    assert await put_off(house, season) == [int(hours * HOUR), *lost]


async def test_a_season_that_was_closed_by_mistake_is_still_put_off_after_an_outage(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=2, confirm_hours=24, round_days=3)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - 18 * HOUR)
    await house.close_season(season, "a mistake")
    closed = (await house.view(season)).acts[-1]
    await house.undo(season, closed.id)
    await Postponing(house.leagues).put_off(begins - 20 * HOUR, house.clock.at, Share())
    assert await put_off(house, season) == [0, 2 * HOUR]


async def test_the_leagues_of_a_server_without_the_bot_stand_still_and_are_put_off_by_that_time(
    house: LeagueHouse,
):
    season = await house.open(rounds=2, signup_days=2, confirm_hours=0, round_days=3)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins)
    due = await draws(house, season, 2)
    await house.until(season, due - HOUR)
    postponing, lost_at = house.services.postponing, house.clock.at
    await postponing.server_gone(GuildId(GUILD))
    await house.until(season, due + 4 * HOUR)
    await postponing.put_off(due + 2 * HOUR, house.clock.at, Share())  # the bot was away for two hours, too
    await house.until(season, lost_at + 2 * DAY)
    seen = await house.view(season)
    assert (seen.row.due_at, seen.season.drawn) == (None, 1)
    assert not any(pod.over or pod.no_shows for pod in seen.pods_of(1))
    for _ in range(2):
        await postponing.server_back(GuildId(GUILD))
        await house.rounds.catch_up(season)
    assert await put_off(house, season) == [2 * DAY]
    assert await draws(house, season, 2) == due + 2 * DAY
    seen = await house.view(season)
    assert DelayPost(due + 2 * DAY) in seen.posts
    assert seen.row.due_at is not None


async def test_what_a_member_does_by_direct_message_sets_no_lost_season_going(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=2, confirm_hours=24, round_days=3)
    await house.join(season, *PEOPLE)
    begins = (await house.view(season)).row.starts_at
    await house.until(season, begins - HOUR)
    await house.services.postponing.server_gone(GuildId(GUILD))
    await house.come(season, 1, *PEOPLE)
    await house.until(season, begins + DAY)
    assert (await house.view(season)).season.drawn == 0


async def test_servers_that_have_removed_the_bot_are_noticed_when_discord_lists_the_others(
    house: LeagueHouse,
):
    season = await house.open(signup_days=2)
    await compare(house, has_bot=True)
    assert await lost_at(house) is None
    await compare(house, has_bot=False)
    assert await lost_at(house) == house.clock.at
    await house.rounds.catch_up(season)
    assert (await house.view(season)).row.due_at is None
    await compare(house, has_bot=True)
    assert await lost_at(house) is None
    assert (
        await house.view(season)
    ).row.due_at == house.clock.at  # no time was lost, but it is looked at again
    await house.close_season(season, "a test")
    await compare(house, has_bot=False)
    assert await lost_at(house) is None


async def compare(house: LeagueHouse, *, has_bot: bool) -> None:
    await house.services.postponing.compare(Share, lambda _: has_bot)


async def lost_at(house: LeagueHouse) -> int | None:
    return (await house.store.read(lambda db: db.guilds.settings(GuildId(GUILD)))).lost_at


async def test_a_shard_that_has_moved_to_another_process_loses_no_league(house: LeagueHouse):
    """The process forgets the servers of a shard that it leaves, perhaps while it compares them."""
    await house.open(signup_days=2)
    nothing = Share(1, frozenset())
    for shares in ([nothing], [Share(), nothing]):
        held = iter(shares)
        await house.services.postponing.compare(partial(next, held), lambda _: False)
        assert await lost_at(house) is None
    places = Places(house.services, cast("discord.Client", SimpleNamespace(get_guild=lambda _: None)))
    await places.on_shard_ready(0)
    assert await lost_at(house) is None
    house.services.outages.told(0)
    await places.on_shard_ready(0)
    assert await lost_at(house) == house.clock.at


async def put_off(house: LeagueHouse, season: int) -> list[int]:
    """Return for how long the season was postponed, each time."""
    events = await house.store.read(lambda db: db.seasons.events(season))
    return [event.body.by for event in events if isinstance(event.body, DeadlinesPutOff)]


async def test_a_pause_of_half_an_hour_delays_a_draw_by_as_much_and_no_other(house: LeagueHouse):
    season = await house.open(rounds=3, signup_days=2, confirm_hours=0, round_days=1, timezone=KATHMANDU)
    await house.join(season, *PEOPLE)
    begins = await draws(house, season, 1)
    assert f"{local(begins, KATHMANDU):%H:%M}" == "19:00"
    second, third = await draws(house, season, 2), await draws(house, season, 3)
    await house.until(season, second - HOUR // 4)
    await away(house, season, 0.5)
    assert await draws(house, season, 2) == second + HOUR // 2
    await house.until(season, second + HOUR // 2)
    assert (await house.view(season)).season.drawn == 2
    assert await draws(house, season, 3) == third


async def test_rounds_that_were_drawn_together_keep_their_hour_after_an_outage(house: LeagueHouse):
    season = await house.open(
        "divisions", rounds=3, signup_days=2, confirm_hours=0, round_days=2, division_size=4
    )
    await house.join(season, *PEOPLE)
    await house.until(season, await draws(house, season, 1))
    dues = [await draws(house, season, number) for number in (2, 3, 4)]
    await house.until(season, dues[0] - HOUR)
    await away(house, season, 8)  # until two in the morning
    assert [await draws(house, season, number) for number in (2, 3, 4)] == [due + DAY for due in dues]


async def test_an_outage_in_which_one_process_after_another_gives_up_postpones_a_deadline(
    house: LeagueHouse,
):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    due = await draws(house, season, 2)
    await house.until(season, due - 2 * HOUR)
    await house.store.write(lambda db: db.key_values.alive(house.clock.at))
    for _ in range(24):
        outages = Outages(house.store, house.clock)
        outages.on_loss(Postponing(house.leagues).put_off)
        outages.await_connections()
        await outages.note_alive()
        house.clock.at += HOUR // 6
    await outages.ended(0)
    await house.rounds.catch_up(season)
    assert not (await house.view(season)).season.pods[1].over
    assert await draws(house, season, 2) == due + DAY  # four hours later it would be too late in the evening


async def test_a_deadline_that_fell_into_an_outage_blames_nobody(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    due = await draws(house, season, 2)
    await house.until(season, due - 38 * HOUR)
    await away(house, season, 4)  # nothing falls due in that time
    assert await draws(house, season, 2) == due
    await away(house, season, 48)
    seen = await house.view(season)
    assert not seen.season.pods[1].over
    assert draw_at(seen.row, seen.season, 2) == due + 48 * HOUR
    await house.until(season, due + 48 * HOUR)
    assert (await house.view(season)).season.pods[1].over


async def agreed(house: LeagueHouse) -> tuple[int, int]:
    """Let a pod of four agree on a time in two hours; returns the season and the time."""
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=4)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    at = house.clock.at + 2 * HOUR
    await agree(house, season, at)
    assert CalendarPost(1) in (await house.view(season)).posts
    return season, at


async def agree(house: LeagueHouse, season: int, at: int) -> None:
    seen, meetings = await house.view(season), Meetings(house.leagues)
    people = [NamedPerson(seen.people[player].id, "P") for player in seen.season.pods[1].players]
    await meetings.propose(season, people[0], at, next(house.ids))
    for person in people[1:]:
        await meetings.agree(season, 1, at, person, next(house.ids))


@pytest.mark.parametrize(
    ("since_m", "until_m"),
    [(-120, 240), (-10, 9), (-60, 3), (-60, 12), (-60, 16), (-60, 22), (-60, 26), (2, 9), (-1, 4)],
)
async def test_an_agreed_time_that_fell_into_an_outage_blames_nobody(
    house: LeagueHouse, since_m: int, until_m: int
):
    """Attendance is checked ten minutes after the time; another ten minutes later, those who came begin."""
    season, at = await agreed(house)
    await house.until(season, at + since_m * MINUTE)
    await away(house, season, (until_m - since_m) / 60)
    await house.until(season, at + 5 * HOUR)
    pod = (await house.view(season)).season.pods[1]
    assert not pod.over
    assert not pod.missed
    again = house.clock.at + HOUR
    await agree(house, season, again)
    await house.until(season, again + HOUR)
    pod = (await house.view(season)).season.pods[1]
    assert pod.no_shows == {*pod.players}


@pytest.mark.parametrize(("since_m", "until_m"), [(-10, 9), (-60, 16), (-60, 26)])
async def test_messages_no_longer_show_an_agreed_time_that_fell_into_an_outage(
    house: LeagueHouse, since_m: int, until_m: int
):
    season, at = await agreed(house)
    await house.until(season, at + since_m * MINUTE)
    before = await revisions(house)
    await away(house, season, (until_m - since_m) / 60)
    assert not (await house.view(season)).times
    after = await revisions(house)
    assert after[RoundPost(1)] > before[RoundPost(1)]
    assert after[CalendarPost(1)] > before[CalendarPost(1)]


async def revisions(house: LeagueHouse) -> dict[object, int]:
    """Return up to which revision each message is to be brought."""
    rows = await house.store.read(waiting_posts, house.clock.at)
    return {row.key.post: row.revision for row in rows}


async def waiting_for_a_substitute(house: LeagueHouse) -> tuple[int, int, int]:
    """Return a season, its agreed time and table. Three of four came; attendance was checked two minutes ago."""
    season, at = await agreed(house)
    await house.join(season, 31)  # stands by
    seen = await house.view(season)
    people = [seen.people[player].id for player in seen.season.pods[1].players]
    await house.sit_down(seen.tables[1].id, people[:3])
    await house.until(season, at + 12 * MINUTE)
    return season, at, seen.tables[1].id


@pytest.mark.parametrize(("until_m", "begin_m"), [(18, 20), (22, 22)])
async def test_those_who_wait_for_a_substitute_begin_after_an_outage_by_themselves(
    house: LeagueHouse, until_m: int, begin_m: int
):
    """Attendance was checked ten minutes after the time; the outage begins two minutes later."""
    season, at, table = await waiting_for_a_substitute(house)
    assert len((await house.view(season)).season.pods[1].missed) == 1
    await away(house, season, (until_m - 12) / 60)
    await house.until(season, at + begin_m * MINUTE)
    assert (await house.ready_deadline(table)).due_at <= house.clock.at
    assert len((await house.view(season)).season.pods[1].missed) == 1


async def test_those_who_waited_for_a_substitute_need_not_be_there_after_a_long_outage(house: LeagueHouse):
    season, _, table = await waiting_for_a_substitute(house)
    await away(house, season, 3)
    assert not (await house.view(season)).times
    seats = await house.store.read(lambda db: db.tables.seats(table))
    assert not any(seat.ready for seat in seats)


@pytest.mark.parametrize(("since_m", "until_m"), [(-120, -1), (-1, 2), (3, 6), (21, 60)])
async def test_an_outage_outside_of_an_agreed_time_or_of_some_minutes_excuses_nobody(
    house: LeagueHouse, since_m: int, until_m: int
):
    season, at = await agreed(house)
    await house.until(season, at + since_m * MINUTE)
    await away(house, season, (until_m - since_m) / 60)
    await house.until(season, at + HOUR)
    pod = (await house.view(season)).season.pods[1]
    assert pod.no_shows == {*pod.players}


async def test_who_came_to_an_agreed_time_is_free_to_play_after_an_outage(house: LeagueHouse):
    season, at = await agreed(house)
    seen = await house.view(season)
    people = [seen.people[player].id for player in seen.season.pods[1].players]
    await house.until(season, at + MINUTE)
    await house.sit_down(seen.tables[1].id, people[:2])
    await away(house, season, 0.25)
    await house.until(season, at + HOUR)
    assert not (await house.view(season)).season.pods[1].missed
    await house.sit_down(seen.tables[1].id, people[2:])
    await house.play_match(seen.tables[1].id, people)
    await house.rounds.catch_up(season)
    assert (await house.view(season)).season.pods[1].over


async def test_a_season_that_is_looked_at_late_books_nobody_for_an_agreed_time(house: LeagueHouse):
    """Its jobs have failed for a while. Nobody is booked at the next step either."""
    season, at = await agreed(house)
    await house.until(season, at)
    for minutes in (16, 4):
        house.clock.at += minutes * MINUTE
        await house.rounds.catch_up(season)
    assert not (await house.view(season)).season.pods[1].missed


@pytest.mark.parametrize("until_m", [12, 16])
async def test_an_agreed_time_that_fell_into_a_pause_blames_nobody(house: LeagueHouse, until_m: int):
    season, at = await agreed(house)
    await house.until(season, at - 30 * MINUTE)
    await house.pause(season, "a holiday")
    await house.until(season, at + until_m * MINUTE)
    await house.resume(season, "it is over")
    await house.until(season, at + HOUR)
    assert not (await house.view(season)).season.pods[1].missed


async def test_a_deadline_of_the_finals_is_put_off_like_any_other(house: LeagueHouse):
    season = await house.open(
        rounds=1, signup_days=1, confirm_hours=0, round_days=2, cut_to=4, final_matches=1
    )
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.play_round(season, 1)
    await house.rounds.catch_up(season)
    before = await house.view(season)
    due = due_at(before.row, before.season, 2)
    assert before.season.rounds[2].stage == 4
    await house.until(season, due - HOUR)
    await away(house, season, 2)
    seen = await house.view(season)
    assert not any(pod.over for pod in seen.pods_of(2))
    assert due_at(seen.row, seen.season, 2) == due + 2 * HOUR
    await house.until(season, due + 2 * HOUR)
    assert all(pod.over for pod in (await house.view(season)).pods_of(2))


async def test_the_deadline_of_a_pod_that_plays_again_is_put_off_like_any_other(house: LeagueHouse):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=9)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    rulings, pod = Rulings(house.leagues), 1
    due = house.clock.at + 2 * DAY
    for act in (
        lambda season, _, __: ruled(season, pod, []),
        lambda season, _, __: reopened(season, pod, due),
    ):
        draft = await rulings.prepare(season, STAFF, "a quarrel", act)
        await rulings.enact(season, draft.draft, STAFF, next(house.ids))
        await house.rounds.catch_up(season)
    await house.until(season, due - HOUR)
    await away(house, season, 5)
    seen = await house.view(season)
    assert not seen.season.pods[pod].over
    assert pod_due_at(seen.row, seen.season, seen.season.pods[pod]) == due + 5 * HOUR
    assert DelayPost(due + 5 * HOUR) in seen.posts
    await house.until(season, due + 5 * HOUR)
    assert (await house.view(season)).season.pods[pod].over


async def test_nobody_loses_the_time_to_object_to_a_report(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=9, report_hours=4)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    reporter, *others = [seen.people[player].id for player in seen.season.pods[1].players]
    await house.reports.report(season, 1, NamedPerson(reporter, "P"), "9 -3 -3 -3\n" * 4, [], next(house.ids))
    told = (await house.view(season)).season.pods[1].report
    assert told is not None
    await away(house, season, 6)
    first_pod = (await house.view(season)).season.pods[1]
    assert not first_pod.over
    objection = NamedPerson(others[0], "P")
    await house.reports.answer(season, 1, told.at, objection, next(house.ids), agrees=False)
    await house.until(season, house.clock.at + 5 * HOUR)
    assert not (await house.view(season)).season.pods[1].over
