"""The WebSocket of the page: sends each tab what its person sees, and performs their actions.

docs/playground.md describes the frames.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from playground import access, message_objects, objects
from playground.client.command_options import CannotDoError
from playground.files import content_type
from playground.gateway.sockets import Gateway
from playground.model import Channel, Guild, Interaction, Message, Upload, User, WorldChange
from playground.payloads import Json, array_in, is_object, object_in
from playground.recorder import RecordedRequest
from playground.services import PlaygroundServices

MAX_FRAME_BYTES = 32 * 1024 * 1024  # a form may carry files
POST_NAME = 100  # characters
MESSAGES_SHOWN, WIRE_SHOWN = 100, 100
log = logging.getLogger(__name__)


class Bridge:
    """Accepts the sockets of the page and keeps the open tabs."""

    def __init__(self, services: PlaygroundServices, gateway: Gateway) -> None:
        self.services = services
        self.gateway = gateway
        self.tabs: set[Tab] = set()

    async def accept(self, request: web.Request) -> web.StreamResponse:
        """Serve one tab; refuses sockets that another page opened."""
        if not self.services.same_origin(request):
            raise web.HTTPForbidden(text="Only the playground's own page may connect.")
        try:
            user = self.services.world.welcome(request.query.get("user", "asha"))
            guild = self.services.world.guilds.get(
                int(request.query.get("guild", 0)), self.services.world.guild
            )
        except ValueError as error:
            raise web.HTTPBadRequest(text=str(error)) from None
        socket = web.WebSocketResponse(max_msg_size=MAX_FRAME_BYTES, heartbeat=30)
        await socket.prepare(request)
        tab = Tab(self.services, self.gateway, user, guild, socket)
        self.tabs.add(tab)
        try:
            await tab.serve()
        finally:
            self.tabs.discard(tab)
        return socket

    async def close(self) -> None:
        """Close all tabs."""
        for tab in tuple(self.tabs):
            await tab.socket.close()


class Tab:
    """One open page, in one guild: sends frames from a queue, and dispatches the frames that it receives."""

    def __init__(
        self,
        services: PlaygroundServices,
        gateway: Gateway,
        user: User,
        guild: Guild,
        socket: web.WebSocketResponse,
    ) -> None:
        self.services = services
        self.gateway = gateway
        self.world = services.world
        self.actions = services.actions
        self.user = user
        self.guild = guild
        self.socket = socket
        self._outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self.world.dm_channel(user)  # everyone sees their DM with the bot, even while it is empty
        self._seen: set[int] = {channel.id for channel in self._channels()}
        self._in: dict[str, Callable[[Json], None]] = {
            "send": self._send,
            "command": self._command,
            "autocomplete": self._autocomplete,
            "component": self._component,
            "modal_submit": self._submit,
            "dismiss": self._dismiss,
            "dms": self._dms,
            "locale": self._locale,
            "fault": self._fault,
            "watch": self._watch,
        }
        self._out: dict[str, Callable[[WorldChange], None]] = {
            "message_create": self._message("message_create"),
            "message_update": self._message("message_update"),
            "message_view": self._message("message_update"),
            "message_delete": self._gone,
            "message_dismiss": self._gone,
            "channel_create": self._channels_changed,
            "channel_update": self._channels_changed,
            "channel_delete": self._channels_changed,
            "thread_members": self._channels_changed,
            "member_update": self._member,
            "role_update": self._member,
            "member_add": self._newcomer,
            "commands_update": self._hello_again,
            "dms": self._hello_if_me,
            "locale": self._hello_if_me,
            "typing": self._typing,
            "interaction_update": self._interaction,
            "gateway": self._gateway,
        }

    async def serve(self) -> None:
        """Send `hello`, then exchange frames until the tab closes."""
        self._hello()
        self._tell_of_bot()
        stop = self.world.subscribe(self._on_change)
        writer = asyncio.create_task(self._write())
        try:
            async for message in self.socket:
                if message.type is WSMsgType.TEXT:
                    self._take(message.data)
        finally:
            stop()
            self._unwatch()
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)

    async def _write(self) -> None:
        while True:
            await self.socket.send_str(json.dumps(await self._outgoing.get()))

    def tell(self, t: str, **fields: object) -> None:
        """Queue a frame for the page."""
        self._outgoing.put_nowait({"t": t, **fields})

    # To the page ----------------------------------------------------------------------------------

    def _hello(self) -> None:
        world = self.world
        people = [user for user in access.members(world, self.guild) if not user.bot]
        commands = self.actions.commands_anywhere(self.user, self.guild)
        self.tell(
            "hello",
            me=objects.user(self.user),
            people=[objects.user(user) for user in people],
            bot=objects.user(world.bot),
            guild=objects.guild(world, self.guild),
            guilds=[{"id": str(guild.id), "name": guild.name} for guild in world.guilds.values()],
            channels=[self._channel_with_messages(channel) for channel in self._channels()],
            commands=[objects.command(world, command) for command in commands],
            dms_closed=self.user.dms_closed,
            locale=self.user.locale,
        )

    def _channels(self) -> list[Channel]:
        """Return the channels of the guild that the person sees, and their DM with the bot."""
        return [
            channel
            for channel in self.world.channels.values()
            if channel.guild in (self.guild, None) and access.may_see(self.world, self.user, channel)
        ]

    def _channel_with_messages(self, channel: Channel) -> Json:
        newest = self.actions.messages(self.user, channel)[-MESSAGES_SHOWN:]
        messages = [message_objects.message(self.world, message) for message in newest]
        return objects.channel(channel) | {"messages": messages}

    def _on_change(self, change: WorldChange) -> None:
        handler = self._out.get(change.kind)
        if handler is not None:
            handler(change)

    def _message(self, t: str) -> Callable[[WorldChange], None]:
        def tell(change: WorldChange) -> None:
            message: Message = change.subject
            if message.channel.guild in (self.guild, None) and self.actions.sees(self.user, message):
                shape = message_objects.message(self.world, message)
                self.tell(t, channel_id=str(message.channel.id), message=shape)

        return tell

    def _gone(self, change: WorldChange) -> None:
        message: Message = change.subject
        was_readable = message.only_for in (None, self.user)
        if was_readable and message.channel.id in self._seen:
            self.tell("message_delete", channel_id=str(message.channel.id), id=str(message.id))

    def _channels_changed(self, change: WorldChange) -> None:
        if change.subject.guild in (self.guild, None):
            self._compare_channels(change.subject)

    def _member(self, change: WorldChange) -> None:
        if change.extra["guild"] is self.guild:
            self._compare_channels(None)

    def _compare_channels(self, changed: Channel | None) -> None:
        """Send the page the channels that became visible or hidden, and the current state of `changed`."""
        now = {channel.id: channel for channel in self._channels()}
        for channel_id, channel in now.items():
            if channel_id not in self._seen:
                self.tell("channel_create", channel=self._channel_with_messages(channel))
            elif channel is changed:
                self.tell("channel_update", channel=objects.channel(channel))
        for channel_id in self._seen - now.keys():
            self.tell("channel_delete", channel={"id": str(channel_id)})
        self._seen = set(now)

    def _newcomer(self, change: WorldChange) -> None:
        if change.extra["guild"] is self.guild:
            self._hello()

    def _hello_again(self, _change: WorldChange) -> None:
        self._hello()

    def _hello_if_me(self, change: WorldChange) -> None:
        if change.subject is self.user:
            self._hello()

    def _typing(self, change: WorldChange) -> None:
        channel: Channel = change.subject
        if channel.id in self._seen:
            self.tell("typing", channel_id=str(channel.id), user=objects.user(change.extra["user"]))

    def _interaction(self, change: WorldChange) -> None:
        interaction: Interaction = change.subject
        if interaction.nonce is None or interaction.user is not self.user:
            return
        prefix, _, nonce = interaction.nonce.partition(" ")
        if prefix != str(id(self)):
            return
        if interaction.callback_type == 8:
            self.tell("choices", nonce=nonce, choices=interaction.choices)
        elif interaction.modal is not None:
            self.tell("modal", nonce=nonce, modal_id=str(interaction.id), modal=interaction.modal)
        else:
            self.tell("interaction", nonce=nonce, state=interaction.state)

    def _gateway(self, _change: WorldChange) -> None:
        self._tell_of_bot()

    def _tell_of_bot(self) -> None:
        self.tell("gateway", connected=self.gateway.is_heard_in(self.guild))

    # From the page --------------------------------------------------------------------------------

    def _take(self, data: str) -> None:
        """Handle one frame; what the person cannot do is reported to the page as an error."""
        nonce = None
        try:
            frame = json.loads(data)
            nonce = frame.get("nonce")
            self._in[frame["t"]](frame)
        except CannotDoError as error:
            self.tell("interaction", nonce=nonce, state="error", message=str(error))
        except (ValueError, TypeError, AttributeError, LookupError, re.error) as error:
            log.warning("bad frame from the page: %r", error)
            self.tell("interaction", nonce=nonce, state="error", message=f"bad frame: {error!r}")

    def _nonce(self, frame: Json) -> str:
        """Mark the page's nonce as this tab's, because a person may have several tabs open."""
        return f"{id(self)} {frame['nonce']}"

    def _channel(self, frame: Json) -> Channel:
        channel = self.world.channels.get(int(frame["channel_id"]))
        if channel is None or not access.may_see(self.world, self.user, channel):
            raise CannotDoError("you do not see that channel")
        return channel

    def _find(self, frame: Json) -> Message:
        message = self._channel(frame).messages.get(int(frame["message_id"]))
        if message is None:
            raise CannotDoError("that message is gone")
        return message

    def _send(self, frame: Json) -> None:
        """Write a message; in a forum, write a post titled with its first words."""
        channel, content = self._channel(frame), frame["content"]
        if channel.is_forum:
            self.actions.post(self.user, channel, content[:POST_NAME], content)
        else:
            self.actions.say(self.user, channel, content)

    def _command(self, frame: Json, *, autocomplete: bool = False) -> None:
        target = frame.get("target_id")
        self.actions.command(
            self.user,
            self._channel(frame),
            int(frame["command_id"]),
            [_unpack(option) for option in array_in(frame, "options")],
            target_id=int(target) if target else None,
            autocomplete=autocomplete,
            nonce=self._nonce(frame),
        )

    def _autocomplete(self, frame: Json) -> None:
        self._command(frame, autocomplete=True)

    def _component(self, frame: Json) -> None:
        message, values = self._find(frame), frame.get("values")
        self.actions.component(self.user, message, frame["custom_id"], values, nonce=self._nonce(frame))

    def _submit(self, frame: Json) -> None:
        opener = self.world.interactions.get(int(frame["modal_id"]))
        if opener is None:
            raise CannotDoError("that modal is gone")
        answers: dict[str, Any] = {}
        for component in frame["components"]:
            fields = array_in(component, "components") or [object_in(component, "component")]
            answers |= {field["custom_id"]: _answer(field) for field in fields if "custom_id" in field}
        self.actions.submit(self.user, opener, answers, nonce=self._nonce(frame))

    def _dismiss(self, frame: Json) -> None:
        self.actions.dismiss(self.user, self._find(frame))

    def _dms(self, frame: Json) -> None:
        self.actions.close_dms(self.user, closed=bool(frame["closed"]))

    def _locale(self, frame: Json) -> None:
        self.actions.set_locale(self.user, frame["locale"])

    def _fault(self, frame: Json) -> None:
        faults, gateway = self.services.faults, self.gateway
        match frame["kind"]:
            case "slow":
                faults.pause = min(float(frame.get("seconds", 1)), 30.0)
            case "status":
                status, times = int(frame["status"]), int(frame.get("times", 1))
                faults.fail(frame.get("path") or "", status=status, times=times)
            case "drop":
                gateway.drop()
            case "reconnect":
                gateway.reconnect()
            case "invalid_session":
                gateway.invalidate()
            case "clear":
                faults.clear()
            case other:
                raise CannotDoError(f"there is no fault {other!r}")

    # The requests of the bot, for the developer drawer --------------------------------------------

    def _watch(self, frame: Json) -> None:
        self._unwatch()
        if frame["on"]:
            for entry in list(self.services.recorder.entries)[-WIRE_SHOWN:]:
                self._wire(entry)
            self.services.recorder.listeners.append(self._wire)

    def _unwatch(self) -> None:
        if self._wire in self.services.recorder.listeners:
            self.services.recorder.listeners.remove(self._wire)

    def _wire(self, entry: RecordedRequest) -> None:
        self.tell("wire", entry=entry.as_json())


def _upload(file: Json) -> Upload:
    """Decode a file that a frame carries in base64."""
    content = base64.b64decode(file["data"], validate=True)
    return Upload(file["filename"], content, content_type(file["filename"], content))


def _unpack(option: Json) -> Json:
    """Return a command's option with its file decoded, if it has one."""
    if "options" in option:
        return option | {"options": [_unpack(inner) for inner in array_in(option, "options")]}
    value = option.get("value")
    return option | {"value": _upload(value)} if is_object(value) else option


def _answer(field: Json) -> object:
    """Return the answer to one field of a modal."""
    if "files" in field:
        return [_upload(file) for file in field["files"]]
    return field["values"] if "values" in field else field.get("value")
