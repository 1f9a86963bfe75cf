"""League set-up in one message: a template, its clock and rules, and the whole calendar before it opens."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import discord
from discord import ui
from pydantic import ValidationError

from bot.errors import UnexpectedInputError, UserError
from bot.league.agenda import after_rounds, first_draw
from bot.league.leagues import Founding
from bot.panels.league.people import size_options
from bot.panels.table.rules import rules_short
from bot.ui.items import GREEN, Button, Press, Select, field, preset_options, row
from bot.ui.panel import Panel, panel, text
from bot.words.numbers import date_words
from bot.words.texts import Texts
from data.preferences import GuildSettings, Pace
from league.numbers import LONGEST_DESCRIPTION
from league.pairing.drawing import forecast
from league.settings import SeasonSettings
from league.templates import TEMPLATES, Template
from league.times import DAY, HOUR, MINUTE, timezones
from marriage.rules import PRESETS, Rules

HOUSE_RULES: Final = "server"
"""The choice of the server's house rules, next to the presets."""
_SIZES: Final = (8, 20, 40)
"""The numbers of sign-ups for which the preview shows the size of the season."""
_SHOWN: Final = 8
"""If there are more draws than this, only the first ones and the last one are shown."""
_CHOICES: Final = 3
_POD_SIZES: Final = (3, 4, 5)
LONGEST_NAME: Final = 40
LONGEST_AHEAD: Final = 90 * DAY
"""How far ahead a season may begin."""
_ROUNDS, _SIZE, _MOST, _ZONES = 100, 10, 1_000, 10_000
"""One more than the largest value of each number encoded in a custom id."""


@dataclass(frozen=True, slots=True)
class Own:
    """The deviations from the template, if any, encoded in the numbers of the custom ids."""

    starts_at: int = 0
    """The time of the first draw, in minutes since the epoch (UTC); 0 for the template's time."""
    rounds: int = 0
    pod_size: int = 0
    most_players: int = 0
    timezone: str = ""

    @classmethod
    def read(cls, starts_at: int, packed: int) -> "Own":
        """Decode these choices from the numbers of a custom id; raises UnexpectedInputError."""
        packed, zone = divmod(packed, _ZONES)
        packed, most = divmod(packed, _MOST)
        rounds, size = divmod(packed, _SIZE)
        names = sorted(timezones())
        if zone > len(names) or rounds >= _ROUNDS:
            raise UnexpectedInputError("no such plan")
        return cls(starts_at, rounds, size, most, names[zone - 1] if zone else "")

    @property
    def packed(self) -> int:
        """All choices but the start, packed into one number."""
        zone = sorted(timezones()).index(self.timezone) + 1 if self.timezone else 0
        return ((self.rounds * _SIZE + self.pod_size) * _MOST + self.most_players) * _ZONES + zone

    def settings(self, template: Template, server: GuildSettings) -> SeasonSettings:
        """Return the template's settings with these choices; raises UserError for invalid numbers."""
        chosen = {"rounds": self.rounds, "pod_size": self.pod_size, "most_players": self.most_players}
        try:
            return template.settings(self.timezone or server.timezone).with_options(
                **{name: value for name, value in chosen.items() if value}
            )
        except ValidationError:
            raise UserError("wizard.bad_numbers") from None


@dataclass(frozen=True, slots=True)
class Said:
    """The description of a league when it opens: its name, and whom it is for."""

    name: str = ""
    """The name; empty for the template's name."""
    description: str = ""
    role: int = 0
    team_size: int = 0


@dataclass(frozen=True, slots=True)
class LeaguePlan:
    """The choices so far, held in the message's custom ids, so the bot stores none of them."""

    template: Template
    pace: Pace
    rules: str
    """A preset, or `HOUSE_RULES`."""
    own: Own = Own()

    @classmethod
    def of(cls, press: Press) -> "LeaguePlan":
        """Return the plan in a custom id of the message; raises UnexpectedInputError."""
        return replace(cls.read(press.argument), own=Own.read(press.subject, press.revision))

    def press(self, verb: str) -> Press:
        """Return a press that carries this plan."""
        return Press(verb, self.own.starts_at, self.own.packed, str(self))

    @classmethod
    def new(cls, template: Template, server: GuildSettings) -> "LeaguePlan":
        """Return the initial plan: an evening is played fast, and by the rules of the server."""
        sitting = template.settings(server.timezone).is_sitting
        rules = HOUSE_RULES if server.has_house_rules else "pagat"
        return cls(template, Pace.FAST if sitting else Pace.NORMAL, rules)

    @classmethod
    def read(cls, argument: str) -> "LeaguePlan":
        """Decode the plan from a custom id; raises UnexpectedInputError."""
        parts = argument.split("_")
        if len(parts) != _CHOICES or parts[0] not in TEMPLATES or parts[1] not in set(Pace):
            raise UnexpectedInputError("no such plan")
        if parts[2] != HOUSE_RULES and parts[2] not in PRESETS:
            raise UnexpectedInputError("rules that there are not")
        return cls(TEMPLATES[parts[0]], Pace(parts[1]), parts[2])

    def with_choice(self, verb: str, chosen: str, server: GuildSettings) -> "LeaguePlan":
        """Return the plan after a choice in one of its selects; raises UnexpectedInputError.

        A template brings its own clock.
        """
        if verb == "pick-plan":
            clock = LeaguePlan.new(TEMPLATES[chosen], server).pace if chosen in TEMPLATES else ""
            kept = replace(self.own, starts_at=0, rounds=0)
            return replace(LeaguePlan.read(f"{chosen}_{clock}_{self.rules}"), own=kept)
        changed = replace(self, rules=chosen) if verb == "pick-plan-rules" else None
        read = LeaguePlan.read(str(changed) if changed else f"{self.template.name}_{chosen}_{self.rules}")
        return replace(read, own=self.own)

    def __str__(self) -> str:
        return f"{self.template.name}_{self.pace}_{self.rules}"

    def founding(self, server: GuildSettings, now: int, texts: Texts, said: Said = Said()) -> Founding:
        """Return the league as it would be opened now.

        Raises UnexpectedInputError for house rules that are gone, and UserError for a start that has since
        passed.
        """
        settings = self.own.settings(self.template, server)
        if said.team_size and (not settings.format.has_draw or settings.format.plays_to_the_end):
            raise UserError("wizard.no_teams")
        settings = settings.with_options(
            description=said.description, role=said.role, team_size=said.team_size
        )
        starts_at = self.own.starts_at * MINUTE or self.template.starts_at(now, settings)
        if starts_at is not None and not now < starts_at <= now + LONGEST_AHEAD:
            raise UserError("wizard.bad_start")
        name = said.name or texts(f"template.{self.template.name}")
        return Founding(name, settings, self._rules(server), self.pace, starts_at)

    def _rules(self, server: GuildSettings) -> Rules:
        if self.rules != HOUSE_RULES:
            return PRESETS[self.rules]
        if server.rules is None:
            raise UnexpectedInputError("house rules that there are not")
        return server.rules


def wizard_panel(plan: LeaguePlan, server: GuildSettings, now: int, texts: Texts) -> Panel:
    """Show the choices and what they lead to."""
    founding = plan.founding(server, now, texts)
    return panel(
        text(texts("wizard.title", league=founding.name)),
        text(_about(founding, server, texts)),
        text("\n".join(_calendar(founding, now, texts))),
        text("\n".join(_sizes(founding.settings, texts))),
        row(Select(plan.press("pick-plan"), texts("wizard.choose"), _templates(plan, texts))),
        row(Select(plan.press("pick-plan-clock"), texts("setup.pace_choose"), _clocks(plan, texts))),
        row(Select(plan.press("pick-plan-rules"), texts("setup.preset_choose"), _rules(plan, server, texts))),
        row(
            Button(plan.press("league-open"), texts("wizard.open"), style=GREEN),
            Button(plan.press("league-plan"), texts("wizard.numbers")),
            Button(plan.press("league-name"), texts("wizard.name")),
            Button(plan.press("league-own-form"), texts("wizard.own")),
        ),
    )


def number_fields(plan: LeaguePlan, server: GuildSettings, texts: Texts) -> list[ui.Label[Any]]:
    """Return the form for deviations from the template: the start, the length and the size."""
    settings, own = plan.own.settings(plan.template, server), plan.own
    sizes = [
        discord.SelectOption(
            label=texts("wizard.size_of", count=size), value=str(size), default=size == settings.pod_size
        )
        for size in _POD_SIZES
    ]
    start = date_words(own.starts_at * MINUTE, settings.timezone) if own.starts_at else None
    return [
        field(
            texts("wizard.form_start"),
            ui.TextInput(custom_id="start", max_length=100, required=False, default=start),
            texts("wizard.form_start_hint"),
        ),
        field(
            texts("wizard.form_timezone"),
            ui.TextInput(custom_id="timezone", max_length=64, default=settings.timezone),
            texts("wizard.form_timezone_hint"),
        ),
        field(
            texts("wizard.form_rounds"),
            ui.TextInput(custom_id="rounds", max_length=2, default=str(settings.rounds)),
        ),
        field(texts("wizard.form_size"), ui.Select(custom_id="size", options=sizes)),
        field(
            texts("wizard.form_most"),
            ui.TextInput(custom_id="most", max_length=3, default=str(settings.most_players)),
            texts("wizard.form_most_hint"),
        ),
    ]


def name_fields(plan: LeaguePlan, server: GuildSettings, texts: Texts) -> list[ui.Label[Any]]:
    """Return the form that opens the league: its name and description, who may join, who looks after it."""
    return [
        field(
            texts("league.form_name"),
            ui.TextInput(
                custom_id="name", max_length=LONGEST_NAME, default=texts(f"template.{plan.template.name}")
            ),
        ),
        field(
            texts("wizard.form_description"),
            ui.TextInput(
                custom_id="description",
                style=discord.TextStyle.paragraph,
                max_length=LONGEST_DESCRIPTION,
                required=False,
            ),
            texts("wizard.form_description_hint"),
        ),
        field(texts("wizard.form_role"), _role("role", None), texts("wizard.form_role_hint")),
        field(
            texts("wizard.form_staff"),
            _role("staff", server.staff_role_id),
            texts("wizard.form_staff_hint"),
        ),
        field(
            texts("wizard.form_teams"),
            ui.Select(custom_id="teams", options=size_options(0, texts)),
            texts("wizard.form_teams_hint"),
        ),
    ]


def _role(name: str, chosen: int | None) -> ui.RoleSelect[Any]:
    default = [] if chosen is None else [discord.Object(chosen, type=discord.Role)]
    return ui.RoleSelect(custom_id=name, min_values=0, required=False, default_values=default)


def _about(founding: Founding, server: GuildSettings, texts: Texts) -> str:
    role = server.staff_role_id
    return texts(
        "wizard.about",
        format=texts(f"league.format_{founding.settings.format.name}"),
        deals=founding.settings.deals(4),
        rules=rules_short(founding.rules, texts),
        pace=texts(f"pace.{founding.pace}"),
        size=founding.settings.pod_size,
        most=founding.settings.most_players or texts("wizard.no_limit"),
        timezone=founding.settings.timezone,
        role=texts("setup.no_role") if role is None else f"<@&{role}>",
    )


def _calendar(founding: Founding, now: int, texts: Texts) -> Iterator[str]:
    """Yield a line for each date of the season, if everything goes as planned."""
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


def _templates(plan: LeaguePlan, texts: Texts) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=texts(f"template.{name}"),
            description=texts(f"template.{name}_hint"),
            value=name,
            default=name == plan.template.name,
        )
        for name in TEMPLATES
    ]


def _clocks(plan: LeaguePlan, texts: Texts) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(label=texts(f"pace.{pace}"), value=pace, default=pace == plan.pace)
        for pace in Pace
    ]


def _rules(plan: LeaguePlan, server: GuildSettings, texts: Texts) -> list[discord.SelectOption]:
    presets = preset_options(None if plan.rules == HOUSE_RULES else plan.rules, texts)
    if not server.has_house_rules:
        return presets
    label = texts("league.house_rules", rules=rules_short(server.terms.rules, texts))
    own = discord.SelectOption(label=label[:100], value=HOUSE_RULES, default=plan.rules == HOUSE_RULES)
    return [own, *presets]
