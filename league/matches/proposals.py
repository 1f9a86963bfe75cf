"""Times proposed to a pod: when one holds, and what it takes to change one that holds.

A time holds once everybody agrees. It also holds for a pod of which a majority agrees, or of which no one proposes
another time for some hours, if the others had these hours to see it: a player who never answers stops no match, and
no one is a no-show at a time that they could not know of.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from league.results import Player


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed time and the moment of the proposal, in milliseconds of UTC, and who has agreed, the proposer among them."""

    at: int
    since: int
    agreed: tuple[Player, ...]

    def agreed_by(self, player: Player) -> "Proposal":
        """The proposal once this player has agreed."""
        agreed = self.agreed if player in self.agreed else (*self.agreed, player)
        return Proposal(self.at, self.since, agreed)

    def holds_from(self, players: Sequence[Player], answer: int) -> int | None:
        """From when the time holds if no one proposes another one; None if more of the pod have to agree first.

        `answer` is how long the players have to answer, in milliseconds.
        """
        if self._suits_all(players):
            return self.since
        if self.at - self.since < answer:
            return None
        return self.since if self.yes(players) * 2 > len(players) else self.since + answer

    def replaces(self, held: "Proposal", players: Sequence[Player], answer: int) -> bool:
        """Return whether this proposal takes the place of a time that holds: silence is no consent to a change.

        It takes everybody, or a majority as large as the one for the time that holds, with the same hours to see it.
        """
        if self._suits_all(players):
            return True
        yes = self.yes(players)
        return self.at - self.since >= answer and yes * 2 > len(players) and yes >= held.yes(players)

    def _suits_all(self, players: Sequence[Player]) -> bool:
        return self.yes(players) == len(players)

    def yes(self, players: Sequence[Player]) -> int:
        """How many of these players have agreed."""
        return len({*players} & {*self.agreed})
