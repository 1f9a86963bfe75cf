"""Small questions to the solver: a few groups from a few cards, under each rule, with many cards gone."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from marriage.cards import CARDS, MASTER, Cards, sort_cards
from marriage.rules import Rules
from marriage.solver import Hand
from marriage.solver.hand import interchangeable, question
from marriage.solver.question import Question
from tests.marriage.hands import deck, draw

RULES = {
    "threes": Rules(man_cards=1),
    "trials": Rules(primary_trial=True, man_cards=1),
    "master": Rules(master_card="always"),
    "master and men": Rules(master_card="always", man_cards=2, primary_trial=True),
    "master tunnelas": Rules(master_card="always_tunnelas", primary_trial=True),
    "master primary": Rules(master_card="always_primary", primary_trial=True, man_cards=1),
    "longer": Rules(group_size="three_plus", man_cards=1),
    "long trials": Rules(group_size="three_plus", long_trial=True, man_cards=3, primary_trial=True),
    "longer with master": Rules(group_size="three_plus", master_card="always", primary_trial=True),
    "longer with master tunnelas": Rules(group_size="three_plus", master_card="always_tunnelas"),
}
WANTED = ((1, 3), (2, 6), (3, 9), (1, 6), (2, 9), (0, 6), (0, 9), (0, 12))
"""The number of primary groups, and the total number of cards of all groups; longer groups may want some more."""
MORE = (0, 1, 2, 4)
GONE = (0, 40, 80, 110)


class SmallQuestion(NamedTuple):
    """A question, and what the oracle is told of it."""

    asked: Question
    concealed: Cards
    rules: Rules
    primary: int
    total: int
    tiplu: object
    gone: Cards


def small_questions(name: str, count: int) -> Iterator[SmallQuestion]:
    """Yield up to that many questions under the rules of this name."""
    rules, chance = RULES[name], random.Random(name)
    for _ in range(count):
        primary, total = chance.choice(WANTED)
        if rules.group_size == "three_plus":
            total += chance.choice(MORE)
        tiplu = chance.choice(CARDS[:52])
        size = chance.randint(total, total + 3)
        concealed = draw(chance.choice(("suit", "block", "dense")), size, tiplu, chance, rules)
        if rules.master_in_sequences and MASTER not in concealed and chance.random() < 0.5:
            concealed = sort_cards((*concealed[1:], MASTER))
        known = tiplu if primary == 0 or chance.random() < 0.5 else None
        others = deck(rules)
        for card in (*concealed, tiplu):
            others.remove(card)
        dead = tuple(chance.sample(others, min(len(others), chance.choice(GONE))))
        asked = question(Hand(concealed, tiplu=known, dead=dead), rules, total)._replace(primary=primary)
        if (primary, total) == (1, 5):
            continue  # where so many cards are gone, one of five can wait in vain for the others; the search hopes
        if primary == 0:
            asked = interchangeable(asked._replace(master=False, master_live=False))
        yield SmallQuestion(
            asked, concealed, rules, primary, total, known, dead if known is None else (*dead, known)
        )
