"""The forms of a home game: a deal, the players' names, the rules that matter for counting points."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui
from pydantic import ValidationError

from bot.errors import UserError
from bot.scorekeeping.score_text import BETTER, DUBLEES, FOUL, NOBODY, OUT, THREW
from bot.scorekeeping.scorekeeper import ScoreSession
from bot.ui.items import Fields, chosen, chosen_one, field, typed
from bot.words.texts import Texts
from data.preferences import choices
from marriage.rules import Rules
from marriage.scoring.home_game import MOST_POINTS

_CHOICES: Final = {name: choices(Rules, name) for name in ("point_table", "unseen_maal", "foul")}
_SWITCHES: Final = (
    "alter",
    "laid_marriage",
    "tunnel_pachaunu",
    "dublee",
    "dublee_exempt",
    "throw_foul",
)
_FIGURES: Final = ("seen_pay", "unseen_pay", "dublee_bonus", "foul_points")


# A deal


def deal_fields(evening: ScoreSession, texts: Texts, corrects: int | None = None) -> list[ui.Label[Any]]:
    """The five fields, filled in with what is known of the next deal or of the one to correct, counted from 1."""
    names, draft = evening.session.names, evening.draft(corrects)
    seats = [(str(seat), name) for seat, name in enumerate(names)]
    maal = draft.maal or "\n".join(f"{name}: " for name in names)
    special = _special(evening, texts)
    return [
        field(
            texts("scoreform.winner"),
            _select("winner", [*seats, (NOBODY, texts("scoreform.nobody"))], [draft.winner]),
        ),
        field(
            texts("scoreform.seen"),
            _select("seen", seats, draft.seen, least=0, most=len(seats)),
            texts("scoreform.seen_hint"),
        ),
        field(
            texts("scoreform.maal"),
            ui.TextInput(
                custom_id="maal",
                style=discord.TextStyle.paragraph,
                default=maal,
                required=False,
                max_length=1000,
            ),
            texts("scoreform.maal_hint", most=MOST_POINTS),
        ),
        field(
            texts("scoreform.tiplu"),
            ui.TextInput(
                custom_id="tiplu", default=draft.tiplu or None, required=False, max_length=6, placeholder="7H"
            ),
            texts("scoreform.tiplu_hint"),
        ),
        field(
            texts("scoreform.special"),
            _select("special", special, draft.special, least=0, most=len(special)),
            texts("scoreform.special_hint"),
        ),
    ]


def _special(evening: ScoreSession, texts: Texts) -> list[tuple[str, str]]:
    """The special events that these rules allow in a deal."""
    rules, names = evening.session.rules, evening.session.names
    kinds = [DUBLEES] * rules.dublee + [OUT, FOUL] + [THREW] * rules.throw_foul
    return [
        (BETTER, texts("scoreform.better", factor=rules.better_factor)),
        *(
            (f"{kind}-{seat}", texts(f"scoreform.{kind}", name=name))
            for kind in kinds
            for seat, name in enumerate(names)
        ),
    ]


# Names


def names_fields(evening: ScoreSession, texts: Texts) -> list[ui.Label[Any]]:
    """The names, one on each line."""
    names = "\n".join(evening.session.names)
    component: ui.TextInput[Any] = ui.TextInput(
        custom_id="names", style=discord.TextStyle.paragraph, default=names, max_length=400
    )
    return [field(texts("scoreform.names"), component, texts("scoreform.names_hint"))]


# Rules


def rules_fields(rules: Rules, texts: Texts) -> list[ui.Label[Any]]:
    """The rules that matter for counting points, filled in."""
    switches = [
        discord.CheckboxGroupOption(label=texts(f"option.{name}"), value=name, default=getattr(rules, name))
        for name in _SWITCHES
    ]
    figures = " ".join(str(getattr(rules, name)) for name in _FIGURES)
    return [
        field(
            texts("scoreform.points"),
            _choice(
                rules,
                "point_table",
                {choice: texts(f"points.{choice}") for choice in _CHOICES["point_table"]},
            ),
        ),
        field(
            texts("scoreform.unseen_maal"),
            _choice(
                rules,
                "unseen_maal",
                {choice: texts(f"unseen_maal.{choice}") for choice in _CHOICES["unseen_maal"]},
            ),
        ),
        field(
            texts("scoreform.foul_form"),
            _choice(
                rules,
                "foul",
                {choice: texts(f"foul.{choice}", points=rules.foul_points) for choice in _CHOICES["foul"]},
            ),
        ),
        field(
            texts("scoreform.switches"),
            ui.CheckboxGroup(custom_id="switches", options=switches, required=False, min_values=0),
        ),
        field(
            texts("scoreform.figures"),
            ui.TextInput(custom_id="figures", default=figures, max_length=20),
            texts("scoreform.figures_hint"),
        ),
    ]


def read_rules(fields: Fields, rules: Rules) -> Rules:
    """These rules with what was filled in; raises UserError."""
    wanted: dict[str, Any] = {name: chosen_one(fields, name) for name in _CHOICES}
    switched = chosen(fields, "switches")
    wanted |= {name: name in switched for name in _SWITCHES}
    figures = typed(fields, "figures").replace(",", " ").split()
    if len(figures) != len(_FIGURES) or not all(figure.isdecimal() and len(figure) < 4 for figure in figures):
        raise UserError("sorry.score_figures")
    wanted |= dict(zip(_FIGURES, map(int, figures), strict=True))
    if wanted["throw_foul"] and wanted["foul"] == "off":
        raise UserError("sorry.score_throw_foul")
    try:
        return rules.with_options(**wanted)
    except ValidationError:
        raise UserError("sorry.score_figures") from None


def _choice(rules: Rules, name: str, labels: Mapping[str, str]) -> ui.Select[Any]:
    return _select(name, labels.items(), [getattr(rules, name)])


def _select(
    custom_id: str,
    choices: Iterable[tuple[str, str]],
    chosen: Iterable[str] = (),
    *,
    least: int = 1,
    most: int = 1,
) -> ui.Select[Any]:
    wanted = set(chosen)
    options = [
        discord.SelectOption(label=label[:100], value=value, default=value in wanted)
        for value, label in choices
    ]
    return ui.Select(
        custom_id=custom_id, options=options, min_values=least, max_values=most, required=least > 0
    )
