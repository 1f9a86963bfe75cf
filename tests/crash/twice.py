"""Interactions that Discord delivers twice: to the same process, or to the next one after an end."""

import asyncio
import re
from contextlib import suppress
from random import Random

from bot.clock import Clock
from playground import interaction_objects
from playground.interactions import AUTOCOMPLETE
from playground.model import Interaction, WorldChange
from playground.recorder import RecordedRequest
from playground.server import Playground
from tests.games import Rows
from tests.waiting import until

ANSWER = re.compile(r"/interactions/(\d+)/")
SHARE = 1 / 4
"""How many interactions are delivered twice, half of them at once."""
LATEST_S = 0.5
PATIENCE_S = 2.0
MOST = 4
"""The most interactions that the next process gets again."""
QUIET_MS = 5_000
"""How long a table must have nothing to wait for, so that only what is delivered again can change it."""
REVISION = """
    SELECT id, revision FROM game_table
    WHERE id = (SELECT table_id FROM interaction_seen WHERE interaction_id = :interaction)
    AND NOT EXISTS (SELECT 1 FROM deadline WHERE table_id = game_table.id AND due_at < :soon)
"""
OTHERS = """
    SELECT count(*) FROM interaction_seen
    WHERE table_id = :table AND revision > :since AND interaction_id <> :interaction
"""
"""The other interactions that changed a table: Discord may deliver a press of before the end now, to a resumed session."""


class Twice:
    """Delivers some interactions twice; those that were stored must change nothing again."""

    def __init__(self, discord: Playground, rows: Rows, clock: Clock, number: int) -> None:
        self.again: set[int] = set()
        """The interactions that were delivered twice; the second answer is refused."""
        self._discord = discord
        self._rows = rows
        self._clock = clock
        self._chance = Random(f"{number} twice")
        self._made: list[Interaction] = []
        """The interactions since the last end of a process."""
        discord.world.subscribe(self._changed)

    def _changed(self, change: WorldChange) -> None:
        made = change.subject
        if change.kind == "interaction_create" and made.type != AUTOCOMPLETE:
            self._made.append(made)
            if self._chance.random() < SHARE:
                delay = self._chance.choice((0, self._chance.random() * LATEST_S))
                asyncio.get_running_loop().call_later(delay, self._deliver, made)

    def _deliver(self, interaction: Interaction) -> None:
        self.again.add(interaction.id)
        payload = interaction_objects.interaction(self._discord.world, interaction)
        for session in self._discord.gateway.sessions.values():
            session.tell("INTERACTION_CREATE", payload)

    def caused(self, entry: RecordedRequest) -> bool:
        """Return whether a request answers an interaction that was delivered twice."""
        answered = ANSWER.search(entry.path)
        return answered is not None and int(answered[1]) in self.again

    async def to_the_next(self) -> list[str]:
        """Deliver some of the last process's interactions to this one, and return those that count twice.

        No one may act meanwhile.
        """
        made, self._made = self._made, []
        found, left = list[str](), MOST
        for interaction in self._chance.sample(made, len(made)):
            if left and (before := await self._table_of(interaction)):
                left -= 1
                await self._answered_again(interaction)
                after = await self._table_of(interaction)
                if after and after != before and not await self._by_others(interaction, before):
                    found.append(f"counts twice: {interaction.data} made {after} of {before}")
        return found

    async def _table_of(self, interaction: Interaction) -> list[tuple]:
        """Return the table that an interaction has changed, and its revision; nothing if it may change by itself."""
        soon = self._clock.now() + QUIET_MS
        return await self._rows(REVISION, interaction=interaction.id, soon=soon)

    async def _by_others(self, interaction: Interaction, before: list[tuple]) -> bool:
        """Return whether other interactions have changed the table since."""
        ((table, revision),) = before
        ((others,),) = await self._rows(OTHERS, table=table, since=revision, interaction=interaction.id)
        return others > 0

    async def _answered_again(self, interaction: Interaction) -> None:
        """Deliver an interaction and wait a moment for the answer. The opening of a table gets none."""
        answers = list[RecordedRequest]()

        def hear(entry: RecordedRequest) -> None:
            answered = ANSWER.search(entry.path)
            if answered is not None and int(answered[1]) == interaction.id:
                answers.append(entry)

        self._discord.recorder.listeners.append(hear)
        self._deliver(interaction)
        try:
            with suppress(TimeoutError):
                await until(lambda: answers, PATIENCE_S)
        finally:
            self._discord.recorder.listeners.remove(hear)
