"""Recorded evenings for the fair-play tests: press times at tables that play at the same time, and boards."""

from collections import defaultdict
from math import exp
from random import Random

from league.ids import TableId
from league.results import DealId, DealResult, Player
from league.statistics.fairplay import BoardPlay, TimedAnswer

SECOND = 1_000


class Evenings:
    """Tables of four that play at the same time.

    Each player has their own pace, which varies from table to table.
    """

    def __init__(self, players: int, seed: int) -> None:
        self._chance = Random(seed)
        self._players = players
        self._usual = [self._chance.gauss(1.6, 0.4) for _ in range(players)]
        """The logarithm of each player's seconds per press."""
        self._tables = 0
        self.presses: defaultdict[tuple[Player, TableId], list[int]] = defaultdict(list)
        self.answers: list[TimedAnswer] = []

    def play(self, evenings: int, turns: int = 340, quick: tuple[int, int] | None = None) -> None:
        """Play some evenings with random tables.

        The first player of `quick` answers the second within about a second.
        """
        for _ in range(evenings):
            begin = self._tables * 100_000 * SECOND
            drawn = self._chance.sample(range(self._players), self._players)
            for first in range(0, self._players - 3, 4):
                self._tables += 1
                self._table(
                    drawn[first : first + 4], begin + self._chance.randrange(300 * SECOND), turns, quick
                )

    def _table(self, seats: list[int], at: int, turns: int, quick: tuple[int, int] | None) -> None:
        chance, table = self._chance, TableId(self._tables)
        paces = {player: self._usual[player] + chance.gauss(0, 0.25) for player in seats}
        mood = 0.0
        for turn in range(turns):
            player, before = seats[turn % 4], seats[turn % 4 - 1]
            mood = 0.9 * mood + chance.gauss(0, 0.1)  # now and then the whole table is slow
            hard = 0.4 * ((turn % 28) / 28 - 0.5)  # late turns of a deal take longer
            for press in range(2):
                takes = round(SECOND * exp(paces[player] + mood + hard + chance.gauss(0, 0.7))) + SECOND // 2
                if (player, before) == quick and not press:
                    takes = chance.randrange(600, 1_200)
                at += takes
                self.presses[player, table].append(at)
                if turn and not press:
                    self.answers.append(TimedAnswer(table, player, before, takes))
            if turn % 28 == 27:
                at += chance.randrange(10 * SECOND, 40 * SECOND)


def one_hand(presses: dict[tuple[Player, TableId], list[int]], first: int, second: int) -> None:
    """Let one person play for both: the second player's presses keep their distance from the first's."""
    busy = sorted(at for (player, _), times in presses.items() if player == first for at in times)
    for key, times in presses.items():
        if key[0] == second:
            near = 1_500
            presses[key] = [
                next((at + delay for delay in range(0, 60_000, near)
                      if not any(abs(at + delay - other) < near for other in busy)), at)
                for at in times
            ]  # fmt: skip


def boards_season(
    skills: list[float],
    rounds: int,
    seed: int,
    ghost: int | None = None,
    gain: float = 1.0,
    par: float = 20.0,
) -> tuple[list[DealResult], dict[DealId, BoardPlay]]:
    """Return a season of pods of four that play 12 boards a round. The cards decide seven tenths of a result.

    Each table of a round plays at its own time, at the same time as others or after them. The ghost gains
    `gain` standard deviations of luck more on a board that another table has finished.
    """
    chance = Random(seed)
    deals: list[DealResult] = []
    boards: dict[DealId, BoardPlay] = {}
    for number in range(rounds):
        drawn = chance.sample(range(len(skills)), len(skills))
        cards = [[chance.gauss(0, 0.7**0.5) for _ in range(4)] for _ in range(12)]
        count = len(skills) // 4
        finished: dict[int, int] = {}
        begins = sorted((1_000 * number + chance.choice((0, 0, 200, 400)), table) for table in range(count))
        for begin, table in begins:
            seats = drawn[4 * table : 4 * table + 4]
            for place in range(12):
                board = (table * (12 // count if count <= 12 else 1) + place) % 12
                started, ended = begin + 5 * place, begin + 5 * place + 5
                finished[board] = min(finished.get(board, ended), ended)
                raw = [
                    skills[player] + cards[board][seat] + chance.gauss(0, 0.3**0.5)
                    + (gain if player == ghost and finished[board] <= started else 0)
                    for seat, player in enumerate(seats)
                ]  # fmt: skip
                mean = sum(raw) / 4
                points = [round(par * (value - mean)) for value in raw]
                points[-1] -= sum(points)
                deal = DealResult(
                    (TableId(number * count + table + 1), place + 1), ended, tuple(seats), tuple(points), par
                )
                deals.append(deal)
                boards[deal.id] = BoardPlay((number, board), started)
    return deals, boards
