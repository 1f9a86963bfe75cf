"""A plain message: a few words, and mostly nothing to press."""

from bot.errors import SeatedElsewhereError, UserError
from bot.ui.custom_id import Press
from bot.ui.items import Button, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts


def notice_panel(words: str) -> Panel:
    """The words in a container."""
    return panel(text(words))


def refusal_panel(sorry: UserError, texts: Texts) -> Panel:
    """Explain why a request was refused, with a link to the person's present table and a button that leaves it."""
    words = text(texts(sorry.key, **sorry.values))
    if not isinstance(sorry, SeatedElsewhereError):
        return panel(words)
    return panel(words, row(Button(Press("leave-there", sorry.table, 0), texts("button.leave_there"))))
