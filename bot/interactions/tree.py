"""The typed commands, served by the receiver; errors go to the error boundary around the interaction.

A command may wait for a choice of its author. It is then given again with what was chosen.
"""

from collections import OrderedDict
from copy import deepcopy
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.interactions.error_boundary import AnyInteraction

MOST_KEPT: Final = 500
"""The most commands that can wait for a choice. The oldest is dropped first."""
_SUBCOMMANDS: Final = {1, 2}
_TEXT: Final = 3

log = structlog.get_logger(__name__)


class KeptCommands:
    """The data of commands by author and number of their interaction. After a restart people give the command again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], Any] = OrderedDict()

    def keep(self, author: int, number: int, data: object) -> None:
        """Keep a command of this author."""
        self._kept[author, number] = deepcopy(data)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def completed(self, author: int, number: int, option: str, value: str) -> Any:
        """The data of a kept command with one more option; None if it is not kept any more. It stays kept."""
        data = deepcopy(self._kept.get((author, number)))
        if data is None:
            return None
        command: Any = data
        while (inner := command.get("options")) and inner[0].get("type") in _SUBCOMMANDS:
            command = inner[0]
        given: list[Any] = command.get("options") or []
        chosen = {"name": option, "type": _TEXT, "value": value}
        command["options"] = [*(other for other in given if other["name"] != option), chosen]
        return data


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
