"""One step of load: presses arrive at random at a given rate, whatever becomes of them, and are counted."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.load.presses import Press, Presses
from tests.load.probing import Probes
from tests.load.spent import machine_s
from tests.load.traffic import Traffic, counting

DRAIN_S = 20.0
"""How long the answers of a step may take after its last press."""
PASSED_MS = 500.0
"""The longest time that 99 of 100 answers may take."""
Audit = Callable[[list[Press]], Awaitable[None]]
"""Compares answers with what the bot has stored, and notes every mismatch as a fault."""
MOVES, LOOKS = {"move"}, {"hand", "more", "ledger", "typed hand"}


@dataclass
class Step:
    """The result of one rate. Times are in milliseconds; an unanswered press takes infinitely long."""

    rate: float
    seconds: float
    pressed: Counter[str]
    verbs: dict[str, set[str]]
    faults: Counter[tuple[str, str]]
    """The number of faults by kind of press and by what went wrong."""
    unanswered: int
    acknowledged: list[float]
    complete: list[float]
    by_kind: dict[str, list[float]]
    """Times to the whole answer, by kind of press."""
    late: list[float]
    """How late the generator was."""
    bot_cpu_ms: float
    """Processor time of all processes of the bot, per press."""
    database_cpu_ms: float
    """Processor time of the server that keeps the games, per press."""
    own_cpu_ms: float
    """Processor time of the generator and its Discord, per press."""
    rss_mb: float
    stall_ms: float
    others: float
    """Cores that other programs used meanwhile. If there are many, the times say more about the machine."""
    statements: dict[str, Counter[str]] = field(default_factory=dict)
    threads: dict[str, float] = field(default_factory=dict)
    """Processor time of each thread of the bot, in milliseconds a press."""
    cores: list[float] = field(default_factory=list)
    """The share of a core that each process of the bot used."""
    received: list[int] = field(default_factory=list)
    """The number of presses that each process answered."""
    traffic: Traffic = field(default_factory=Traffic)
    """What the bots sent to Discord."""

    @property
    def count(self) -> int:
        return self.pressed.total()

    @property
    def moves(self) -> list[float]:
        """Times of the moves."""
        return [one for kind in MOVES for one in self.by_kind.get(kind, ())]

    @property
    def moves_share(self) -> float:
        """The share of moves among all presses. It falls when no one can move."""
        return sum(self.pressed[kind] for kind in MOVES) / max(1, self.count)

    @property
    def answered_per_s(self) -> float:
        """The number of complete answers in time, per second."""
        return (self.count - self.unanswered) / self.seconds

    @property
    def wrong(self) -> int:
        """The number of wrong answers."""
        return self.faults.total() - self.unanswered

    @property
    def passed(self) -> bool:
        """Whether every press was answered, all answers were right, and nearly all of them in time."""
        return not self.wrong and not self.unanswered and percentile(self.complete, 99) < PASSED_MS

    def statements_for(self, kinds: set[str]) -> Counter[str]:
        """Return statements and transactions for these kinds of press, and the number of presses."""
        verbs = set().union(*(self.verbs.get(kind, set()) for kind in kinds))
        return sum((self.statements.get(verb, Counter()) for verb in verbs), Counter())


def percentile(values: Iterable[float], share: float) -> float:
    """Return the percentile by the nearest-rank method."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)] if ordered else math.inf


async def measure(
    presses: Presses,
    asking: Probes,
    press: Callable[[float], Press],
    rate: float,
    seconds: float,
    chance: Random,
    audit: Audit,
) -> Step:
    """Press at this rate for some time, wait for the answers, have them audited, and count."""
    presses.all = []
    before = await _figures(asking)
    with counting(presses.services) as traffic:
        await arrive(press, rate, seconds, chance)
        if presses.all:
            await asyncio.wait([press.ended for press in presses.all], timeout=DRAIN_S)
    presses.give_up()
    await audit(presses.all)
    return _step(presses.all, rate, seconds, before, await _figures(asking), traffic)


async def _figures(asking: Probes) -> dict[str, Any]:
    """Return the figures of the bots and their database, this process, and the whole machine."""
    return await asking.figures() | {
        "own_s": time.process_time(),
        "machine_s": machine_s(),
        "at": time.monotonic(),
    }


async def arrive(press: Callable[[float], Press], rate: float, seconds: float, chance: Random) -> None:
    """Press as a Poisson process: the pauses are exponential, and no arrival waits for an answer."""
    loop = asyncio.get_running_loop()
    due, end = loop.time(), loop.time() + seconds
    while (due := due + chance.expovariate(rate)) < end:
        if (pause := due - loop.time()) > 0:
            await asyncio.sleep(pause)
        press(due)
    await asyncio.sleep(max(0.0, end - loop.time()))


def _step(
    done: list[Press],
    rate: float,
    seconds: float,
    before: dict[str, Any],
    after: dict[str, Any],
    traffic: Traffic,
) -> Step:
    count = max(1, len(done))
    spent = {key: after[key] - before[key] for key in ("cpu_s", "database_s", "own_s", "machine_s", "at")}
    known = spent["cpu_s"] + spent["database_s"] + spent["own_s"]
    verbs: dict[str, set[str]] = {}
    by_kind: dict[str, list[float]] = {}
    for press in done:
        verbs.setdefault(press.aim.kind, set()).add(press.verb)
        by_kind.setdefault(press.aim.kind, []).append(_ms(press.complete, press.due))
    return Step(
        rate=rate,
        seconds=seconds,
        pressed=Counter(press.aim.kind for press in done),
        verbs=verbs,
        faults=Counter((press.aim.kind, press.fault) for press in done if press.fault),
        unanswered=sum(press.complete is None for press in done),
        acknowledged=[_ms(press.acknowledged, press.due) for press in done],
        complete=[_ms(press.complete, press.due) for press in done],
        by_kind=by_kind,
        late=[(press.opened - press.due) * 1000 for press in done],
        bot_cpu_ms=spent["cpu_s"] * 1000 / count,
        database_cpu_ms=spent["database_s"] * 1000 / count,
        own_cpu_ms=spent["own_s"] * 1000 / count,
        rss_mb=after["rss_mb"],
        stall_ms=after["stall_ms"],
        others=max(0.0, spent["machine_s"] - known) / spent["at"],
        threads={
            name: (seconds - before["threads"].get(name, 0.0)) * 1000 / count
            for name, seconds in after["threads"].items()
        },
        statements={
            verb: counted - before["statements"].get(verb, Counter())
            for verb, counted in after["statements"].items()
        },
        cores=[used / spent["at"] for used in _grown(before["each_cpu_s"], after["each_cpu_s"])],
        received=_grown(before["each_received"], after["each_received"]),
        traffic=traffic,
    )


def _grown(before: list[Any], after: list[Any]) -> list[Any]:
    """Return how much each value has grown."""
    return [now - then for then, now in zip(before, after, strict=True)]


def _ms(moment: float | None, since: float) -> float:
    return math.inf if moment is None else (moment - since) * 1000
