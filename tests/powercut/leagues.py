"""Leagues during power cuts: one with a match in progress, and one whose players keep changing their mind."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from playground.person import CannotDoError, Person
from tests.crash.others import open_league
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, LEAVE
from tests.games import Rows

CUP = "Cup"
NEWEST = "SELECT max(id) FROM season"


@dataclass
class Undecided:
    """People who keep signing up for a season that does not begin, and leaving it.

    Each press is an event of it.
    """

    people: Sequence[Person]
    chance: Random
    presses: int = 0

    async def spend(self) -> None:
        """Let one of them change their mind."""
        person = self.chance.choice(self.people)
        signup = await person.sees("Sign up until")
        try:
            label = self.chance.choice((JOIN, LEAVE))
            answer = await person.press(label, message=signup)
            if label == LEAVE:
                await person.press(LEAVE, message=answer.message)
        except (CannotDoError, TimeoutError):
            return
        self.presses += 1


async def open_leagues(players: Sequence[Person], undecided: Sequence[Person], rows: Rows) -> None:
    """Open a season whose first match has its table, and another to sign up for in another channel.

    The same person manages both.
    """
    staff = players[0]
    await open_league(staff, players)
    home = staff.channel
    staff.go(undecided[0].channel.name)
    await staff.slash("league-staff season create")
    await staff.submit(
        {
            "name": CUP,
            "format": [say("league.format_pods")],
            "numbers": "1, 2, 3",
            "rotations": ["4 deals at four seats, 3 at three"],
        }
    )
    [(season,)] = await rows(NEWEST)
    for setting in ("account_days", "server_days"):
        await staff.slash("league-staff season settings", setting=setting, value="0", league=str(season))
    staff.go(home.name)
