"""Endpoints of channels and threads, and of the members of threads."""

from datetime import UTC, datetime

from playground import access, message_objects, objects
from playground.model import PRIVATE_THREAD, PUBLIC_THREAD, Channel, Message
from playground.payloads import Json
from playground.refusals import Errors, RefusalError
from playground.rest.routing import RestAnswer, RestCall, Routes
from playground.validation.forms import Form
from playground.validation.messages import check_message

CHANNEL = "/channels/{channel}"
MEMBERS = CHANNEL + "/thread-members"
ARCHIVE_MINUTES = {60, 1440, 4320, 10080}

routes = Routes()


@routes.on("GET", CHANNEL)
async def channel(call: RestCall) -> Json:
    """Return a channel."""
    return objects.channel(call.channel())


@routes.on("PATCH", CHANNEL)
async def edit_channel(call: RestCall) -> Json:
    """Edit a channel or a thread."""
    found = call.channel()
    if found.is_dm:
        raise RefusalError(50003)
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
    return objects.channel(found)


def _may_change_thread(call: RestCall, thread: Channel) -> None:
    """Refuse unless the bot may edit the thread: its owner needs no permission, but for locking and unlocking."""
    if thread.archived and call.form.get("archived") is not False:
        raise RefusalError(50083)
    by_owner = thread.owner_id == call.world.bot.id
    if not by_owner or thread.locked or "locked" in call.form:
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
async def delete_channel(call: RestCall) -> Json:
    """Delete a channel or thread; a DM is closed and keeps its messages."""
    found = call.channel()
    shape = objects.channel(found)
    if not found.is_dm:
        call.require(found, "MANAGE_THREADS" if found.is_thread else "MANAGE_CHANNELS")
        call.world.delete_channel(found)
    return shape


# Creating threads ---------------------------------------------------------------------------------


def _open(call: RestCall, parent: Channel, kind: int, message: Message | None = None) -> Channel:
    """Create a thread of the bot, which becomes its first member."""
    if parent.is_dm or parent.is_thread:
        raise RefusalError(50024)
    call.require(parent, _permission(parent, kind))
    errors = Errors()
    form = Form(call.form, errors)
    name = form.text("name", 1, 100, required=True) or ""
    minutes = form.one_of("auto_archive_duration", ARCHIVE_MINUTES) or 1440
    errors.done()
    # A thread on a message has the id of the message.
    thread = Channel(message.id if message else call.world.ids.new(), kind, name, parent=parent)
    thread.owner_id, thread.auto_archive = call.world.bot.id, minutes
    thread.invitable = form.boolean("invitable", default=True)
    thread.members[call.world.bot.id] = datetime.now(UTC)
    call.world.channels[thread.id] = thread
    call.world.publish("channel_create", thread)
    return thread


def _permission(parent: Channel, kind: int) -> str:
    if parent.is_forum:
        return "SEND_MESSAGES"
    return "CREATE_PRIVATE_THREADS" if kind == PRIVATE_THREAD else "CREATE_PUBLIC_THREADS"


@routes.on("POST", CHANNEL + "/threads")
async def open_thread(call: RestCall) -> RestAnswer:
    """Create a post in a forum, elsewhere a thread without a message; private unless the type says otherwise."""
    parent = call.channel()
    if parent.is_forum:
        return _open_post(call, parent)
    kind = Form(call.form, Errors()).one_of("type", {PUBLIC_THREAD, PRIVATE_THREAD}) or PRIVATE_THREAD
    return RestAnswer(objects.channel(_open(call, parent, kind)), 201)


def _open_post(call: RestCall, forum: Channel) -> RestAnswer:
    """Create a post, whose first message has the same id."""
    call.require(forum, "SEND_MESSAGES")
    errors = Errors()
    payload = Form(call.form, errors).form("message", required=True)
    errors.done()
    if payload is None:
        raise RefusalError(50006)
    if forum.requires_tag and not call.form.get("applied_tags"):
        raise RefusalError(40067)
    world, writer = call.world, call.services.writer
    draft = check_message(payload.data, call.files, world.ids, emojis=world.emojis)
    if draft.attachments:
        call.require(forum, "ATTACH_FILES")
    post = _open(call, forum, PUBLIC_THREAD)
    message = writer.write(post, world.bot, draft, payload.data, first=True)
    shape = objects.channel(post) | {"message": message_objects.message(world, message)}
    return RestAnswer(shape, 201)


@routes.on("POST", CHANNEL + "/messages/{message}/threads")
async def open_message_thread(call: RestCall) -> RestAnswer:
    """Create a thread on a message."""
    parent = call.channel()
    message = call.message(parent)
    if message.thread is not None:
        raise RefusalError(160004)
    message.thread = _open(call, parent, PUBLIC_THREAD, message)
    message.flags |= 1 << 5
    call.world.publish("message_update", message)
    return RestAnswer(objects.channel(message.thread), 201)


# Members of threads -------------------------------------------------------------------------------


def _thread(call: RestCall) -> Channel:
    found = call.channel()
    if not found.is_thread:
        raise RefusalError(50024)
    return found


def _open_thread(call: RestCall) -> Channel:
    thread = _thread(call)
    if thread.archived:
        raise RefusalError(50083)
    return thread


def _join(call: RestCall, user_id: int) -> None:
    thread = _open_thread(call)
    if user_id not in call.world.users:
        raise RefusalError(10013)
    if user_id not in thread.members:
        thread.members[user_id] = datetime.now(UTC)
        call.world.publish("thread_members", thread, added=[user_id])


def _leave(call: RestCall, user_id: int) -> None:
    thread = _open_thread(call)
    if user_id in thread.members:
        del thread.members[user_id]
        call.world.publish("thread_members", thread, removed=[user_id])


@routes.on("PUT", MEMBERS + "/@me")
async def join(call: RestCall) -> None:
    """Add the bot to a thread."""
    _join(call, call.world.bot.id)


@routes.on("DELETE", MEMBERS + "/@me")
async def leave(call: RestCall) -> None:
    """Remove the bot from a thread."""
    _leave(call, call.world.bot.id)


@routes.on("PUT", MEMBERS + "/{user}")
async def add_member(call: RestCall) -> None:
    """Add a person to a thread."""
    call.require(_thread(call), "SEND_MESSAGES")
    _join(call, call.id("user"))


@routes.on("DELETE", MEMBERS + "/{user}")
async def remove_member(call: RestCall) -> None:
    """Remove a person from a thread. The creator of a private one needs no permission."""
    thread = _thread(call)
    if not thread.is_private_thread or thread.owner_id != call.world.bot.id:
        call.require(thread, "MANAGE_THREADS")
    _leave(call, call.id("user"))


@routes.on("GET", MEMBERS)
async def thread_members(call: RestCall) -> list[Json]:
    """Return the members of a thread."""
    thread = _thread(call)
    return [objects.thread_member(thread, user_id) for user_id in thread.members]


@routes.on("GET", MEMBERS + "/{user}")
async def thread_member(call: RestCall) -> Json:
    """Return one member of a thread."""
    thread = _thread(call)
    if call.id("user") not in thread.members:
        raise RefusalError(10007)
    return objects.thread_member(thread, call.id("user"))


@routes.on("GET", CHANNEL + "/threads/archived/{kind}")
async def archived_threads(call: RestCall) -> Json:
    """Return the archived threads of a channel, public or private."""
    parent = call.channel()
    kind = PRIVATE_THREAD if call.params["kind"] == "private" else PUBLIC_THREAD
    threads = [thread for thread in call.world.threads(parent) if thread.archived and thread.type == kind]
    visible = [thread for thread in threads if access.may_see(call.world, call.world.bot, thread)]
    return {
        "threads": [objects.channel(thread) for thread in visible],
        "members": [],
        "has_more": False,
    }
