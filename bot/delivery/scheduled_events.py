"""The server's calendar: events of the bot are created, changed and deleted. Without the permission nothing happens.

An event is found by its id, or by its location if the answer to its creation was lost. So a location never has two
events.
"""

from dataclasses import dataclass
from datetime import datetime

import discord

from bot.delivery.discord_calls import failures
from league.ids import GuildId

LONGEST_NAME, LONGEST_PLACE, LONGEST_WORDS = 100, 100, 1000


@dataclass(frozen=True, slots=True)
class Meeting:
    """The content of an event."""

    name: str
    words: str
    place: str
    begins: datetime
    ends: datetime


def may_plan(client: discord.Client, guild_id: GuildId) -> bool:
    """Whether the bot may create events in that server."""
    guild = client.get_guild(guild_id)
    return guild is not None and guild.me.guild_permissions.create_events


async def put(
    client: discord.Client, guild_id: GuildId, event_id: int | None, meeting: Meeting
) -> int | None:
    """Create the event of a meeting, or change it; returns its id, None without the permission.

    Raises the errors of `bot.delivery.discord_calls`.
    """
    guild = client.get_guild(guild_id)
    if guild is None or not may_plan(client, guild_id):
        return None
    async with failures():
        found = await _find(guild, event_id, meeting.place)
        if found is not None:
            await found.edit(
                description=meeting.words[:LONGEST_WORDS],
                start_time=meeting.begins,
                end_time=meeting.ends,
                location=meeting.place,
            )
            return found.id
        made = await guild.create_scheduled_event(
            name=meeting.name[:LONGEST_NAME],
            description=meeting.words[:LONGEST_WORDS],
            location=meeting.place[:LONGEST_PLACE],
            start_time=meeting.begins,
            end_time=meeting.ends,
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )
        return made.id


async def take_off(client: discord.Client, guild_id: GuildId, event_id: int) -> None:
    """Delete an event of the bot, if it still exists."""
    guild = client.get_guild(guild_id)
    if guild is None or not may_plan(client, guild_id):
        return
    async with failures():
        found = await _find(guild, event_id, "")
        if found is not None:
            await found.delete()


async def _find(guild: discord.Guild, event_id: int | None, place: str) -> discord.ScheduledEvent | None:
    events = await guild.fetch_scheduled_events(with_counts=False)
    own = [event for event in events if event.creator_id == guild.me.id]
    return next((event for event in own if event.id == event_id or (place and event.location == place)), None)
