"""Hints in words: the recommended discard compared with the second best, and the cost of the difference."""

import re

import pytest

from bot.words.hands import hint_words
from bot.words.texts import texts
from marriage.actions import Discard, DrawStock, TakeDiscard
from marriage.analysis.hint import hint_of
from marriage.legal import may_take
from marriage.state import Phase
from marriage.strategy.advice import Advice, advise
from marriage.strategy.discards import Aim
from marriage.strategy.master import MasterPlayer
from marriage.view import View, view
from tests.marriage.dealing import actor, deal, play

TEXTS = texts()
POINTS = re.compile(r"about ([\d.]+) points less")


def moments(number: int) -> list[tuple[View, Advice]]:
    """Return what the seat in turn sees at each moment of a deal, with the advice for it."""
    state, _ = deal(number)
    states = [after for after, _, _, _ in play(state, MasterPlayer().choose)]
    views = [view(after, actor(after)) for after in states if after.phase in (Phase.DRAW, Phase.PLAY)]
    return [(seen, advise(seen)) for seen in views]


def second_line(words: str) -> str:
    """Return the line that names the second best option, or "" without one."""
    return next((line for line in words.splitlines() if line.startswith("Second best: ")), "")


@pytest.mark.parametrize("number", [3, 14])
def test_a_hint_names_the_second_best_discard_and_what_it_costs(number: int) -> None:
    told: set[str] = set()
    for seen, advice in moments(number):
        line = second_line(hint_words(seen, hint_of(seen), TEXTS))
        if not isinstance(advice.action, Discard) or advice.second is None:
            continue
        assert advice.second.card != advice.action.card
        if advice.second.distance > advice.after:
            cost = "but then you need one more card."
        elif advice.second.outs is not None and advice.second.outs < advice.outs:
            cost = "fewer would bring you closer."
        else:
            cost = "nearly as good."
            assert line.endswith(cost)
        assert cost in line
        told.add(cost)
    assert told


def test_a_hint_compares_in_points() -> None:
    """The second best option is another legal move that is worth less."""
    compared = 0
    for seen, advice in moments(14):
        line = second_line(hint_words(seen, hint_of(seen), TEXTS))
        if points := POINTS.search(line):
            assert float(points[1]) > 0
            compared += isinstance(advice.action, DrawStock | TakeDiscard)
        if isinstance(advice.action, DrawStock) and may_take(seen):
            assert "from the pile" in line
    assert compared


def test_a_hint_tells_when_a_throw_gives_up_nothing() -> None:
    for seen, advice in moments(3):
        told = "You give up nothing" in hint_words(seen, hint_of(seen), TEXTS)
        assert told == (isinstance(advice.action, Discard) and advice.after == advice.before)


def test_a_hint_says_why_a_card_is_taken_that_does_not_help_at_once() -> None:
    wider = [
        seen
        for number in (3, 14)
        for seen, advice in moments(number)
        if isinstance(advice.action, TakeDiscard)
        and advice.aim is Aim.FINISH
        and advice.after == advice.before
    ]
    assert wider
    for seen in wider:
        assert "then many more cards do" in hint_words(seen, hint_of(seen), TEXTS)
