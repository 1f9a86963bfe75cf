"""The button **Play now** in all its places. It opens a table against computers and deals."""

from bot.ui.items import GREEN, Button, Press
from bot.words.texts import Texts


def play_now_button(texts: Texts) -> Button:
    """The button, which is never at a table: there **Start** begins."""
    return Button(Press("play-now", 0, 0), texts("button.play_now"), style=GREEN)
