"""A home game: its message with the sheet, the totals and who pays whom, and the forms of its keepers."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui
from pydantic import ValidationError

from bot.errors import UserError
from bot.panels.table.match import item_words, payments_words
from bot.panels.table.rules import rules_short
from bot.scorekeeping.score_text import BETTER, DUBLEES, FOUL, LONGEST_TEXT, NOBODY, OUT, THREW
from bot.scorekeeping.scorekeeper import ScoreSession
from bot.ui.items import (
    GREEN,
    MOST_OPTIONS,
    RED,
    Button,
    Fields,
    Press,
    Select,
    chosen,
    chosen_one,
    field,
    row,
    typed,
)
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.texts import Texts, shown_card
from data.preferences import choices
from marriage.rules import Rules, nearest_preset
from marriage.scoring.home_game import MOST_POINTS
from marriage.sheet import Ending, Sheet, SheetLine, Status
from render.picture import Picture
from render.words import signed

_LATEST = 8
"""The number of deals whose gains are listed next to a total."""


def score_panel(
    evening: ScoreSession, picture: Picture | None, texts: Texts, note: str | None = None
) -> Panel:
    """Show the whole message; without a picture, the sheet is in words only."""
    file = picture_file(picture) if picture else None
    return panel(
        text(f"> {note}") if note else None,
        text(_head(evening, texts)),
        *_deal(evening, len(evening.sheets), file, texts),
        text(_ledger(evening, texts)),
        *_controls(evening, texts),
        files=[file] if file else [],
    )


def deal_panel(
    evening: ScoreSession,
    number: int,
    picture: Picture | None,
    texts: Texts,
    note: str | None = None,
    *,
    may_correct: bool,
) -> Panel:
    """Show one deal of the evening, by its number from 1, with a button for those who may correct it."""
    file = picture_file(picture) if picture else None
    correct = Button(_press(evening, "score-fix", str(number)), texts("button.score_fix"))
    return panel(
        text(f"> {note}") if note else None,
        *_deal(evening, number, file, texts),
        row(correct) if may_correct else None,
        files=[file] if file else [],
    )


def counting_words(rules: Rules, texts: Texts) -> str:
    """Name the rules that matter for counting points, in one line that starts with the preset."""
    said = [rules_short(rules, texts)]
    if "point_table" in nearest_preset(rules)[1]:
        said.append(texts("score.values", table=texts(f"points.{rules.point_table}")))
    said += [
        texts(f"option.{name}")
        for name in ("alter", "laid_marriage", "tunnel_pachaunu", "dublee_exempt", "throw_foul")
        if getattr(rules, name)
    ]
    if rules.man_cards:
        said.append(texts("option.man_cards", count=rules.man_cards))
    said.append(texts(f"unseen_maal.{rules.unseen_maal}"))
    said.append(texts("score.pays", seen=rules.seen_pay, unseen=rules.unseen_pay))
    said.append(texts("score.bonus", bonus=rules.dublee_bonus) if rules.dublee else texts("score.no_dublees"))
    if rules.foul != "off":
        said.append(texts(f"foul.{rules.foul}", points=rules.foul_points))
    return " · ".join(said)


def _head(evening: ScoreSession, texts: Texts) -> str:
    keepers = " ".join(f"<@{keeper}>" for keeper in sorted(evening.keepers)) or "–"
    title = texts("score.title" if evening.session.closed_at is None else "score.title_closed")
    return f"{title}\n{texts('score.about', keepers=keepers, rules=counting_words(evening.session.rules, texts))}"


def _deal(
    evening: ScoreSession, number: int, file: discord.File | None, texts: Texts
) -> list[ui.Item[Any] | None]:
    """Return a deal's result and sheet."""
    if not number:
        return [text(texts("score.empty", names=", ".join(evening.shown_names)))]
    sheet, deal = evening.sheets[number - 1], evening.entries[number - 1].deal
    parts = [_result(sheet, number, evening, texts)]
    if deal.tiplu is not None:
        parts.append(texts("score.tiplu", card=shown_card(deal.tiplu, texts)))
    if sheet.factor > 1:
        parts.append(texts("score.better", factor=sheet.factor))
    lines = [
        _line(name, line, texts, winner=seat == sheet.winner)
        for seat, (name, line) in enumerate(zip(evening.shown_names, sheet.lines, strict=True))
    ]
    rules = evening.session.rules
    if early := evening.seated(evening.entries[number - 1]).early_dublees(rules):
        who = ", ".join(evening.shown_names[seat] for seat in early)
        lines.append(
            texts("score.early_dublees", names=who, least=rules.dublee_min_players, played=deal.playing)
        )
    return [text(" ".join(parts)), gallery(file) if file else None, text("\n".join(lines))]


def _result(sheet: Sheet, number: int, evening: ScoreSession, texts: Texts) -> str:
    if sheet.winner is None:
        return texts("score.dismissed", deal=number)
    key = "score.won_dublees" if sheet.ending is Ending.DUBLEES else "score.won"
    return texts(key, deal=number, name=evening.shown_names[sheet.winner])


def _line(name: str, line: SheetLine, texts: Texts, *, winner: bool) -> str:
    status = texts("sheet.winner") if winner else texts(f"score.{line.status}")
    items = [item_words(item, texts) for item in line.items if item.cards]
    return texts(
        "score.line_foul" if line.foul else "score.line",
        name=name,
        status=status,
        points=line.points,
        items=f" ({', '.join(items)})" if items else "",
        maal=signed(line.maal),
        payment=signed(line.payment),
        foul=signed(line.foul),
        net=signed(line.net),
    )


def _ledger(evening: ScoreSession, texts: Texts) -> str:
    deals = len(evening.sheets)
    if not deals:
        return texts("score.how")
    names, totals = evening.shown_names, evening.totals
    lines = [texts("score.after", deals=deals)]
    for seat in sorted(range(len(names)), key=lambda seat: -totals[seat]):
        gains = " ".join(_gain(sheet.lines[seat]) for sheet in evening.sheets[-_LATEST:])
        lines.append(texts("score.total", name=names[seat], total=signed(totals[seat]), gains=gains))
    closed = evening.session.closed_at is not None
    key = "score.settle_final" if closed else "score.settle"
    lines.append(texts(key, payments=payments_words(evening.payments, names, texts)))
    if evening.owing:
        owing = ", ".join(names[seat] for seat in evening.owing)
        key = "score.owing_final" if closed else "score.owing"
        lines.append(texts(key, names=owing, points=evening.session.rules.foul_points))
    return "\n".join(lines)


def _gain(line: SheetLine) -> str:
    """Format a player's gain in a deal; a dash if they sat out and no foul of an earlier deal was settled."""
    return "–" if line.status is Status.PAUSE and not line.net else signed(line.net)


def _controls(evening: ScoreSession, texts: Texts) -> list[ui.ActionRow[Any]]:
    rows: list[ui.ActionRow[Any]] = []
    if len(evening.sheets) > 1:
        numbers = range(len(evening.sheets), 0, -1)[:MOST_OPTIONS]
        options = [_option(evening, number, texts) for number in numbers]
        rows.append(row(Select(_press(evening, "pick-score"), texts("score.look"), options)))
    if evening.session.closed_at is not None:
        return [*rows, row(Button(_press(evening, "score-reopen"), texts("button.score_reopen")))]
    buttons = [
        Button(_press(evening, "score-deal"), texts("button.score_deal"), style=GREEN),
        Button(_press(evening, "score-undo"), texts("button.score_undo"), disabled=not evening.sheets),
        Button(_press(evening, "score-names"), texts("button.score_names")),
        Button(_press(evening, "score-rules"), texts("button.score_rules"), disabled=bool(evening.sheets)),
        Button(_press(evening, "score-close"), texts("button.score_close"), style=RED),
    ]
    return [*rows, row(*buttons)]


def _option(evening: ScoreSession, number: int, texts: Texts) -> discord.SelectOption:
    sheet = evening.sheets[number - 1]
    won = "score.option_nobody" if sheet.winner is None else "score.option"
    name = "" if sheet.winner is None else evening.session.names[sheet.winner]
    return discord.SelectOption(label=texts(won, deal=number, name=name)[:100], value=str(number))


def _press(evening: ScoreSession, verb: str, argument: str = "") -> Press:
    return Press(verb, evening.session.id, evening.session.revision, argument)


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
    """Return the five fields, filled in for the next deal or for the one to correct, counted from 1."""
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
                max_length=LONGEST_TEXT,
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
    """Return the special events that these rules allow in a deal."""
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
    """Return the field for the names, one on each line."""
    names = "\n".join(evening.session.names)
    component: ui.TextInput[Any] = ui.TextInput(
        custom_id="names", style=discord.TextStyle.paragraph, default=names, max_length=400
    )
    return [field(texts("scoreform.names"), component, texts("scoreform.names_hint"))]


# Rules


def rules_fields(rules: Rules, texts: Texts) -> list[ui.Label[Any]]:
    """Return the fields of the rules that matter for counting points, filled in."""
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
    """Return these rules with the entered values; raises UserError."""
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
