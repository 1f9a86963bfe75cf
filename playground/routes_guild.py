"""The guild: its members, roles and calendar."""

from datetime import datetime

from playground import objects
from playground.access import of_member
from playground.forms import Form
from playground.model import ScheduledEvent, User
from playground.payloads import Json
from playground.permissions import BITS
from playground.refusals import Errors, Refusal
from playground.routing import Call, Routes

GUILD = "/guilds/{guild}"
EVENTS = GUILD + "/scheduled-events"

routes = Routes()


def _guild(call: Call, *permissions: str) -> None:
    """Refuse for any other guild, and where the bot lacks a permission."""
    if call.id("guild") != call.world.guild_id or not call.world.bot.member:
        raise Refusal(10004)
    for name in permissions:
        if not of_member(call.world, call.world.bot) & BITS[name]:
            raise Refusal(50013)


@routes.on("GET", GUILD)
async def guild(call: Call) -> Json:
    """Return the guild."""
    _guild(call)
    return objects.guild(call.world)


@routes.on("GET", GUILD + "/channels")
async def channels(call: Call) -> list[Json]:
    """Return the guild's channels, without threads."""
    _guild(call)
    found = (one for one in call.world.channels.values() if not one.is_dm and not one.is_thread)
    return [objects.channel(call.world, one) for one in found]


@routes.on("GET", GUILD + "/roles")
async def roles(call: Call) -> list[Json]:
    """Return the guild's roles."""
    _guild(call)
    return [objects.role(one) for one in call.world.roles.values()]


@routes.on("GET", GUILD + "/threads/active")
async def active_threads(call: Call) -> Json:
    """Return the threads that are not archived."""
    _guild(call)
    found = [one for one in call.world.threads() if not one.archived]
    joined = [
        objects.thread_member(one, call.world.bot.id) for one in found if call.world.bot.id in one.members
    ]
    return {"threads": [objects.channel(call.world, one) for one in found], "members": joined}


def _member(call: Call) -> User:
    _guild(call)
    user = call.world.users.get(call.id("user"))
    if user is None:
        raise Refusal(10013)
    if not user.member:
        raise Refusal(10007)
    return user


@routes.on("GET", GUILD + "/members/{user}")
async def member(call: Call) -> Json:
    """Return one member."""
    return objects.member(_member(call))


@routes.on("GET", GUILD + "/members")
async def members(call: Call) -> list[Json]:
    """Return a page of members; needs the privileged intent."""
    _guild(call)
    if not call.world.privileged_intents & 2:
        raise Refusal(50001)
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
    found = sorted((one for one in call.world.members if one.id > after), key=lambda one: one.id)
    return [objects.member(one) for one in found[:limit]]


@routes.on("PUT", GUILD + "/members/{user}/roles/{role}")
async def give_role(call: Call) -> None:
    """Give a member a role."""
    _guild(call, "MANAGE_ROLES")
    user, role = _member(call), call.id("role")
    if role not in call.world.roles:
        raise Refusal(10011)
    if role not in user.roles:
        user.roles.append(role)
        call.world.publish("member_update", user)


@routes.on("DELETE", GUILD + "/members/{user}/roles/{role}")
async def take_role(call: Call) -> None:
    """Take a role from a member."""
    _guild(call, "MANAGE_ROLES")
    user, role = _member(call), call.id("role")
    if role not in call.world.roles:
        raise Refusal(10011)
    if role in user.roles:
        user.roles.remove(role)
        call.world.publish("member_update", user)


# Scheduled events --------------------------------------------------------------------------------


def _checked(call: Call, before: Json | None = None) -> Json:
    """Return the fields of an event, as they will be; only events outside of Discord are known here."""
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
        form.wrong(key, "Not a time.")
        return None


@routes.on("GET", EVENTS)
async def events(call: Call) -> list[Json]:
    """Return the calendar."""
    _guild(call)
    return [objects.scheduled_event(call.world, one) for one in call.world.events.values()]


@routes.on("POST", EVENTS)
async def create_event(call: Call) -> Json:
    """Put an event on the calendar."""
    _guild(call, "CREATE_EVENTS")
    event = ScheduledEvent(call.world.ids.new(), call.world.bot, _checked(call))
    call.world.events[event.id] = event
    call.world.publish("event_create", event)
    return objects.scheduled_event(call.world, event)


def _event(call: Call, *permissions: str) -> ScheduledEvent:
    _guild(call, *permissions)
    found = call.world.events.get(call.id("event"))
    if found is None:
        raise Refusal(10070)
    return found


@routes.on("GET", EVENTS + "/{event}")
async def event(call: Call) -> Json:
    """Return one event."""
    return objects.scheduled_event(call.world, _event(call))


@routes.on("PATCH", EVENTS + "/{event}")
async def edit_event(call: Call) -> Json:
    """Change an event, or start, end or cancel it by its status."""
    found = _event(call, "CREATE_EVENTS")
    found.data = _checked(call, found.data)
    status = Form(call.form, Errors()).one_of("status", {1, 2, 3, 4})
    found.status = status or found.status
    call.world.publish("event_update", found)
    return objects.scheduled_event(call.world, found)


@routes.on("DELETE", EVENTS + "/{event}")
async def delete_event(call: Call) -> None:
    """Take an event off the calendar."""
    found = _event(call, "CREATE_EVENTS")
    del call.world.events[found.id]
    call.world.publish("event_delete", found)
