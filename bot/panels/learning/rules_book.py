"""The rules as a book of short pages, and help by situation, each in one private message."""

from collections.abc import Sequence

import discord

from bot.learning.lessons import LessonPage
from bot.panels.pages import turning
from bot.ui.items import GREEN, Button, Press, Select, play_now_button, row
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import Mentions
from bot.words.texts import Texts
from render.picture import Picture

TOPICS = ("friends", "alone", "learn", "turn", "hand", "scores", "fair", "staff")


def page_panel(
    book: Sequence[LessonPage], number: int, rules: str, place: Press, picture: Picture | None, texts: Texts
) -> Panel:
    """Show one page of the rules named `rules`.

    `place` is their source: a table, or the preset in its argument.
    """
    page = book[number]
    file = picture_file(picture) if picture else None
    where = texts("lesson.where", page=number + 1, pages=len(book), preset=rules)
    options = [
        discord.SelectOption(
            label=f"{index + 1}. {texts(f'chapter.{chapter.name}')}",
            value=str(index),
            default=index == number,
        )
        for index, chapter in enumerate(book)
    ]
    return panel(
        text(f"## {texts(f'chapter.{page.name}')}\n{where}"),
        text(page.text),
        gallery(file) if file else None,
        row(Select(Press("pick-page", place.subject, 0, place.argument), texts("lesson.choose"), options)),
        row(
            *turning(number, len(book), lambda way, to: _turn(place, way, to), texts),
            Button(Press("learn", 0, 0), texts("button.learn"), style=GREEN),
        ),
        files=[file] if file else [],
    )


def _turn(place: Press, way: str, number: int) -> Press:
    """Return the press that turns to a page; the revision of these custom ids is its number."""
    return Press(f"page-{way}", place.subject, number, place.argument)


def help_panel(topic: str | None, mentions: Mentions, texts: Texts) -> Panel:
    """Show help for the situation `topic`, one of `TOPICS`; None asks for the situation."""
    options = [
        discord.SelectOption(
            label=texts(f"situation.{offered}"),
            value=offered,
            emoji=texts(f"sign.{offered}"),
            default=offered == topic,
        )
        for offered in TOPICS
    ]
    return panel(
        text(texts(f"help.{topic or 'welcome'}", cmd=mentions)),
        row(Select(Press("pick-help", 0, 0), texts("situation.choose"), options)),
        row(
            play_now_button(texts),
            Button(Press("learn", 0, 0), texts("button.learn")),
            Button(Press("rules", 0, 0), texts("button.rules")),
        ),
    )
