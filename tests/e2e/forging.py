"""Messages and presses that no honest client could make, injected into the playground."""

import asyncio
from typing import Any

from playground.model import COMPONENTS_V2, Interaction
from playground.payloads import Json
from playground.person import Person
from playground.recorder import RecordedRequest
from playground.server import Playground
from playground.shown import Shown
from playground.validation.messages import Draft


def button(custom_id: str) -> Json:
    return {"type": 2, "style": 2, "label": "Forged", "custom_id": custom_id}


def select(custom_id: str, *values: str) -> Json:
    options = [{"label": value, "value": value} for value in values]
    return {"type": 3, "custom_id": custom_id, "options": options, "min_values": 1, "max_values": 1}


def forge(person: Person, component: Json, *, private: bool = False) -> Shown:
    """Put a message of the bot that it never wrote, with this component, into the person's channel."""
    draft = Draft(components=[{"type": 1, "components": [component]}], flags=COMPONENTS_V2)
    if private:
        draft.flags |= 64
    only_for = person.user if private else None
    writer, bot = person.services.writer, person.world.bot
    return Shown(person.world, writer.write(person.channel, bot, draft, {}, only_for=only_for))


async def press_forged(person: Person, custom_id: str) -> Shown:
    """Press a button that no one offered; return the answer."""
    return (await person.press("Forged", message=forge(person, button(custom_id)))).message


async def press_blindly(person: Person, message: Shown, custom_id: str, **data: Any) -> Interaction:
    """Press a component whether or not the message shows it; return once it is answered."""
    interactions = person.services.interactions
    data = {"component_type": 2, "id": 1} | data | {"custom_id": custom_id}
    interaction = interactions.open(3, person.user, message.message.channel, data, message=message.message)
    await person.wait_for(lambda: interaction.state != "waiting")
    return interaction


async def press_late(
    person: Person, message: Shown, custom_id: str, before: list[Json] | None = None, **data: Any
) -> Interaction:
    """Press a component that the message shows at the press, but no longer when the bot receives it.

    `before` is all that the message showed then; by default only the button.
    """
    shown = message.message.components
    message.message.components = before or [
        {"type": 1, "id": 1, "components": [button(custom_id) | {"id": 2}]}
    ]
    try:
        pressed = asyncio.create_task(press_blindly(person, message, custom_id, **data))
        await asyncio.sleep(0)  # the event of the press is under way, with the old message
    finally:
        message.message.components = shown
    return await pressed


async def answered_with(server: Playground, path: str) -> RecordedRequest:
    """Return the next request whose path contains this, with its answer, whatever that was."""
    found: asyncio.Future[RecordedRequest] = asyncio.get_running_loop().create_future()

    def listen(entry: RecordedRequest) -> None:
        if path in entry.path and not found.done():
            found.set_result(entry)

    server.recorder.listeners.append(listen)
    try:
        async with asyncio.timeout(10):
            return await found
    finally:
        server.recorder.listeners.remove(listen)


def repeat(server: Playground, interaction: Interaction) -> None:
    """Let the gateway deliver the same event again, as it may after a resume."""
    name, data = next(event for event in server.recorder.events if event[1].get("token") == interaction.token)
    for session in server.gateway.sessions.values():
        session.tell(name, data)
