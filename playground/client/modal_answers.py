"""Checks the answers to a modal against the modal as the bot opened it, as Discord's client does."""

from typing import Any

from playground.client.command_options import CannotDoError
from playground.model import Channel, Guild, GuildRole, Upload, User
from playground.payloads import Json
from playground.validation.components import (
    CHANNEL_SELECT,
    CHECKBOX,
    CHECKBOXES,
    FILE_UPLOAD,
    LABEL,
    MENTIONABLE_SELECT,
    RADIO,
    ROLE_SELECT,
    ROW,
    SELECTS,
    STRING_SELECT,
    TEXT_INPUT,
    USER_SELECT,
)
from playground.world import World


def fields(components: list[Json]) -> list[tuple[str, Json]]:
    """Return each field of a modal with its label."""
    found: list[tuple[str, Json]] = []
    for component in components:
        if component["type"] == LABEL:
            found.append((component["label"], component["component"]))
        elif component["type"] == ROW:
            found += [(inner.get("label") or "", inner) for inner in component["components"]]
    return found


class ModalAnswers:
    """Turns answers by custom_id into submitted components; `things` are the users, roles, channels and files named."""

    def __init__(self, world: World, guild: Guild | None, answers: dict[str, Any]) -> None:
        self.world = world
        self.guild = guild
        self.answers = answers
        self.things: list[object] = []

    def check(self, components: list[Json]) -> list[Json]:
        """Return the submitted components; raises CannotDoError for answers that the client would not send."""
        known = {field["custom_id"] for _, field in fields(components)}
        unknown = set(self.answers) - known
        if unknown:
            raise CannotDoError(f"the modal has no {sorted(unknown)}; it has {sorted(known)}")
        return [self._component(component) for component in components]

    def _component(self, component: Json) -> Json:
        shape: Json = {"type": component["type"], "id": component["id"]}
        if component["type"] == LABEL:
            shape["component"] = self._field(component["component"])
        elif component["type"] == ROW:
            shape["components"] = [self._field(inner) for inner in component["components"]]
        return shape

    def _field(self, field: Json) -> Json:
        kind, name = field["type"], field["custom_id"]
        shape: Json = {"type": kind, "id": field["id"], "custom_id": name}
        answer = self.answers.get(name)
        if kind == TEXT_INPUT:
            return shape | {"value": _text(field, field.get("value") if answer is None else answer)}
        if kind == CHECKBOX:
            return shape | {"value": bool(field.get("default")) if answer is None else bool(answer)}
        if kind == RADIO:
            chosen = _options(field, answer if answer is None else [answer], most=1)
            return shape | {"value": chosen[0] if chosen else None}
        if kind in (STRING_SELECT, CHECKBOXES):
            most = field.get("max_values") or (len(field["options"]) if kind == CHECKBOXES else 1)
            return shape | {"values": _options(field, answer, most=most)}
        if kind == FILE_UPLOAD:
            return shape | {"values": self._files(field, answer or [])}
        if kind in SELECTS:
            chosen = pick_things(self.world, self.guild, field, answer or [])
            _count(field, len(chosen), field.get("max_values") or 1)
            self.things += chosen
            return shape | {"values": [str(thing.id) for thing in chosen]}
        raise CannotDoError(f"the playground cannot fill in a component of type {kind}")

    def _files(self, field: Json, files: list[Upload]) -> list[str]:
        _count(field, len(files), field.get("max_values") or 1)
        kept = [self.world.keep_upload(file) for file in files]
        self.things += kept
        return [str(file.id) for file in kept]


def _text(field: Json, value: str | None) -> str:
    value = value or ""
    if not value and field.get("required", True) is not False:
        raise CannotDoError(f"{field['custom_id']}: this field is required")
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if value and not low <= len(value) <= high:
        raise CannotDoError(f"{field['custom_id']}: must have {low} to {high} characters, has {len(value)}")
    return value


def _options(field: Json, answer: list[str] | None, *, most: int) -> list[str]:
    if answer is None:
        answer = [option["value"] for option in field["options"] if option.get("default")]
    values = pick_options(field["options"], answer)
    _count(field, len(values), most)
    return values


def _count(field: Json, count: int, most: int) -> None:
    """Check how many values were chosen; a field that is not required may have none."""
    if count == 0 and field.get("required", True) is False:
        return
    least = field.get("min_values")
    least = 1 if least is None else least
    if not least <= count <= most:
        raise CannotDoError(f"{field['custom_id']}: choose {least} to {most} values, not {count}")


def pick_options(options: list[Json], wanted: list[str]) -> list[str]:
    """Return the values of the wanted options, each named by its value or else by its unique label."""
    values: list[str] = []
    for name in wanted:
        found = [option["value"] for option in options if option["value"] == name]
        found = found or [option["value"] for option in options if option["label"] == name]
        if len(found) != 1:
            raise CannotDoError(f"{name!r} is not one of {[option['label'] for option in options]}")
        values.append(found[0])
    if len(set(values)) < len(values):
        raise CannotDoError(f"chosen twice: {values}")
    return values


def pick_things(
    world: World, guild: Guild | None, select: Json, wanted: list[Any]
) -> list[User | GuildRole | Channel]:
    """Return the users, or the roles or channels of the guild, with the wanted ids; a DM has none of those."""
    guild_channels = {
        channel.id: channel
        for channel in world.channels.values()
        if guild is not None and channel.guild is guild
    }
    guild_roles = guild.roles if guild is not None else {}
    kinds = select.get("channel_types")
    if kinds:
        guild_channels = {channel.id: channel for channel in guild_channels.values() if channel.type in kinds}
    places: dict[int, list[dict[int, Any]]] = {
        USER_SELECT: [world.users],
        ROLE_SELECT: [guild_roles],
        MENTIONABLE_SELECT: [world.users, guild_roles],
        CHANNEL_SELECT: [guild_channels],
    }
    found: list[User | GuildRole | Channel] = []
    for written in wanted:
        number = int(written) if str(written).isdecimal() else 0
        thing = next((place[number] for place in places[select["type"]] if number in place), None)
        if thing is None:
            raise CannotDoError(f"{written!r} cannot be chosen here")
        found.append(thing)
    return found
