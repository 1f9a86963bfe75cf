"""The questions about a table's rules, page by page, for the wordiest rules."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.panels.table.lobby import MOST_INVITED, invitation_panel
from bot.panels.table.rules import HOUSE, OVERVIEW, Filled, rules_panel, wrong_rules_panel
from bot.table.core.snapshot import Snapshot
from bot.ui.items import Press
from bot.ui.panel import Panel
from bot.words.rules import SUBJECTS, RuleFault
from bot.words.texts import texts
from data.preferences import Terms
from league.ids import PersonId
from marriage.rules import PRESETS, preset

ODD = preset(
    "wikipedia",
    man_cards=6,
    dublee_game="double",
    unseen_maal="kidnap_cards",
    foul="each",
    stock_out="dismiss",
    custom_points={"tiplu": (3, 8)},
    better_after=20,
    seen_pay=50,
)
"""Rules that differ greatly from every preset."""


def rule_pages(table: Snapshot, note: str) -> Iterator[Panel]:
    """Yield every page, for all presets and for rules that differ from them in nearly everything."""
    house = {whose: Terms(rules=ODD, deals=50) for whose in HOUSE}
    for rules in (*PRESETS.values(), ODD):
        snapshot = replace(table, table=replace(table.table, rules=rules))
        for page in (OVERVIEW, *SUBJECTS):
            yield rules_panel(snapshot, page, house, texts(), note, is_manager=True)


def invitations(tables: Iterable[Snapshot]) -> Iterator[Panel]:
    """Yield invitations of as many people as the host may name at once."""
    for table in tables:
        yield invitation_panel(
            table.table, [PersonId(2**62 + guest) for guest in range(MOST_INVITED)], texts()
        )


def wrong_rules() -> Iterator[Panel]:
    filled = Filled.of_rules(PRESETS["kathmandu"])
    faults = [RuleFault("rulesform.no_option", {"name": "o" * 30})] * 20
    yield wrong_rules_panel(Press("form-rules", 1, 1), faults[:1], filled, texts())
    kept = replace(filled, others="x" * 4_000)
    yield wrong_rules_panel(Press("form-rules", 2**40, 2**40), faults, kept, texts())
