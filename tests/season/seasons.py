"""The seasons to play: pods, a Swiss, divisions, teams and an arena, each with all that goes wrong in life.

A fifth of the people do not come to their match, some leave, some dispute a result, the bot is down when a
round should be drawn, and the clocks of the league's time zone change in between. The staff open each season
and then have nothing to do, except that they rule on two disputes in the pods. The other disputes end by
themselves.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from bot.people import NamedPerson as Caller
from league.season import Pod
from league.templates import TEMPLATES, Template
from league.times import DAY, HOUR, MINUTE
from playground.person import Person
from playground.server import Playground
from tests.bot.league.house import start_anyhow
from tests.e2e.players import say
from tests.e2e.running import MovableClock, Running
from tests.e2e.seasons import IN, JOIN
from tests.season.rough import COMMAND, FORM, PRESS, ZONE, RoughSeason, set_out

Start = Callable[..., Awaitable[Running]]
NEWCOMERS = {"account_days": 0, "server_days": 0, "rotations": 1}
"""Settings for new accounts and short matches."""
AWAY, LATE, LEAVES = 0.2, 0.1, 0.02
"""The shares of those who do not come to their match, do not check in for a round, and leave after it."""
MISSING = ("missing", "other", "third", "fourth")
FOUND, TEAMS, INVITE = (say(f"team.{key}") for key in ("found", "button", "invite"))


@dataclass(frozen=True)
class Kind:
    """A season to play."""

    name: str
    template: str
    people: int
    few: int
    """The number of players in the gate."""
    play: Callable[[RoughSeason], Awaitable[None]]
    change: str = "spring"
    """The season of the first clock change."""
    days_before: float = 14
    """The number of days between the opening and that change."""
    changes: int = 1
    """The number of clock changes between its opening and its last round; one in the gate."""
    format: str = ""
    """The format, if it is not that of the template."""
    numbers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    few_rounds: int = 2
    """The number of rounds in the gate."""
    team_size: int = 0


@dataclass(frozen=True)
class Outcome:
    """The results of a season."""

    season: str
    people: int
    rounds: int
    matches: int
    no_shows: int
    left: int
    disputes: int
    outages: int
    clock_changes: int
    presses_to_open: int
    forms_to_open: int
    presses_to_run: int
    rulings: int
    requests: int
    requests_a_player: float
    refused: int
    rows_recounted: int
    differences: int
    seconds: float
    """The processor time on this machine."""


# What people do


async def open_league(season: RoughSeason, kind: Kind) -> None:
    """Let the staff open the league, everyone sign up, and teams form."""
    staff = season.staff
    shown = (await staff.slash("league-staff season open")).message
    shown = (
        await staff.choose(say("wizard.choose"), [say(f"template.{kind.template}")], message=shown)
    ).message
    if kind.team_size:
        await staff.press(say("wizard.name"), message=shown)
        await staff.submit({"name": "Teams", "teams": [str(kind.team_size)]})
    else:
        await staff.press(say("wizard.open"), message=shown)
    told = await season.press_all(JOIN, "Sign up until", season.people)
    assert len(set(told)) == 1, set(told)
    if kind.team_size:
        await form_teams(season, kind.team_size)


async def form_teams(season: RoughSeason, size: int) -> None:
    """Let captains found teams and invite the others, who accept."""
    signup = await season.sees("Sign up until")
    for number, first in enumerate(range(0, len(season.people), size), 1):
        captain, *others = season.people[first : first + size]
        panel = (await captain.press(TEAMS, message=signup)).message
        await captain.press(FOUND, message=panel)
        panel = (await captain.submit({"name": f"Team {number}"})).message
        await captain.choose(INVITE, others, message=panel)
        for person in others:
            panel = (await person.press(TEAMS, message=signup)).message
            await person.press(say("team.accept", team=f"Team {number}"), message=panel)
    teams = (await season.view()).season.teams.values()
    assert [len(team.members) for team in teams] == [size] * (len(season.people) // size)


async def confirm(season: RoughSeason) -> None:
    """Let everyone who has signed up confirm."""
    hours = (await season.view()).season.settings.confirm_hours
    if hours:
        await season.until(lambda seen: seen.row.starts_at - hours * HOUR // 2)
        await season.press_all(IN, " starts\nConfirm", season.playing)


async def check_in(season: RoughSeason, number: int, rounds: int) -> None:
    """Let nine of ten check in for the round."""
    await season.until(lambda seen: seen.season.rounds[number - 1].due - 20 * HOUR)
    people = season.playing
    late = {person.id for person in season.some(people, LATE)}
    there = [person for person in people if person.id not in late]
    await season.press_all(IN, f"round {number} of {rounds}\nWho plays", there)


async def rule_on(season: RoughSeason, disputed: list[Pod]) -> None:
    """Let staff enter the result of one match, and rule on another that only its first player knew of."""
    entered, unplayed, *_ = disputed
    seen = await season.view()
    report = seen.season.pods[entered.id].report
    assert report is not None
    seats = len(report.result.players)
    deal = " ".join(map(str, (seats - 1, *[-1] * (seats - 1))))
    absent = [player for player in entered.players if player not in report.result.players]
    gone = [person.user for person in season.named(absent, seen)]
    missing = dict(zip(MISSING, gone, strict=False))
    await season.rule("enter", pod=entered.id, deals="; ".join([deal] * seats), **missing)
    away = [person.user for person in season.named(unplayed.players[1:], seen)]
    await season.rule("adjudicate", pod=unplayed.id, **dict(zip(MISSING, away, strict=False)))


async def play_rounds(season: RoughSeason, ruled: bool = False) -> None:
    """Play all rounds. The bot is down for four hours when the last but one should be drawn."""
    await confirm(season)
    settings = (await season.view()).season.settings
    rounds = settings.rounds
    for number in range(1, rounds + 1):
        if number > 1 and settings.checks_in(number):
            await check_in(season, number, rounds)
        if number == max(2, rounds - 1):
            await season.until(lambda seen, last=number - 1: seen.season.rounds[last].due - 2 * HOUR)
            await season.be_away(4)
        if number == 1 or not settings.format.draws_all_rounds:
            await season.draw(number)
        else:
            await season.until(lambda seen, last=number - 1: seen.season.rounds[last].due)
        disputed = await season.play_roughly(
            number, season.some(season.playing, AWAY), disputes=2 if number == 1 else 1
        )
        if ruled and number == 1:
            await rule_on(season, disputed)
        await season.recount()
        if number == 1 or len(season.people) * LEAVES > 1:
            await season.leave(f"Round **{number}** of {rounds}", season.some(season.playing, LEAVES))
    await season.until(lambda seen: seen.season.rounds[rounds].due + 6 * DAY)


async def play_pods(season: RoughSeason) -> None:
    """Play as `play_rounds`, and let the staff rule on two disputes."""
    await play_rounds(season, ruled=True)


async def play_evening(season: RoughSeason) -> None:
    """Play an arena.

    A fifth miss each match and join again, some leave, and the bot is down during a draw.
    """
    await confirm(season)
    here: list[Person] = list(season.people)
    words = f"## {(await season.view()).season.name}\n"
    rounds = (await season.view()).season.settings.rounds
    for number in range(1, rounds + 1):
        await season.draw(number)
        seen = await season.view()
        quarrel = (await season.dispute(number)).players if number == 1 else ()
        disputing = season.named(quarrel, seen)
        away = [person for person in here if person not in disputing and season.chance.random() < AWAY]
        season.no_shows += len(away)
        await season.play_sitting(number, [*away, *disputing])
        await season.recount()
        if number == rounds // 2:
            await season.leave(words, here[-max(1, len(here) // 20) :])
            here = season.playing
            await season.be_away(40 / 60)
        seen = await season.view()
        missed = {player for pod in seen.pods_of(number) for player in pod.missed}
        if number < rounds:
            back = season.named(missed, seen)
            await season.press_all(JOIN, words, [person for person in back if person in here])
    await season.until(lambda seen: seen.row.starts_at + 5 * HOUR + 40 * MINUTE)


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "pods",
            "pods",
            people=200,
            few=12,
            play=play_pods,
            changes=2,
            numbers={"rounds": 8, "round_days": 31},
        ),
        Kind(
            "swiss",
            "pods",
            people=40,
            few=12,
            play=play_rounds,
            change="autumn",
            format="swiss",
            numbers={"rounds": 6},
        ),
        Kind(
            "divisions",
            "divisions",
            people=320,
            few=16,
            play=play_rounds,
            days_before=16,
            numbers={"rounds": 3, "division_size": 8},
        ),
        Kind("teams", "pods", people=72, few=12, play=play_rounds, change="autumn", team_size=3),
        Kind("arena", "arena", people=64, few=10, play=play_evening, days_before=1, few_rounds=4),
    )
}
"""Every season by its name."""


async def play(
    kind: Kind, discord: Playground, start: Start, patch: pytest.MonkeyPatch, *, few: bool = False
) -> tuple[Outcome, list[str]]:
    """Play a season on a new bot; return the results and the broken promises."""
    begun = time.process_time()
    shorter = {"rounds": kind.few_rounds} if few else {}
    usual = TEMPLATES[kind.template]
    numbers = {**usual.numbers, **NEWCOMERS, **kind.numbers, **shorter}
    patch.setitem(
        TEMPLATES, kind.template, Template(kind.template, kind.format or usual.format, numbers, usual.weekday)
    )
    patch.setattr("bot.table.flow.seating.start", start_anyhow)
    people = kind.few if few else kind.people
    season = await set_out(discord, start, MovableClock(), people, kind.change, kind.days_before)
    staff = Caller(season.staff.id, "Asha")
    await season.running.bot.services.servers.change(discord.world.guild.id, staff, timezone=ZONE)
    await open_league(season, kind)
    opened, forms = season.staff_acts(COMMAND, PRESS), season.staff_acts(FORM)
    await kind.play(season)
    await season.rest()
    changes = 1 if few else kind.changes
    return await outcome(season, kind.name, changes, opened, forms, time.process_time() - begun)


async def outcome(
    season: RoughSeason, name: str, changes: int, opened: int, forms: int, seconds: float
) -> tuple[Outcome, list[str]]:
    """Return the results of a played season and its broken promises."""
    await season.recount()
    await season.check()
    seen, begun = await season.view(), await season.beginnings()
    zones = [moment.utcoffset() for moment in [await season.opened(), *begun]]
    refused, requests = season.refused(), len(season.discord.services.recorder.entries)
    found = Outcome(
        season=name,
        people=len(season.people),
        rounds=seen.season.drawn,
        matches=sum(pod.result is not None for pod in seen.season.pods.values()),
        no_shows=season.no_shows,
        left=len(season.left),
        disputes=season.disputes,
        outages=season.outages,
        clock_changes=sum(before != after for before, after in pairwise(zones)),
        presses_to_open=opened,
        forms_to_open=forms,
        presses_to_run=season.staff_presses() - opened,
        rulings=season.rulings,
        requests=requests,
        requests_a_player=round(requests / len(season.people), 1),
        refused=len(refused),
        rows_recounted=season.rows,
        differences=len(season.differences),
        seconds=round(seconds, 1),
    )
    settings = seen.season.settings
    late = [
        moment
        for moment in (begun[:1] if settings.is_sitting else begun)
        if moment.hour != settings.draw_hour
    ]
    promises = {
        "the season is over": seen.row.closed_at is not None,
        "no report is left open": not any(pod.report and not pod.over for pod in seen.season.pods.values()),
        f"rounds begin at the hour of the league, not {late}": not late,
        f"clocks are set {changes} times": found.clock_changes == changes,
        "three presses open a league": opened == 3,
        "no press is needed to run it": found.presses_to_run == 0,
    }
    kept = [promise for promise, holds in promises.items() if not holds]
    return found, [*kept, *refused, *season.differences]
