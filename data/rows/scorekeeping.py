"""Rows of home games: score sessions and their deals. Ids of Discord are integers, times are UTC milliseconds."""

from dataclasses import dataclass, field
from typing import TypedDict

from data.ids import ChannelId, ScoreSessionId
from league.ids import GuildId
from marriage.rules import Rules
from marriage.scoring.home_game import HomeDeal


@dataclass(frozen=True, slots=True)
class ScoreSessionRow:
    """An evening of deals with real cards whose score is kept in a channel."""

    id: ScoreSessionId
    guild_id: GuildId
    channel_id: ChannelId
    names: tuple[str, ...]
    revision: int
    """Counts the changes; a form opened on an older revision is stale."""
    rules: Rules = field(repr=False)
    rules_version: int
    draft: str | None = field(repr=False)
    """A typed deal that could not be entered yet, as JSON."""
    changed_at: int
    closed_at: int | None


class ScoreSessionChanges(TypedDict, total=False):
    """The columns of a score session that may change."""

    names: tuple[str, ...]
    rules: Rules
    draft: str | None
    closed_at: int | None


@dataclass(frozen=True, slots=True)
class ScoreEntryRow:
    """One deal that was written down. An undone deal is kept, but does not count."""

    session_id: ScoreSessionId
    number: int
    """1, 2, 3 ... without gaps, including undone deals."""
    deal: HomeDeal
    undone: bool
    at: int
