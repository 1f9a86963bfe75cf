"""How a ladder ranks: a sum of points, a mean, and points adjusted for opponents, with and without less for repeats.

    python -m benchmarks.ladder_ranking [SEASONS]

SEASONS (100) months of a ladder of 24 players. Strength and luck of a match are normal, with the spreads of `league/standings.py`: 7
and 16.7 league points. Players play 4 to 40 matches at tables of four. Whom they meet:

* random: anybody;
* assorted: those next to them in strength;
* self-chosen: some play anybody; the six who play most choose the weakest who are there.

For each it prints the rank correlation of the table with the true strength; how often the best three of the table are among the
best six players; and by how many places those who play most against the weakest stand better than their strength. The last line
of each is the share of players whose true place is within the band of places that their row shows as luck.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final

from league.standings import bands, spread
from league.statistics.ladder_points import HELD_BACK, ladder_points

PLAYERS, SEATS = 24, 4
SKILL, LUCK = 700.0, 1670.0
FARMERS = 6
LEAST, MOST = 4, 40

Match = dict[int, int]
Meeting = Callable[[int, Sequence[int], Random], list[int]]
"""Returns a player's opponents among those who still want to play. Player 0 is the strongest."""


def anybody(player: int, wanting: Sequence[int], random: Random) -> list[int]:  # noqa: ARG001 - all are called alike
    """Return random opponents."""
    return random.sample(wanting, SEATS - 1)


def like_them(player: int, wanting: Sequence[int], random: Random) -> list[int]:
    """Return the nearest in strength among some who are there."""
    there = random.sample(wanting, min(len(wanting), 8))
    return sorted(there, key=lambda other: abs(other - player))[: SEATS - 1]


def the_weakest(player: int, wanting: Sequence[int], random: Random) -> list[int]:  # noqa: ARG001 - see above
    """Return the weakest among some who are there."""
    return sorted(random.sample(wanting, min(len(wanting), 12)))[-(SEATS - 1) :]


def month(random: Random, meeting: str) -> tuple[list[Match], list[int]]:
    """Return the matches of a ladder in order, and the players who choose the weakest."""
    strengths = sorted((random.gauss(0, SKILL) for _ in range(PLAYERS)), reverse=True)
    farmers = random.sample(range(PLAYERS), FARMERS) if meeting == "self-chosen" else []
    left = {player: MOST if player in farmers else random.randint(LEAST, MOST) for player in range(PLAYERS)}
    matches: list[Match] = []
    while len(wanting := [player for player, count in left.items() if count > 0]) >= SEATS:
        player = random.choice(wanting)
        others = [other for other in wanting if other != player]
        choose: Meeting = (
            the_weakest if player in farmers else like_them if meeting == "assorted" else anybody
        )
        seats = [player, *choose(player, others, random)]
        mean = fmean(strengths[seat] for seat in seats)
        lucks = [random.gauss(0, LUCK) for _ in seats]
        lucky = fmean(lucks)
        matches.append(
            {
                seat: round(strengths[seat] - mean + luck - lucky)
                for seat, luck in zip(seats, lucks, strict=True)
            }
        )
        for seat in seats:
            left[seat] -= 1
    return matches, farmers


def sums(matches: Sequence[Match]) -> Mapping[int, float]:
    """Return the sums of league points."""
    found: defaultdict[int, float] = defaultdict(float)
    for match in matches:
        for player, points in match.items():
            found[player] += points
    return found


def means(matches: Sequence[Match]) -> Mapping[int, float]:
    """Return the shrunk means, ignoring the opponents."""
    counts: defaultdict[int, int] = defaultdict(int)
    for match in matches:
        for player in match:
            counts[player] += 1
    return {player: total / (counts[player] + HELD_BACK) for player, total in sums(matches).items()}


WAYS: Final[Mapping[str, Callable[[Sequence[Match]], Mapping[int, float]]]] = {
    "sum": sums,
    "mean": means,
    "ours": ladder_points,
}


def correlation(order: Sequence[int]) -> float:
    """Return Spearman's rank correlation of a table with the true order, that of the player numbers."""
    true = {player: place for place, player in enumerate(sorted(order))}
    count = len(order)
    squares = sum((place - true[player]) ** 2 for place, player in enumerate(order))
    return 1 - 6 * squares / (count * (count**2 - 1))


def within_bands(matches: Sequence[Match]) -> list[bool]:
    """Return, for each player, whether their true place is within the band of places of their row."""
    played: defaultdict[int, list[int]] = defaultdict(list)
    for match in matches:
        for player, points in match.items():
            played[player].append(points)
    luck = spread([*played.values()])
    made = ladder_points(matches)
    shown = bands({player: (made[player], 1 / (len(played[player]) + HELD_BACK)) for player in made}, luck)
    places = {player: place for place, player in enumerate(sorted(made), 1)}
    return [band.best <= places[player] <= band.worst for player, band in shown.items()]


def main() -> None:
    """Print the figures of each way to choose opponents and to rank."""
    seasons = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{seasons} months of {PLAYERS} players")
    for meeting in ("random", "assorted", "self-chosen"):
        random = Random(f"ladder {meeting}")
        months = [month(random, meeting) for _ in range(seasons)]
        for name, way in WAYS.items():
            alike: list[float] = []
            on_top: list[float] = []
            gained: list[float] = []
            for matches, farmers in months:
                values = way(matches)
                order = sorted(values, key=lambda player: (-values[player], player))
                alike.append(correlation(order))
                on_top.append(fmean(player < PLAYERS // 4 for player in order[:3]))
                gained += [
                    sorted(order).index(player) - order.index(player) for player in farmers if player in order
                ]
            told = f", volume against the weakest {fmean(gained):+.1f} places" if gained else ""
            print(
                f"{meeting:12} {name:5} correlation {fmean(alike):.2f}, top three {fmean(on_top):.0%}{told}"
            )
        inside = fmean(share for matches, _ in months for share in within_bands(matches))
        print(f"{meeting:12} true places within the bands {inside:.0%}")


if __name__ == "__main__":
    main()
