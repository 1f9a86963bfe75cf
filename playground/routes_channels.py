"""Channels and threads: looking, opening, changing, joining, deleting."""

from datetime import UTC, datetime

from playground import access, objects
from playground.forms import Form
from playground.model import PRIVATE_THREAD, PUBLIC_THREAD, Channel, Message
from playground.payloads import Json
from playground.refusals import Errors, Refusal
from playground.routing import Answer, Call, Routes

CHANNEL = "/channels/{channel}"
MEMBERS = CHANNEL + "/thread-members"
ARCHIVE_MINUTES = {60, 1440, 4320, 10080}

routes = Routes()


@routes.on("GET", CHANNEL)
async def channel(call: Call) -> Json:
    """Return a channel."""
    return objects.channel(call.world, call.channel())


@routes.on("PATCH", CHANNEL)
async def edit_channel(call: Call) -> Json:
    """Change a channel or a thread."""
    found = call.channel()
    if found.is_dm:
        raise Refusal(50003)
    if found.is_thread:
        _may_change_thread(call, found)
    else:
        call.require(found, "MANAGE_CHANNELS")
    errors = Errors()
    form = Form(call.form, errors)
    slow = form.number("rate_limit_per_user", 0, 21600)
    changed = {
        "name": form.text("name", 1, 100) or found.name,
        "slowmode": found.slowmode if slow is None else slow,
    }
    changed |= _thread_changes(found, form) if found.is_thread else _topic(found, form)
    errors.done()
    for key, value in changed.items():
        setattr(found, key, value)
    call.world.publish("channel_update", found)
    return objects.channel(call.world, found)


def _may_change_thread(call: Call, thread: Channel) -> None:
    if thread.archived and call.form.get("archived") is not False:
        raise Refusal(50083)
    own = thread.owner_id == call.world.bot.id and not thread.locked and "locked" not in call.form
    if not own:
        call.require(thread, "MANAGE_THREADS")


def _topic(channel: Channel, form: Form) -> Json:
    return {"topic": form.text("topic", 0, 1024) if "topic" in form.data else channel.topic}


def _thread_changes(thread: Channel, form: Form) -> Json:
    archived = form.boolean("archived", default=thread.archived)
    return {
        "archived": archived,
        "archive_changed": datetime.now(UTC) if archived != thread.archived else thread.archive_changed,
        "locked": form.boolean("locked", default=thread.locked),
        "invitable": form.boolean("invitable", default=thread.invitable),
        "auto_archive": form.one_of("auto_archive_duration", ARCHIVE_MINUTES) or thread.auto_archive,
    }


@routes.on("DELETE", CHANNEL)
async def delete_channel(call: Call) -> Json:
    """Delete a channel or thread; a DM is only closed."""
    found = call.channel()
    shape = objects.channel(call.world, found)
    if not found.is_dm:
        call.require(found, "MANAGE_THREADS" if found.is_thread else "MANAGE_CHANNELS")
        call.world.delete_channel(found)
    return shape


# Opening threads ---------------------------------------------------------------------------------


def _open(call: Call, parent: Channel, kind: int, message: Message | None = None) -> Channel:
    """Open a thread for the bot, which is its first member."""
    if parent.is_dm or parent.is_thread:
        raise Refusal(50024)
    call.require(parent, "CREATE_PRIVATE_THREADS" if kind == PRIVATE_THREAD else "CREATE_PUBLIC_THREADS")
    errors = Errors()
    form = Form(call.form, errors)
    name = form.text("name", 1, 100, required=True) or ""
    minutes = form.one_of("auto_archive_duration", ARCHIVE_MINUTES) or 1440
    errors.done()
    # A thread that grows out of a message bears its id.
    thread = Channel(message.id if message else call.world.ids.new(), kind, name, parent=parent)
    thread.owner_id, thread.auto_archive = call.world.bot.id, minutes
    thread.invitable = form.boolean("invitable", default=True)
    thread.members[call.world.bot.id] = datetime.now(UTC)
    call.world.channels[thread.id] = thread
    call.world.publish("channel_create", thread)
    return thread


@routes.on("POST", CHANNEL + "/threads")
async def open_thread(call: Call) -> Answer:
    """Open a thread of its own; private unless the type says otherwise."""
    parent = call.channel()
    kind = Form(call.form, Errors()).one_of("type", {PUBLIC_THREAD, PRIVATE_THREAD}) or PRIVATE_THREAD
    return Answer(objects.channel(call.world, _open(call, parent, kind)), 201)


@routes.on("POST", CHANNEL + "/messages/{message}/threads")
async def open_message_thread(call: Call) -> Answer:
    """Open a thread under a message."""
    parent = call.channel()
    message = call.message(parent)
    if message.thread is not None:
        raise Refusal(160004)
    message.thread = _open(call, parent, PUBLIC_THREAD, message)
    message.flags |= 1 << 5
    call.world.publish("message_update", message)
    return Answer(objects.channel(call.world, message.thread), 201)


# Members of threads ------------------------------------------------------------------------------


def _thread(call: Call) -> Channel:
    found = call.channel()
    if not found.is_thread:
        raise Refusal(50024)
    return found


def _join(call: Call, user_id: int) -> None:
    thread = _thread(call)
    if thread.archived:
        raise Refusal(50083)
    if user_id not in call.world.users:
        raise Refusal(10013)
    if user_id not in thread.members:
        thread.members[user_id] = datetime.now(UTC)
        call.world.publish("thread_members", thread, added=[user_id])


def _leave(call: Call, user_id: int) -> None:
    thread = _thread(call)
    if user_id in thread.members:
        del thread.members[user_id]
        call.world.publish("thread_members", thread, removed=[user_id])


@routes.on("PUT", MEMBERS + "/@me")
async def join(call: Call) -> None:
    """Let the bot join."""
    _join(call, call.world.bot.id)


@routes.on("DELETE", MEMBERS + "/@me")
async def leave(call: Call) -> None:
    """Let the bot leave."""
    _leave(call, call.world.bot.id)


@routes.on("PUT", MEMBERS + "/{user}")
async def add_member(call: Call) -> None:
    """Add a person to a thread."""
    call.require(_thread(call), "SEND_MESSAGES")
    _join(call, call.id("user"))


@routes.on("DELETE", MEMBERS + "/{user}")
async def remove_member(call: Call) -> None:
    """Remove a person from a thread."""
    thread = _thread(call)
    if thread.owner_id != call.world.bot.id:
        call.require(thread, "MANAGE_THREADS")
    _leave(call, call.id("user"))


@routes.on("GET", MEMBERS)
async def thread_members(call: Call) -> list[Json]:
    """Return the members of a thread."""
    thread = _thread(call)
    return [objects.thread_member(thread, one) for one in thread.members]


@routes.on("GET", MEMBERS + "/{user}")
async def thread_member(call: Call) -> Json:
    """Return one member of a thread."""
    thread = _thread(call)
    if call.id("user") not in thread.members:
        raise Refusal(10007)
    return objects.thread_member(thread, call.id("user"))


@routes.on("GET", CHANNEL + "/threads/archived/{kind}")
async def archived_threads(call: Call) -> Json:
    """Return the archived threads of a channel, public or private."""
    parent = call.channel()
    kind = PRIVATE_THREAD if call.params["kind"] == "private" else PUBLIC_THREAD
    found = [one for one in call.world.threads(parent) if one.archived and one.type == kind]
    visible = [one for one in found if access.may_see(call.world, call.world.bot, one)]
    return {
        "threads": [objects.channel(call.world, one) for one in visible],
        "members": [],
        "has_more": False,
    }
