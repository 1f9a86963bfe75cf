"""The people who act away from the tables: the score of a home game, the deal of the day, a league."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from playground.person import CannotDoError, Person
from tests.e2e.players import act, is_asked, say
from tests.e2e.seasons import JOIN, start_league
from tests.games import Rows

ENTER = say("button.score_deal")
NAMES = ("Sita", "Gita", "Rita")
MOST_MOVES = 3
MOST_DEALS = 60
ENTRIES = "SELECT count(*) FROM score_entry WHERE NOT undone"
SHEET = "SELECT id FROM score_session WHERE closed_at IS NULL"


@dataclass
class Scorer:
    """Enters the deals of a game with real cards, and counts the acknowledged ones."""

    person: Person
    rows: Rows
    chance: Random
    tried: int = 0
    acknowledged: int = 0

    async def spend(self) -> None:
        """Enter one more deal."""
        if not await self.rows(SHEET):
            await self.person.slash("score new", players=", ".join(NAMES))
        if self.tried >= MOST_DEALS:
            return
        if (await self.person.slash("score deal")).modal is None:
            return  # refused, as by a disk that takes nothing any more
        self.tried += 1
        winner = self.chance.choice(NAMES)
        answer = await self.person.submit({"winner": [winner], "seen": list(NAMES), "maal": f"{winner}: 3"})
        self.acknowledged += not answer.message.ephemeral  # ephemeral: a refusal, as on a full disk

    async def broken(self) -> list[str]:
        """Return what is wrong with the stored deals. An unacknowledged deal may be there or not."""
        [(stored,)] = await self.rows(ENTRIES)
        if not self.acknowledged <= stored <= self.tried:
            return [f"{stored} deals are written down, {self.acknowledged} to {self.tried} were entered"]
        self.tried = self.acknowledged = stored
        return []


@dataclass
class Solver:
    """Plays the deal of the day."""

    person: Person
    moves: int = 0
    """The moves that the bot answered."""

    async def spend(self) -> None:
        """Look at the deal, and make some moves."""
        try:
            panel = (await self.person.slash("daily")).message
            for _ in range(MOST_MOVES):
                if not is_asked(panel):
                    return
                panel = (await act(self.person, panel)).panel
                self.moves += 1
        except (CannotDoError, TimeoutError):
            return  # unanswered requests are counted at the end


async def open_league(staff: Person, players: Sequence[Person]) -> None:
    """Open a season of one round whose pod has its table; everyone is in its channel."""
    staff.world.grant(staff.user, "MANAGE_GUILD")
    await staff.slash("league-staff season create")
    await staff.submit(
        {
            "name": "Storm",
            "format": [say("league.format_pods")],
            "numbers": "1, 2, 3",
            "rotations": ["4 deals at four seats, 3 at three"],
        }
    )
    for setting in ("account_days", "server_days", "confirm_hours"):
        await staff.slash("league-staff season settings", setting=setting, value="0")
    await staff.slash("league-staff season settings", setting="tables", value="channel")
    signup = await staff.sees("Sign up until")
    for person in players:
        await person.press(JOIN, message=signup)
    await start_league(staff)
    await staff.sees("A league's match")
