"""Rules as people name them: what is written is read again, and what is odd is refused in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.panels.table.rules import Filled, rules_fields, rules_words, variation_words
from bot.words.rules import InvalidRulesError, RuleFault, matters, preset_name, read_rules, written
from bot.words.texts import catalogue
from data.preferences import TableOptions
from marriage.rules import PRESETS, Rules, nearest_preset, preset

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
    """Who sits down reads how the rules differ, and should not have to know how that is typed."""
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
