"""The solver's judge: the same question as an integer model for OR-Tools CP-SAT.

It shares nothing with `marriage.solver`. It does not assume that wild cards are interchangeable, nor that a wild card
never acts at face value, nor that a place left empty is its own affair: two groups may wait for the same last copy.
"""

from collections import Counter
from functools import cache
from itertools import chain, combinations

from ortools.sat.python import cp_model

from marriage.cards import CARDS, FACES, MAN, MASTER, face
from marriage.maal import wild_faces
from marriage.rules import Rules


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
def general_patterns(longest):
    """Natural cards of groups that may hold stand-ins, with the group's size."""
    patterns = {(part, 3) for part in _tunnelas()}
    for size in range(3, longest + 1):
        patterns |= {(tuple(sorted(part)), size) for run in _runs(size) for part in _parts(run)}
    for size in range(3, min(longest, 4) + 1):
        patterns |= {(part, size) for trial in _trials(size) for part in _parts(trial)}
    return sorted(patterns)


@cache
def primary_patterns(longest, trials, master):
    """Cards of primary groups."""
    wholes = list(_tunnelas())
    for size in range(3, longest + 1):
        wholes += _runs(size)
        if master:
            wholes += [(*run[:hole], *run[hole + 1 :], MASTER) for run in _runs(size) for hole in range(size)]
        if trials and size <= 4:
            wholes += _trials(size)
    return sorted({tuple(sorted(whole)) for whole in wholes})


def least_missing(own, left, primary, total, wilds, rules: Rules):
    """The fewest cards still to come; None where no cards could do.

    `own` and `left` count the cards in hand and those that may come, `primary` groups are wanted and `total` cards in
    all groups together.
    """
    longest = 5 if rules.group_size == "three_plus" else 3
    model = cp_model.CpModel()
    use = {card: [] for card in {*own, *left}}
    sizes, stand_ins = [], []

    def variable(cards, size, missing):
        counts = Counter(cards)
        most = min((own[card] + left[card]) // count for card, count in counts.items())
        if most <= 0:
            return None
        chosen = model.new_int_var(0, min(most, 7), "")
        for card, count in counts.items():
            use[card].append(count * chosen)
        sizes.append(size * chosen)
        if missing:
            stand_ins.append(missing * chosen)
        return chosen

    pure = primary_patterns(longest, rules.primary_trial, rules.master_card == "always") if primary else ()
    laid = [variable(cards, len(cards), 0) for cards in pure]
    model.add(sum(chosen for chosen in laid if chosen is not None) == primary)
    if total > 3 * primary:
        for cards, size in general_patterns(longest):
            if len(cards) == size or wilds:
                variable(cards, size, size - len(cards))
    if wilds:
        for size in range(3, longest + 1):
            alone = model.new_int_var(0, 7, "")
            sizes.append(size * alone)
            stand_ins.append(size * alone)
    model.add(sum(sizes) == total)

    as_wild = []
    for card in wilds:
        if own[card] + left[card]:
            copies = model.new_int_var(0, own[card] + left[card], "")
            as_wild.append(copies)
            use[card].append(copies)
    model.add(sum(as_wild) == sum(stand_ins))

    missing = []
    for card, terms in use.items():
        if not terms:
            continue
        model.add(sum(terms) <= own[card] + left[card])
        short = model.new_int_var(0, left[card], "")
        model.add(short >= sum(terms) - own[card])
        missing.append(short)
    model.minimize(sum(missing))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL
    return round(solver.objective_value)


def distance(concealed, rules, *, primary, total, tiplu=None, gone=()):
    """The oracle's distance: `gone` are all cards outside the hand that will not come, the tiplu among them."""
    own = Counter(concealed)
    left = Counter({card: 3 for card in CARDS[:FACES]})
    left[MAN] = rules.man_cards
    left[MASTER] = int(rules.master_card != "off")
    left.subtract(own)
    left.subtract(gone)
    assert min(left.values()) >= 0
    wilds = {MAN, MASTER} if tiplu is None else wild_faces(tiplu)
    return least_missing(own, left, primary, total, sorted(wilds), rules)
