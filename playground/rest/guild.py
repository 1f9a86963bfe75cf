"""Endpoints of a guild: its channels, roles, members and scheduled events."""

from datetime import datetime

from playground import objects
from playground.access import members as members_of
from playground.access import of_member
from playground.model import Guild, ScheduledEvent, User
from playground.payloads import Json
from playground.permissions import BITS
from playground.refusals import Errors, RefusalError
from playground.rest.routing import RestCall, Routes
from playground.validation.forms import Form

GUILD = "/guilds/{guild}"
EVENTS = GUILD + "/scheduled-events"

routes = Routes()


def _guild(call: RestCall, *permissions: str) -> Guild:
    """Return the guild. Refuses one that the bot is not in, and calls for which it lacks a permission."""
    found = call.world.guilds.get(call.id("guild"))
    if found is None or not found.has(call.world.bot):
        raise RefusalError(10004)
    for name in permissions:
        if not of_member(call.world, call.world.bot, found) & BITS[name]:
            raise RefusalError(50013)
    return found


@routes.on("GET", GUILD)
async def guild(call: RestCall) -> Json:
    """Return the guild."""
    return objects.guild(call.world, _guild(call))


@routes.on("GET", GUILD + "/channels")
async def channels(call: RestCall) -> list[Json]:
    """Return the guild's channels, without threads."""
    guild = _guild(call)
    found = [place for place in call.world.channels.values() if place.guild is guild and not place.is_thread]
    return [objects.channel(place) for place in found]


@routes.on("GET", GUILD + "/roles")
async def roles(call: RestCall) -> list[Json]:
    """Return the guild's roles."""
    return [objects.role(role) for role in _guild(call).roles.values()]


@routes.on("GET", GUILD + "/threads/active")
async def active_threads(call: RestCall) -> Json:
    """Return the threads that are not archived."""
    guild = _guild(call)
    bot_id = call.world.bot.id
    threads = [thread for thread in call.world.threads() if thread.guild is guild and not thread.archived]
    joined = [objects.thread_member(thread, bot_id) for thread in threads if bot_id in thread.members]
    return {"threads": [objects.channel(thread) for thread in threads], "members": joined}


def _member(call: RestCall, guild: Guild) -> User:
    user = call.world.users.get(call.id("user"))
    if user is None:
        raise RefusalError(10013)
    if not guild.has(user):
        raise RefusalError(10007)
    return user


@routes.on("GET", GUILD + "/members/{user}")
async def member(call: RestCall) -> Json:
    """Return one member."""
    guild = _guild(call)
    return objects.member(guild, _member(call, guild))


@routes.on("GET", GUILD + "/members")
async def members(call: RestCall) -> list[Json]:
    """Return a page of members; refused without the privileged intent."""
    guild = _guild(call)
    if not call.world.privileged_intents & 2:
        raise RefusalError(50001)
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
    found = sorted(
        (user for user in members_of(call.world, guild) if user.id > after), key=lambda user: user.id
    )
    return [objects.member(guild, user) for user in found[:limit]]


@routes.on("PUT", GUILD + "/members/{user}/roles/{role}")
async def give_role(call: RestCall) -> None:
    """Give a member a role."""
    guild = _guild(call, "MANAGE_ROLES")
    user, role = _member(call, guild), call.id("role")
    if role not in guild.roles:
        raise RefusalError(10011)
    if role not in user.roles:
        user.roles.append(role)
        call.world.publish("member_update", user, guild=guild)


@routes.on("DELETE", GUILD + "/members/{user}/roles/{role}")
async def take_role(call: RestCall) -> None:
    """Take a role from a member."""
    guild = _guild(call, "MANAGE_ROLES")
    user, role = _member(call, guild), call.id("role")
    if role not in guild.roles:
        raise RefusalError(10011)
    if role in user.roles:
        user.roles.remove(role)
        call.world.publish("member_update", user, guild=guild)


# Scheduled events ---------------------------------------------------------------------------------


def _checked(call: RestCall, before: Json | None = None) -> Json:
    """Return the valid fields of an event. Only events outside of Discord (type 3) are supported."""
    errors = Errors()
    data = (before or {}) | {key: value for key, value in call.form.items() if key != "status"}
    form = Form(data, errors)
    form.text("name", 1, 100, required=True)
    form.text("description", 1, 1000)
    form.one_of("privacy_level", {2}, required=True)
    form.one_of("entity_type", {3}, required=True)
    place = form.form("entity_metadata", required=True)
    if place is not None:
        place.text("location", 1, 100, required=True)
    start, end = _time(form, "scheduled_start_time"), _time(form, "scheduled_end_time")
    if start and end and start >= end:
        form.wrong("scheduled_end_time", "Cannot end before it starts.")
    errors.done()
    return data


def _time(form: Form, key: str) -> datetime | None:
    text = form.text(key, 1, 64, required=True)
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        form.wrong(key, "Must be a time.")
        return None


@routes.on("GET", EVENTS)
async def events(call: RestCall) -> list[Json]:
    """Return the scheduled events."""
    return [objects.scheduled_event(scheduled) for scheduled in _guild(call).events.values()]


@routes.on("POST", EVENTS)
async def create_event(call: RestCall) -> Json:
    """Create an event."""
    guild = _guild(call, "CREATE_EVENTS")
    event = ScheduledEvent(call.world.ids.new(), guild, call.world.bot, _checked(call))
    guild.events[event.id] = event
    call.world.publish("event_create", event)
    return objects.scheduled_event(event)


def _event(call: RestCall, *permissions: str) -> ScheduledEvent:
    found = _guild(call, *permissions).events.get(call.id("event"))
    if found is None:
        raise RefusalError(10070)
    return found


@routes.on("GET", EVENTS + "/{event}")
async def event(call: RestCall) -> Json:
    """Return one event."""
    return objects.scheduled_event(_event(call))


@routes.on("PATCH", EVENTS + "/{event}")
async def edit_event(call: RestCall) -> Json:
    """Edit an event, or start, end or cancel it by its status."""
    found = _event(call, "CREATE_EVENTS")
    found.data = _checked(call, found.data)
    status = Form(call.form, Errors()).one_of("status", {1, 2, 3, 4})
    found.status = status or found.status
    call.world.publish("event_update", found)
    return objects.scheduled_event(found)


@routes.on("DELETE", EVENTS + "/{event}")
async def delete_event(call: RestCall) -> None:
    """Delete an event."""
    found = _event(call, "CREATE_EVENTS")
    del found.guild.events[found.id]
    call.world.publish("event_delete", found)
