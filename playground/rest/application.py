"""Endpoints of the application: its commands and emojis, users, and the address of the gateway."""

import base64
import binascii
import re

from playground import objects
from playground.files import image_type
from playground.gateway.sockets import SESSION_STARTS
from playground.model import Emoji, Guild, RegisteredCommand
from playground.payloads import Json
from playground.refusals import RefusalError, refuse_field
from playground.rest.routing import RestAnswer, RestCall, Routes
from playground.validation.commands import check_command, check_commands
from playground.world import World

COMMANDS = "/applications/{application}/commands"
GUILD_COMMANDS = "/applications/{application}/guilds/{guild}/commands"
EMOJIS = "/applications/{application}/emojis"
DATA_URI = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/=]+)")
EMOJI_NAME = re.compile(r"\w{2,32}", re.ASCII)
MAX_EMOJIS, MAX_EMOJI_BYTES = 2000, 256 * 1024

routes = Routes()


@routes.on("GET", "/gateway")
async def gateway(call: RestCall) -> Json:
    """Return the gateway's address."""
    return {"url": call.services.gateway_url}


@routes.on("GET", "/gateway/bot")
async def gateway_bot(call: RestCall) -> Json:
    """Return the gateway's address, the recommended shards and how many sessions may be started."""
    sharding = call.services.sharding
    limit = {
        "total": SESSION_STARTS,
        "remaining": call.gateway.starts_left,
        "reset_after": 0,
        "max_concurrency": sharding.max_concurrency,
    }
    return {"url": call.services.gateway_url, "shards": sharding.shards, "session_start_limit": limit}


@routes.on("GET", "/users/@me")
async def me(call: RestCall) -> Json:
    """Return the bot's own user."""
    return objects.user(call.world.bot) | {
        "mfa_enabled": False,
        "locale": "en-US",
        "verified": True,
        "email": None,
    }


@routes.on("GET", "/users/@me/guilds")
async def my_guilds(call: RestCall) -> list[Json]:
    """Return the partial guilds."""
    joined = [guild for guild in call.world.guilds.values() if guild.has(call.world.bot)]
    return [_partial(objects.guild(call.world, guild), guild) for guild in joined]


def _partial(shape: Json, guild: Guild) -> Json:
    short = {key: shape[key] for key in ("id", "name", "icon", "banner", "features")}
    return {**short, "owner": False, "permissions": str(guild.bot_role.permissions)}


@routes.on("GET", "/users/{user}")
async def user(call: RestCall) -> Json:
    """Return a user."""
    found = call.world.users.get(call.id("user"))
    if found is None:
        raise RefusalError(10013)
    return objects.user(found)


@routes.on("POST", "/users/@me/channels")
async def open_dm(call: RestCall) -> Json:
    """Return the DM channel with a user."""
    recipient = str(call.form.get("recipient_id", ""))
    found = call.world.users.get(int(recipient)) if recipient.isdecimal() else None
    if found is None or found.bot:
        raise RefusalError(50033)
    return objects.channel(call.world.dm_channel(found))


@routes.on("GET", "/oauth2/applications/@me")
@routes.on("GET", "/applications/@me")
async def application(call: RestCall) -> Json:
    """Return the application."""
    world = call.world
    return {
        "id": str(world.application_id),
        "name": world.bot.shown_name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": objects.user(world.bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": world.application_flags,
        "flags_new": str(world.application_flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": objects.user(world.owner),
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
    }


# Commands -----------------------------------------------------------------------------------------


def _scope(call: RestCall) -> int | None:
    """Return the guild id whose commands the path names; None for the global commands."""
    if call.id("application") != call.world.application_id:
        raise RefusalError(50001)
    if "guild" not in call.params:
        return None
    if call.id("guild") not in call.world.guilds:
        raise RefusalError(50001)
    return call.id("guild")


def _commands_in(world: World, scope: int | None) -> list[RegisteredCommand]:
    """Return the commands of a guild, or the global ones for None."""
    return [command for command in world.commands.values() if command.guild_id == scope]


def _register(call: RestCall, data: Json, scope: int | None) -> RegisteredCommand:
    """Add a command, or update the one with the same type and name, which keeps its id."""
    world = call.world
    for command in _commands_in(world, scope):
        if (command.type, command.name) == (data.get("type", 1), data["name"]):
            if command.data != data:
                command.data, command.version = data, world.ids.new()
            return command
    command = RegisteredCommand(world.ids.new(), world.ids.new(), scope, data)
    world.commands[command.id] = command
    return command


@routes.on("GET", COMMANDS)
@routes.on("GET", GUILD_COMMANDS)
async def commands(call: RestCall) -> list[Json]:
    """Return the registered commands."""
    return [objects.command(call.world, registered) for registered in _commands_in(call.world, _scope(call))]


@routes.on("PUT", COMMANDS)
@routes.on("PUT", GUILD_COMMANDS)
async def overwrite_commands(call: RestCall) -> list[Json]:
    """Replace all commands of the scope."""
    scope = _scope(call)
    wanted = [_register(call, data, scope) for data in check_commands(call.body)]
    for old in _commands_in(call.world, scope):
        if old not in wanted:
            del call.world.commands[old.id]
    call.world.publish("commands_update", wanted)
    return [objects.command(call.world, registered) for registered in wanted]


@routes.on("POST", COMMANDS)
@routes.on("POST", GUILD_COMMANDS)
async def create_command(call: RestCall) -> RestAnswer:
    """Create or update one command."""
    scope = _scope(call)
    before = len(call.world.commands)
    command = _register(call, check_command(call.form), scope)
    call.world.publish("commands_update", [command])
    return RestAnswer(objects.command(call.world, command), 201 if len(call.world.commands) > before else 200)


def _command(call: RestCall) -> RegisteredCommand:
    found = call.world.commands.get(call.id("command"))
    if found is None or found.guild_id != _scope(call):
        raise RefusalError(10063)
    return found


@routes.on("GET", COMMANDS + "/{command}")
@routes.on("GET", GUILD_COMMANDS + "/{command}")
async def command(call: RestCall) -> Json:
    """Return one command."""
    return objects.command(call.world, _command(call))


@routes.on("PATCH", COMMANDS + "/{command}")
@routes.on("PATCH", GUILD_COMMANDS + "/{command}")
async def edit_command(call: RestCall) -> Json:
    """Edit one command."""
    found = _command(call)
    found.data = check_command(found.data | call.form)
    found.version = call.world.ids.new()
    call.world.publish("commands_update", [found])
    return objects.command(call.world, found)


@routes.on("DELETE", COMMANDS + "/{command}")
@routes.on("DELETE", GUILD_COMMANDS + "/{command}")
async def delete_command(call: RestCall) -> None:
    """Delete one command."""
    del call.world.commands[_command(call).id]
    call.world.publish("commands_update", [])


# Emojis -------------------------------------------------------------------------------------------


@routes.on("GET", EMOJIS)
async def emojis(call: RestCall) -> Json:
    """Return the application's emojis."""
    return {"items": [objects.emoji(call.world, known) for known in call.world.emojis.values()]}


@routes.on("POST", EMOJIS)
async def create_emoji(call: RestCall) -> RestAnswer:
    """Create an emoji from a data URI."""
    name = _emoji_name(call)
    match = DATA_URI.fullmatch(str(call.form.get("image")))
    if match is None:
        refuse_field("image", "Must be a data URI of an image.")
    try:
        content = base64.b64decode(match[1], validate=True)
    except binascii.Error:
        refuse_field("image", "Must be base64.")
    if len(content) > MAX_EMOJI_BYTES:
        refuse_field("image", "File cannot be larger than 256.0 kb.")
    kind = image_type(content)
    if kind is None:
        refuse_field("image", "Must be an image.")
    if len(call.world.emojis) >= MAX_EMOJIS:
        raise RefusalError(30008)
    emoji = Emoji(call.world.ids.new(), name, content, kind)
    call.world.emojis[emoji.id] = emoji
    return RestAnswer(objects.emoji(call.world, emoji), 201)


def _emoji_name(call: RestCall) -> str:
    name = str(call.form.get("name"))
    if EMOJI_NAME.fullmatch(name) is None:
        refuse_field("name", "Must be 2 to 32 letters, digits or underscores.")
    if any(known.name == name for known in call.world.emojis.values()):
        refuse_field("name", "The name is already used.")
    return name


def _emoji(call: RestCall) -> Emoji:
    found = call.world.emojis.get(call.id("emoji"))
    if found is None:
        raise RefusalError(10014)
    return found


@routes.on("GET", EMOJIS + "/{emoji}")
async def emoji(call: RestCall) -> Json:
    """Return one emoji."""
    return objects.emoji(call.world, _emoji(call))


@routes.on("PATCH", EMOJIS + "/{emoji}")
async def rename_emoji(call: RestCall) -> Json:
    """Rename an emoji."""
    found = _emoji(call)
    found.name = _emoji_name(call)
    return objects.emoji(call.world, found)


@routes.on("DELETE", EMOJIS + "/{emoji}")
async def delete_emoji(call: RestCall) -> None:
    """Delete an emoji."""
    del call.world.emojis[_emoji(call).id]
