"""The items of a score sheet in words: no repeated words, no gaps without cards, and who lost points."""

from itertools import pairwise

import pytest

from bot.panels.table.match import item_words, kidnapped_from, sheet_words
from bot.words.texts import catalogue, texts
from marriage.cards import MAN, MASTER, parse_cards
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status, What
from tests.bot.emojis import cards_as_emojis

LANGUAGES = ("en", "ne", "hi")


def line(status: Status, *items: SheetItem) -> SheetLine:
    return SheetLine(status, items, sum(item.points for item in items), maal=0, payment=0, foul=0, net=0)


KIDNAP = Sheet(
    Ending.GROUPS,
    1,
    (
        line(Status.UNSEEN, SheetItem(What.TIPLU, parse_cards("7D"), 3), SheetItem(What.UNSEEN, (), -3)),
        line(Status.SEEN, SheetItem(What.KIDNAPPED, (), 3), SheetItem(What.KIDNAPPED, (), 5)),
        line(Status.SEEN),
        line(Status.UNSEEN, SheetItem(What.COUNTED, (), 5), SheetItem(What.UNSEEN, (), -5)),
    ),
    total=8,
)
NAMES = ("Asha", "Bikram", "Chandra", "देवी")


def test_the_winner_is_told_whom_points_were_kidnapped_from():
    assert kidnapped_from(KIDNAP) == [0, 3]
    said = sheet_words(KIDNAP, NAMES, (0, 0, 0, 0), texts())
    assert "(kidnapped from Asha = 3, kidnapped from देवी = 5)" in said
    assert "(tiplu 7♦ = 3, not seen = -3)" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_gap_and_no_word_twice(language: str):
    said = catalogue(language)
    items = [SheetItem(what, (), 3) for what in What] + [
        SheetItem(What.MAN, (MAN,), 5),
        SheetItem(What.MASTER, (MASTER,), 5),
    ]
    for item in items:
        words = item_words(item, said).casefold()
        assert "  " not in words
        assert all(one != other for one, other in pairwise(words.split()))


def test_several_man_cards_are_counted():
    assert item_words(SheetItem(What.MAN, (MAN,), 5), texts()) == "man = 5"
    assert item_words(SheetItem(What.MAN, (MAN, MAN), 10), texts()) == "man ×2 = 10"
    with cards_as_emojis():
        assert item_words(SheetItem(What.MAN, (MAN,), 5), texts()).startswith("man <:tiplu_man_")
