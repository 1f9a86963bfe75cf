"""The replay of a finished deal: one step, with controls for the others. The custom ids hold its state."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import discord
from discord import ui

from bot.history.replays import ALL, PUBLIC, Eyes, PlaceInReplay, Replay, Scene, step_caption, step_words
from bot.panels.history.analysis import analysis_button
from bot.ui.items import BLUE, GREY, MOST_OPTIONS, Button, Select, row
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.hands import hand_words, missing_words
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.ids import TableId
from marriage.strategy.advice import Missing
from render.alt import table_alt
from render.hand_layout import lay_out
from render.picture import Picture
from render.replay_animation import Animation
from render.words import signed

_LONGEST_LABEL = 100


def replay_button(table_id: TableId, deal_no: int, texts: Texts) -> Button:
    """Return a button that opens the replay of a finished deal for the person who presses it."""
    return Button(PlaceInReplay(table_id, deal_no).press("replay"), texts("button.replay"))


def hands_button(table_id: TableId, deal_no: int, texts: Texts) -> Button:
    """Return a button that shows the person who presses it how all hands of a finished deal ended."""
    return Button(PlaceInReplay(table_id, deal_no).press("hands"), texts("button.hands"))


def replay_panel(scene: Scene, pictures: Sequence[Picture], missing: Missing | None, texts: Texts) -> Panel:
    """Show one step, in pictures if there are any, otherwise in words.

    `missing` is what the seat lacked to show or finish; None to leave that out.
    """
    files = [picture_file(picture) for picture in pictures]
    return panel(
        text(texts("replay.title", table=scene.place.table, deal=scene.place.deal)),
        text(_step(scene, texts)),
        *(gallery(file) for file in files),
        None if files else text(_in_words(scene, texts)),
        text(_aside(scene, missing, texts)),
        _ways(scene, texts),
        _eyes_select(scene, texts),
        _turns_select(scene, texts),
        row(analysis_button(scene.place, texts)) if scene.is_own else None,
        files=files,
    )


def _step(scene: Scene, texts: Texts) -> str:
    names = [shown_name(name) for name in scene.names]
    what = step_words(scene.moment, names, texts)
    where = texts("replay.step", step=scene.place.step + 1, steps=scene.count)
    return f"**{what}**\n-# {where} · {seen_by(scene.place.eyes, names, texts)}"


def seen_by(eyes: Eyes | None, names: Sequence[str], texts: Texts) -> str:
    """Say from whose view the replay is shown."""
    if isinstance(eyes, int):
        return texts("replay.seen_by", name=names[eyes])
    return texts("replay.seen_public" if eyes == PUBLIC else "replay.seen_open")


def _aside(scene: Scene, missing: Missing | None, texts: Texts) -> str | None:
    """Say how far the seat was from a show or a finish; at the end, give everyone's result."""
    view = scene.moment.view
    if view.sheet is not None:
        lines = zip(scene.names, view.sheet.lines, strict=False)
        return " · ".join(f"{shown_name(name)} **{signed(line.net)}**" for name, line in lines)
    if missing is None:
        return None
    return missing_words(missing, texts)


def _in_words(scene: Scene, texts: Texts) -> str:
    hands = (
        f"**{shown_name(scene.names[view.viewer or 0])}**\n{hand_words(lay_out(view), view, texts)}"
        for view in scene.hands
    )
    return "\n".join((shown_name(table_alt(scene.moment.view, scene.names)), *hands))


def _ways(scene: Scene, texts: Texts) -> ui.ActionRow[Any]:
    now, last = scene.place.step, scene.count - 1
    ways = {"first": 0, "back": max(0, now - 1), "on": min(last, now + 1), "last": last}
    return row(
        *(
            Button(
                replace(scene.place, step=step).press("replay", tag),
                texts(f"button.replay_{tag}"),
                style=BLUE if tag == "on" else GREY,
                disabled=step == now,
            )
            for tag, step in ways.items()
        ),
        Button(scene.place.press("animate"), texts("button.animated")),
    )


def _eyes_select(scene: Scene, texts: Texts) -> ui.ActionRow[Any]:
    eyes: list[tuple[Eyes, str]] = [
        *((seat, texts("replay.eyes", name=name)) for seat, name in enumerate(scene.names)),
        (ALL, texts("replay.eyes_all")),
        (PUBLIC, texts("replay.eyes_public")),
    ]
    options = [
        discord.SelectOption(
            label=label[:_LONGEST_LABEL], value=str(value), default=value == scene.place.eyes
        )
        for value, label in eyes
    ]
    return row(Select(scene.place.press("pick-replay-eye"), texts("replay.choose_eyes"), options))


def _turns_select(scene: Scene, texts: Texts) -> ui.ActionRow[Any]:
    options = [
        discord.SelectOption(
            label=texts(
                "replay.turn", step=number + 1, what=step_caption(moment, scene.names, texts.without_emojis())
            )[:_LONGEST_LABEL],
            value=str(number),
            default=number == scene.place.step,
        )
        for number, moment in scene.turning_points[-MOST_OPTIONS:]
    ]
    return row(Select(scene.place.press("pick-replay-turn"), texts("replay.choose_turn"), options))


def animated_panel(
    replay: Replay, eyes: Eyes, animation: Animation, texts: Texts, *, shared_by: str | None = None
) -> Panel:
    """Show the whole deal as an animation, to one person or, with the sharer's plain name, to everyone."""
    names = [shown_name(name) for name in replay.names]
    place = PlaceInReplay(replay.table.id, replay.deal_no, 0, eyes)
    file = _animation_file(animation)
    parts: list[ui.Item[Any] | None] = [
        text(texts("replay.title", table=place.table, deal=place.deal)),
        text(f"-# {seen_by(eyes, names, texts)}"),
        gallery(file),
    ]
    if shared_by is not None:
        parts += [
            text(texts("replay.shared_by", name=shown_name(shared_by))),
            row(replay_button(place.table, place.deal, texts)),
        ]
    elif replay.may_be_shared:
        parts.append(row(Button(place.press("share-replay"), texts("button.share"))))
    return panel(*parts, files=[file])


def _animation_file(animation: Animation) -> discord.File:
    """Return the animation as an upload whose file name reveals nothing."""
    name = f"{secrets.token_hex(8)}.gif"
    return discord.File(BytesIO(animation.gif), filename=name, description=animation.alt)
