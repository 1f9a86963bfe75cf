"""Compare the hand solver with OR-Tools CP-SAT, on the same hands in the same run.

    python -m benchmarks.solver [--hands 200] [--more]

The question is how far a random hand of 22 cards is from a finish by groups of three, with the tiplu known
and unknown. CP-SAT gets the integer model of `tests/marriage/oracle.py` with one worker; building the model
is timed apart from solving it, and the ratios are to solving alone. Both must agree on every hand. All times
are processor time, without the garbage collector, so that other work on the machine matters as little as
possible. No hand is solved twice. `--more` adds other questions, hands that are hard for one reason or
another, and a player's decisions.
"""

import argparse
import gc
import platform
import random
import statistics
import sys
from time import process_time

from marriage.cards import CARDS, FACES
from marriage.rules import PRESETS, Rules
from marriage.solver import Hand, distance, show_distance
from marriage.solver.hand import holes, interchangeable, question
from marriage.state import Phase
from marriage.strategy.discards import discards
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage import oracle
from tests.marriage.dealing import deal, play
from tests.marriage.hands import draw

_WARM_UP = 100
"""The number of hands solved before the first timed one, to build the tables."""
_BATCH = 20
"""The number of hands that one solver gets before the other's turn, so that both see the same other work."""
KINDS = ("random", "wilds", "suit", "block")
THREE, PLUS = Rules(), Rules(group_size="three_plus")


def show(concealed, _, rules):
    return show_distance(Hand(concealed), rules)


def finish(concealed, _, rules):
    return distance(Hand(concealed), rules)


def known(concealed, tiplu, rules):
    return distance(Hand(concealed, tiplu=tiplu), rules)


def seen(concealed, tiplu, rules):
    asked = question(Hand(concealed, tiplu=tiplu), rules, 12)
    return holes(interchangeable(asked._replace(primary=0)))


FINISH = {"primary": 3, "total": 21}
REST = {"primary": 0, "total": 12}
HEADLINE = (
    ("to a finish, 22 cards, tiplu known", THREE, known, 22, FINISH, True),
    ("to a finish, 22 cards, tiplu unknown", THREE, finish, 22, FINISH, False),
)
QUESTIONS = (
    ("to a show, 22 cards", THREE, show, 22, {"primary": 3, "total": 9}, False),
    *HEADLINE,
    ("to a finish, 13 cards, tiplu seen", THREE, seen, 13, REST, True),
    ("the same, longer groups", PLUS, seen, 13, REST, True),
)


def timed(work, *args, **kwargs):
    gc.disable()
    start = process_time()
    answer = work(*args, **kwargs)
    spent = process_time() - start
    gc.enable()
    return answer, spent


def median_and_tail(seconds):
    """Return the median and the 99th percentile."""
    ordered = sorted(seconds)
    return statistics.median(ordered), ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]


def spread(seconds, unit):
    median, tail = median_and_tail(seconds)
    return f"{median * unit:9.3f} / {tail * unit:8.3f}"


def compare(questions, kinds, hands):
    print(
        f"{'cards still to come':38}{'hands of':9}{'solver ms':>20}{'build ms':>22}{'CP-SAT ms':>22}"
        "   times as fast"
    )
    for asked in questions:
        for kind in kinds:
            solved, build, judge = measured(*asked, kind, hands)
            ratios = [
                theirs / ours for theirs, ours in zip(*map(median_and_tail, (judge, solved)), strict=True)
            ]
            columns = "  ".join(spread(seconds, 1e3) for seconds in (solved, build, judge))
            print(f"{asked[0]:38}{kind:9}{columns}   {ratios[0]:5.0f} / {ratios[1]:5.0f}", flush=True)


def measured(name, rules, solve, size, asked, knows, kind, hands):
    """Measure the cost of each hand: the solver, building the model, solving it."""
    chance = random.Random(f"{name} {kind}")
    for _ in range(_WARM_UP):
        solve(draw(kind, size, CARDS[0], chance, rules), CARDS[0], rules)
    drawn = []
    for _ in range(hands):
        tiplu = chance.choice(CARDS[:FACES])
        drawn.append((draw(kind, size, tiplu, chance, rules), tiplu))
    solved, build, judge = [], [], []
    for start in range(0, hands, _BATCH):
        batch = drawn[start : start + _BATCH]
        answers, spent = zip(*(timed(solve, *hand, rules) for hand in batch), strict=True)
        solved += spent
        for (concealed, tiplu), answer in zip(batch, answers, strict=True):
            visible = {"tiplu": tiplu, "gone": (tiplu,)} if knows else {}
            model, spent = timed(oracle.model_of, concealed, rules, **asked, **visible)
            build.append(spent)
            right, spent = timed(model.least_missing)
            judge.append(spent)
            if answer != right:
                sys.exit(f"they differ: {name}, {concealed}, tiplu {tiplu}: {answer} against {right}")
    return solved, build, judge


def decisions(deals):
    """Measure a computer player's discards, in deals between computer players."""
    print(f"\n{'choosing a discard, with outs':38}{'':9}{'ms':>20}")
    quick = GreedyPlayer(count_outs=False)
    for name in ("pagat", "kathmandu"):
        times = {"unseen": [], "seen": []}
        for number in range(deals):
            state, _ = deal(number, 4, **PRESETS[name].model_dump())
            for state, _, _, _ in play(state, quick.choose):  # noqa: B020 - from the first state on
                if state.phase is Phase.PLAY:
                    turn = view(state, state.turn)
                    _, spent = timed(discards, turn)
                    times["unseen" if turn.own.shown is None else "seen"].append(spent)
        for standing, seconds in times.items():
            print(f"{name + ', ' + standing:38}{len(seconds):<9}{spread(seconds, 1e3)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--hands", type=int, default=200, help="random hands for each question (default: 200)"
    )
    parser.add_argument("--more", action="store_true", help="other questions and hands, and decisions, too")
    asked = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}; median / 99th percentile\n")
    compare(HEADLINE, KINDS[:1], asked.hands)
    if asked.more:
        few = max(1, asked.hands // 10)
        print()
        compare(QUESTIONS, KINDS, few)
        decisions(max(2, few // 3))


if __name__ == "__main__":
    main()
