"""Typed commands that wait for a choice of their author, and are then given again with what was chosen."""

from collections import OrderedDict
from copy import deepcopy
from typing import Any, Final

from bot.errors import UserError
from bot.ui.panel import Panel

MOST_KEPT: Final = 500
"""The most commands that can wait for a choice. The oldest is dropped first."""
_SUBCOMMANDS: Final = {1, 2}
_TEXT: Final = 3


class QuestionError(UserError):
    """A command cannot go on before its author has chosen something on this panel, which is the answer to it."""

    def __init__(self, panel: Panel) -> None:
        super().__init__("error.out_of_date")
        self.panel = panel


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
