"""Ruling a foul, and taking it back: for the host of a table, and for staff."""

from contextlib import suppress

from discord.ext import commands

from bot.errors import RepeatedInteractionError, UnexpectedInputError
from bot.interactions.permissions import is_staff
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.panels.table.fouls import confirm_panel, fouls_panel, why_panel
from bot.services import Services
from bot.table.core.snapshot import Snapshot
from bot.table.hosting import Actor
from bot.words.numbers import read_number
from bot.words.texts import texts
from marriage.events import FoulReason


class Fouls(commands.Cog):
    """The button at the table, and the three steps behind it."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("foul", self._open)
        router.add("fouls", self._again)
        router.add("pick-foul", self._choose)
        router.add("pick-foul-why", self._confirm)
        router.add("rule-foul", self._rule)
        router.add("pick-unfoul", self._lift)

    async def _actor(self, pressed: Pressed) -> Actor:
        return Actor(pressed.person, await is_staff(self._services.store, pressed.interaction))

    async def _governed(self, pressed: Pressed) -> Snapshot:
        return await self._services.fouling.governed(pressed.table_id, await self._actor(pressed))

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await reply.show(fouls_panel(await self._governed(pressed), texts()))

    async def _again(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            await reply.show(fouls_panel(await self._governed(pressed), texts()))

    async def _choose(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            await reply.show(why_panel(snapshot, _seat(pressed.chosen, snapshot), texts()))

    async def _confirm(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            _, seat, _ = _parts(pressed)
            await reply.show(confirm_panel(snapshot, _seat(seat, snapshot), _reason(pressed.chosen), texts()))

    async def _rule(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            deal, number, why = _parts(pressed)
            seat = _seat(number, snapshot)
            with suppress(RepeatedInteractionError):  # it was ruled by the same press
                await self._services.fouling.rule(
                    pressed.table_id,
                    await self._actor(pressed),
                    deal,
                    seat,
                    _reason(why),
                    pressed.interaction_id,
                )
            note = texts()("fouls.done", name=snapshot.shown_names[seat])
            await reply.show(fouls_panel(await self._governed(pressed), texts(), note))

    async def _lift(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            deal, _, _ = _parts(pressed)
            seat = _seat(pressed.chosen, snapshot)
            with suppress(RepeatedInteractionError):  # it was taken back by the same choice
                await self._services.fouling.lift(
                    pressed.table_id, await self._actor(pressed), deal, seat, pressed.interaction_id
                )
            note = texts()("fouls.lifted", name=snapshot.shown_names[seat])
            await reply.show(fouls_panel(await self._governed(pressed), texts(), note))


def _parts(pressed: Pressed) -> tuple[int, str, str]:
    """The deal, seat and reason in an argument; seat and reason may be empty."""
    deal, _, rest = pressed.press.argument.partition("-")
    seat, _, why = rest.partition("-")
    if (number := read_number(deal, 9)) is None:
        raise UnexpectedInputError("no deal is named")
    return number, seat, why


def _seat(text: str, snapshot: Snapshot) -> int:
    seat = read_number(text, 1)
    if seat is None or seat >= len(snapshot.seats):
        raise UnexpectedInputError("there is no such seat")
    return seat


def _reason(text: str) -> FoulReason:
    reason = next((why for why in FoulReason if why == text), None)
    if reason is None:
        raise UnexpectedInputError("there is no such reason for a foul")
    return reason
