"""Matches on the server's calendar: a pod that has agreed on a time has an event until it has played.

The bot creates, changes and deletes its own events. Without the permission nothing happens.

An event is found by its id, or by its name and location if the answer to its creation was lost. So a match never
has two events. Matches whose tables are not posted yet share the location.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.delivery.discord_calls import failures, known_guild
from bot.league.meetings import is_agreed
from bot.league.season import SeasonView
from bot.words.texts import Texts
from league.events import PodId
from league.ids import GuildId
from league.times import utc

LONGEST_MATCH = timedelta(hours=2)
"""The length of a match on the calendar."""
LONGEST_NAME, LONGEST_PLACE, LONGEST_WORDS = 100, 100, 1000


@dataclass(frozen=True, slots=True)
class PlannedMeeting:
    """The content of an event."""

    name: str
    words: str
    place: str
    begins: datetime
    ends: datetime


async def bring_up_to_date(
    client: discord.Client, view: SeasonView, pod_id: PodId, event_id: int | None, texts: Texts
) -> int | None:
    """Create, change or delete the event of a pod; returns its id, None if there is none.

    Raises the errors of `bot.delivery.discord_calls`, and RetryLaterError also while the bot starts and has
    no servers yet.
    """
    pod = view.season.pods.get(pod_id)
    time, guild_id = view.times.get(pod_id), view.row.guild_id
    if pod is None or time is None or not is_agreed(view.season, pod, time, view.now):
        if event_id is not None:
            await _take_off(client, guild_id, event_id)
        return None
    begins = utc(time.proposal.at)
    meeting = PlannedMeeting(
        name=texts("league.event_name", league=view.plain_title, pod=pod.id)[:LONGEST_NAME],
        words=texts("league.event_words", names=", ".join(map(view.plain_name, pod.players)))[:LONGEST_WORDS],
        place=(view.link(pod.id) or view.plain_title)[:LONGEST_PLACE],
        begins=begins,
        ends=begins + LONGEST_MATCH,
    )
    if pod.table is not None or time.proposal.at <= view.now:
        return await _rename(client, guild_id, event_id, meeting)
    return await _put(client, guild_id, event_id, meeting)


def may_plan(client: discord.Client, guild_id: GuildId) -> bool:
    """Return whether the bot may create events in that server."""
    guild = client.get_guild(guild_id)
    return guild is not None and _may_plan(guild)


def _may_plan(guild: discord.Guild) -> bool:
    return guild.me.guild_permissions.create_events


async def _put(
    client: discord.Client, guild_id: GuildId, event_id: int | None, meeting: PlannedMeeting
) -> int | None:
    """Create the event of a meeting, or change it; returns its id, None without the permission."""
    guild = known_guild(client, guild_id)
    if guild is None or not _may_plan(guild):
        return None
    async with failures():
        found = await _find(guild, event_id, meeting)
        if found is not None:
            await found.edit(
                description=meeting.words,
                start_time=meeting.begins,
                end_time=meeting.ends,
                location=meeting.place,
            )
            return found.id
        made = await guild.create_scheduled_event(
            name=meeting.name,
            description=meeting.words,
            location=meeting.place,
            start_time=meeting.begins,
            end_time=meeting.ends,
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
        )
        return made.id


async def _rename(
    client: discord.Client, guild_id: GuildId, event_id: int | None, meeting: PlannedMeeting
) -> int | None:
    """Bring only the words of an event up to date: its match has begun, but somebody may have been forgotten since."""
    guild = known_guild(client, guild_id)
    if event_id is not None and guild is not None and _may_plan(guild):
        async with failures():
            found = await _find(guild, event_id)
            if found is not None and found.description != meeting.words:
                await found.edit(description=meeting.words)
    return event_id


async def _take_off(client: discord.Client, guild_id: GuildId, event_id: int) -> None:
    """Delete an event of the bot, if it still exists."""
    guild = known_guild(client, guild_id)
    if guild is None or not _may_plan(guild):
        return
    async with failures():
        found = await _find(guild, event_id)
        if found is not None:
            await found.delete()


async def _find(
    guild: discord.Guild, event_id: int | None, meeting: PlannedMeeting | None = None
) -> discord.ScheduledEvent | None:
    """Return the bot's event of that id, or that of the meeting; None if there is none."""
    events = await guild.fetch_scheduled_events(with_counts=False)
    own = [event for event in events if event.creator_id == guild.me.id]
    same = None if meeting is None else (meeting.name, meeting.place)
    return next(
        (event for event in own if event.id == event_id or (event.name, event.location) == same), None
    )
