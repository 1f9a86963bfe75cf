"""Rows of forgetting: limits, and messages to edit."""

from dataclasses import dataclass
from typing import Literal

from data.ids import ChannelId, MessageId


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit of a person, without the person."""

    about: int
    """The table, the set of boards or the season that the limit is about."""
    until: int | None
    """When it ends; None while the table or the season is open."""


@dataclass(frozen=True, slots=True)
class AmendmentRow:
    """A message that names a forgotten person, and what it shows."""

    message_id: MessageId
    channel_id: ChannelId
    kind: Literal["table", "season", "day", "score"]
    about: int
    """The table, the season, the set of boards or the home game."""
    key: str
    """The key of the message within its season."""
    attempts: int
    not_before: int
