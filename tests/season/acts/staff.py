"""What the staff do at random: rulings on matches and members, the calendar, and the numbers of the season."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from bot.league import ruling_events as rulings
from bot.league.calendar_acts import extended
from bot.league.rulings import Make
from bot.people import NamedPerson
from data.preferences import Pace
from league.events import Adjudicated, Event, MatchFinished, ResultCorrected
from league.ids import GuildId, PersonId
from league.results import Player
from league.season import Pod, Season
from league.times import DAY, HOUR
from tests.bot.league.house import GUILD, STAFF
from tests.season.acts.players import Act, points, table_to_play, withdraw
from tests.season.acts.stage import NothingToDoError, RandomSeason

NUMBERS = (
    ("rounds", "2"),
    ("rounds", "3"),
    ("extra_hours", "0"),
    ("extra_hours", "2"),
    ("extra_hours", "30"),
    ("no_show_minutes", "5"),
    ("checkin_hours", "6"),
    ("round_days", "3"),
    ("missing", "computer"),
    ("late_entry", "100"),
    ("late_entry", "0"),
    ("rounds", "1"),
    ("rounds", "4"),
    ("timezone", "europe/berlin"),
    ("timezone", "asia/kathmandu"),
    ("draw_hour", "3"),
    ("draw_hour", "22"),
    ("play_hours", "0 24"),
    ("play_hours", "9 22"),
    ("approval", "off"),
    ("most_players", "6"),
    ("most_players", "0"),
    ("pod_size", "3"),
    ("no_fives", "on"),
    ("answer_hours", "0"),
    ("answer_hours", "48"),
    ("no_show_minutes", "30"),
    ("missing", "substitute"),
    ("missing", "shorter"),
    ("report_hours", "1"),
    ("dispute_hours", "12"),
    ("cut_to", "4"),
    ("cut_to", "0"),
    ("final_matches", "1"),
    ("final_matches", "3"),
    ("reminder_hours", "1 3"),
    ("clock", "day"),
    ("clock", "none"),
    ("checkin_hours", "48"),
    ("round_days", "1"),
    ("public_page", "on"),
    ("confirm_hours", "0"),
    ("confirm_hours", "48"),
    ("tables", "channel"),
)
"""The numbers that the staff change."""
SELDOM = 0.2
"""The share of bans and of ends that the staff go through with: most of a season should have its players."""
LATEST = (5, 5, 100)
"""The possible numbers of the latest acts of which one is taken back."""
STRANGERS = (51, 52, 53)
"""People who are not in the season."""


async def _rule(season: RandomSeason, make: Make) -> None:
    await season.house.rule(season.id, "a reason", make)


async def _pod(season: RandomSeason) -> tuple[Season, Pod]:
    """Choose any pod."""
    told = (await season.view()).season
    return told, told.pods[season.choose(list(told.pods))]


async def _member(season: RandomSeason) -> Player:
    return season.choose(list((await season.view()).season.members))


# Matches


async def adjudicate(season: RandomSeason) -> None:
    """Rule on a match that was not played."""
    _, pod = await _pod(season)
    missing = season.some(pod.players, 0.3)
    await _rule(season, lambda told, _, __: rulings.ruled(told, pod.id, missing))


async def enter(season: RandomSeason) -> None:
    """Enter the result of a match."""
    _, pod = await _pod(season)
    deals = ";".join(points(season, len(pod.players)) for _ in pod.players)
    await _rule(season, lambda told, _, __: rulings.entered(told, pod.id, deals))


async def accept(season: RandomSeason) -> None:
    """Accept a report, also one that someone objected to."""
    _, pod = await _pod(season)
    await _rule(season, lambda told, _, __: rulings.accepted(told, pod.id))


async def correct(season: RandomSeason) -> None:
    """Correct the first deal of a match."""
    _, pod = await _pod(season)
    if pod.result is None:
        raise NothingToDoError
    typed = points(season, len(pod.result.players))
    await _rule(season, lambda told, _, __: rulings.corrected(told, pod.id, 1, typed))


async def void(season: RandomSeason) -> None:
    """Void a deal of a match."""
    (_, pod), deal = await _pod(season), season.choose((1, 2))
    await _rule(season, lambda told, _, __: rulings.voided(told, pod.id, deal))


async def replay(season: RandomSeason) -> None:
    """Order a deal or a whole match to be played again."""
    (_, pod), deal = await _pod(season), season.choose((None, 1, 2))
    due = season.house.clock.at + 2 * DAY
    await _rule(season, lambda told, _, __: rulings.replayed(told, pod.id, deal, due))


async def reopen(season: RandomSeason) -> None:
    """Reopen a match that has no result."""
    _, pod = await _pod(season)
    due = season.house.clock.at + 2 * DAY
    await _rule(season, lambda told, _, __: rulings.reopened(told, pod.id, due))


async def substitute(season: RandomSeason) -> None:
    """Give a player's seat to someone else."""
    _, pod = await _pod(season)
    player, other = season.choose(pod.players), await _member(season)
    async with _noting_newcomers(season):
        await _rule(season, lambda told, _, __: rulings.substituted(told, pod.id, player, other))


async def substitute_stranger(season: RandomSeason) -> None:
    """Give a player's seat to someone who is not in the season."""
    _, pod = await _pod(season)
    player, other = season.choose(pod.players), season.choose(STRANGERS)
    house = season.house
    preview = await house.services.rulings.prepare(
        season.id,
        STAFF,
        "a reason",
        lambda told, _, known: rulings.substituted(told, pod.id, player, known[other]),
        [NamedPerson(PersonId(other), f"P{other}")],
    )
    async with _noting_newcomers(season):
        await house.services.rulings.enact(season.id, preview.draft, STAFF, season.next_id())


async def close_table(season: RandomSeason) -> None:
    """Close the table of a match, now and then."""
    pod, table, _ = await table_to_play(season)
    if not season.chance(SELDOM):
        raise NothingToDoError
    season.waiting.add(pod.id)
    await season.house.endings.by_staff(table, GuildId(GUILD), STAFF, "a reason", season.next_id())


async def move(season: RandomSeason) -> None:
    """Move a player to another pod, or exchange two players."""
    _, pod = await _pod(season)
    player, other = await _member(season), season.choose((None, await _member(season)))
    async with _noting_newcomers(season):
        await _rule(season, lambda told, _, __: rulings.moved(told, player, pod.id, other))


async def undo(season: RandomSeason) -> None:
    """Take back one of the latest acts of the staff or of the season."""
    rows = await season.house.store.read(lambda db: db.seasons.events(season.id))
    latest = {row.id: row.body for row in rulings.undoable(rows)[: season.choose(LATEST)]}
    number = season.choose(list(latest))
    season.note(latest[number].event)
    await season.house.undo(season.id, number)
    await _note_taken_back(season, latest[number])


async def _note_taken_back(season: RandomSeason, event: Event) -> None:
    """Remember the pod: its match may wait for the staff from now on."""
    if isinstance(event, MatchFinished | ResultCorrected | Adjudicated):
        season.waiting.add(event.pod)


@asynccontextmanager
async def _noting_newcomers(season: RandomSeason) -> AsyncIterator[None]:
    """Remember who is in a pod after this act and was not before it."""
    before = (await season.view()).season.pods
    yield
    for pod in (await season.view()).season.pods.values():
        for player in set(pod.players) - set(before[pod.id].players):
            season.put_in[pod.id, player] = season.house.clock.at


# Members


async def add_member(season: RandomSeason) -> None:
    """Give a place to a member without one, or bring back a player who has left."""
    player = await _member(season)
    await _rule(season, lambda told, _, __: rulings.added(told, player))


async def remove_member(season: RandomSeason) -> None:
    """Take a player out of the season."""
    player = await _member(season)
    await _rule(season, lambda told, _, __: rulings.withdrawn(told, player))


async def ban(season: RandomSeason) -> None:
    """Ban a member, now and then."""
    player = await _member(season)
    if not season.chance(SELDOM):
        raise NothingToDoError
    await _rule(season, lambda told, _, __: rulings.banned(told, player))


async def keep_apart(season: RandomSeason) -> None:
    """Keep two members from being drawn together."""
    player, other = await _member(season), await _member(season)
    await _rule(season, lambda told, _, __: rulings.kept_apart(told, player, other))


async def penalise(season: RandomSeason) -> None:
    """Give a penalty."""
    player = await _member(season)
    await _rule(season, lambda told, _, __: rulings.penalised(told, player, 3, 1))


async def seed(season: RandomSeason) -> None:
    """Set a player's place in the first draw."""
    player, place = await _member(season), season.choose((1, 2, 3))
    await _rule(season, lambda told, _, __: rulings.seeded(told, player, place))


async def penalise_after_another(season: RandomSeason) -> None:
    """Give a penalty that was prepared before a player left."""
    player, services = await _member(season), season.house.services
    preview = await services.rulings.prepare(
        season.id, STAFF, "a reason", lambda told, _, __: rulings.penalised(told, player, 3, 1)
    )
    await season.try_to(withdraw(season))
    await services.rulings.enact(season.id, preview.draft, STAFF, season.next_id())


# The calendar and the numbers


async def draw_now(season: RandomSeason) -> None:
    """Draw the next round at once."""
    await season.house.start(season.id)


async def redraw(season: RandomSeason) -> None:
    """Draw the latest round again."""
    await _rule(season, lambda told, _, __: rulings.redrawn(told))


async def extend(season: RandomSeason) -> None:
    """Extend the sign-up or the round in play by a day."""
    row = (await season.view()).row
    await _rule(season, lambda told, _, __: extended(row, told))


async def extend_far(season: RandomSeason) -> None:
    """Move the end of the sign-up or of the round in play to a time that is near or far."""
    row = (await season.view()).row
    until = season.house.clock.at + season.choose((1, 30, 240)) * HOUR
    await _rule(season, lambda told, _, __: extended(row, told, until))


async def pause(season: RandomSeason) -> None:
    """Pause the season."""
    await season.house.pause(season.id, "a holiday")


async def resume(season: RandomSeason) -> None:
    """Resume the season."""
    await season.house.resume(season.id, "the holiday is over")


async def close(season: RandomSeason) -> None:
    """End the season, now and then."""
    if not season.chance(SELDOM):
        raise NothingToDoError
    await season.house.close_season(season.id, "enough")


async def change_number(season: RandomSeason) -> None:
    """Change a number of the season."""
    (name, value), seen = season.choose(NUMBERS), await season.view()
    if seen.season.drawn:
        pace = Pace(seen.row.pace)
        await _rule(season, lambda told, _, __: rulings.renumbered(told, pace, name, value))
    else:
        await season.house.season_admin.set_number(season.id, STAFF, name, value, season.next_id())


async def change_channel(season: RandomSeason) -> None:
    """Move the season to another channel."""
    await season.house.season_admin.set_place(season.id, season.choose((2, 3)), season.next_id())


ACTS: Mapping[Act, int] = {
    adjudicate: 1,
    enter: 1,
    accept: 1,
    correct: 1,
    void: 1,
    replay: 1,
    reopen: 1,
    substitute: 1,
    substitute_stranger: 1,
    close_table: 1,
    move: 1,
    undo: 3,
    add_member: 1,
    remove_member: 1,
    ban: 1,
    keep_apart: 1,
    penalise: 1,
    seed: 1,
    penalise_after_another: 1,
    draw_now: 1,
    redraw: 1,
    extend: 1,
    extend_far: 1,
    pause: 1,
    resume: 2,
    close: 1,
    change_number: 4,
    change_channel: 1,
}
"""What the staff do, and how often, compared with one another and with what players do."""
