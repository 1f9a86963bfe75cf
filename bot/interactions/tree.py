"""The typed commands, as the door hands them over: what the library still cannot call gets the short answer too."""

from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.interactions.router import AnyInteraction, faults
from bot.interactions.time_limit import while_answerable

log = structlog.get_logger(__name__)


class Tree(app_commands.CommandTree[Any]):
    """The typed commands. One that comes too late is dropped as a late press is."""

    async def interaction_check(self, interaction: AnyInteraction) -> bool:
        """Whether there is still time to answer."""
        return not interaction.client.is_late(interaction)

    async def serve(self, interaction: AnyInteraction) -> None:
        """Answer a command, or what is being typed of one, before the bot closes; it was looked at by the door."""
        with interaction.client.work.under_way():
            try:
                async with while_answerable(interaction):
                    if interaction.type is discord.InteractionType.autocomplete:
                        await self._suggest(interaction)
                    else:
                        await self._call(interaction)
            except app_commands.AppCommandError as error:
                await self.on_error(interaction, error)
            except (TypeError, ValueError, LookupError, AttributeError) as error:
                # What came along, such as a user, cannot be read. What a command itself raises is never bare.
                await self._refuse(interaction, error)

    async def _suggest(self, interaction: AnyInteraction) -> None:
        """Offer what completes a text.

        The library would log whatever is raised here and leave the person without an answer.
        """
        if not await self.interaction_check(interaction):
            return
        data: Any = interaction.data
        command, options = self._get_app_command_options(data)
        focused = next(option["name"] for option in options if option.get("focused"))
        namespace = app_commands.Namespace(interaction, data.get("resolved", {}), options)
        async with faults(interaction):
            try:
                await command._invoke_autocomplete(interaction, focused, namespace)  # noqa: SLF001 - no public way
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.info("answer.lost", interaction=interaction.id, why=type(error).__name__)

    async def on_error(self, interaction: AnyInteraction, error: app_commands.AppCommandError) -> None:
        """A command that could not be called, or one whose answer failed for good, which is a fault of ours."""
        if isinstance(error, app_commands.CommandInvokeError):
            await super().on_error(interaction, error)
        else:
            await self._refuse(interaction, error)

    async def _refuse(self, interaction: AnyInteraction, error: Exception) -> None:
        async with faults(interaction):
            raise UnexpectedInputError(type(error).__name__)
