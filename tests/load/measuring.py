"""One step of load: presses arrive at a rate, by chance and whatever becomes of them; then everything is counted."""

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
"""So long the answers of a step may take after its last press."""
PASSED_MS = 500.0
"""What 99 of 100 answers may take at most."""
Audit = Callable[[list[Press]], Awaitable[None]]
"""Compares answers with what the bot has stored, and notes as a fault what does not fit."""
MOVES, LOOKS = {"move"}, {"hand", "more", "ledger", "typed hand"}


@dataclass
class Step:
    """What came of one rate. Times are in milliseconds; a press without an answer took for ever."""

    rate: float
    seconds: float
    pressed: Counter[str]
    verbs: dict[str, set[str]]
    faults: Counter[tuple[str, str]]
    """By kind of press and what went wrong."""
    unanswered: int
    acknowledged: list[float]
    complete: list[float]
    by_kind: dict[str, list[float]]
    """Times to the whole answer, by kind of press."""
    late: list[float]
    """By how much the generator was late."""
    bot_cpu_ms: float
    """Of all processes of the bot, for each press."""
    database_cpu_ms: float
    """The same of a server that keeps the games."""
    own_cpu_ms: float
    """The same of the generator and its Discord."""
    rss_mb: float
    stall_ms: float
    others: float
    """Cores that other programs took meanwhile: where they are many, the times tell of the machine."""
    statements: dict[str, Counter[str]] = field(default_factory=dict)
    threads: dict[str, float] = field(default_factory=dict)
    """Processor time of each thread of the bot, in milliseconds a press."""
    cores: list[float] = field(default_factory=list)
    """How much of a core each process of the bot took."""
    received: list[int] = field(default_factory=list)
    """How many presses each of them answered."""
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
        """The share of moves among all presses: it falls where nobody can move."""
        return sum(self.pressed[kind] for kind in MOVES) / max(1, self.count)

    @property
    def answered_per_s(self) -> float:
        """Answered completely and in time."""
        return (self.count - self.unanswered) / self.seconds

    @property
    def wrong(self) -> int:
        """Answers that are not what was asked for."""
        return self.faults.total() - self.unanswered

    @property
    def passed(self) -> bool:
        return percentile(self.complete, 99) < PASSED_MS

    def statements_for(self, kinds: set[str]) -> Counter[str]:
        """Statements and transactions in the name of these kinds of press, and the number of presses."""
        verbs = set().union(*(self.verbs.get(kind, set()) for kind in kinds))
        return sum((self.statements.get(verb, Counter()) for verb in verbs), Counter())


def percentile(values: Iterable[float], share: float) -> float:
    """By the nearest rank."""
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
    """Press at this rate for so long, wait for the answers, let them be audited, and count."""
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
    """Those of the bots and their database, with this process and the whole machine beside them."""
    return await asking.figures() | {
        "own_s": time.process_time(),
        "machine_s": machine_s(),
        "at": time.monotonic(),
    }


async def arrive(press: Callable[[float], Press], rate: float, seconds: float, chance: Random) -> None:
    """A Poisson process: the pauses between arrivals are exponential, and no arrival waits for an answer."""
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
    """By how much each of these has become greater."""
    return [now - then for then, now in zip(before, after, strict=True)]


def _ms(moment: float | None, since: float) -> float:
    return math.inf if moment is None else (moment - since) * 1000
