"""What was wrong with a form of rules, and the way back to it."""

from collections.abc import Sequence

from bot.interactions.ids import Press
from bot.panels.items import Button, row
from bot.panels.panel import Panel, panel, text
from bot.words.texts import Texts
from bot.words.variations import OPTIONS, Fault

_MOST_FAULTS = 8
_LONGEST_ECHO = 1_000
_UNKNOWN = {"rulesform.no_option", "rulesform.did_you_mean", "rulesform.no_pair"}


def wrong_rules_panel(press: Press, faults: Sequence[Fault], typed: str, texts: Texts) -> Panel:
    """Every fault in words, and what was typed, to be copied into the form again."""
    lines = [f"- {texts(fault.key, **fault.values)}" for fault in faults[:_MOST_FAULTS]]
    if len(faults) > _MOST_FAULTS:
        lines.append(texts("rulesform.more", count=len(faults) - _MOST_FAULTS))
    kept = typed[:_LONGEST_ECHO].replace("`", "'").strip()
    unknown = any(fault.key in _UNKNOWN for fault in faults)
    return panel(
        text(texts("rulesform.wrong", faults="\n".join(lines))),
        text(texts("rulesform.options", names=" ".join(f"`{name}`" for name in OPTIONS)))
        if unknown
        else None,
        text(texts("rulesform.typed", text=kept)) if kept else None,
        row(Button(Press("table-rules", press.table, press.revision), texts("button.fix_rules"))),
    )
