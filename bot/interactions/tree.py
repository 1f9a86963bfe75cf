"""The typed commands, as the receiver hands them over: what fails is raised to the guard around the interaction."""

from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.interactions.guard import AnyInteraction

log = structlog.get_logger(__name__)


class Tree(app_commands.CommandTree[Any]):
    """The typed commands."""

    async def serve(self, interaction: AnyInteraction) -> None:
        """Answer a command, or what is being typed of one; it was looked at by the receiver.

        Raises what the command raises, and UnexpectedInputError for one that the library cannot call.
        """
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await self._suggest(interaction)
            else:
                await self._call(interaction)
        except app_commands.CommandInvokeError as error:
            failure = error.original
        except (app_commands.AppCommandError, TypeError, ValueError, LookupError, AttributeError) as error:
            # What came along, such as a user, cannot be read. What a command itself raises is never bare.
            failure = UnexpectedInputError(type(error).__name__)
        else:
            return
        raise failure

    async def _suggest(self, interaction: AnyInteraction) -> None:
        """Offer what completes a text.

        The library would log whatever is raised here and leave the person without an answer.
        """
        data: Any = interaction.data
        command, options = self._get_app_command_options(data)
        focused = next(option["name"] for option in options if option.get("focused"))
        namespace = app_commands.Namespace(interaction, data.get("resolved", {}), options)
        try:
            # discord.py has no public way.
            await command._invoke_autocomplete(  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
                interaction, focused, namespace
            )
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("answer.lost", interaction=interaction.id, why=type(error).__name__)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.CommandInvokeError(command, error) from error

    async def on_error(self, _: AnyInteraction, error: app_commands.AppCommandError) -> None:
        """Leave it to `serve`; the library would only log it."""
        raise error
