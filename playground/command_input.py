"""What a person types after a slash, checked against the command as it was registered."""

from typing import Any

from playground import access
from playground.model import Attachment, Channel, Upload, User
from playground.payloads import Json
from playground.world import World

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, FILE = range(1, 12)


class CannotDo(Exception):  # noqa: N818 - it reads as what it says
    """Something a person cannot do from what his screen shows."""


class CommandInput:
    """Checks the options a person gave, as Discord's own client would before it sends them."""

    def __init__(self, world: World, user: User, channel: Channel, *, autocomplete: bool = False) -> None:
        self.world = world
        self.user = user
        self.channel = channel
        self.autocomplete = autocomplete
        self.things: list[object] = []

    def check(self, known: list[Json], given: list[Json]) -> list[Json]:
        """Return the given options as they are sent; raises CannotDo for what cannot be sent."""
        by_name = {option["name"]: option for option in known}
        names = [option.get("name") for option in given]
        for name in names:
            if name not in by_name or names.count(name) > 1:
                raise CannotDo(
                    f"there is no single option {name!r}; there are: {', '.join(by_name) or 'none'}"
                )
        missing = [name for name, option in by_name.items() if option.get("required") and name not in names]
        if missing and not self.autocomplete:
            raise CannotDo(f"required: {', '.join(missing)}")
        if known and known[0]["type"] in (SUBCOMMAND, GROUP) and len(given) != 1:
            raise CannotDo(f"choose one of: {', '.join(by_name)}")
        return [self._option(by_name[option["name"]], option) for option in given]

    def _option(self, known: Json, given: Json) -> Json:
        shape: Json = {"name": known["name"], "type": known["type"]}
        if known["type"] in (SUBCOMMAND, GROUP):
            return shape | {"options": self.check(known.get("options") or [], given.get("options") or [])}
        focused = bool(given.get("focused"))
        if focused and not (self.autocomplete and known.get("autocomplete")):
            raise CannotDo(f"{known['name']} has no suggestions")
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
                return str(getattr(thing, "id"))  # noqa: B009 - users, roles, channels and files all have one
            case _:
                raise CannotDo(f"{known['name']}: {value!r} is not of its type")

    def _text(self, known: Json, value: object) -> str:
        if not isinstance(value, str) or not known.get("min_length", 0) <= len(value) <= known.get(
            "max_length", 6000
        ):
            raise CannotDo(f"{known['name']}: {value!r} is no text of the right length")
        return value

    def _number(self, known: Json, value: object) -> int | float:
        kinds = (int,) if known["type"] == INTEGER else (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise CannotDo(f"{known['name']}: {value!r} is no number")
        if not known.get("min_value", -(2**53)) <= value <= known.get("max_value", 2**53):
            raise CannotDo(f"{known['name']}: {value} is out of range")
        return value

    def _among_choices(self, known: Json, value: Any) -> Any:
        choices = known.get("choices")
        if not choices:
            return value
        for choice in choices:
            if value in (choice["value"], choice["name"]):
                return choice["value"]
        raise CannotDo(f"{known['name']}: choose one of {[choice['name'] for choice in choices]}")

    def _thing(self, known: Json, value: object) -> object:
        if known["type"] == FILE:
            return self._upload(value)
        if not str(value).isdecimal():
            raise CannotDo(f"{known['name']}: {value!r} is no id")
        number = int(str(value))
        found = {
            USER: (self.world.users,),
            CHANNEL: (self._channels(known),),
            ROLE: (self.world.roles,),
            MENTIONABLE: (self.world.users, self.world.roles),
        }[known["type"]]
        for place in found:
            if number in place:
                return place[number]
        raise CannotDo(f"{known['name']}: nothing here has the id {value}")

    def _channels(self, known: Json) -> dict[int, Channel]:
        kinds = known.get("channel_types")
        return {
            one.id: one
            for one in self.world.channels.values()
            if access.may_see(self.world, self.user, one)
            and not one.is_dm
            and (not kinds or one.type in kinds)
        }

    def _upload(self, value: object) -> Attachment:
        if not isinstance(value, Upload):
            raise CannotDo("a file is needed")
        return self.world.keep_upload(value)
