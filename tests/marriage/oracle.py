"""The solver's oracle: the same question as an integer model for OR-Tools CP-SAT.

It shares nothing with `marriage.solver`. It does not assume that wild cards are interchangeable, that a wild
card never acts at face value, or that empty places are independent: two groups may wait for the same last
copy.
"""

from collections import Counter
from functools import cache
from itertools import chain, combinations

from marriage.cards import CARDS, FACES, MAN, MASTER, face
from marriage.maal import wild_faces
from marriage.rules import Rules
from tests.marriage.hands import deck


def _runs(size):
    for suit in range(4):
        for start in range(15 - size):
            yield tuple(face(suit, place % 13) for place in range(start, start + size))


def _trials(size):
    for rank in range(13):
        for suits in combinations(range(4), size):
            yield tuple(face(suit, rank) for suit in suits)


def _tunnelas():
    return ((CARDS[index],) * 3 for index in range(FACES))


def _parts(whole):
    return chain.from_iterable(combinations(whole, count) for count in range(1, len(whole) + 1))


@cache
def general_patterns(longest, long_trial=False):
    """Return the natural cards of groups that may hold stand-ins, each with the group's size."""
    patterns = {(part, 3) for part in _tunnelas()}
    for size in range(3, longest + 1):
        patterns |= {(tuple(sorted(part)), size) for run in _runs(size) for part in _parts(run)}
    for size in range(3, min(longest, 4) + 1):
        patterns |= {(part, size) for trial in _trials(size) for part in _parts(trial)}
    if long_trial:
        patterns |= {
            (part, size) for trial in _trials(4) for part in _parts(trial) for size in range(5, longest + 1)
        }
    return sorted(patterns)


@cache
def primary_patterns(longest, trials, master_card):
    """Return the cards of primary groups; `master_card` is the option of the rules."""
    runs = [run for size in range(3, longest + 1) for run in _runs(size)]
    ranks = [trial for size in range(3, min(longest, 4) + 1) for trial in _trials(size)] if trials else []
    wholes = [*_tunnelas(), *runs, *ranks]
    with_master = {
        "always": runs,
        "always_tunnelas": [*runs, *_tunnelas()],
        "always_primary": wholes,
    }
    wholes += [
        (*whole[:hole], *whole[hole + 1 :], MASTER)
        for whole in with_master.get(master_card, ())
        for hole in range(len(whole))
    ]
    return sorted({tuple(sorted(whole)) for whole in wholes})


class Model:
    """The integer model: how often each pattern is laid, and which wild cards stand in."""

    def __init__(self, own, left):
        from ortools.sat.python import cp_model  # it takes a second to import, and few tests need it

        self.own, self.left, self.library = own, left, cp_model
        self.model = cp_model.CpModel()
        self.use = {card: [] for card in {*own, *left}}
        self.sizes, self.stand_ins = [], []

    def lay(self, cards, size):
        """Return the variable for how often these cards form a group of that size, with wild cards added."""
        counts = Counter(cards)
        chosen = self.model.new_int_var(
            0, min([7, *(self.there(card) // n for card, n in counts.items())]), ""
        )
        for card, count in counts.items():
            self.use[card].append(count * chosen)
        self.sizes.append(size * chosen)
        self.stand_ins.append((size - len(cards)) * chosen)
        return chosen

    def there(self, card):
        return self.own[card] + self.left[card]

    def stand_in(self, wilds):
        """Let each wild card stand in as often as there are copies of it."""
        copies = {card: self.model.new_int_var(0, self.there(card), "") for card in wilds if self.there(card)}
        for card, number in copies.items():
            self.use[card].append(number)
        self.model.add(sum(copies.values()) == sum(self.stand_ins))

    def least_missing(self):
        """Return the fewest cards still to come; None if no cards could do."""
        missing = []
        for card, terms in self.use.items():
            if terms:
                short = self.model.new_int_var(0, self.left[card], "")
                self.model.add(short >= sum(terms) - self.own[card])
                self.model.add(sum(terms) <= self.there(card))
                missing.append(short)
        self.model.minimize(sum(missing))
        solver = self.library.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        if status == self.library.INFEASIBLE:
            return None
        assert status == self.library.OPTIMAL
        return round(solver.objective_value)


def distance(concealed, rules, **asked):
    """Return the fewest cards still to come in `model_of` these arguments; None if no cards could do."""
    return model_of(concealed, rules, **asked).least_missing()


def model_of(concealed, rules: Rules, *, primary, total, tiplu=None, gone=()):
    """Return the model of a hand with `primary` primary groups and `total` cards in groups.

    `gone` lists the cards outside the hand that will not come, including the tiplu if it is known.
    """
    own, left = Counter(concealed), Counter(deck(rules))
    left.subtract(own)
    left.subtract(gone)
    longest = 5 if rules.group_size == "three_plus" else 3
    wilds = sorted(wild_faces(tiplu)) if tiplu is not None else [MAN, MASTER]
    model = Model(own, left)
    if primary:
        pure = primary_patterns(longest, rules.primary_trial, rules.master_card)
        model.model.add(sum(model.lay(cards, len(cards)) for cards in pure) == primary)
    if total > 3 * primary:
        for cards, size in general_patterns(longest, rules.long_trial and longest > 3):
            model.lay(cards, size)
        for size in range(3, longest + 1):
            model.lay((), size)
    model.model.add(sum(model.sizes) == total)
    model.stand_in(wilds)
    return model
