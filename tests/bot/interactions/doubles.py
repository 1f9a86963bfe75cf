"""An interaction and its response that log what is sent, and fail as a test says."""

import asyncio
from types import SimpleNamespace

import discord
from discord import InteractionResponseType as Type


class Response:
    """The first response to an interaction, as discord.py offers it."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.type: Type | None = None
        self.faults: list[Exception] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.views: list[discord.ui.LayoutView] = []

    def is_done(self) -> bool:
        return self.type is not None

    async def _answer(self, what: str, kind: Type) -> SimpleNamespace:
        self.log.append(what)
        await self.gate.wait()
        if self.faults:
            raise self.faults.pop(0)
        self.type = kind
        return SimpleNamespace(message_id=77, resource=None)

    async def defer(self, *, thinking: bool = False, ephemeral: bool = False) -> None:
        kind = Type.deferred_channel_message if thinking else Type.deferred_message_update
        await self._answer(f"defer thinking={thinking} ephemeral={ephemeral}", kind)

    async def send_message(self, *, view, files=(), ephemeral=False, allowed_mentions=None):
        self.views.append(view)
        return await self._answer(f"send ephemeral={ephemeral}", Type.channel_message)

    async def autocomplete(self, choices):
        await self._answer(f"suggest {choices}", Type.autocomplete_result)

    async def send_modal(self, modal):
        await self._answer("form", Type.modal)

    async def edit_message(self, *, view, attachments=()):
        return await self._answer("edit", Type.message_update)


class Interaction:
    """A press, as discord.py offers it; `faults` are what Discord replies instead of editing its answer."""

    def __init__(self, kind: discord.InteractionType = discord.InteractionType.component) -> None:
        self.id = 5
        self.type = kind
        self.user = SimpleNamespace(id=11)
        self.log: list[str] = []
        self.extras: dict[str, bool] = {}
        self.faults: list[Exception] = []
        self.message = SimpleNamespace(id=42)
        self.response = Response(self.log)
        self.followup = SimpleNamespace(send=self._follow_up)

    async def _follow_up(self, *, view, ephemeral, files=()):
        self.log.append(f"follow-up ephemeral={ephemeral}")
        return SimpleNamespace(id=79)

    async def edit_original_response(self, *, view, attachments=(), allowed_mentions=None):
        self.log.append("edit original")
        if self.faults:
            raise self.faults.pop(0)
        return SimpleNamespace(id=78)


def refused(status: int, code: int) -> discord.HTTPException:
    response = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": "no"})
