"""The ids of the store and of Discord, each its own type.

Those of people, servers and tables are in `league.ids`.
"""

from typing import NewType

ChannelId = NewType("ChannelId", int)
"""A channel's or a thread's Discord id."""
NOWHERE = ChannelId(0)
"""The channel of a table without one; only deals of the day have none."""

MessageId = NewType("MessageId", int)
"""A message's Discord id."""

RoleId = NewType("RoleId", int)
"""A role's Discord id."""

InteractionId = NewType("InteractionId", int)
"""A Discord interaction's id."""

SeasonId = NewType("SeasonId", int)
"""A season's number in the store."""

BoardSetId = NewType("BoardSetId", int)
"""The number of a set of boards in the store."""

ScoreSessionId = NewType("ScoreSessionId", int)
"""The number of a score session in the store."""
