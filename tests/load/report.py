"""The report of a load, for people, and its last line for programs."""

import json
import math
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.load.crowd import MIX
from tests.load.hammer import Hammered
from tests.load.measuring import LOOKS, MOVES, Step, percentile
from tests.load.stages import Floors, Setup
from tests.load.tables import Tables

BUSY = 0.75
"""The share of one core above which the generator may be the limit."""
LEAST_SHOWN_MS = 0.005
WITHIN_SHOWN, OWN_SHOWN = 90, 30
HEAD = "   rate   ack p50   ack p99   all p50   all p99  moves p99   bot ms   generator ms   late p99   stall   unanswered  wrong  others"


def setting(setup: Setup, tables: Tables) -> str:
    """Format what is pressed, and where."""
    mix = ", ".join(f"{kind} {share}" for kind, share in MIX.items())
    shapes = ", ".join(f"{people}+{computers}" for people, computers in tables.shapes)
    level = " of the highest level" if setup.masters else ""
    at_table = sum(player.is_at_table for player in tables.players)
    return (
        f"{setup.bots} bots on {setup.database}; {at_table} people play at the table, the others by direct message\n"
        f"{len(tables.all)} tables with {len(tables.players)} people; people+computers{level} at a table: {shapes}\n"
        f"of a hundred presses: {mix}\n"
        "arrivals: a Poisson process; nobody waits for an answer; times count from the moment a press was due\n"
    )


def line(step: Step) -> str:
    """Format one step as one line, with its times in milliseconds."""
    ack, complete = step.acknowledged, step.complete
    return (
        f"{step.rate:7.1f} {_ms(ack, 50)} {_ms(ack, 99)} {_ms(complete, 50)} {_ms(complete, 99)} {_ms(step.moves, 99):>10}"
        f" {step.bot_cpu_ms:8.2f} {step.own_cpu_ms:14.2f} {_ms(step.late, 99):>10} {step.stall_ms:7.0f}"
        f" {step.unanswered:12} {step.wrong:6} {step.others:7.1f}"
    )


def floors(bare: Floors) -> str:
    """Format what a press costs the bare bot."""
    return (
        f'the bare bot: {bare.ok.bot_cpu_ms:.2f} ms a press that is answered with "ok",'
        f" {bare.full.bot_cpu_ms:.2f} with a picture, 25 buttons and an edit"
    )


def whole(step: Step, bare: Floors, setup: Setup) -> str:
    """Format the results of the step that counts, and its cost."""
    pressed = ", ".join(f"{kind} {count}" for kind, count in step.pressed.most_common())
    faults = [f"  {count:4} {kind}: {fault}" for (kind, fault), count in step.faults.most_common(12)]
    generator = step.own_cpu_ms * step.rate / 1000
    return "\n".join(
        [
            f"\nAt {step.rate:.0f} presses a second for {step.seconds:.0f} s, {setup.tables} tables, {setup.bots} bots on {setup.database}:",
            f"  pressed: {pressed}",
            f"  answered {step.answered_per_s:.1f} a second; unanswered {step.unanswered}, wrong {step.wrong}",
            *faults,
            f"  acknowledged: p50 {_ms(step.acknowledged, 50)}, p99 {_ms(step.acknowledged, 99)} ms",
            f"  complete:     p50 {_ms(step.complete, 50)}, p99 {_ms(step.complete, 99)} ms",
            *(f"    {row}" for row in _by_kind(step)),
            _cost(step, bare),
            f"    of it by thread: {_threads(step)}",
            *_several(step, setup),
            f"  the generator and its Discord: {step.own_cpu_ms:.2f} ms a press, {generator:.0%} of one core",
            *(["  THE GENERATOR MAY BE WHAT LIMITS HERE"] if generator > BUSY else []),
            f"  memory {step.rss_mb:.0f} MB; the loop stood still for {step.stall_ms:.0f} ms at the worst",
            f"  other programs took {step.others:.1f} of the machine's {os.cpu_count()} cores meanwhile",
            *_statements(step, setup),
            f"  sent to Discord; a kind with + carries a picture; {step.moves_share:.0%} of the presses were moves",
            *(f"  {row}" for row in step.traffic.table(step.count).splitlines()),
        ]
    )


def _cost(step: Step, bare: Floors) -> str:
    """Format the cost of a press, compared with the bare bot."""
    ok, full = step.bot_cpu_ms / bare.ok.bot_cpu_ms, step.bot_cpu_ms / bare.full.bot_cpu_ms
    return (
        f'  processor a press: {step.bot_cpu_ms:.2f} ms, {ok:.1f} times "ok",'
        f" {full:.1f} times the bare bot's picture, buttons and edit"
    )


def _by_kind(step: Step) -> list[str]:
    """Format the number of presses of each kind, and the times to their complete answers."""
    kinds = sorted(step.by_kind.items(), key=lambda item: -len(item[1]))
    return [
        f"{kind:12} {len(times):6} presses, p50 {_ms(times, 50)}, p99 {_ms(times, 99)} ms"
        for kind, times in kinds
    ]


def _several(step: Step, setup: Setup) -> list[str]:
    """Format the load of each bot, and of the server that they share."""
    if setup.database == "sqlite":
        return []
    received = step.received
    each = (
        f"{one:.2f} for {count / max(1, sum(received)):.0%}"
        for one, count in zip(step.cores, received, strict=True)
    )
    share = step.database_cpu_ms * step.rate / 1000
    return [
        f"    cores of each bot, and its part of all presses: {', '.join(each)}",
        f"  PostgreSQL: {step.database_cpu_ms:.2f} ms a press, {share:.0%} of one core",
    ]


def _threads(step: Step) -> str:
    """Format the cost of each thread that used a noticeable amount."""
    spent = sorted(step.threads.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {cost:.2f}" for name, cost in spent if cost >= LEAST_SHOWN_MS)


def _statements(step: Step, setup: Setup) -> list[str]:
    lines = [
        f"  {name}: {_a_press(step.statements_for(kinds))}{_round_trips(step, kinds, setup)}"
        for name, kinds in (("a move", MOVES), ("a look", LOOKS))
    ]
    total = sum(step.statements.values(), Counter())
    workers = [
        f"    of these {name}: {_a_press(Counter(counted, presses=total['presses']))}"
        for name, counted in step.statements.items()
        if name.startswith("(") and counted
    ]
    return [*lines, f"  everything, workers included, by presses: {_a_press(total)}", *workers]


def _a_press(counted: Counter[str]) -> str:
    presses = max(1, counted["presses"])
    return (
        f"{_number(counted):.1f} statements ({counted['reads'] / presses:.1f} read, {counted['writes'] / presses:.1f} write)"
        f" in {counted['transactions'] / presses:.1f} transactions"
    )


def _round_trips(step: Step, kinds: set[str], setup: Setup) -> str:
    return "" if setup.database == "sqlite" else f", {_trips(step.statements_for(kinds)):.1f} round trips"


def _trips(counted: Counter[str]) -> float:
    """Return the round trips to a server. Each transaction adds one to begin and one to end."""
    return _number(counted) + 2 * counted["transactions"] / max(1, counted["presses"])


def _number(counted: Counter[str]) -> float:
    return (counted["reads"] + counted["writes"]) / max(1, counted["presses"])


def limits(step: Step, profile: dict[str, Any]) -> str:
    """Format where the processor time of the bot's process goes, in milliseconds per press."""
    cost = step.threads.get("MainThread", step.bot_cpu_ms)
    beside = sum(step.threads.values()) - cost
    return "\n".join(
        [
            f"\nWhat limits it: {step.bot_cpu_ms * step.rate / 1000:.0%} of one core at {step.rate:.0f} presses a second.",
            f"A profile of the loop's thread by {profile['samples']} samples, in ms a press, of {cost:.2f}:",
            "  by itself",
            *(f"  {share * cost:8.3f}  {name}" for name, share in list(profile["own"].items())[:OWN_SHOWN]),
            "  with all that it calls",
            *(
                f"  {share * cost:8.3f}  {name}"
                for name, share in list(profile["within"].items())[:WITHIN_SHOWN]
            ),
            f"The same of all other threads, of {beside:.2f}:",
            *(
                f"  {share * beside:8.3f}  {name}"
                for name, share in list(profile["beside"].items())[:WITHIN_SHOWN]
            ),
        ]
    )


def hammered(done: Hammered) -> str:
    """Format what hammering one thing meant for the others, and then for the member and the memory."""
    return (
        f"{line(done.others)}   {done.deed}\n"
        f"        of {done.pressed} presses of the member {done.answered} were answered and {done.turned_away} turned away;"
        f" memory {done.rss_before_mb:.0f} MB before, {done.others.rss_mb:.0f} MB after"
    )


def hammered_for_programs(alone: Step, done: Sequence[Hammered]) -> str:
    """Return the last line of a hammer run: one JSON object."""
    return json.dumps(
        {
            "alone_p99_ms": _finite(percentile(alone.complete, 99)),
            "others_p99_ms": {deed.deed: _finite(percentile(deed.others.complete, 99)) for deed in done},
            "rss_before_mb": round(done[0].rss_before_mb),
            "rss_mb": round(done[-1].others.rss_mb),
        }
    )


def for_programs(step: Step, bare: Floors, setup: Setup) -> str:
    """Return the last line: one JSON object."""
    trips = round(_trips(step.statements_for(MOVES)), 1)
    return json.dumps(
        {
            "database": setup.database,
            "bots": setup.bots,
            "at_table": setup.at_table,
            "rate": round(step.rate, 1),
            "moves_share": round(step.moves_share, 2),
            "requests_per_press": round(step.traffic.requests.total() / max(1, step.count), 2),
            "kb_per_press": round(step.traffic.kb / max(1, step.count), 1),
            "answered_per_s": round(step.answered_per_s, 1),
            "ack_p50_ms": _finite(percentile(step.acknowledged, 50)),
            "ack_p99_ms": _finite(percentile(step.acknowledged, 99)),
            "complete_p50_ms": _finite(percentile(step.complete, 50)),
            "complete_p99_ms": _finite(percentile(step.complete, 99)),
            "cpu_ms_per_press": round(step.bot_cpu_ms, 2),
            "bare_cpu_ms_per_press": round(bare.ok.bot_cpu_ms, 2),
            "full_cpu_ms_per_press": round(bare.full.bot_cpu_ms, 2),
            "p99_ms_by_kind": {kind: _finite(percentile(times, 99)) for kind, times in step.by_kind.items()},
            "statements_per_move": round(_number(step.statements_for(MOVES)), 1),
            "statements_per_look": round(_number(step.statements_for(LOOKS)), 1),
            "round_trips_per_move": None if setup.database == "sqlite" else trips,
            "rss_mb": round(step.rss_mb),
            "stall_ms": round(step.stall_ms),
            "bots_cores": [round(one, 2) for one in step.cores],
            "bots_presses": step.received,
            "database_cpu_ms_per_press": round(step.database_cpu_ms, 2),
            "generator_cpu_ms_per_press": round(step.own_cpu_ms, 2),
            "others_cores": round(step.others, 1),
            "unanswered": step.unanswered,
            "wrong": step.wrong,
        }
    )


def _ms(values: list[float], share: float) -> str:
    value = percentile(values, share)
    return "     never" if math.isinf(value) else f"{value:9.0f}"


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 1)
