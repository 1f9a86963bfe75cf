"""The hand solver beside OR-Tools CP-SAT, on the same hands in the same run.

    python benchmarks/solver.py [--hands 20]

CP-SAT gets the integer model of `tests/marriage/oracle.py` with one worker; building the model is timed apart from
solving it, and the ratio is to solving alone. Both must agree on every hand.
"""

import argparse
import platform
import random
import statistics
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent.parent))

from marriage.cards import CARDS, FACES
from marriage.hints import discards
from marriage.players import Greedy
from marriage.rules import PRESETS, Rules
from marriage.solver import Hand, distance, show_distance
from marriage.solver.cover import cover
from marriage.solver.hand import interchangeable, question
from marriage.state import Phase
from marriage.view import view
from tests.marriage import oracle
from tests.marriage.dealing import deal, play
from tests.marriage.hands import draw

_WARM_UP = 100
"""Hands before the first that is timed: they build the tables."""
KINDS = ("random", "wilds", "suit", "block")
THREE, PLUS = Rules(), Rules(group_size="three_plus")


def show(concealed, _, rules):
    return show_distance(Hand(concealed), rules)


def finish(concealed, _, rules):
    return distance(Hand(concealed), rules)


def seen(concealed, tiplu, rules):
    asked = question(Hand(concealed, tiplu=tiplu), rules, 12)
    return cover(interchangeable(asked._replace(primary=0))).holes


QUESTIONS = (
    ("to a show, 22 cards", THREE, show, 22, {"primary": 3, "total": 9}, False),
    ("to a finish, 22 cards, tiplu unknown", THREE, finish, 22, {"primary": 3, "total": 21}, False),
    ("to a finish, 13 cards, tiplu seen", THREE, seen, 13, {"primary": 0, "total": 12}, True),
    ("the same, longer groups", PLUS, seen, 13, {"primary": 0, "total": 12}, True),
)


def timed(work):
    start = perf_counter()
    return work(), perf_counter() - start


def spread(seconds, unit):
    """Median and 99th percentile."""
    ordered = sorted(seconds)
    tail = ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]
    return f"{statistics.median(ordered) * unit:9.2f} / {tail * unit:8.2f}"


def compare(hands):
    print(
        f"{'cards still to come':38}{'hands of':9}{'solver ms':>20}{'build ms':>21}{'CP-SAT ms':>21}  ratio"
    )
    for name, rules, solve, size, asked, knows in QUESTIONS:
        for kind in KINDS:
            chance = random.Random(f"{name} {kind}")
            own, build, judge = [], [], []
            for _ in range(_WARM_UP):
                solve(draw(kind, size, CARDS[0], chance, rules), CARDS[0], rules)
            for _ in range(hands):
                tiplu = chance.choice(CARDS[:FACES])
                concealed = draw(kind, size, tiplu, chance, rules)
                known = {"tiplu": tiplu, "gone": (tiplu,)} if knows else {}
                answer, spent = timed(lambda: solve(concealed, tiplu, rules))  # noqa: B023 - called at once
                own.append(spent)
                model, spent = timed(lambda: oracle.model_of(concealed, rules, **asked, **known))  # noqa: B023
                build.append(spent)
                right, spent = timed(model.least_missing)
                judge.append(spent)
                if answer != right:
                    sys.exit(f"they differ: {name}, {concealed}, tiplu {tiplu}: {answer} against {right}")
            ratio = statistics.median(judge) / statistics.median(own)
            columns = (spread(own, 1e3), spread(build, 1e3), spread(judge, 1e3))
            print(f"{name:38}{kind:9}{'  '.join(columns)}  {ratio:5.0f}")


def decisions(deals):
    """What a computer player's discard costs, in deals that computer players play."""
    print(f"\n{'choosing a discard, with outs':38}{'':9}{'ms':>20}")
    quick = Greedy(count_outs=False)
    for name in ("pagat", "kathmandu"):
        times = {"unseen": [], "seen": []}
        for number in range(deals):
            state, _ = deal(number, 4, **PRESETS[name].model_dump())
            for state, _, _, _ in play(state, quick.choose):  # noqa: B020 - from the first state on
                if state.phase is Phase.PLAY:
                    turn = view(state, state.turn)
                    _, spent = timed(lambda: discards(turn))  # noqa: B023 - called at once
                    times["unseen" if turn.own.shown is None else "seen"].append(spent)
        for standing, seconds in times.items():
            print(f"{name + ', ' + standing:38}{len(seconds):<9}{spread(seconds, 1e3)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20, help="hands of each kind (default: 20)")
    hands = parser.parse_args().hands
    print(f"Python {platform.python_version()}, {platform.machine()}; median / 99th percentile\n")
    compare(hands)
    decisions(max(2, hands // 3))


if __name__ == "__main__":
    main()
