"""The panels of an analysis: what they show for each kind of decision, and where their buttons lead."""

from dataclasses import replace

import pytest

from bot.words.hands import action_words, decision_words, explained
from bot.words.texts import catalogue, texts
from marriage.actions import (
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.analysis.deal_analysis import Decision
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict
from marriage.cards import Card, parse_cards
from tests.bot.words.test_texts import LANGUAGES

SETS = tuple(parse_cards(sets) for sets in ("3S 4S 5S", "6H 6H 6H", "QS KS AS"))
TOP = Card.parse("5H")
TEXTS = texts()


def decision(chosen: Option, best: Option, loss: float = 4.2) -> Decision:
    return Decision(6, chosen, best, (), loss, Verdict.BLUNDER, 50.0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_name_of_its_own(language: str) -> None:
    actions = (
        DrawStock(), TakeDiscard(), Discard(TOP), Show(SETS), ShowDublees(SETS[0]), Finish(SETS, TOP),
        ExposeTunnelas((TOP,)), DeclineTunnelas(), CutTiplu(),
    )  # fmt: skip
    names = [action_words(action, TOP, catalogue(language)) for action in actions]
    assert len(set(names)) == len(names)
    assert action_words(FinishDublees(TOP, TOP), TOP, catalogue(language)) in names


@pytest.mark.parametrize(
    ("chosen", "best", "why"),
    [
        (Option(Discard(TOP), 0), Option(Finish(SETS, TOP), 9), "You could have ended the deal"),
        (Option(Discard(TOP), 0), Option(Show(SETS), 9), "lets you see the tiplu"),
        (Option(DeclineTunnelas(), 0), Option(ExposeTunnelas((TOP,)), 9), "earns points"),
        (
            Option(DrawStock(), 0, 2, 9),
            Option(TakeDiscard(), 9, 1),
            "2 cards short; the better move leaves 1",
        ),
        (Option(TakeDiscard(), 0, 1), Option(DrawStock(), 9, 1, 20), "one from the stock might"),
        (Option(Discard(TOP), 0, 1, 8), Option(Discard(Card(3)), 9, 1, 17), "8 of the unseen cards"),
        (Option(Discard(TOP), 0, 1, 17), Option(Discard(Card(3)), 9, 1, 17), "maal, pairs, or sets"),
    ],
)
def test_a_wrong_decision_is_explained(chosen: Option, best: Option, why: str) -> None:
    said = explained(decision(chosen, best), TOP, TEXTS)
    assert "Blunder: 4.2 points" in said
    assert "step 7" in said
    assert why in said


def test_a_good_decision_is_told_without_a_better_one() -> None:
    right = decision(Option(DrawStock(), 3), Option(DrawStock(), 3), loss=0.01)
    assert "better" not in decision_words(replace(right, verdict=Verdict.GOOD), TOP, TEXTS)
    wrong = decision(Option(DrawStock(), 3), Option(TakeDiscard(), 7.2, 1))
    assert "better: take 5♥ from the pile (−4.2)" in decision_words(wrong, TOP, TEXTS)
