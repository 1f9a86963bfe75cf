"""Checks the options of a slash command against its registration, as Discord's client does."""

from typing import Any

from playground import access
from playground.model import Attachment, Channel, Upload, User
from playground.payloads import Json
from playground.world import World

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(1, 12)


class CannotDoError(Exception):
    """The person cannot do this: their client does not offer it."""


class CommandOptions:
    """Checks the given options; `things` are the users, roles, channels and files that they name."""

    def __init__(self, world: World, user: User, channel: Channel, *, autocomplete: bool = False) -> None:
        self.world = world
        self.user = user
        self.channel = channel
        self.autocomplete = autocomplete
        self.things: list[object] = []

    def check(self, known: list[Json], given: list[Json]) -> list[Json]:
        """Return the options in the form that is sent; raises CannotDoError if the client would not send them."""
        by_name = {option["name"]: option for option in known}
        names = [option.get("name") for option in given]
        for name in names:
            if name not in by_name or names.count(name) > 1:
                raise CannotDoError(
                    f"there is no single option {name!r}; there are: {', '.join(by_name) or 'none'}"
                )
        missing = [name for name, option in by_name.items() if option.get("required") and name not in names]
        if missing and not self.autocomplete:
            raise CannotDoError(f"required: {', '.join(missing)}")
        if known and known[0]["type"] in (SUBCOMMAND, GROUP) and len(given) != 1:
            raise CannotDoError(f"choose one of: {', '.join(by_name)}")
        return [self._option(by_name[option["name"]], option) for option in given]

    def _option(self, known: Json, given: Json) -> Json:
        shape: Json = {"name": known["name"], "type": known["type"]}
        if known["type"] in (SUBCOMMAND, GROUP):
            return shape | {"options": self.check(known.get("options") or [], given.get("options") or [])}
        focused = bool(given.get("focused"))
        if focused and not (self.autocomplete and known.get("autocomplete")):
            raise CannotDoError(f"{known['name']} has no suggestions")
        if self.autocomplete:
            return shape | {"value": given.get("value", "")} | ({"focused": True} if focused else {})
        return shape | {"value": self._value(known, given.get("value"))}

    def _value(self, known: Json, value: Any) -> Any:
        match known["type"]:
            case 3:
                return self._among_choices(known, self._text(known, value))
            case 4 | 10:
                return self._among_choices(known, self._number(known, value))
            case 5 if isinstance(value, bool):
                return value
            case 6 | 7 | 8 | 9 | 11:
                thing = self._thing(known, value)
                self.things.append(thing)
                return str(getattr(thing, "id"))  # noqa: B009 - users, roles, channels and files all have an id
            case _:
                raise CannotDoError(f"{known['name']}: {value!r} is not of its type")

    def _text(self, known: Json, value: object) -> str:
        if not isinstance(value, str) or not known.get("min_length", 0) <= len(value) <= known.get(
            "max_length", 6000
        ):
            raise CannotDoError(f"{known['name']}: {value!r} is not a text of the right length")
        return value

    def _number(self, known: Json, value: object) -> int | float:
        kinds = (int,) if known["type"] == INTEGER else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise CannotDoError(f"{known['name']}: {value!r} is not a number")
        if not known.get("min_value", -(2**53)) <= value <= known.get("max_value", 2**53):
            raise CannotDoError(f"{known['name']}: {value} is out of range")
        return value

    def _among_choices(self, known: Json, value: Any) -> Any:
        choices = known.get("choices")
        if not choices:
            return value
        for choice in choices:
            if value in (choice["value"], choice["name"]):
                return choice["value"]
        raise CannotDoError(f"{known['name']}: choose one of {[choice['name'] for choice in choices]}")

    def _thing(self, known: Json, value: object) -> object:
        if known["type"] == FILE:
            return self._upload(value)
        if not str(value).isdecimal():
            raise CannotDoError(f"{known['name']}: {value!r} is not an id")
        number = int(str(value))
        roles = self.channel.guild.roles if self.channel.guild is not None else {}
        places = {
            USER: (self.world.users,),
            CHANNEL: (self._channels(known),),
            ROLE: (roles,),
            MENTIONABLE: (self.world.users, roles),
        }[known["type"]]
        for place in places:
            if number in place:
                return place[number]
        raise CannotDoError(f"{known['name']}: nothing here has the id {value}")

    def _channels(self, known: Json) -> dict[int, Channel]:
        kinds = known.get("channel_types")
        return {
            channel.id: channel
            for channel in self.world.channels.values()
            if channel.guild is not None
            and channel.guild is self.channel.guild
            and access.may_see(self.world, self.user, channel)
            and (not kinds or channel.type in kinds)
        }

    def _upload(self, value: object) -> Attachment:
        if not isinstance(value, Upload):
            raise CannotDoError("a file is required")
        return self.world.keep_upload(value)
