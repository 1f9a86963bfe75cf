"""The pages of the rules and the help, for every preset and for options that no preset has."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.learning.lessons import TIPLU, pages
from bot.panels.learning.rules_book import TOPICS, help_panel, page_panel
from bot.ui.items import Press
from bot.words.names import Mentions
from bot.words.texts import catalogue, texts
from data.preferences import choices
from marriage.cards import parse_cards
from marriage.groups import GroupKind, group_kind, is_primary, wilds_for
from marriage.rules import PRESETS, Rules, preset
from marriage.scoring.point_tables import point_table
from marriage.scoring.result import FinalSeat, sheet_of
from marriage.sheet import Ending, Status, What
from render.lesson_picture import draw_lesson
from render.picture import Outcome
from tests.cogs.conftest import bot  # noqa: F401 - a fixture

EXTREME = preset(
    "kathmandu",
    man_cards=3,
    master_card="always",
    alter=True,
    primary_trial=True,
    dublee_min_players=2,
    dublee_game="double",
    better_after=4,
    throw_foul=True,
    false_claim="foul",
    open_tiplu=True,
    same_turn_finish=False,
    unseen_pickup="show_only",
    stock_out="dismiss",
    custom_points={"tiplu": [4, 9], "poplu": [1, 2, 200]},
)
BOOKS = PRESETS | {"extreme": EXTREME}
WHERE_THE_MASTER_STANDS = {
    "en": ("a card of a pure sequence", "or a tunnela", "of any pure set", "in no other pure set"),
    "ne": ("शुद्ध सिक्वेन्समा", "र टनेलामा", "हरेक शुद्ध सेटमा", "अरू कुनै शुद्ध सेटमा हुँदैन"),
    "hi": ("शुद्ध सीक्वेंस में", "और टनेला में", "हर शुद्ध सेट में", "किसी और शुद्ध सेट में नहीं"),
}
"""What the page says about the master card: in sequences, in tunnelas too, in all pure sets, in no others."""
MASTER_CARD = {"en": "master card", "ne": "मास्टर पत्ती", "hi": "मास्टर पत्ता"}
NO_POINTS = {"en": "no tunnela points", "ne": "टनेलाको माल दिँदैन", "hi": "टनेला का माल नहीं"}
MENTION = re.compile(r"`/([a-z -]+)`")


def words(view) -> str:
    return "\n".join(item.content for item in view.walk_children() if hasattr(item, "content"))


@pytest.mark.parametrize("name", BOOKS)
def test_every_page_fits_and_every_picture_says_what_it_shows(name: str):
    rules = BOOKS[name]
    book = pages(rules, texts())
    assert len(book) == 9
    for number, page in enumerate(book):
        picture = draw_lesson(page.examples, Outcome(page.tiplu, rules)) if page.examples else None
        if picture is not None:
            assert picture.width <= 1100
            assert 80 < picture.height < 1000
            assert len(picture.png) < 60_000
            assert 0 < len(picture.alt) <= 1000
            assert all(example.caption in picture.alt for example in page.examples)
            assert ("Tiplu 7 of Hearts" in picture.alt) == (page.tiplu == TIPLU)
        panel = page_panel(book, number, name, Press("rules", 2**31, 2**31, name), picture, texts())
        assert panel.view.content_length() <= 2_000
        assert panel.view.total_children_count <= 40
        ids = [item.custom_id for item in panel.view.walk_children() if getattr(item, "custom_id", None)]
        assert len(set(ids)) == len(ids)
        assert all(len(custom_id) <= 100 for custom_id in ids)


@pytest.mark.parametrize("name", BOOKS)
def test_the_figures_are_those_of_the_rules(name: str):
    rules = BOOKS[name]
    book = {page.name: page.text for page in pages(rules, texts())}
    table = point_table(rules.point_table, rules.custom_points)
    tiplu = f"**tiplu** {table.worth(What.TIPLU, 1)} · two {table.worth(What.TIPLU, 2)}"
    assert tiplu in book["points"]
    assert ("**alter**" in book["points"]) == rules.alter
    assert ("**laid marriage**" in book["points"]) == rules.laid_marriage
    assert f"**{rules.seen_pay}** if they have seen, **{rules.unseen_pay}** if not" in book["settle"]
    assert ("Murder" in book["settle"]) == rules.unseen_maal.startswith("murder")
    assert ("dublees" in book["finish"]) == rules.dublee
    assert str(rules.deck_size) in book["aim"]
    assert rules.direction in book["turn"]


@pytest.mark.parametrize("unseen_maal", choices(Rules, "unseen_maal"))
def test_the_page_on_points_promises_an_unseen_player_no_tunnela_that_does_not_count(unseen_maal: str):
    rules = preset("kathmandu", tunnel_pachaunu=False, unseen_maal=unseen_maal)
    unseen = FinalSeat(parse_cards("6H 6H 6H"), exposed=parse_cards("6H"), status=Status.UNSEEN)
    winner = FinalSeat(parse_cards("2S"), status=Status.SEEN)
    counts = sheet_of([winner, unseen], TIPLU, 0, Ending.GROUPS, rules).lines[1].points > 0
    book = {page.name: page.text for page in pages(rules, texts())}
    assert ("whether you have seen or not" in book["points"]) == counts


@pytest.mark.parametrize("primary_trial", [False, True])
@pytest.mark.parametrize("master_card", choices(Rules, "master_card"))
def test_the_page_on_pure_sets_says_exactly_where_the_master_card_stands_in(
    master_card: str, primary_trial: bool
):
    rules = preset("pagat", master_card=master_card, primary_trial=primary_trial)
    sequence, tunnela, trial = (
        is_primary(parse_cards(text), rules) for text in ("3S MASTER 5S", "6H 6H MASTER", "KS KH MASTER")
    )
    for language, said in WHERE_THE_MASTER_STANDS.items():
        page = next(page.text for page in pages(rules, catalogue(language)) if page.name == "pure")
        (sentences,) = [line for line in page.split("\n") if MASTER_CARD[language] in line] or [""]
        in_sequence, in_tunnela, in_any, in_no_other = (phrase in sentences for phrase in said)
        assert (in_sequence or in_any) == sequence
        assert (in_tunnela or in_any) == tunnela
        assert (in_any and primary_trial) == trial
        assert in_no_other == (sequence and not in_any)
        assert (NO_POINTS[language] in sentences) == tunnela


def test_the_page_on_fouls_says_what_is_a_foul_and_what_it_costs():
    said = {name: pages(PRESETS[name], texts())[-1].text for name in PRESETS}
    free = {name for name, text in said.items() if "Fouls cost nothing here" in text}
    assert free == {name for name, rules in PRESETS.items() if rules.foul == "off"}
    for name in set(PRESETS) - free:
        assert "sets that are not valid is a foul" in said[name]
        assert "at least the **10**" in said[name]
        assert "the dublee bonus" in said[name]
    assert "a wild card of the packs" in said["wikipedia"]
    assert "Man cards and the master card are free" in said["wikipedia"]
    assert "wild card of the packs" not in said["gambiter"]


def test_every_example_is_one():
    rules = PRESETS["pagat"]
    kinds = {
        "example.sequence": {GroupKind.SEQUENCE},
        "example.tunnela": {GroupKind.TUNNELA},
        "example.dirty_sequence": {GroupKind.DIRTY_SEQUENCE},
        "example.dirty_trial": {GroupKind.TRIAL, GroupKind.DIRTY_TRIAL},
        "example.wilds": {GroupKind.WILDS},
        "example.show": {GroupKind.SEQUENCE, GroupKind.TUNNELA},
    }
    captions = {texts()(key): wanted for key, wanted in kinds.items()}
    checked = 0
    for page in pages(rules, texts()):
        for example in page.examples:
            for cards in example.groups if example.caption in captions else ():
                kind = group_kind(cards, wilds_for(page.tiplu, rules), rules)
                assert kind in captions[example.caption], (example.caption, cards)
                checked += 1
    assert checked > 10


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_rules_make_a_book(data):
    schema = Rules.model_json_schema()["properties"]
    options = {}
    for name, field in schema.items():
        if "enum" in field:
            options[name] = data.draw(st.sampled_from(field["enum"]))
        elif field.get("type") == "integer":
            options[name] = data.draw(st.integers(field["minimum"], field["maximum"]))
        elif field.get("type") == "boolean":
            options[name] = data.draw(st.booleans())
    if options["foul"] == "off":
        options |= {"throw_foul": False, "false_claim": "reject"}
    rules = Rules(**options)
    for page in pages(rules, texts()):
        assert 50 < len(page.text) < 1_800
        assert "{" not in page.text


@pytest.mark.parametrize("topic", [None, *TOPICS])
async def test_help_names_commands_that_are_there(bot, topic):  # noqa: F811
    panel = help_panel(topic, Mentions(), texts())
    assert panel.view.content_length() <= 2_000
    said = words(panel.view)
    names = {command.qualified_name for command in bot.tree.walk_commands()}
    mentioned = set(MENTION.findall(said))
    assert mentioned - names == set()
    assert mentioned
