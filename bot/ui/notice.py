"""A plain message: a few words, and nothing to press."""

from bot.ui.panel import Panel, panel, text


def notice_panel(words: str) -> Panel:
    """The words in a container."""
    return panel(text(words))
