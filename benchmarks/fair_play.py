"""Measure how often the fair-play figures on boards and timing list honest players, and others.

    python -m benchmarks.fair_play [SEASONS]

Simulates SEASONS (40) seasons of 16 and of 32 players with `tests/league/evenings.py`: first with honest
players, then with one suspicious behaviour each. Prints the number of comparisons that reach z 2.5 and 3.5,
and the expected number.
"""

import sys
from collections.abc import Callable, Iterator
from random import Random

from league.statistics.estimates import strengths
from league.statistics.fairplay import by_chance, coincidences, late_boards, quick_answers
from tests.league.evenings import Evenings, boards_season, one_hand

Figures = Iterator[tuple[int, list[float]]]


def ghosting(players: int, seasons: int) -> Figures:
    """Yield the number of comparisons in each honest season of 8 rounds, and every z of at least 2.5."""
    for seed in range(seasons):
        chance = Random(seed)
        deals, boards = boards_season([chance.gauss(0, 0.2) for _ in range(players)], 8, seed)
        report = late_boards(deals, boards, strengths(deals), 2.5)
        yield report.compared, [one.z for one in report.players]


def together(players: int, seasons: int) -> Figures:
    """Return the same for 8 evenings."""
    for seed in range(seasons):
        evenings = Evenings(players, seed)
        evenings.play(8)
        report = coincidences(evenings.presses, 2.5)
        yield report.compared, [abs(one.z) for one in report.pairs]


def answering(players: int, seasons: int) -> Figures:
    """Return the same for 60 evenings. With fewer, no one sits next after another at four tables."""
    for seed in range(seasons):
        evenings = Evenings(players, seed)
        evenings.play(60, turns=80)
        report = quick_answers(evenings.answers, 2.5)
        yield report.compared, [one.z for one in report.pairs]


def odd(seasons: int) -> Iterator[tuple[str, int, int]]:
    """Yield each suspicious behaviour, and how many of the seasons that could show it listed it."""
    for gain in (1.0, 0.5):
        found = seen = 0
        for seed in range(seasons):
            deals, boards = boards_season([0.0] * 16, 8, seed, ghost=3, gain=gain)
            report = late_boards(deals, boards, strengths(deals))
            seen += 1
            found += 3 in [one.player for one in report.players]
        yield f"a ghost of {gain}", found, seen
    for evenings_played in (1, 3, 8):
        found = seen = 0
        for seed in range(seasons):
            evenings = Evenings(16, seed)
            evenings.play(evenings_played)
            if not any(
                one[1] != two[1] and evenings.presses[one][0] < evenings.presses[two][-1]
                and evenings.presses[two][0] < evenings.presses[one][-1]
                for one in list(evenings.presses) if one[0] == 3
                for two in list(evenings.presses) if two[0] == 5
            ):  # fmt: skip
                continue
            one_hand(evenings.presses, 3, 5)
            seen += 1
            found += (3, 5) in [one.players for one in coincidences(evenings.presses).pairs]
        yield f"one hand, {evenings_played} evenings", found, seen
    found = seen = 0
    for seed in range(seasons):
        evenings = Evenings(16, seed)
        evenings.play(60, turns=80, quick=(5, 3))
        seen += (
            len({answer.table for answer in evenings.answers if (answer.player, answer.before) == (5, 3)})
            >= 4
        )
        found += (5, 3) in [(one.player, one.before) for one in quick_answers(evenings.answers).pairs]
    yield "answers within about a second", found, seen


def main() -> None:
    """Print both."""
    seasons = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    figures: dict[str, Callable[[int, int], Figures]] = {
        "ghosting": ghosting,
        "together": together,
        "answering": answering,
    }
    for name, simulated in figures.items():
        for players in (16, 32):
            compared, found = 0, list[float]()
            for comparisons, more in simulated(players, seasons):
                compared += comparisons
                found += more
            strong = sum(z >= 3.5 for z in found)
            print(
                f"{name}, {players} players: {compared} comparisons; z 2.5: {len(found)},"
                f" expected {by_chance(compared, 2.5):.1f}; z 3.5: {strong}, expected {by_chance(compared, 3.5):.2f}",
                flush=True,
            )
    for name, found, seen in odd(seasons):
        print(f"{name}: listed in {found} of {seen} seasons", flush=True)


if __name__ == "__main__":
    main()
