"""The solver against an integer model that shares nothing with it (see `oracle`).

ORACLE_HANDS sets how many hands are compared; the default keeps this within a few seconds.
"""

import os
import random

import pytest

from marriage.cards import CARDS, MASTER, sort_cards
from marriage.rules import Rules
from marriage.solver import NEVER, Hand, distance, find_finish, find_show, show_distance
from marriage.solver.cover import cover
from marriage.solver.hand import interchangeable, question
from tests.marriage import oracle
from tests.marriage import small_questions as small
from tests.marriage.hands import KINDS, deck, draw
from tests.marriage.test_cover import HOLES

HANDS = int(os.environ.get("ORACLE_HANDS", "60"))
ASKED = ("show", "unseen", "open", "seen")
RULES = {
    "pagat": (Rules(), 0.5),
    "trials": (Rules(primary_trial=True), 0.2),
    "men": (Rules(man_cards=3, master_card="after_seeing"), 0.1),
    "master": (Rules(master_card="always", man_cards=1, primary_trial=True), 0.1),
    "plus": (Rules(group_size="three_plus"), 0.07),
    "long-trial": (Rules(group_size="three_plus", long_trial=True), 0.07),
    "long-trial-men": (Rules(group_size="three_plus", long_trial=True, man_cards=6), 0.03),
    "plus-master": (Rules(group_size="three_plus", master_card="always", primary_trial=True), 0.03),
    "master-tunnelas": (Rules(master_card="always_tunnelas", primary_trial=True), 0.1),
    "master-primary": (Rules(master_card="always_primary", primary_trial=True), 0.1),
    "plus-master-tunnelas": (
        Rules(group_size="three_plus", master_card="always_tunnelas"),
        0.03,
    ),
    "plus-master-primary": (
        Rules(group_size="three_plus", master_card="always_primary", primary_trial=True),
        0.03,
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_the_solver_agrees_with_the_oracle(name):
    rules, share = RULES[name]
    chance = random.Random(f"oracle {name}")
    for number in range(round(HANDS * share)):
        asked = ASKED[number % len(ASKED)]
        kind = chance.choice(KINDS)
        tiplu = chance.choice(CARDS[:52])
        size = chance.choice((12, 13) if asked == "seen" else (21, 22))
        concealed = draw(kind, size, tiplu, chance, rules)
        if rules.master_in_sequences and MASTER not in concealed and chance.random() < 0.5:
            concealed = sort_cards((*concealed[1:], MASTER))
        known = tiplu if asked in ("open", "seen") else None
        dead = some_dead(concealed, tiplu, chance, rules)
        gone = dead if known is None else (*dead, tiplu)
        primary, total = {"show": (3, 9), "unseen": (3, 21), "open": (3, 21), "seen": (0, 12)}[asked]
        right = oracle.distance(concealed, rules, primary=primary, total=total, tiplu=known, gone=gone)
        found = answer(asked, Hand(concealed, tiplu=known, dead=dead), rules)
        where = f"{name} {number} {asked} {kind} {concealed} tiplu {known} dead {dead}"
        assert found == (NEVER if right is None else right), where


def some_dead(concealed, tiplu, chance, rules):
    """Return cards that others have laid or thrown: none, some, or so many that groups compete."""
    others = deck(rules)
    for card in (*concealed, tiplu):
        others.remove(card)
    return tuple(chance.sample(others, chance.choice((0, 20, 60, 90))))


def answer(asked, hand, rules):
    if asked == "show":
        holes = show_distance(hand, rules)
        assert (find_show(hand.concealed, (), rules) is not None) == (holes == 0)
        return holes
    if asked != "seen":
        return distance(hand, rules)
    # A hand of the end of a deal, with the three laid groups left out of the deck.
    wanted = question(hand, rules, 12)._replace(primary=0, master=False, master_live=False)
    holes = cover(interchangeable(wanted)).holes
    if len(hand.concealed) == 13:
        plan = find_finish(hand.concealed, 4, hand.wilds, rules)
        assert (plan is not None) == (holes == 0)
    return holes


@pytest.mark.parametrize("name", small.RULES)
def test_the_kept_answers_of_small_questions_are_those_of_the_oracle(name):
    questions = small.small_questions(name, max(2, HANDS // 30))
    for (_, concealed, rules, *known), holes in zip(questions, HOLES[name], strict=False):
        primary, total, tiplu, gone = known
        assert oracle.distance(concealed, rules, primary=primary, total=total, tiplu=tiplu, gone=gone) == int(
            holes
        )
