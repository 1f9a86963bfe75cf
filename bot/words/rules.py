"""The rules as people name, type and ask about them, and refusals of the rules as sentences.

A preset goes by its usual name. Typed rules are a preset and differences from it as `option=value`. As questions, the rules
are grouped by subject, each with the answers that fit what was answered before. A question that the other answers leave
without effect is not asked: who plays without dublees need not say what they cost.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, cast, get_args

from pydantic import ValidationError

from bot.errors import UnexpectedInputError
from bot.words.numbers import read_number
from bot.words.texts import Texts, shown_card, shown_cards
from marriage.cards import Card
from marriage.errors import IllegalActionError
from marriage.rules import PRESETS, Rules, Scored

EVERYDAY: Final = ("pagat", "murder", "kidnap", "kathmandu", "wikipedia", "gambiter", "wikipedia-2010")
"""Every preset by its key, in the order in which they are offered: the usual ones first."""


def preset_name(preset: str, texts: Texts) -> str:
    """Return the usual name of a preset, such as "Full Kathmandu"."""
    return texts(f"preset_name.{preset}")


_BOOLEANS: Final = {"yes": True, "true": True, "no": False, "false": False}
_POINTS: Final = "points."
_LONGEST_ECHO: Final = 40
_PROPERTIES: Final[dict[str, Any]] = Rules.model_json_schema()["properties"]

OPTIONS: Final = tuple(name for name in _PROPERTIES if name != "custom_points")
"""Every option that can be typed by its name, except the points of one kind."""


@dataclass(frozen=True, slots=True)
class RuleFault:
    """An error in typed rules: a message key and its values."""

    key: str
    values: Mapping[str, Any]


class InvalidRulesError(Exception):
    """Raised for invalid rules; `faults` has every reason."""

    def __init__(self, faults: Iterable[RuleFault]) -> None:
        super().__init__("these are no rules")
        self.faults = tuple(faults)


def written(name: str, value: Any) -> str:
    """Format an option as it is typed.

    >>> written("alter", True), written("custom_points", (("tiplu", (3, 8)),))
    ('alter=yes', 'points.tiplu=3/8')
    """
    if name == "custom_points":
        return " ".join(f"{_POINTS}{kind}={'/'.join(map(str, row))}" for kind, row in value)
    if isinstance(value, bool):
        value = "yes" if value else "no"
    return f"{name}={value}"


def read_rules(preset: str, typed: str) -> Rules:
    """Return the rules of a preset with typed options; raises InvalidRulesError.

    Options are separated by commas, blanks or lines. An option given twice must have the same value.
    """
    base = PRESETS.get(preset)
    if base is None:
        raise InvalidRulesError(
            [RuleFault("rulesform.no_preset", {"name": _echo(preset), "presets": ", ".join(PRESETS)})]
        )
    faults: list[RuleFault] = []
    options: dict[str, Any] = {}
    said: dict[str, str] = {}
    for part in _parts(typed):
        name, equals, text = part.partition("=")
        name = name.lower()
        fault = (
            _fault_of_name(part, name)
            if equals and text
            else RuleFault("rulesform.no_pair", {"text": _echo(part)})
        )
        if fault is None and said.setdefault(name, text) != text:
            fault = RuleFault(
                "rulesform.twice", {"name": name, "first": _echo(said[name]), "second": _echo(text)}
            )
        if fault is not None:
            faults.append(fault)
        elif name.startswith(_POINTS):
            options.setdefault("custom_points", {})[name.removeprefix(_POINTS)] = _row(text)
        else:
            options[name] = _value(name, text)
    return _validated(base, options, said, faults)


def _validated(
    base: Rules, options: dict[str, Any], said: Mapping[str, str], faults: list[RuleFault]
) -> Rules:
    rules = base
    try:
        rules = base.with_options(**options)
    except ValidationError as error:
        explained = [_explained(fault["loc"], said) for fault in error.errors()]
        faults += [fault for place, fault in enumerate(explained) if fault not in explained[:place]]
    if faults:
        raise InvalidRulesError(faults)
    return rules


def _parts(typed: str) -> list[str]:
    return [part for part in re.split(r"[\s,;]+", re.sub(r"\s*=\s*", "=", typed)) if part]


def _fault_of_name(part: str, name: str) -> RuleFault | None:
    kind = name.removeprefix(_POINTS)
    if name in OPTIONS:
        return None
    if name.startswith(_POINTS) and kind in get_args(Scored):
        return None
    points = [_POINTS + kind for kind in get_args(Scored)]
    near = get_close_matches(name[:_LONGEST_ECHO], [*OPTIONS, *points], n=1)
    if near:
        return RuleFault("rulesform.did_you_mean", {"name": _echo(part.partition("=")[0]), "near": near[0]})
    return RuleFault("rulesform.no_option", {"name": _echo(part.partition("=")[0])})


def _value(name: str, text: str) -> Any:
    """Return the value in the option's type; text that does not fit stays text, for pydantic to refuse."""
    kind = _PROPERTIES[name].get("type")
    if kind == "boolean":
        return _BOOLEANS.get(text.lower(), text)
    return _number(text) if kind == "integer" else text.lower()


def _row(text: str) -> tuple[Any, ...]:
    return tuple(_number(part) for part in text.split("/")[:9])


def _number(text: str) -> Any:
    """Return the number, or else the text, for pydantic to refuse."""
    number = read_number(text, 4)
    return text if number is None else number


def _explained(place: tuple[int | str, ...], said: Mapping[str, str]) -> RuleFault:
    """Explain one of pydantic's errors by what the option accepts."""
    if not place:
        return RuleFault("rulesform.needs_foul", {})  # no other options depend on each other
    name = str(place[0])
    if name == "custom_points":
        typed = ", ".join(f"{key}={text}" for key, text in said.items() if key.startswith(_POINTS))
        return RuleFault("rulesform.points", {"given": _echo(typed)})
    given = _echo(said.get(name, ""))
    schema = _PROPERTIES[name]
    if "enum" in schema:
        return RuleFault(
            "rulesform.one_of", {"name": name, "values": ", ".join(schema["enum"]), "given": given}
        )
    if schema.get("type") == "boolean":
        return RuleFault("rulesform.yes_no", {"name": name, "given": given})
    ends = {"name": name, "least": schema["minimum"], "most": schema["maximum"], "given": given}
    return RuleFault("rulesform.range", ends)


def _echo(text: str) -> str:
    """Shorten typed text and make it harmless, to repeat in a message."""
    shown = "".join(sign if sign.isalnum() or sign in "=/_.- " else "·" for sign in text[:_LONGEST_ECHO])
    return shown + "…" if len(text) > _LONGEST_ECHO else shown


_FIGURES: Final = (*range(11), 12, 15, 18, 20, 25, 30, 35, 40, 45, 50)
"""The numbers to offer if more are possible than fit in a select. All others can be typed."""
_MOST_ANSWERS: Final = 24
"""The maximum number of answers, with room for one more: the current one, which may have been typed."""


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """One option of the rules."""

    option: str
    matters: Callable[[Rules], bool] = lambda _: True
    """Whether the answer changes anything under these rules."""


def _has_dublees(rules: Rules) -> bool:
    return rules.dublee


def _has_fouls(rules: Rules) -> bool:
    return rules.foul != "off"


SUBJECTS: Final[dict[str, tuple[RuleQuestion, ...]]] = {
    "cards": tuple(map(RuleQuestion, ("man_cards", "master_card", "direction", "first_dealer"))),
    "sets": (
        RuleQuestion("group_size"),
        RuleQuestion("long_trial", lambda rules: rules.group_size == "three_plus"),
        RuleQuestion("primary_trial"),
    ),
    "showing": tuple(map(RuleQuestion, ("open_tiplu", "same_turn_finish", "tunnela_window"))),
    "pile": tuple(map(RuleQuestion, ("unseen_pickup", "seen_pickup_wild", "same_face_discard"))),
    "stock": (
        RuleQuestion("stock_out"),
        RuleQuestion("reshuffle_cap", lambda rules: rules.stock_out == "reshuffle"),
    ),
    "dublees": (
        RuleQuestion("dublee"),
        RuleQuestion("dublee_min_players", _has_dublees),
        RuleQuestion("joker_dublee", lambda rules: rules.dublee and rules.man_cards > 1),
        RuleQuestion("dublee_game", _has_dublees),
    ),
    "maal": tuple(map(RuleQuestion, ("point_table", "alter", "mixed_pairs", "laid_marriage"))),
    "unseen": (
        RuleQuestion("unseen_maal"),
        RuleQuestion("tunnel_pachaunu", lambda rules: rules.unseen_maal not in {"murder", "murder_payback"}),
    ),
    "payments": (
        RuleQuestion("seen_pay"),
        RuleQuestion("unseen_pay"),
        RuleQuestion("dublee_bonus", _has_dublees),
        RuleQuestion("dublee_exempt", _has_dublees),
    ),
    "better": (
        RuleQuestion("better_after"),
        RuleQuestion(
            "better_factor",
            lambda rules: rules.better_after > 0 or (rules.dublee and rules.dublee_game == "double"),
        ),
    ),
    "fouls": (
        RuleQuestion("foul"),
        RuleQuestion("foul_points", lambda rules: rules.foul in {"next", "each"}),
        RuleQuestion("throw_foul", _has_fouls),
        RuleQuestion("false_claim", _has_fouls),
    ),
    "dead": (RuleQuestion("dead_hand", _has_fouls),),
}
"""The subjects, with at most four questions each, so that a page has no more than five rows."""
_QUESTIONS: Final = {question.option: question for asked in SUBJECTS.values() for question in asked}


def asked(subject: str, rules: Rules) -> list[RuleQuestion]:
    """Return a subject's questions that matter under these rules; raises UnexpectedInputError if unknown."""
    if subject not in SUBJECTS:
        raise UnexpectedInputError("no such subject")
    return [question for question in SUBJECTS[subject] if question.matters(rules)]


def subjects(rules: Rules) -> list[str]:
    """Return the subjects that have a question under these rules."""
    return [subject for subject in SUBJECTS if asked(subject, rules)]


def subject_of(option: str) -> str:
    """Return the subject that asks for this option; raises UnexpectedInputError."""
    for subject, questions in SUBJECTS.items():
        if any(question.option == option for question in questions):
            return subject
    raise UnexpectedInputError("no such option")


def matters(option: str, rules: Rules) -> bool:
    """Return whether this option changes anything under these rules."""
    question = _QUESTIONS.get(option)
    return question is None or question.matters(rules)


def answers(option: str, rules: Rules) -> list[Any]:
    """Return the values that are offered for an option, including its current one."""
    schema, present = _PROPERTIES[option], getattr(rules, option)
    if "enum" in schema:
        return list(schema["enum"])
    if schema["type"] == "boolean":
        return [True, False]
    low, high = schema["minimum"], schema["maximum"]
    offered = range(low, high + 1) if high - low < _MOST_ANSWERS else _FIGURES
    return sorted({*offered, present})


def answer(rules: Rules, option: str, value: str) -> Rules:
    """Return the rules with this answer, as `written` without the option's name; contradictions change too.

    Another table of values replaces custom values; a foul that has no price yet is paid to the winner of the
    next deal. Raises UnexpectedInputError for an answer that is not offered.
    """
    subject_of(option)
    wanted = next(
        (offer for offer in answers(option, rules) if written(option, offer) == f"{option}={value}"), None
    )
    if wanted is None:
        raise UnexpectedInputError("an answer that is not offered")
    changes: dict[str, Any] = {option: wanted}
    if option == "point_table" and wanted != rules.point_table:
        changes["custom_points"] = ()
    if rules.foul == "off" and (option, wanted) in {("throw_foul", True), ("false_claim", "foul")}:
        changes["foul"] = "next"
    return rules.with_options(**changes)


def also_changed(before: Rules, after: Rules, option: str) -> dict[str, Any]:
    """Return what an answer to `option` has changed in addition."""
    return {
        name: value
        for name in Rules.model_fields
        if name != option and (value := getattr(after, name)) != getattr(before, name)
    }


def refusal_words(error: IllegalActionError, texts: Texts) -> str:
    """Explain the broken rule and what to do instead, with the catalogue's sentence for the `Refusal`.

    If the table's rules allow more than usual, a detail that is True selects a sentence that says so.
    """
    allowed = [name for name, value in error.details.items() if value is True]
    key = "_".join((f"illegal.{error.code}", *allowed))
    return texts(key, **{name: _shown(value, texts) for name, value in error.details.items()})


def _shown(value: Any, texts: Texts) -> Any:
    if isinstance(value, Card):
        return shown_card(value, texts)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return shown_cards(cast("Iterable[Card]", value), texts)
    return value
