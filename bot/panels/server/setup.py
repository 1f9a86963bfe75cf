"""The panels of a server's staff: the greeting, the settings and the permissions."""

from collections.abc import Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.daily.days import day_at
from bot.history.leaderboards import POST_HOUR
from bot.interactions.permissions import FOR_THREADS, missing_permissions, permission_words
from bot.panels.server.settings import Subjects, first_of, house_part, subject_select
from bot.panels.table.rules import match_words, rules_short
from bot.ui.items import GREEN, GREY, Button, Press, Select, channel_select, play_now_button, role_select, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import Mentions
from bot.words.rules import EVERYDAY, preset_name
from bot.words.texts import Texts, language_name
from data.preferences import LANGUAGES, GuildSettings, Pace
from marriage.rules import PRESETS, Rules, nearest_preset


def greeting_panel(mentions: Mentions, texts: Texts) -> Panel:
    """Show the greeting in the server's language. **Play now** opens a table for the person who presses."""
    words = texts(
        "greeting.words",
        play=mentions["marriage play"],
        daily=mentions["daily"],
        learn=mentions["learn"],
        setup=mentions["setup show"],
    )
    return panel(text(words), row(play_now_button(texts)))


SUBJECTS: Final[Subjects] = {
    "server": ("pick-guild-channel", "pick-guild-role", "pick-guild-language"),
    "tables": ("pick-guild-preset", "pick-guild-pace", "guild-threads", "guild-house"),
    "boards": ("pick-guild-weekly", "guild-weekly-off"),
}


def setup_panel(
    settings: GuildSettings,
    texts: Texts,
    subject: str = first_of(SUBJECTS),
    lacking: Sequence[str] = (),
    *,
    is_gone: bool = False,
) -> Panel:
    """Show the settings of one subject with their values; each choice takes effect at once.

    `lacking` are the permissions that the bot lacks in the channel of the weekly board. `is_gone` says that the bot
    does not see the channel for tables.
    """
    rules = settings.rules or PRESETS["pagat"]
    controls = {"server": _server, "tables": _tables, "boards": _boards}[subject](settings, rules, texts)
    present = {
        "server": [texts("language.of_server", language=language_name(settings.language))],
        "tables": [
            texts("setup.preset", preset=preset_name(nearest_preset(rules)[0], texts)),
            texts("setup.pace", pace=texts(f"pace.{settings.pace}")),
            _threads(settings, texts),
        ],
        "boards": [_weekly(settings, texts)],
    }
    subjects = {name: (texts(f"setup.subject_{name}"), said) for name, said in present.items()}
    return panel(
        text(texts("setup.title")),
        text(_now(settings, rules, texts)),
        text(texts("setup.check_gone", channel=f"<#{settings.channel_id}>")) if is_gone else None,
        row(subject_select("pick-setup", texts("setup.choose_subject"), subjects, subject)),
        *controls,
        text(_lacking(settings, lacking, texts)) if subject == "boards" and lacking else None,
    )


def _lacking(settings: GuildSettings, names: Sequence[str], texts: Texts) -> str:
    """Name the permissions that the bot lacks to post the weekly board."""
    channel, missing = f"<#{settings.weekly_channel_id}>", permission_words(names, texts)
    return texts("setup.weekly_lacks", channel=channel, missing=missing)


def _server(settings: GuildSettings, _rules: Rules, texts: Texts) -> list[ui.Item[Any] | None]:
    """Return the rows for the place of tables, the staff, and the language of public texts."""
    languages = {
        language: texts("language.of_server", language=language_name(language)) for language in LANGUAGES
    }
    return [
        row(channel_select(_press("pick-guild-channel"), texts("setup.channel"), settings.channel_id)),
        row(role_select(_press("pick-guild-role"), texts("setup.role"), settings.staff_role_id)),
        _choice("pick-guild-language", languages, settings.language, texts("setup.language_choose")),
    ]


def _tables(settings: GuildSettings, rules: Rules, texts: Texts) -> list[ui.Item[Any] | None]:
    """Return the rows for how new tables begin."""
    presets = {name: texts("setup.preset", preset=preset_name(name, texts)) for name in EVERYDAY}
    paces = {pace: texts("setup.pace", pace=texts(f"pace.{pace}")) for pace in Pace}
    house = settings.terms if settings.has_house_rules else None
    return [
        _choice("pick-guild-preset", presets, _preset(rules), texts("setup.preset_choose")),
        _choice("pick-guild-pace", paces, settings.pace, texts("setup.pace_choose")),
        row(
            Button(
                Press("guild-threads", 0, 0, "off" if settings.threads else "on"),
                _threads(settings, texts),
                style=GREEN if settings.threads else GREY,
            )
        ),
        house_part(house, "setup.house", "guild-house", texts),
    ]


def _boards(settings: GuildSettings, _rules: Rules, texts: Texts) -> list[ui.Item[Any] | None]:
    """Return the row for the place of the weekly board."""
    channel_id = settings.weekly_channel_id
    said = "setup.weekly_nowhere" if channel_id is None else "setup.weekly_in"
    off = Button(_press("guild-weekly-off"), texts("setup.weekly_off"))
    return [
        text(texts(said, channel=f"<#{channel_id}>", hour=POST_HOUR, timezone=settings.timezone)),
        row(channel_select(_press("pick-guild-weekly"), texts("setup.weekly_channel"), channel_id)),
        None if channel_id is None else row(off),
    ]


def _weekly(settings: GuildSettings, texts: Texts) -> str:
    return texts("setup.weekly_is_off" if settings.weekly_channel_id is None else "setup.weekly_is_on")


def _threads(settings: GuildSettings, texts: Texts) -> str:
    return texts("setup.threads_on" if settings.threads else "setup.threads_off")


def _now(settings: GuildSettings, rules: Rules, texts: Texts) -> str:
    """Say where tables are shown, who is staff, and the defaults of a new table."""
    channel, role = settings.channel_id, settings.staff_role_id
    return texts(
        "setup.now",
        channel=texts("setup.any_channel") if channel is None else f"<#{channel}>",
        role=texts("setup.no_role") if role is None else f"<@&{role}>",
        rules=texts("lobby.house_server") if settings.has_house_rules else rules_short(rules, texts),
        match=match_words(settings.terms, texts),
    )


def daily_panel(settings: GuildSettings, now: int, texts: Texts) -> Panel:
    """Show when a day of the daily deal ends in this server, and where its board is posted."""
    channel = settings.daily_channel_id
    return panel(
        text(
            texts(
                "daily.setting",
                timezone=settings.timezone,
                ends=day_at(now, settings.timezone).ends_at,
                channel=texts("daily.nowhere") if channel is None else f"<#{channel}>",
            )
        )
    )


def _press(verb: str) -> Press:
    return Press(verb, 0, 0)


def _preset(rules: Rules) -> str | None:
    """Return the preset that equals these rules; None for house rules."""
    name, differing = nearest_preset(rules)
    return None if differing else name


def _choice(verb: str, labels: dict[Any, str], chosen: str | None, placeholder: str) -> ui.ActionRow[Any]:
    options = [
        discord.SelectOption(label=label, value=str(value), default=value == chosen)
        for value, label in labels.items()
    ]
    return row(Select(_press(verb), placeholder, options))


def check_panel(
    channels: Sequence[tuple[str, discord.Permissions | None]], texts: Texts, *, threads: bool
) -> Panel:
    """List the permissions that the bot lacks in each channel, and what will not work without them.

    Each channel is given by its mention. Its permissions are None if it is gone.
    """
    return panel(
        text(texts("setup.check_title")),
        *(text(_checked(mention, granted, texts, threads=threads)) for mention, granted in channels),
        None if threads else text(texts("setup.check_no_threads")),
    )


def _checked(mention: str, granted: discord.Permissions | None, texts: Texts, *, threads: bool) -> str:
    if granted is None:
        return texts("setup.check_gone", channel=mention)
    missing = missing_permissions(granted, threads=threads)
    if not missing:
        return texts("setup.check_well", channel=mention)
    lines = [f"- **{texts(f'permission.{name}')}** · {texts(f'without.{name}')}" for name in missing]
    key = "setup.check_threads" if set(missing) <= set(FOR_THREADS) else "setup.check_missing"
    return "\n".join([texts(key, channel=mention), *lines])
