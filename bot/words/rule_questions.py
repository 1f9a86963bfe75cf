"""The rules as questions: grouped by subject, each with the answers that fit what was answered before.

A question that the other answers leave without effect is not asked: who plays without dublees need not say what they cost.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.errors import UnexpectedInputError
from bot.words.variations import written
from marriage.rules import Rules

_PROPERTIES: Final[dict[str, Any]] = Rules.model_json_schema()["properties"]
_FIGURES: Final = (*range(11), 12, 15, 18, 20, 25, 30, 35, 40, 45, 50)
"""The numbers to offer if more are possible than a select takes. All others can be typed."""
_MOST: Final = 24
"""Answers to a question, so that one more can be added: the present one, which may have been typed."""


@dataclass(frozen=True, slots=True)
class Question:
    """One option of the rules."""

    option: str
    matters: Callable[[Rules], bool] = lambda _: True
    """Whether the answer changes anything under these rules."""


def _dublees(rules: Rules) -> bool:
    return rules.dublee


def _fouls(rules: Rules) -> bool:
    return rules.foul != "off"


SUBJECTS: Final[dict[str, tuple[Question, ...]]] = {
    "cards": tuple(map(Question, ("man_cards", "master_card", "direction", "first_dealer"))),
    "sets": (
        Question("group_size"),
        Question("long_trial", lambda rules: rules.group_size == "three_plus"),
        Question("primary_trial"),
    ),
    "showing": tuple(map(Question, ("open_tiplu", "same_turn_finish", "tunnela_window"))),
    "pile": tuple(map(Question, ("unseen_pickup", "seen_pickup_wild", "same_face_discard"))),
    "stock": (
        Question("stock_out"),
        Question("reshuffle_cap", lambda rules: rules.stock_out == "reshuffle"),
    ),
    "dublees": (
        Question("dublee"),
        Question("dublee_min_players", _dublees),
        Question("joker_dublee", lambda rules: rules.dublee and rules.man_cards > 1),
        Question("dublee_game", _dublees),
    ),
    "maal": tuple(map(Question, ("point_table", "alter", "mixed_pairs", "laid_marriage"))),
    "unseen": (
        Question("unseen_maal"),
        Question("tunnel_pachaunu", lambda rules: rules.unseen_maal not in {"murder", "murder_payback"}),
    ),
    "payments": (
        Question("seen_pay"),
        Question("unseen_pay"),
        Question("dublee_bonus", _dublees),
        Question("dublee_exempt", _dublees),
    ),
    "better": (
        Question("better_after"),
        Question(
            "better_factor",
            lambda rules: rules.better_after > 0 or (rules.dublee and rules.dublee_game == "double"),
        ),
    ),
    "fouls": (
        Question("foul"),
        Question("foul_points", lambda rules: rules.foul in {"next", "each"}),
        Question("throw_foul", _fouls),
        Question("false_claim", _fouls),
    ),
    "dead": (Question("dead_hand", _fouls),),
}
"""At most four questions each, so that a page has no more than five rows."""
_QUESTIONS: Final = {question.option: question for asked in SUBJECTS.values() for question in asked}


def asked(subject: str, rules: Rules) -> list[Question]:
    """The questions of a subject that matter under these rules; raises UnexpectedInputError for no subject."""
    if subject not in SUBJECTS:
        raise UnexpectedInputError("no such subject")
    return [question for question in SUBJECTS[subject] if question.matters(rules)]


def subjects(rules: Rules) -> list[str]:
    """The subjects that have a question under these rules."""
    return [subject for subject in SUBJECTS if asked(subject, rules)]


def subject_of(option: str) -> str:
    """The subject that asks for this option; raises UnexpectedInputError."""
    for subject, questions in SUBJECTS.items():
        if any(question.option == option for question in questions):
            return subject
    raise UnexpectedInputError("no such option")


def matters(option: str, rules: Rules) -> bool:
    """Whether this option changes anything under these rules."""
    question = _QUESTIONS.get(option)
    return question is None or question.matters(rules)


def answers(option: str, rules: Rules) -> list[Any]:
    """The values that are offered for an option, its present one among them."""
    schema, present = _PROPERTIES[option], getattr(rules, option)
    if "enum" in schema:
        return list(schema["enum"])
    if schema["type"] == "boolean":
        return [True, False]
    low, high = schema["minimum"], schema["maximum"]
    offered = range(low, high + 1) if high - low < _MOST else _FIGURES
    return sorted({*offered, present})


def answer(rules: Rules, option: str, value: str) -> Rules:
    """The rules with this answer, as `written` without the name of the option. What contradicts it is changed too.

    Another table of values takes the place of custom values; a foul that has no price yet is paid to the winner of
    the next deal. Raises UnexpectedInputError for an answer that is not offered.
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
