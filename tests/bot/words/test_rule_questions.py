"""The rules as questions: every option is asked for, and whatever is answered, the engine plays by it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UnexpectedInputError
from bot.panels.table.rules import variation_words
from bot.words.rules import (
    SUBJECTS,
    also_changed,
    answer,
    answers,
    asked,
    matters,
    subject_of,
    subjects,
    written,
)
from bot.words.texts import catalogue
from marriage.rules import PRESETS, Rules
from tests.bot.words.test_texts import LANGUAGES

TYPED = {"custom_points"}
"""What cannot be a choice of a few: custom values of thirteen kinds, of one, two and three cards."""
MOST_ROWS, MOST_OPTIONS = 5, 25


def value(option: str, wanted: Any) -> str:
    return written(option, wanted).partition("=")[2]


def test_every_option_of_the_rules_is_asked_for_once():
    options = [question.option for questions in SUBJECTS.values() for question in questions]
    assert sorted(options) == sorted(set(Rules.model_fields) - TYPED)


def test_a_page_has_room_for_its_questions_and_the_way_to_the_others():
    assert all(len(questions) < MOST_ROWS for questions in SUBJECTS.values())
    assert len(SUBJECTS) < MOST_OPTIONS


@pytest.mark.parametrize("option", sorted(set(Rules.model_fields) - TYPED))
def test_every_option_is_reachable_by_selects_from_some_preset(option: str):
    """Walk from the preset to rules that ask for the option, then give every answer to it."""
    rules = PRESETS["wikipedia"]
    for step, wanted in (
        ("man_cards", 2),
        ("dublee_game", "double"),
        ("foul", "each"),
        ("stock_out", "reshuffle"),
        ("unseen_maal", "count"),
    ):
        assert step in {question.option for question in asked(subject_of(step), rules)}
        rules = answer(rules, step, value(step, wanted))
    assert option in {question.option for question in asked(subject_of(option), rules)}
    offered = answers(option, rules)
    assert 2 <= len(offered) <= MOST_OPTIONS
    for wanted in offered:
        assert getattr(answer(rules, option, value(option, wanted)), option) == wanted


@st.composite
def walks(draw: st.DrawFn) -> tuple[Rules, Rules, str]:
    """Rules after any number of answers, each to a question that was asked; those before the last; what it answered."""
    rules = before = draw(st.sampled_from(list(PRESETS.values())))
    option = "dublee"
    for _ in range(draw(st.integers(1, 25))):
        before = rules
        subject = draw(st.sampled_from(subjects(rules)))
        option = draw(st.sampled_from(asked(subject, rules))).option
        rules = answer(rules, option, value(option, draw(st.sampled_from(answers(option, rules)))))
    return before, rules, option


@given(walks())
def test_no_reachable_combination_is_refused_and_whatever_else_changes_is_named(
    walk: tuple[Rules, Rules, str],
):
    before, rules, option = walk
    assert Rules.model_validate(rules.model_dump()) == rules
    also = also_changed(before, rules, option)
    kept = set(Rules.model_fields) - {option, *also}
    assert all(getattr(rules, name) == getattr(before, name) for name in kept)
    assert not also or option in {"foul", "point_table"}


@given(
    st.sampled_from(list(PRESETS.values())),
    st.sampled_from(sorted(set(Rules.model_fields) - TYPED)),
    st.data(),
)
def test_an_answer_to_a_question_that_is_asked_no_more_still_makes_rules(
    rules: Rules, option: str, data: st.DataObject
):
    """Its select was shown before somebody else changed the rules."""
    wanted = data.draw(st.sampled_from(answers(option, rules)))
    after = answer(rules, option, value(option, wanted))
    assert getattr(after, option) == wanted


def test_a_foul_without_a_price_gets_one_and_is_named():
    rules = answer(PRESETS["pagat"], "throw_foul", "yes")
    assert (rules.throw_foul, rules.foul) == (True, "next")
    assert also_changed(PRESETS["pagat"], rules, "throw_foul") == {"foul": "next"}


def test_fouls_that_cost_nothing_end_what_needs_them():
    rules = answer(PRESETS["wikipedia"], "foul", "off")
    assert also_changed(PRESETS["wikipedia"], rules, "foul") == {"throw_foul": False, "false_claim": "reject"}
    assert "dead" not in subjects(rules)
    assert [question.option for question in asked("fouls", rules)] == ["foul"]


def test_another_table_of_values_takes_the_place_of_custom_values():
    own = PRESETS["pagat"].with_options(custom_points={"tiplu": (3, 8)})
    assert answer(own, "point_table", "pagat") == own
    assert also_changed(own, answer(own, "point_table", "w3"), "point_table") == {"custom_points": ()}


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("alter", "maybe"),
        ("seen_pay", "11.5"),
        ("seen_pay", "99"),
        ("custom_points", "()"),
        ("monopoly", "yes"),
        ("foul", ""),
    ],
)
def test_what_is_not_offered_is_no_answer(option: str, text: str):
    with pytest.raises(UnexpectedInputError):
        answer(PRESETS["pagat"], option, text)


def test_a_typed_number_stays_among_the_answers():
    rules = PRESETS["pagat"].with_options(seen_pay=13)
    assert 13 in answers("seen_pay", rules)
    assert 13 not in answers("seen_pay", PRESETS["pagat"])


def test_without_dublees_nothing_about_them_is_asked():
    rules = answer(PRESETS["kathmandu"], "dublee", "no")
    assert [question.option for question in asked("dublees", rules)] == ["dublee"]
    assert not matters("dublee_bonus", rules)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_is_said_in_words_and_no_two_alike(language: str):
    texts = catalogue(language)
    for option in sorted(set(Rules.model_fields) - TYPED):
        words = [variation_words(option, wanted, texts) for wanted in answers(option, PRESETS["pagat"])]
        assert len(set(words)) == len(words), option
        assert not any(said.startswith("`") for said in words)
        assert all(len(said) <= 100 for said in words)
