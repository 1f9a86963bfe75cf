"""The ids that the project passes around, each a type of its own to prevent confusion.

All are integers. At run time a `NewType` costs nothing; the type checker keeps them apart.
"""

from typing import NewType

PersonId = NewType("PersonId", int)
"""A person's Discord id."""

SeasonPlayer = NewType("SeasonPlayer", int)
"""The number of a person in seasons. It does not identify the person, so it may outlive their data."""

GuildId = NewType("GuildId", int)
"""A Discord server's id."""

TableId = NewType("TableId", int)
"""A table's number in the store."""
