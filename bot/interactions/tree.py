"""The typed commands, served by the receiver; errors go to the error boundary around the interaction."""

from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.kept_commands import KeptCommands

log = structlog.get_logger(__name__)


class Tree(app_commands.CommandTree[Any]):
    """The typed commands."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.kept = KeptCommands()

    async def again(self, number: int, interaction: AnyInteraction, option: str, value: str) -> bool:
        """Give a kept command again with one more option, as the interaction of the press that chose it.

        False if the command is not kept any more.
        """
        data = self.kept.completed(interaction.user.id, number, option, value)
        if data is None:
            return False
        interaction.data, interaction.type = data, discord.InteractionType.application_command
        await self.serve(interaction)
        return True

    async def serve(self, interaction: AnyInteraction) -> None:
        """Answer a command, or its autocomplete, which the receiver has checked.

        Raises what the command raises, and UnexpectedInputError if the library cannot call it.
        """
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await self._suggest(interaction)
            else:
                await self._call(interaction)
        except app_commands.CommandInvokeError as error:
            failure = error.original
        except (app_commands.AppCommandError, TypeError, ValueError, LookupError, AttributeError) as error:
            # An argument, such as a user, cannot be read. Errors of the command itself are always wrapped.
            failure = UnexpectedInputError(type(error).__name__)
        else:
            return
        raise failure

    async def _suggest(self, interaction: AnyInteraction) -> None:
        """Answer an autocomplete.

        The library would only log an error and leave the person without an answer.
        """
        data: Any = interaction.data
        command, options = self._get_app_command_options(data)
        focused = next(option["name"] for option in options if option.get("focused"))
        namespace = app_commands.Namespace(interaction, data.get("resolved", {}), options)
        try:
            # discord.py has no public method.
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
        """Leave errors to `serve`; the library would only log them."""
        raise error
