"""Sends forged interactions, several at a time, and checks the answer to each and what belongs to others."""

import asyncio
import gc
import json
import logging
import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from playground.model import Interaction, WorldChange
from playground.person import CannotDoError, NotAnsweredError
from playground.server import Playground
from tests.e2e.running import run_here
from tests.fuzz.forgery import Forger, Forgery, fields_of
from tests.fuzz.others import Others, Watch
from tests.fuzz.report import Broken, Report
from tests.fuzz.stage import Stage, StoppedClock

IN_FLIGHT = 12
ROUND = 250
"""The number of forgeries after which the forgers' deals are set up again and the others compared."""
KEPT = 400
"""The number of forgers' interactions and messages to keep. To the bot, older ones are gone."""
PATIENCE_S = 60.0


class Log(logging.Handler):
    """Collects what must never appear in the log: errors, and anything with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.faults: list[tuple[int | None, str]] = []
        """Each fault with the interaction that it is about, if known."""
        self.odd: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Note a record that shows a fault of the bot."""
        if "interaction.invalid" in str(record.msg) or "interaction.unreadable" in str(record.msg):
            self.odd[str(getattr(record, "why", "-"))] += 1
        if record.levelno >= logging.ERROR or record.exc_info:
            self.faults.append((_interaction_of(record), self.format(record)))


def _interaction_of(record: logging.LogRecord) -> int | None:
    """Return the interaction that the record names, or in whose task it was written."""
    if (named := getattr(record, "interaction", None)) is not None:
        return int(named)
    try:
        task = asyncio.current_task()
    except RuntimeError:  # another thread
        task = None
    found = re.search(r"\binteraction (\d+)", f"{task.get_name() if task else ''} {record.getMessage()}")
    return int(found[1]) if found else None


class Fuzzing:
    """One run: the same number forges the same things in the same order."""

    def __init__(self, discord: Playground, path: Path, number: int) -> None:
        self.discord = discord
        self.path = path
        self.report = Report(number)
        self.tell: Callable[[str], None] = lambda _words: None
        self.clock = StoppedClock()
        self.log = Log()
        self._answered: dict[int, asyncio.Future[None]] = {}
        self.sent: dict[int, tuple[int, Forgery]] = {}
        """The number and the forgery of each interaction of this round, by the interaction's id."""
        self._old: list[Interaction] = []

    async def run(self, count: int, first: int = 0, each: int = ROUND) -> Report:
        """Send `count` forgeries from `first` on, and compare what the others have after every `each`.

        A group size of 1 takes far longer, but identifies the forgery that broke something.
        """
        settings = {
            "tables_per_channel": 1_000,
            "tables_per_person_h": 1_000,
            "deals_per_table_h": 1_000,
            "challenges_per_person_h": 1_000,
        }
        self.report.first = first
        running = await run_here(self.discord, self.path, clock=self.clock, **settings)
        stage = Stage(self.discord, running, self.clock)
        self._life = running.task
        self.forger = Forger(stage)
        stop = self.discord.world.subscribe(self._changed)
        logging.getLogger().addHandler(self.log)
        try:
            await stage.set()
            await self._forge(stage, range(first, first + count), each)
        finally:
            logging.getLogger().removeHandler(self.log)
            stop()
            await running.stop()
        return self.report

    async def _forge(self, stage: Stage, wanted: range, each: int) -> None:
        watch = Watch(stage, self.path)
        before = watch.begin()
        begun = time.monotonic()
        for done in range(0, len(wanted), each):
            numbers = wanted[done : done + each]
            if done % ROUND == 0:
                await self._set_up(stage)
            await self._round(numbers)
            if not await self._settled(stage, numbers):
                break
            before = self._compare(before, watch.look(), numbers)
            self._forget()
            self.report.seconds = time.monotonic() - begun
            if (done + each) % ROUND == 0:
                self.tell(f"{self.report.sent} sent, {len(self.report.broken)} broken")
        self.report.odd = self.log.odd

    async def _set_up(self, stage: Stage) -> None:
        """Start a deal for each forger.

        Between the forgeries they act as everyone does; a failure is reported.
        """
        for forger in stage.forgers:
            try:
                await stage.play(forger)
            except (CannotDoError, NotAnsweredError, TimeoutError) as error:
                self.report.answers[f"no deal for {forger.user.name}: {type(error).__name__}"] += 1

    async def _round(self, numbers: range) -> None:
        self.sent.clear()
        waiting = iter(numbers)
        await asyncio.gather(*[self._send_all(waiting) for _ in range(IN_FLIGHT)])
        gc.collect()  # collecting a failed task reports its error
        await asyncio.sleep(0)
        self._note_faults(numbers)
        if self._life.done():
            raise RuntimeError("the bot ended") from self._life.exception()

    async def _send_all(self, waiting: "iter[int]") -> None:  # type: ignore[valid-type]
        for number in waiting:
            forgery = self.forger.forge(Random(f"{self.report.number}:{number}"))
            await self._send(number, forgery)

    async def _send(self, number: int, forgery: Forgery) -> None:
        interaction = forgery.interaction
        interactions = self.discord.interactions
        self.discord.world.interactions[interaction.id] = interaction
        interactions._by_token[interaction.token] = interaction
        answered = self._answered[interaction.id] = asyncio.get_running_loop().create_future()
        self.sent[interaction.id] = number, forgery
        for session in self.discord.gateway.sessions.values():
            session.tell("INTERACTION_CREATE", forgery.payload)
        self.report.sent += 1
        self.report.kinds[forgery.what.split()[0]] += 1
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_S if forgery.awaited else 1):
                    await answered
        finally:
            del self._answered[interaction.id]
        self._note_answer(number, forgery)
        self._old.append(interaction)

    def _changed(self, change: WorldChange) -> None:
        if isinstance(change.subject, Interaction) and change.subject.callback_type is not None:
            if change.subject.modal is not None:
                verb = str(change.subject.modal.get("custom_id")).split(":")[1]
                self.forger.forms[verb] = list(fields_of(change.subject.modal))
            answered = self._answered.get(change.subject.id)
            if answered is not None and not answered.done():
                answered.set_result(None)

    # What came of it

    def _note_answer(self, number: int, forgery: Forgery) -> None:
        kind = forgery.interaction.callback_type
        self.report.answers[f"type {kind}" if kind else "none"] += 1
        if kind is None and forgery.awaited:
            self._broken_by(number, forgery, "was not answered")

    def _note_faults(self, numbers: range) -> None:
        for interaction, fault in self.log.faults:
            if interaction in self.sent:
                self._broken_by(*self.sent[interaction], f"left in the log: {fault}")
            else:
                self._broken(numbers, f"left in the log: {fault}")
        self.log.faults.clear()
        for failure in self.discord.recorder.failures:
            self._broken(numbers, str(failure))
        self.discord.recorder.failures.clear()

    async def _settled(self, stage: Stage, numbers: range) -> bool:
        """Return whether everything was published.

        If not, nothing more can be said about the others' messages.
        """
        try:
            await stage.settle()
        except TimeoutError as error:
            self._broken(numbers, f"left something unpublished for ever, so nothing more is sent: {error}")
            return False
        return True

    def _compare(self, before: Others, after: Others, numbers: range) -> Others:
        for difference in before.differences(after):
            self._broken(numbers, f"changed what is another's: {difference}")
        return after

    def _broken_by(self, number: int, forgery: Forgery, what: str) -> None:
        """Report a fault of one known forgery, with its payload."""
        sent = f"{forgery.what}: {json.dumps(forgery.payload)[:3_000]}"
        self._broken(range(number, number + 1), f"{what}\n    {sent}")

    def _broken(self, numbers: range, what: str) -> None:
        broken = Broken(numbers.start, numbers[-1], what)
        self.report.broken.append(broken)
        last = "" if broken.is_named else f", or one of those up to {numbers[-1]},"
        self.tell(f"BROKEN {self.report.number}:{numbers.start}{last} {what}")

    def _forget(self) -> None:
        """Drop old interactions and messages, as Discord does: the record would fill the memory."""
        world = self.discord.world
        for interaction in self._old[:-KEPT]:
            world.interactions.pop(interaction.id, None)
            self.discord.interactions._by_token.pop(interaction.token, None)
        del self._old[:-KEPT]
        forgers = {person.user for person in self.forger.stage.forgers}
        for channel in world.channels.values():
            known = [
                message
                for message in channel.messages.values()
                if message.only_for in forgers or self._is_forged(message)
            ]
            for message in known[:-KEPT]:
                channel.messages.pop(message.id, None)

    def _is_forged(self, message: object) -> bool:
        parts = getattr(message, "components", None) or [{}]
        return parts[0].get("type") == 1  # the bot's own are containers
