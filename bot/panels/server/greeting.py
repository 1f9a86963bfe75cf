"""The one message that greets a server after the bot has joined it: three things to try."""

from bot.panels.play_now import play_now_button
from bot.ui.items import row
from bot.ui.panel import Panel, panel, text
from bot.words.names import Mentions
from bot.words.texts import Texts


def greeting_panel(mentions: Mentions, texts: Texts) -> Panel:
    """The greeting, in the server's language. **Play now** opens a table for the person who presses it."""
    words = texts(
        "greeting.words",
        play=mentions["marriage play"],
        daily=mentions["daily"],
        learn=mentions["learn"],
        setup=mentions["setup show"],
    )
    return panel(text(words), row(play_now_button(texts)))
