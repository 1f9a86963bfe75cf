"""The readers of what people type into commands and forms, and choose in them."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

from bot.errors import UserError
from bot.interactions.choices import expose_numbered, read_card, read_groups
from bot.league.moments import read_moment
from bot.league.number_settings import DESCRIPTION, NAMES, changed, read_clock, shown_value
from bot.league.reports import prefilled
from bot.league.ruling_events import read_deals, read_points
from bot.panels.scorekeeping.score import read_rules as read_score_rules
from bot.scorekeeping.score_text import Typed, read_deal, read_more_names, read_names, typed_of
from bot.words.names import echoed, person_name
from bot.words.rules import InvalidRulesError, read_rules, written
from cogs.league.replies import read_create
from data.names import clean_name
from data.preferences import GuildSettings, Pace
from league.formats import FORMATS
from league.settings import SeasonSettings, default_settings
from league.times import timezone_named
from marriage.notation import write_groups
from marriage.rules import PRESETS, Rules, nearest_preset
from marriage.scoring.home_game import HomeDeal
from tests.fuzz.readers.reader import COMMAND, Reader, of_json

NOW = 1_795_003_200_000
"""Noon of UTC on 18 November 2026."""
MOMENTS = {
    "en": (
        "tomorrow 8pm",
        "in 1d 2h 30m",
        "18:30",
        "<t:1700000000:f>",
        "2026-11-19 20:00 +5:45",
        "fri 7pm",
        "३:१५",
    ),
    "ne": ("भोलि २० बजे", "बेलुका ८:३० बजे", "18:30", "राति १२ बजे", "२ घण्टा पछि"),
    "hi": ("कल शाम 7 बजे", "रात ९ बजे", "in 2h", "पौने 8 बजे परसों"),
}
NAMED = ("Ram", "Sita", "राम ३")
DEAL = {
    "winner": ["0"],
    "seen": ["1"],
    "maal": "Ram: 10\nSita: 9Cx3 laid 5H\nराम ३: १२",
    "tiplu": "7H",
    "special": ["better"],
}
SCORE_RULES = {
    "point_table": ["pagat"],
    "unseen_maal": ["count"],
    "foul": ["off"],
    "switches": ["alter"],
    "figures": "3 १० 5 15",
}
LEAGUE = {
    "name": "Dashain",
    "format": [next(iter(FORMATS))],
    "rules": ["pagat"],
    "rotations": ["3"],
    "numbers": "7, ७, 10",
}


def _rules_text(rules: Rules) -> str:
    """Return a text with a preset on the first line, and the differences from it on the second."""
    preset, differences = nearest_preset(rules)
    return f"{preset}\n{' '.join(written(*pair) for pair in differences.items())}"


def _rules(text: str) -> Rules:
    preset, _, others = text.partition("\n")
    return read_rules(preset, others)


def _form(read: Callable[[dict[str, Any]], Any]) -> Callable[[str], Any]:
    """Return a reader of the fields of a form, which are texts, choices and switches by then."""

    def read_fields(value: Any) -> Any:
        found = value if isinstance(value, dict) else {}
        return read({name: given for name, given in found.items() if _is_answer(given)})

    return of_json(read_fields)


def _is_answer(given: object) -> bool:
    choices = isinstance(given, list) and len(given) <= 25 and all(isinstance(one, str) for one in given)
    return choices or isinstance(given, str | bool)


def _score_deal(deal: HomeDeal) -> str:
    typed = typed_of(deal, NAMED)
    return json.dumps(asdict(typed) | {"winner": [typed.winner]})


def with_sorted_cards(deal: HomeDeal) -> HomeDeal:
    """Return the deal with each hand sorted, since the form does not keep the order of typed cards."""
    seats = [seat.model_copy(update={"cards": tuple(sorted(seat.cards))}) for seat in deal.seats]
    return deal.model_copy(update={"seats": tuple(seats)})


def _setting(settings: SeasonSettings, text: str) -> tuple[str, SeasonSettings]:
    """Read a setting's name, a blank, and its typed value."""
    name, _, typed = text.partition(" ")
    return name, changed(settings, name, typed)


def _shown_setting(setting: tuple[str, SeasonSettings]) -> str:
    name, settings = setting
    shown = (
        settings.description if name == DESCRIPTION else shown_value(settings, name)
    )  # it is shown escaped
    return f"{name} {shown}"


READERS = (
    Reader(read_card, read_card, UserError, ("5H", "10♣", "tc"), COMMAND, str),
    Reader(read_groups, read_groups, UserError, ("3S 4S 5S, 6H 6H 6H", ""), COMMAND, write_groups),
    Reader(expose_numbered, expose_numbered, (), ("0-1",), 40),
    Reader(
        read_rules,
        _rules,
        InvalidRulesError,
        ("pagat\nalter=yes, seen_pay=4", "kathmandu\npoints.tiplu=3/8"),
        write=_rules_text,
    ),
    Reader(
        read_score_rules,
        _form(lambda fields: read_score_rules(fields, PRESETS["pagat"])),
        UserError,
        (json.dumps(SCORE_RULES),),
    ),
    Reader(
        read_deal,
        _form(lambda fields: with_sorted_cards(read_deal(Typed.of(fields), NAMED))),
        UserError,
        (
            json.dumps(DEAL, ensure_ascii=False),
            json.dumps(DEAL | {"winner": ["nobody"], "special": ["foul-1"]}),
        ),
        write=_score_deal,
    ),
    Reader(read_names, read_names, UserError, ("Ram, Sita\nगीता",), write="\n".join),
    Reader(
        read_more_names, lambda text: read_more_names(text, NAMED), UserError, ("a, b, c",), write="\n".join
    ),
    Reader(
        read_create,
        _form(lambda fields: read_create(fields, GuildSettings(), Pace.NORMAL)),
        UserError,
        (json.dumps(LEAGUE, ensure_ascii=False),),
    ),
    *(
        Reader(
            read_moment,
            partial(read_moment, now=NOW, timezone=zone),
            UserError,
            samples,
            COMMAND,
            lambda moment: f"<t:{moment // 1000}>",
            of_what=language,
        )
        for (language, samples), zone in zip(
            MOMENTS.items(), ("UTC", "Asia/Kathmandu", "Asia/Kolkata"), strict=True
        )
    ),
    *(
        Reader(
            changed,
            partial(_setting, default_settings(kind)),
            UserError,
            tuple(_shown_setting((name, default_settings(kind))) for name in NAMES),
            COMMAND,
            _shown_setting,
            of_what=kind,
        )
        for kind in FORMATS
    ),
    Reader(read_clock, read_clock, UserError, tuple(Pace), COMMAND, str),
    Reader(timezone_named, timezone_named, (), ("america/new york", "UTC"), COMMAND, str),
    Reader(
        read_points,
        read_points,
        UserError,
        ("8 -8", "−३, 3"),
        COMMAND,
        lambda points: " ".join(map(str, points)),
    ),
    Reader(
        read_deals,
        lambda text: tuple(read_deals(text)),
        UserError,
        ("# Asha, Bikram\n8 -8\n-3, 3",),
        write=lambda deals: prefilled(NAMED, deals),
    ),
    Reader(clean_name, partial(clean_name, fallback=""), (), ("राम", "a\u202eb"), 100, str),
    Reader(person_name, partial(person_name, 7), (), ("Sita",), 100, str),
    Reader(echoed, echoed, (), ("<@5> *bold*",)),
)
