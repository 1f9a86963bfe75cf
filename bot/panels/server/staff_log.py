"""The log of `/setup log`: what a server's staff has done, in the reader's language."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.panels.pages import page_of, page_words, turning
from bot.servers import SETUP_ACT, Act
from bot.ui.items import Press, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_name
from bot.words.rules import preset_name
from bot.words.texts import Texts, language_name


def log_panel(acts: Sequence[Act], number: int, texts: Texts) -> Panel:
    """Show one page of the log: who did what, when and why, newest first."""
    page = page_of([_act(act, texts) for act in acts], number)
    return panel(
        text(texts("setup.log_title")),
        text("\n".join(page.lines) or texts("setup.log_empty")),
        text(page_words(page, texts)),
        row(*turning(page.number, page.count, lambda _, to: Press("setup-log", 0, to), texts)),
    )


def _act(act: Act, texts: Texts) -> str:
    row, key = act.row, f"act.{act.row.act}"
    return texts(
        "setup.log_line" if row.table_id is None else "setup.log_line_table",
        at=row.at,
        name=shown_name(act.name),
        act=texts(key) if key in texts else row.act,
        table=row.table_id,
        reason=", ".join(map(shown_name, act.targets)) or _about(row.act, row.reason, texts) or "–",
    )


def _about(act: str, reason: str, texts: Texts) -> str:
    """Describe the subject of an action: a setting and its new value, a switch, a computer's strength, or a typed reason."""
    if act == SETUP_ACT:
        name, _, value = reason.partition(" ")
        return _SETTINGS[name](value, texts) if name in _SETTINGS else shown_name(reason)
    for key in (f"manage.{reason}", f"level.{reason}"):
        if act in {"switch", "computer"} and key in texts:
            return texts(key)
    return shown_name(reason)


_SETTINGS: Final[Mapping[str, Callable[[str, Texts], str]]] = {
    "channel_id": lambda value, texts: texts(
        "setup.log_channel", channel=f"<#{value}>" if value else texts("setup.any_channel")
    ),
    "staff_role_id": lambda value, texts: texts(
        "setup.log_role", role=f"<@&{value}>" if value else texts("setup.no_role")
    ),
    "daily_channel_id": lambda value, texts: texts(
        "setup.log_daily", channel=f"<#{value}>" if value else texts("daily.nowhere")
    ),
    "weekly_channel_id": lambda value, texts: texts(
        "setup.log_weekly", channel=f"<#{value}>" if value else texts("daily.nowhere")
    ),
    "timezone": lambda value, texts: texts("setup.log_timezone", timezone=value),
    "rules": lambda value, texts: texts("setup.preset", preset=preset_name(value, texts) if value else "–"),
    "deals": lambda value, texts: (
        texts("rulesform.deals", deals=int(value)) if value != "0" else texts("rulesform.deals_open")
    ),
    "pace": lambda value, texts: texts("setup.pace", pace=texts(f"pace.{value}")),
    "language": lambda value, texts: texts("language.of_server", language=language_name(value)),
    "threads": lambda value, texts: texts(f"setup.threads_{value}"),
}
"""How each setting is described, from its value as `bot.servers` records it."""
