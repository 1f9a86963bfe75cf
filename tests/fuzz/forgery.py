"""One forged interaction: something that a forger could send, with some of its parts changed.

No one can forge who they are, what they may do in the channel, or what Discord itself says about other
people. Those parts are kept, or at most removed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from playground import interaction_objects
from playground.interactions import ANSWERS, AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT
from playground.messages import walk
from playground.model import COMPONENTS_V2, Channel, Interaction, Message, User
from playground.payloads import Json
from playground.person import Person
from playground.validation.messages import Draft
from tests.fuzz.chance import NUMBERS, TEXTS, mutated, odd
from tests.fuzz.stage import Stage

BUTTON, TEXT_SELECT, SELECTS = 2, 3, (3, 5, 6, 7, 8)
CARDS = ("5H", "10C", "AS", "KD", "JH", "2S", "MAN", "5H 6H 7H", "9C 9C 9C", "3S 3S")
WORDS = (
    "on",
    "off",
    "deals",
    "private",
    "hints",
    "thread",
    "all",
    "own",
    "own-0-0-0",
    "0-all",
    "1-0",
    "points-all",
)
LINES = (
    "Ram: 10",
    "9 -3 -6",
    "24 -8 -8 -8\n24 -8 -8 -8",
    "Mallory",
    "in 2h",
    "7, 7, 10",
    "seen_pay=5",
    "1",
    "Ram, Sita",
)
SPARED = frozenset(
    {"id", "token", "application_id", "permissions", "roles", "user", "users", "members", "owner_id"}
)
ENVELOPE = ("member", "channel", "guild", "guild_locale", "locale", "message", "app_permissions", "context")
ENVELOPE += ("entitlements", "authorizing_integration_owners", "attachment_size_limit")
AWAITED = frozenset({COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT})


@dataclass
class Forgery:
    """A forged interaction, and whether Discord would show its sender a failure if it went unanswered."""

    what: str
    interaction: Interaction
    payload: Json
    awaited: bool = True


@dataclass
class Forger:
    """Makes forgeries from a random generator and from what the forgers can see."""

    stage: Stage
    forms: dict[str, list[Json]] = field(default_factory=dict)
    """The components of every form that was ever opened, by its verb."""

    def forge(self, rng: Random) -> Forgery:
        """Return the next forgery."""
        person = rng.choice(self.stage.forgers)
        what, kind, channel, data, message = self._sound(rng, person)
        data = mutated(rng, data, _times(rng, 0.3), SPARED)
        interaction = self._interaction(kind, person.user, channel, data, message)
        payload = interaction_objects.interaction(self.stage.discord.world, interaction)
        forgery = Forgery(what, interaction, payload)
        if rng.random() < 0.15:
            self._bend(rng, forgery)
        return forgery

    def _interaction(
        self, kind: int, user: User, channel: Channel, data: Json, message: Message | None
    ) -> Interaction:
        number = self.stage.discord.world.ids.new()
        interaction = Interaction(number, f"forged-{number}", kind, user, channel, data)
        interaction.message = message
        return interaction

    def _sound(self, rng: Random, person: Person) -> tuple[str, int, Channel, Json, Message | None]:
        """Return an interaction that could be sent unchanged."""
        kind = rng.random()
        if kind < 0.25:
            return self._shown(rng, person) or self._custom(rng, person)
        if kind < 0.6:
            return self._custom(rng, person)
        if kind < 0.7:
            return self._form(rng, person)
        return self._command(rng, person, autocomplete=kind > 0.88)

    # Components

    def _shown(self, rng: Random, person: Person) -> tuple[str, int, Channel, Json, Message] | None:
        """Return a press of a component that the forger really sees."""
        channel = self._place(rng, person)
        messages = self.stage.discord.actions.messages(person.user, channel)[-60:]
        found = [
            (message, part)
            for message in messages
            for part in walk(message.components)
            if part.get("custom_id")
        ]
        if not found:
            return None
        message, part = rng.choice(found)
        offered = [option["value"] for option in part.get("options", ())]
        return self._press(rng, message, part["custom_id"], part["type"], offered)

    def _custom(self, rng: Random, person: Person) -> tuple[str, int, Channel, Json, Message]:
        """Return a press of a component that the bot never wrote, on a message that it never wrote."""
        verb = rng.choice(sorted(self.stage.bot.router.verbs))
        custom_id = self._custom_id(rng, verb)
        kind = rng.choice(SELECTS) if verb.startswith("pick-") != (rng.random() < 0.03) else BUTTON
        offered = [str(self._value(rng, kind))[:100] for _ in range(3)]
        part: Json = {"type": kind, "id": 2, "custom_id": custom_id}
        if kind == TEXT_SELECT:
            part["options"] = [{"label": value, "value": value} for value in offered]
        channel, private = self._place(rng, person), rng.random() < 0.5
        if self.stage.bot.router.is_of_table(verb) and rng.random() < 0.2:
            channel = self.stage.abroad
        rows = [{"type": 1, "id": 1, "components": [part]}]
        draft = Draft(components=rows, flags=COMPONENTS_V2 | (64 if private else 0))
        writer, bot = self.stage.discord.writer, self.stage.discord.world.bot
        message = writer.write(channel, bot, draft, {}, only_for=person.user if private else None)
        return self._press(rng, message, custom_id, kind, offered)

    def _custom_id(self, rng: Random, verb: str) -> str:
        if rng.random() < 0.05:
            return str(rng.choice(TEXTS))[:100]
        version = "mr1" if rng.random() < 0.97 else rng.choice(("mr0", "mr9", "MR1", "mr", "mr10"))
        table = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 9, 99, 10**17, self._own_table()))
        revision = rng.choice((0, 0, 1, 1, 2, 3, 5, 8, 20, 999, 10**17, rng.randrange(60)))
        custom_id = f"{version}:{verb}:{table}:{revision}"
        return custom_id if rng.random() < 0.5 else f"{custom_id}:{self._argument(rng)}"[:100]

    def _own_table(self) -> int:
        return max(self.stage.own_tables, default=0)

    def _argument(self, rng: Random) -> str:
        return str(rng.choice((rng.choice(WORDS), rng.randrange(9), rng.choice(NUMBERS), self._id(rng))))

    def _press(
        self, rng: Random, message: Message, custom_id: str, kind: int, offered: Sequence[str]
    ) -> tuple[str, int, Channel, Json, Message]:
        data: Json = {"custom_id": custom_id, "component_type": kind, "id": 2}
        if kind == TEXT_SELECT:
            data["values"] = [rng.choice(offered) for _ in range(rng.randrange(4))] if offered else []
        elif kind != BUTTON:
            data |= self._chosen(rng, kind)
        what = custom_id.split(":")[1] if custom_id.count(":") > 1 else "a custom id"
        return f"press {what}", COMPONENT, message.channel, data, message

    def _chosen(self, rng: Random, kind: int) -> Json:
        world = self.stage.discord.world
        places = {
            5: [world.users],
            6: [world.guild.roles],
            7: [world.users, world.guild.roles],
            8: [world.channels],
        }
        things = [thing for place in places[kind] for thing in place.values()]
        chosen = [rng.choice(things)]
        data: Json = {"values": [str(person.id) for person in chosen]}
        if rng.random() < 0.9:
            where = world.channel("marriage")
            data["resolved"] = interaction_objects.resolved(world, where, list(chosen))
        return data

    # Forms

    def _form(self, rng: Random, person: Person) -> tuple[str, int, Channel, Json, Message | None]:
        """Return a form that may never have been opened, with values that may never have been offered."""
        verbs = sorted(verb for verb in self.stage.bot.router.verbs if verb.startswith("form-"))
        verb = rng.choice(verbs)
        fields = self.forms.get(verb) or [{"type": 4, "custom_id": rng.choice(WORDS)}]
        labels = [{"type": 18, "id": 1, "component": self._filled(rng, field)} for field in fields]
        channel = self._place(rng, person)
        messages = self.stage.discord.actions.messages(person.user, channel)[-20:]
        message = rng.choice(messages) if messages and rng.random() < 0.5 else None
        if message is not None and message.author is not self.stage.discord.world.bot:
            message = None
        data = {"custom_id": self._custom_id(rng, verb), "components": labels}
        return f"form {verb}", SUBMIT, channel, data, message

    def _filled(self, rng: Random, part: Json) -> Json:
        filled: Json = {"type": part["type"], "id": 1, "custom_id": part.get("custom_id")}
        if part["type"] == 4:
            return filled | {"value": rng.choice((*LINES, *WORDS, *TEXTS))[:4000]}
        if part["type"] == 23:
            return filled | {"value": rng.random() < 0.5}
        offered = [option["value"] for option in part.get("options", ())] or ["1"]
        return filled | {"values": [rng.choice(offered) for _ in range(rng.randrange(3))]}

    # Commands

    def _command(
        self, rng: Random, person: Person, *, autocomplete: bool
    ) -> tuple[str, int, Channel, Json, None]:
        """Return a command, perhaps one for staff, with options that may or may not fit."""
        world, things = self.stage.discord.world, list[object]()
        command = rng.choice(
            sorted(world.commands.values(), key=lambda command: (command.name, command.type))
        )
        data: Json = {"id": str(command.id), "name": command.name, "type": command.type}
        channel = self._place(rng, person)
        if command.type == 1:
            data["options"] = self._typed(rng, command.data.get("options") or [], things, focus=autocomplete)
        else:
            things.append(rng.choice(list(world.users.values())))
            data["target_id"] = str(things[0].id)  # type: ignore[attr-defined]
        if things and rng.random() < 0.95:
            data["resolved"] = interaction_objects.resolved(world, channel, things)
        if rng.random() < 0.02:
            data["name"] = rng.choice(("nonsense", "marriage-old", "league", "help"))
        return (
            f"{'type' if autocomplete else 'use'} {command.name}",
            (AUTOCOMPLETE if autocomplete else COMMAND),
            channel,
            data,
            None,
        )

    def _typed(self, rng: Random, known: list[Json], things: list[object], *, focus: bool) -> list[Json]:
        inner = [option for option in known if option["type"] in (1, 2)]
        if inner:
            chosen = rng.choice(inner)
            options = self._typed(rng, chosen.get("options") or [], things, focus=focus)
            return [{"name": chosen["name"], "type": chosen["type"], "options": options}]
        given = [option for option in known if option.get("required") or rng.random() < 0.5]
        options = [
            {"name": value["name"], "type": value["type"], "value": self._option(rng, value, things)}
            for value in given
        ]
        if focus and options:
            completed = [place for place, option in enumerate(given) if option.get("autocomplete")]
            options[rng.choice(completed or [0])]["focused"] = True
        return options

    def _option(self, rng: Random, known: Json, things: list[object]) -> object:
        world = self.stage.discord.world
        match known["type"]:
            case 3 if known.get("choices") and rng.random() < 0.9:
                return rng.choice(known["choices"])["value"]
            case 3:
                return rng.choice((*CARDS, *LINES, *WORDS, "1", "Autumn", *TEXTS))
            case 4:
                return rng.choice((1, 1, 2, 3, 4, 7, *NUMBERS[:8]))
            case 5:
                return rng.random() < 0.5
            case 6:
                things.append(rng.choice(list(world.users.values())))
            case 7:
                things.append(rng.choice(list(world.channels.values())))
            case 8:
                things.append(rng.choice(list(world.guild.roles.values())))
            case _:
                return odd(rng)
        return str(things[-1].id)  # type: ignore[attr-defined]

    # Where, who, which

    def _place(self, rng: Random, person: Person) -> Channel:
        channels = [person.world.channel("marriage"), person.dm_channel, person.world.channel("general")]
        return rng.choice(channels)

    def _id(self, rng: Random) -> int:
        """Return the id of anyone, including other people."""
        return rng.choice([user.id for user in self.stage.discord.world.users.values()])

    def _value(self, rng: Random, kind: int) -> object:
        if kind != TEXT_SELECT:
            return self._id(rng)
        some = (rng.choice(CARDS), rng.choice(WORDS), rng.choice(TEXTS), rng.choice(NUMBERS), self._id(rng))
        return rng.choice((*some, rng.randrange(30), "1-1", "steady", "kathmandu", "ne"))

    # The envelope

    def _bend(self, rng: Random, forgery: Forgery) -> None:
        """Change the fields around the data, in the payload only. The playground keeps the true ones."""
        payload = forgery.payload
        match rng.randrange(6):
            case 0:  # from a direct message, or without a user
                for key in rng.sample(("guild_id", "guild", "member", "guild_locale"), rng.randint(1, 4)):
                    payload.pop(key, None)
            case 1:
                payload["type"] = rng.choice((*AWAITED, 1, 6, 99, 0, "3", None, 2.5, [], True))
            case 2:
                payload["version"] = rng.choice((0, 2, 9, "1", None))
            case 3:
                payload.pop("message", None)
                forgery.interaction.message = None
            case 4:
                payload.pop(
                    rng.choice(("data", "channel", "locale", "entitlements", "attachment_size_limit")), None
                )
            case _:
                payload |= mutated(rng, {k: payload[k] for k in ENVELOPE if k in payload}, 2, SPARED)
        if not isinstance(payload.get("message"), dict):
            forgery.interaction.message = None
        kind = payload.get("type")
        forgery.awaited = type(kind) is int and kind in AWAITED
        if forgery.awaited:
            forgery.interaction.type = kind
        assert set(ANSWERS) == AWAITED


def _times(rng: Random, often: float) -> int:
    return rng.randint(1, 3) if rng.random() < often else 0


def fields_of(modal: Json) -> Iterator[Json]:
    """Yield the fields of a form that was opened."""
    for part in modal.get("components", ()):
        if "component" in part:
            yield part["component"]
