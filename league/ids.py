"""The ids that the project passes around, each a type of its own, so that none is taken for another.

All are whole numbers. At run time a `NewType` costs nothing; the type checker keeps them apart.
"""

from typing import NewType

PersonId = NewType("PersonId", int)
"""A person's Discord id."""

SeasonPlayer = NewType("SeasonPlayer", int)
"""The number by which seasons know a person. It says nothing about who that is, so it may outlive the person's data."""

GuildId = NewType("GuildId", int)
"""A Discord server's id."""

TableId = NewType("TableId", int)
"""A table's number in the store."""
