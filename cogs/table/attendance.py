"""Sitting out from the middle of a deal."""

from typing import Any

import discord
from discord.ext import commands

from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.services import Services
from bot.ui.notice import notice_panel
from bot.words.texts import texts

AnyInteraction = discord.Interaction[Any]


class ChangingButtons(commands.Cog):
    """The button in the middle of a deal; the others are with the buttons of the table message."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("sit-out-next", self._sit_out)

    async def _sit_out(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            table_id = pressed.table_id
            await self._services.changing.sit_out(
                table_id, pressed.person.id, pressed.interaction_id, in_deal=True
            )
            await reply.show(notice_panel(texts()("changing.you_rest", table=table_id)))
