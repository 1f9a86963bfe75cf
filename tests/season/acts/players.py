"""What players do at random: they enter and leave, come to their tables and play, agree on times, and report results."""

from collections.abc import Awaitable, Callable, Iterable, Mapping

from bot.league.agenda import draw_at
from bot.league.season import SeasonView
from bot.people import NamedPerson
from league.ids import PersonId
from league.results import Player
from league.season import Pod
from league.standins import stand_bys, vacancies
from league.times import DAY, HOUR, MINUTE
from tests.bot.league.house import entrant
from tests.season.acts.stage import PEOPLE, NothingToDoError, RandomSeason

Act = Callable[[RandomSeason], Awaitable[object]]
DEALS = (0, 1, 2)
"""How many more deals are played in a row."""
MOST_DEALS = 20
"""More deals than any match here has."""
EARLIEST = 3
"""The number of open matches of which one is chosen, so that people meet at the same tables."""
COUNTDOWN = MINUTE // 2
"""How long it takes at most until a deal begins for which everyone is ready."""
SELDOM = 0.3
"""The share of those who think of being forgotten and ask for it: most of a season should have its players."""
SIGNING_UP = (HOUR, 12 * HOUR, DAY)
"""How long nothing may happen before the first draw."""


def points(season: RandomSeason, seats: int) -> str:
    """Return the points of a deal by seat, as they are typed: one of the players has won it."""
    winner = season.random.randrange(seats)
    return " ".join(str(3 * (seats - 1) if seat == winner else -3) for seat in range(seats))


def known(seen: SeasonView, players: Iterable[Player]) -> list[PersonId]:
    """Return the persons behind these players, without those who were forgotten."""
    return [seen.people[player].id for player in players if player in seen.people]


async def wait(season: RandomSeason) -> None:
    """Do nothing for a while."""
    drawn = (await season.view()).season.drawn
    await season.pass_time(season.choose(season.kind.waits if drawn else SIGNING_UP))


# Entering and leaving


async def sign_up(season: RandomSeason) -> None:
    """Sign up, or join late."""
    await season.house.join(season.id, season.person().id)


async def withdraw(season: RandomSeason) -> None:
    """Leave the season."""
    await season.house.entries.leave(season.id, season.person(), season.next_id())


async def be_forgotten(season: RandomSeason) -> None:
    """Ask to be forgotten."""
    if not season.chance(SELDOM) or not await season.house.services.forgetting.forget(season.person().id):
        raise NothingToDoError


async def check_in(season: RandomSeason) -> None:
    """Check in most people for the next round."""
    number = (await season.view()).season.drawn + 1
    for person in season.some(PEOPLE):
        await season.try_to(season.house.come(season.id, number, person))


async def check_out(season: RandomSeason) -> None:
    """Take back a check-in for the next round."""
    number = (await season.view()).season.drawn + 1
    await season.house.entries.check_out(season.id, number, season.person(), season.next_id())


async def always_check_in(season: RandomSeason) -> None:
    """Turn checking in for every round on or off."""
    await season.house.entries.always(season.id, season.person(), season.next_id())


async def come_to_draw(season: RandomSeason) -> None:
    """Let the time until the next draw pass, with most people there to check in."""
    seen = await season.view()
    told = seen.season
    if (
        not told.settings.format.has_draw
        or not told.open
        or told.paused_at is not None
        or told.drawn >= told.settings.rounds
    ):
        raise NothingToDoError
    ahead = draw_at(seen.row, told, told.drawn + 1) - season.house.clock.at
    await season.pass_time(max(0, ahead - MINUTE))
    await check_in(season)
    await season.pass_time(2 * MINUTE)


# At the table


async def table_to_play(season: RandomSeason) -> tuple[Pod, int, list[int]]:
    """Choose a match to play; return its pod, its table, and the persons who are expected there."""
    seen = await season.view()
    open_pods = [pod.id for pod in seen.season.pods.values() if not pod.over and pod.id in seen.tables]
    pod = seen.season.pods[season.choose(open_pods[:EARLIEST])]
    return pod, seen.tables[pod.id].id, known(seen, pod.expected)


async def sit_down(season: RandomSeason) -> None:
    """Let most players of a match sit down."""
    _, table, persons = await table_to_play(season)
    for person in season.some(persons):
        await season.try_to(
            season.house.lobby.join(table, NamedPerson(person, f"P{person}"), season.next_id())
        )


async def sit_down_anywhere(season: RandomSeason) -> None:
    """Sit down at the table of any match, also as a stranger."""
    _, table, _ = await table_to_play(season)
    await season.house.lobby.join(table, season.person(), season.next_id())


async def get_ready(season: RandomSeason) -> None:
    """Let all who sit at a table be ready, and begin if nobody is missing."""
    _, table, _ = await table_to_play(season)
    there = await season.house.tables.get(table)
    if there.row.status != "lobby":
        raise NothingToDoError
    for seat in there.seats:
        if seat.person_id is not None and not seat.ready:
            await season.try_to(season.house.play.ready(table, seat.person_id, season.next_id()))
    await season.pass_time(COUNTDOWN)


async def play(season: RandomSeason) -> None:
    """Play some deals of a match."""
    _, table, _ = await table_to_play(season)
    if not await play_deal(season, table):
        raise NothingToDoError
    for _ in range(season.choose(DEALS)):
        await play_deal(season, table)


async def play_deal(season: RandomSeason, table: int) -> bool:
    """Play the deal of a table to its end, and begin the next one; returns False if none is in play."""
    there = await season.house.tables.get(table)
    if there.row.status not in {"playing", "between"}:
        return False
    if there.row.status == "playing":
        await season.house.finish_deal(table)
        season.counts["deals"] += 1
    for seat in (await season.house.tables.get(table)).seats:
        if seat.person_id is not None and seat.present:
            await season.try_to(season.house.play.next_deal(table, seat.person_id, season.next_id()))
    await season.pass_time(COUNTDOWN)
    return True


async def play_match(season: RandomSeason) -> None:
    """Let everyone come who is missing at a table, and play the whole match."""
    _, table, persons = await table_to_play(season)
    if (await season.house.tables.get(table)).row.status != "lobby":
        raise NothingToDoError
    for person in persons:
        await season.try_to(season.house.sit_down(table, [person]))
        await season.try_to(season.house.play.ready(table, person, season.next_id()))
    await season.pass_time(COUNTDOWN)
    for _ in range(MOST_DEALS):
        if not await play_deal(season, table):
            break


async def leave_table(season: RandomSeason) -> None:
    """Leave a table, also in the midst of a match."""
    _, table, persons = await table_to_play(season)
    await season.house.leaving.leave(table, season.choose(persons), season.next_id())


async def ask_to_end(season: RandomSeason) -> None:
    """Let most players of a match ask to end their deal or, between two deals, the match."""
    _, table, persons = await table_to_play(season)
    for person in season.some(persons):
        await season.try_to(season.house.endings.ask(table, person, season.next_id()))


async def come_back(season: RandomSeason) -> None:
    """Come back to a table at which one was away."""
    _, table, persons = await table_to_play(season)
    await season.house.presence.back(table, season.choose(persons))


async def take_free_seat(season: RandomSeason) -> None:
    """Take the seat of a player who does not come, as one of those who stand by."""
    seen = await season.view()
    free = [
        (pod.id, vacancy.player)
        for pod in seen.season.pods.values()
        for vacancy in vacancies(seen.season, pod)
    ]
    pod, player = season.choose(free)
    others = [member.player for member in stand_bys(seen.season, seen.season.pods[pod])]
    other = season.choose(known(seen, others))
    await season.offers.take(season.id, pod, player, entrant(other), season.next_id())


# Times and reports


async def propose_time(season: RandomSeason) -> None:
    """Propose a time for one's next match."""
    at = season.house.clock.at + season.choose((10 * MINUTE, HOUR, 13 * HOUR, DAY))
    await season.meetings.propose(season.id, season.person(), at, season.next_id())


async def agree_on_time(season: RandomSeason) -> None:
    """Let most players of a pod agree on the time that was proposed."""
    seen = await season.view()
    time = seen.times[season.choose([pod for pod in seen.times if pod in seen.season.pods])]
    for person in season.some(known(seen, seen.season.pods[time.pod].players)):
        agree = season.meetings.agree(
            season.id, time.pod, time.proposal.at, NamedPerson(person, ""), season.next_id()
        )
        await season.try_to(agree)


async def report(season: RandomSeason) -> None:
    """Report the result of a match that was played elsewhere; one of the players may have missed it."""
    pod, _, _ = await table_to_play(season)
    seen = await season.view()
    reporter = season.choose(known(seen, pod.players))
    absent = season.some(pod.players[-1:], 0.2) if len(pod.players) > 2 else []
    seats = len(pod.players) - len(absent)
    typed = "\n".join(points(season, seats) for _ in range(seats))
    await season.house.reports.report(
        season.id, pod.id, NamedPerson(reporter, ""), typed, absent, season.next_id()
    )


async def answer_report(season: RandomSeason) -> None:
    """Confirm a report, or object to it."""
    seen = await season.view()
    pods = seen.season.pods
    pod = pods[season.choose([pod.id for pod in pods.values() if pod.report is not None])]
    assert pod.report is not None
    person = NamedPerson(season.choose(known(seen, pod.players)), "")
    await season.house.reports.answer(
        season.id, pod.id, pod.report.at, person, season.next_id(), agrees=season.chance(0.5)
    )


# Teams


async def _require_sign_up(season: RandomSeason) -> None:
    """Raise NothingToDoError once the teams are fixed, so that the time is left for other acts."""
    if (await season.view()).season.drawn:
        raise NothingToDoError


async def found_team(season: RandomSeason) -> None:
    """Found a team."""
    await _require_sign_up(season)
    person = season.person()
    await season.house.services.teams.found(season.id, person, f"Team {person.id}", season.next_id())


async def fill_team(season: RandomSeason) -> None:
    """Let a captain invite someone, who accepts."""
    await _require_sign_up(season)
    teams, seen = season.house.services.teams, await season.view()
    team = season.choose(list(seen.season.teams))
    captain = NamedPerson(season.choose(known(seen, seen.season.teams[team].members[:1])), "")
    guest = season.person()
    await teams.invite(season.id, captain, [guest], season.next_id())
    await teams.accept(season.id, guest, team, season.next_id())


async def leave_team(season: RandomSeason) -> None:
    """Leave a team."""
    await _require_sign_up(season)
    seen = await season.view()
    members = [player for team in seen.season.teams.values() for player in team.members]
    person = NamedPerson(season.choose(known(seen, members)), "")
    await season.house.services.teams.leave(season.id, person, season.next_id())


ACTS: Mapping[Act, int] = {
    wait: 6,
    sign_up: 2,
    withdraw: 1,
    be_forgotten: 1,
    check_in: 2,
    come_to_draw: 3,
    check_out: 1,
    always_check_in: 1,
    sit_down: 6,
    sit_down_anywhere: 1,
    get_ready: 6,
    play: 6,
    play_match: 8,
    leave_table: 2,
    ask_to_end: 2,
    come_back: 1,
    take_free_seat: 4,
    propose_time: 2,
    agree_on_time: 2,
    report: 1,
    answer_report: 1,
}
"""What players do, and how often, compared with one another and with what the staff do."""
TEAM_ACTS: Mapping[Act, int] = {found_team: 12, fill_team: 16, leave_team: 8}
"""What they also do where teams play."""
