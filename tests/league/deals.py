"""Recorded deals for the tests of the league package."""

from random import Random

from league.results import DealResult

A, B, C, D, E, F = range(1, 7)


def deal(points: dict[int, int], number: int = 1, at: int = 0, par: float = 20.0, **more) -> DealResult:
    """Return a deal with the given players and points."""
    return DealResult((1, number), at, tuple(points), tuple(points.values()), par, **more)


def season(
    skills: list[float], deals: int, seed: int = 1, seats: int = 4, par: float = 20.0
) -> list[DealResult]:
    """Return deals at random tables, with results from skill (in standard deviations of luck) and luck."""
    chance = Random(seed)
    return [
        DealResult((1, number), number * 60, tuple(table), _points(table, skills, par, chance), par)
        for number in range(deals)
        for table in [chance.sample(range(len(skills)), seats)]
    ]


def pods_season(skills: list[float], rounds: int, seed: int = 1, par: float = 20.0) -> list[DealResult]:
    """Return a season of pods of four, drawn at random in every round, with matches of 12 deals."""
    chance = Random(seed)
    drawn = [chance.sample(range(len(skills)), len(skills)) for _ in range(rounds)]
    tables = [order[first : first + 4] for order in drawn for first in range(0, len(order), 4)]
    return [
        DealResult(
            (number, deal), (12 * number + deal) * 60, tuple(table), _points(table, skills, par, chance), par
        )
        for number, table in enumerate(tables)
        for deal in range(1, 13)
    ]


def _points(table: list[int], skills: list[float], par: float, chance: Random) -> tuple[int, ...]:
    raw = [skills[player] + chance.gauss(0, 1) for player in table]
    mean = sum(raw) / len(raw)
    points = [round(par * (value - mean)) for value in raw]
    points[-1] -= sum(points)
    return tuple(points)
