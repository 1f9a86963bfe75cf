"""The rules as people name, type and ask about them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.errors import UnexpectedInputError
from bot.panels.table.rules import Filled, rules_fields, rules_words, variation_words
from bot.ui.items import PRESET_CHOICES, preset_options
from bot.words.rules import (
    EVERYDAY,
    SUBJECTS,
    InvalidRulesError,
    RuleFault,
    also_changed,
    answer,
    answers,
    asked,
    matters,
    preset_name,
    read_rules,
    subject_of,
    subjects,
    written,
)
from bot.words.texts import catalogue
from data.preferences import TableOptions
from marriage.rules import PRESETS, Rules, nearest_preset, preset
from tests.bot.words.test_texts import LANGUAGES


def test_every_preset_is_offered_once_and_stored_by_its_key():
    assert sorted(EVERYDAY) == sorted(PRESETS)
    assert [choice.value for choice in PRESET_CHOICES] == list(EVERYDAY)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_preset_has_a_name_of_its_own_that_people_use(language):
    texts = catalogue(language)
    names = [preset_name(preset, texts) for preset in EVERYDAY]
    assert len(set(names)) == len(names)
    assert not set(names) & set(PRESETS)
    options = preset_options("murder", texts)
    assert [option.label for option in options] == names
    assert [option.value for option in options if option.default] == ["murder"]
    assert all(option.description for option in options)


def test_the_everyday_variants_differ_from_the_simple_game_in_one_point():
    for name, maal in (("murder", "murder"), ("kidnap", "kidnap_points")):
        assert PRESETS[name] == PRESETS["pagat"].with_options(unseen_maal=maal)


TEXTS = catalogue("en")
PROPERTIES = Rules.model_json_schema()["properties"]


def values(name: str) -> st.SearchStrategy:
    schema = PROPERTIES[name]
    if name == "custom_points":
        kinds = st.sampled_from(["tiplu", "poplu", "marriage", "man_tunnela"])
        rows = st.lists(st.integers(0, 200), min_size=1, max_size=3).map(tuple)
        return st.dictionaries(kinds, rows, max_size=3).map(lambda found: tuple(found.items()))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "boolean":
        return st.booleans()
    return st.integers(schema["minimum"], schema["maximum"])


@st.composite
def all_rules(draw) -> Rules:
    base = draw(st.sampled_from(sorted(PRESETS)))
    names = draw(st.lists(st.sampled_from(sorted(PROPERTIES)), unique=True, max_size=6))
    try:
        return preset(base, **{name: draw(values(name)) for name in names})
    except ValidationError:
        return PRESETS[base]


@given(all_rules())
def test_what_is_written_is_read_again(rules: Rules):
    name, found = nearest_preset(rules)
    assert read_rules(name, ", ".join(written(*pair) for pair in found.items())) == rules


@given(all_rules())
def test_a_form_left_as_it_is_asks_for_what_there_is(rules: Rules):
    table = Filled.of_rules(rules)
    assert Filled.of_argument(table.argument, table.others) == table
    filled = {}
    for label in rules_fields(table, TEXTS):
        payload = label.to_component_dict()["component"]
        if "options" in payload:
            filled[payload["custom_id"]] = [
                option["value"] for option in payload["options"] if option.get("default")
            ]
        else:
            filled[payload["custom_id"]] = payload.get("value", "")
    assert Filled.of_fields(filled).rules() == rules


@given(all_rules())
def test_all_rules_can_be_said_and_nothing_is_left_out(rules: Rules):
    name, differing = nearest_preset(rules)
    words = rules_words(rules, TableOptions(), TEXTS, most=len(differing))
    assert words.startswith(f"Rules: **{preset_name(name, TEXTS)}**")
    assert "\n" not in words
    for option, value in differing.items():
        assert (variation_words(option, value, TEXTS) in words) == matters(option, rules)


@given(st.text(max_size=4000))
def test_whatever_is_typed_makes_rules_or_faults_that_can_be_said(typed: str):
    faults: tuple[RuleFault, ...] = ()
    try:
        read_rules("pagat", typed)
    except InvalidRulesError as error:
        faults = error.faults
    for fault in faults:
        words = TEXTS(fault.key, **fault.values)
        assert "\n" not in words
        assert words.count("`") % 2 == 0
        assert len(words) < 300
    assert faults or "=" in typed or not re.search(r"[^\s,;]", typed)


def test_no_preset_is_further_away_than_another():
    rules = preset("kathmandu", alter=True)
    assert nearest_preset(rules) == ("kathmandu", {"alter": True})
    assert nearest_preset(PRESETS["pagat"]) == ("pagat", {})


def test_a_long_list_of_differences_is_cut_to_one_line():
    rules = PRESETS["wikipedia-2010"].with_options(
        alter=False,
        man_cards=6,
        open_tiplu=True,
        dublee=True,
        dublee_bonus=9,
        seen_pay=7,
        unseen_pay=20,
        foul="off",
    )
    words = rules_words(rules, TableOptions(), TEXTS)
    assert re.search(r"; and [2-9] more ·", words)
    assert len(words) < 500


@pytest.mark.parametrize("name", sorted(set(PROPERTIES) - {"custom_points"}))
def test_every_option_is_said_in_words(name: str):
    """A player who sits down reads how the rules differ, and need not know how that is typed."""
    schema = PROPERTIES[name]
    known = schema.get("enum") or ([True, False] if schema["type"] == "boolean" else [schema["minimum"]])
    for value in known:
        assert not variation_words(name, value, TEXTS).startswith("`")


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("man_cards=४", "rulesform.range"),
        ("man_cards=²", "rulesform.range"),
        ("man_cards=-1", "rulesform.range"),
        ("man_cards=00002", "rulesform.range"),
        ("man_cards=1e0", "rulesform.range"),
        ("alter=1", "rulesform.yes_no"),
        ("unseen_maal=yes", "rulesform.one_of"),
        ("false_claim=foul", "rulesform.needs_foul"),
        ("points.tiplu=1/2/3/4", "rulesform.points"),
        ("points.tiplu=201", "rulesform.points"),
        ("points.queen=1", "rulesform.did_you_mean"),
        ("custom_points=1", "rulesform.did_you_mean"),
        ("model_config=x", "rulesform.no_option"),
        ("alter=", "rulesform.no_pair"),
        ("=yes", "rulesform.no_option"),
    ],
)
def test_odd_values_are_refused_by_name(typed: str, key: str):
    with pytest.raises(InvalidRulesError) as caught:
        read_rules("pagat", typed)
    assert caught.value.faults[0].key == key


def test_every_fault_is_told_at_once():
    with pytest.raises(InvalidRulesError) as caught:
        read_rules("pagat", "alter=yes alter=no seen_pay=99 nothing unseen_pay=99")
    assert [fault.key for fault in caught.value.faults] == [
        "rulesform.twice",
        "rulesform.no_pair",
        "rulesform.range",
        "rulesform.range",
    ]


def test_capitals_and_blanks_do_not_matter():
    assert read_rules("pagat", " ALTER = Yes ;\n unseen_maal=MURDER,") == preset(
        "pagat", alter=True, unseen_maal="murder"
    )


@pytest.mark.parametrize(
    "fields", [{}, {"preset": "pagat"}, {"preset": ["monopoly"], "others": ["alter=yes"]}, {"others": 5}]
)
def test_forged_forms_are_refused(fields):
    with pytest.raises(InvalidRulesError) as caught:
        Filled.of_fields(fields).rules()
    assert all(isinstance(fault, RuleFault) for fault in caught.value.faults)


TYPED = {"custom_points"}
"""Options that no short list can offer: custom values of thirteen kinds, of one, two and three cards."""
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
    """Change the preset until the rules ask for the option, then give every answer to it."""
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
    """Draw rules after any number of answers, the rules before the last one, and the option it answered.

    Each answer is to a question that was asked.
    """
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
    """Its select was shown before someone else changed the rules."""
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
