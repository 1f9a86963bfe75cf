"""Seasons for the tests: a growing list of entries, with random results."""

from random import Random

from league.events import (
    CheckedIn,
    Confirmed,
    Entry,
    Event,
    MatchFinished,
    MatchStarted,
    Result,
    SeasonOpened,
    SignedUp,
)
from league.pairing.drawing import draw_rounds
from league.season import Season, fold
from league.settings import default_settings
from league.undoing import inverse

PARS = {2: 1200, 3: 1500, 4: 1900, 5: 2400}
SEED = bytes(range(32))
HOUR = 3_600_000


class Diary:
    """A season in progress."""

    def __init__(self, format_: str = "pods", players: int = 8, seed: int = 1, **options) -> None:
        self.entries: list[Entry] = []
        self.season = Season()
        self.chance = Random(seed)
        self.note(SeasonOpened("Autumn", default_settings(format_).with_options(**options), PARS))
        for player in range(1, players + 1):
            self.note(SignedUp(player))
            self.note(Confirmed(player))

    def note(self, event: Event, at: int | None = None) -> Entry:
        number = len(self.entries) + 1
        entry = Entry(number, number * HOUR if at is None else at, event, reason="as it was")
        self.entries.append(entry)
        self.season = fold([entry], self.season)
        return entry

    def undo(self) -> None:
        """Undo the latest event."""
        event = inverse(self.entries[-1].event)
        assert event is not None
        self.note(event)

    def draw(self, absent: tuple[int, ...] = ()) -> list[int]:
        """Check in everyone but the absent, draw the round, and return the numbers of its pods."""
        number = self.season.drawn + 1
        for member in self.season.members.values():
            if member.plays and member.player not in absent:
                self.note(CheckedIn(member.player, number))
        for event in draw_rounds(self.season, SEED, [0]):
            self.note(event)
        return [pod.id for pod in self.season.rounds[number].pods]

    def play(self, pod: int, deals: int | None = None, left: tuple[int, ...] = ()) -> Result:
        """Play a match with a random result that favours lower numbers."""
        players = self.season.pods[pod].players
        count = self.season.settings.deals(len(players)) if deals is None else deals
        result = Result(players, tuple(self.deal(players) for _ in range(count)), left)
        self.note(MatchStarted(pod, table=pod))
        self.note(MatchFinished(pod, result))
        return result

    def deal(self, players: tuple[int, ...]) -> tuple[int, ...]:
        raw = [self.chance.gauss(0, 19) - player for player in players]
        points = [round(won - sum(raw) / len(raw)) for won in raw]
        return (points[0] - sum(points), *points[1:])

    def round(self, absent: tuple[int, ...] = ()) -> None:
        for pod in self.draw(absent):
            self.play(pod)
