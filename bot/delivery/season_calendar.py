"""Matches on the server's calendar: a pod that has agreed on a time has an event until it has played."""

from datetime import timedelta

import discord

from bot.delivery import scheduled_events
from bot.league.meetings import is_agreed
from bot.league.season_view import SeasonView
from bot.words.texts import Texts
from league.events import PodId
from league.times import utc

LONGEST_MATCH = timedelta(hours=2)
"""The length of a match on the calendar."""


async def bring_up_to_date(
    client: discord.Client, view: SeasonView, pod_id: PodId, event_id: int | None, texts: Texts
) -> int | None:
    """Create, change or delete the event of a pod; returns its id, None if there is none."""
    pod = view.season.pods[pod_id]
    time, guild_id = view.times.get(pod.id), view.row.guild_id
    if time is None or not is_agreed(view.season, pod, time, view.now):
        if event_id is not None:
            await scheduled_events.take_off(client, guild_id, event_id)
        return None
    if pod.table is not None or time.proposal.at <= view.now:
        return event_id  # the match has begun: its event stays as it is
    begins = utc(time.proposal.at)
    meeting = scheduled_events.Meeting(
        name=texts("league.event_name", league=view.plain_title, pod=pod.id),
        words=texts("league.event_words", names=", ".join(map(view.plain_name, pod.players))),
        place=view.link(pod.id) or view.plain_title,
        begins=begins,
        ends=begins + LONGEST_MATCH,
    )
    return await scheduled_events.put(client, guild_id, event_id, meeting)
