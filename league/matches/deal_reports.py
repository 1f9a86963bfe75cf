"""The events of a deal that a player reports to the staff as unfair. They move no points.

Only the staff may read who reported a deal and why: the reason is that of the entry. `league.events` lists both with all others.
"""

from dataclasses import dataclass
from typing import Literal

from league.results import Player


@dataclass(frozen=True, slots=True)
class DealReported:
    """A player asks the staff to look at a deal."""

    pod: int
    table: int
    deal: int
    """Its number at the table, 1 the first."""
    player: Player
    """Who reports it."""
    event: Literal["deal_reported"] = "deal_reported"


@dataclass(frozen=True, slots=True)
class DealReportAnswered:
    """The staff have looked at a reported deal; the entry's reason is what they tell the player who reported it."""

    report: int
    """The number of the entry of the report."""
    upheld: bool
    """Whether something was wrong."""
    event: Literal["deal_report_answered"] = "deal_report_answered"
