"""Setting up a league by one message: a template, its clock and rules, and the whole calendar before it is opened."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.errors import UnexpectedInputError
from bot.league.agenda import after_rounds, first_draw
from bot.league.leagues import Founding
from bot.panels.table.rules_text import rules_short
from bot.ui.custom_id import Press
from bot.ui.items import GREEN, Button, Select, row
from bot.ui.panel import Panel, panel, text
from bot.ui.presets import preset_options
from bot.words.texts import Texts
from data.preferences import GuildSettings, Pace
from league.pairing.forecast import forecast
from league.settings import SeasonSettings
from league.templates import TEMPLATES, Template
from league.times import HOUR
from marriage.rules import PRESETS, Rules

HOUSE_RULES: Final = "server"
"""The choice of the server's house rules, beside the presets."""
_SIZES: Final = (8, 20, 40)
"""Numbers of sign-ups for which the preview says how large the season would be."""
_SHOWN: Final = 8
"""Of more draws only the first ones and the last one are shown."""
_CHOICES: Final = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """What is chosen so far. It travels in the custom ids of the message, so the bot keeps nothing of it."""

    template: Template
    pace: Pace
    rules: str
    """A preset, or `HOUSE_RULES`."""

    @classmethod
    def new(cls, template: Template, server: GuildSettings) -> "Plan":
        """The plan to begin with: an evening is played fast, and by the rules of the server."""
        sitting = template.settings(server.timezone).is_sitting
        rules = HOUSE_RULES if server.has_house_rules else "pagat"
        return cls(template, Pace.FAST if sitting else Pace.NORMAL, rules)

    @classmethod
    def read(cls, argument: str) -> "Plan":
        """The plan in a custom id; raises UnexpectedInputError."""
        parts = argument.split("_")
        if len(parts) != _CHOICES or parts[0] not in TEMPLATES or parts[1] not in set(Pace):
            raise UnexpectedInputError("a plan that there is not")
        if parts[2] != HOUSE_RULES and parts[2] not in PRESETS:
            raise UnexpectedInputError("rules that there are not")
        return cls(TEMPLATES[parts[0]], Pace(parts[1]), parts[2])

    def with_choice(self, verb: str, chosen: str, server: GuildSettings) -> "Plan":
        """The plan after a choice in one of its selects; a template brings its own clock. Raises UnexpectedInputError."""
        if verb == "pick-plan":
            clock = Plan.new(TEMPLATES[chosen], server).pace if chosen in TEMPLATES else ""
            return Plan.read(f"{chosen}_{clock}_{self.rules}")
        changed = replace(self, rules=chosen) if verb == "pick-plan-rules" else None
        return Plan.read(str(changed) if changed else f"{self.template.name}_{chosen}_{self.rules}")

    def __str__(self) -> str:
        return f"{self.template.name}_{self.pace}_{self.rules}"

    def founding(self, server: GuildSettings, now: int, texts: Texts) -> Founding:
        """The league as it would be opened now; raises UnexpectedInputError for house rules that are gone."""
        settings = self.template.settings(server.timezone)
        starts_at = self.template.starts_at(now, settings)
        name = texts(f"template.{self.template.name}")
        return Founding(name, settings, self._rules(server), self.pace, starts_at)

    def _rules(self, server: GuildSettings) -> Rules:
        if self.rules != HOUSE_RULES:
            return PRESETS[self.rules]
        if server.rules is None:
            raise UnexpectedInputError("house rules that there are not")
        return server.rules


def wizard_panel(plan: Plan, server: GuildSettings, now: int, texts: Texts) -> Panel:
    """The choices, and what they lead to."""
    founding = plan.founding(server, now, texts)
    return panel(
        text(texts("wizard.title", league=founding.name)),
        text(_about(founding, server, texts)),
        text("\n".join(_calendar(founding, now, texts))),
        text("\n".join(_sizes(founding.settings, texts))),
        row(Select(_press("pick-plan", plan), texts("wizard.choose"), _templates(plan, texts))),
        row(Select(_press("pick-plan-clock", plan), texts("setup.pace_choose"), _clocks(plan, texts))),
        row(
            Select(_press("pick-plan-rules", plan), texts("setup.preset_choose"), _rules(plan, server, texts))
        ),
        row(
            Button(_press("league-open", plan), texts("wizard.open"), style=GREEN),
            Button(_press("league-own-form", plan), texts("wizard.own")),
        ),
    )


def _press(verb: str, plan: Plan) -> Press:
    return Press(verb, 0, 0, str(plan))


def _about(founding: Founding, server: GuildSettings, texts: Texts) -> str:
    role = server.staff_role_id
    return texts(
        "wizard.about",
        format=texts(f"league.format_{founding.settings.format.name}"),
        deals=founding.settings.deals(4),
        rules=rules_short(founding.rules, texts),
        pace=texts(f"pace.{founding.pace}"),
        timezone=founding.settings.timezone,
        role=texts("setup.no_role") if role is None else f"<@&{role}>",
    )


def _calendar(founding: Founding, now: int, texts: Texts) -> Iterator[str]:
    """A line for each date of the season, if everything goes as planned."""
    settings = founding.settings
    begins = founding.starts_at or first_draw(now, settings)
    ends = after_rounds(begins, settings, settings.rounds)
    if not settings.format.has_draw:
        yield texts("wizard.dates", begins=begins, ends=ends)
        return
    yield texts("wizard.signup", at=begins)
    if settings.checks_in(1):
        yield texts("wizard.confirm", at=begins - settings.confirm_hours * HOUR)
    if settings.format.plays_to_the_end:
        yield texts("wizard.waves", minutes=settings.round_minutes, begins=begins, ends=ends)
        return
    key = "wizard.draw_time" if settings.is_sitting else "wizard.draw"
    shown = settings.rounds if settings.rounds <= _SHOWN else _SHOWN // 2
    for number in range(1, shown + 1):
        yield texts(key, round=number, at=after_rounds(begins, settings, number - 1))
    if shown < settings.rounds:
        at = after_rounds(begins, settings, settings.rounds - 1)
        yield texts("wizard.draws", round=settings.rounds, at=at)
    yield texts("wizard.end", at=ends)


def _sizes(settings: SeasonSettings, texts: Texts) -> Iterator[str]:
    for players in _SIZES:
        if found := forecast(settings, players):
            key = "wizard.size_divisions" if found.divisions else "wizard.size"
            if settings.format.plays_to_the_end:
                key = "wizard.size_arena"
            yield texts(
                key,
                players=players,
                tables=found.tables,
                divisions=found.divisions,
                rounds=found.rounds,
                minutes=settings.rounds * settings.round_minutes,
            )


def _templates(plan: Plan, texts: Texts) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=texts(f"template.{name}"),
            description=texts(f"template.{name}_hint"),
            value=name,
            default=name == plan.template.name,
        )
        for name in TEMPLATES
    ]


def _clocks(plan: Plan, texts: Texts) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=texts(f"pace.{pace}"), value=pace, default=pace == plan.pace)
        for pace in Pace
    ]


def _rules(plan: Plan, server: GuildSettings, texts: Texts) -> list[discord.SelectOption]:
    presets = preset_options(None if plan.rules == HOUSE_RULES else plan.rules, texts)
    if not server.has_house_rules:
        return presets
    label = texts("league.house_rules", rules=rules_short(server.terms.rules, texts))
    own = discord.SelectOption(label=label[:100], value=HOUSE_RULES, default=plan.rules == HOUSE_RULES)
    return [own, *presets]
