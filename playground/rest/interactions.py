"""Endpoints of interactions: the callback, and the messages that belong to an interaction's token."""

from playground import message_objects
from playground.model import EPHEMERAL, Interaction, Message
from playground.payloads import Json
from playground.rest.routing import RestAnswer, RestCall, Routes

HOOK = "/webhooks/{application}/{token}"
MESSAGE = HOOK + "/messages/{message}"

routes = Routes()


@routes.on("POST", "/interactions/{interaction}/{token}/callback", anonymous=True)
async def callback(call: RestCall) -> Json | None:
    """Accept the first answer to an interaction."""
    interactions = call.services.interactions
    interaction = interactions.called(call.id("interaction"), call.params["token"])
    message = interactions.answer(interaction, call.form, call.files)
    if call.query.get("with_response") not in ("1", "true", "True"):
        return None
    shape: Json = {"interaction": _interaction(interaction)}
    if message is not None:
        resource = {
            "type": interaction.callback_type,
            "message": message_objects.message(call.world, message),
        }
        shape["resource"] = resource
    return shape


def _interaction(interaction: Interaction) -> Json:
    shape: Json = {"id": str(interaction.id), "type": interaction.type}
    answer = interaction.response or (interaction.message if interaction.callback_type in (6, 7) else None)
    if answer is not None:
        shape |= {
            "response_message_id": str(answer.id),
            "response_message_loading": answer.is_loading,
            "response_message_ephemeral": bool(answer.flags & EPHEMERAL),
        }
    return shape


def _by_token(call: RestCall) -> Interaction:
    return call.services.interactions.by_token(call.id("application"), call.params["token"])


def _message_object(call: RestCall, message: Message) -> Json:
    return message_objects.message(call.world, message)


@routes.on("POST", HOOK, anonymous=True)
async def follow_up(call: RestCall) -> Json | RestAnswer:
    """Write a follow-up message."""
    message = call.services.interactions.follow_up(_by_token(call), call.form, call.files)
    return _message_object(call, message)


@routes.on("GET", MESSAGE, anonymous=True)
async def read(call: RestCall) -> Json:
    """Return a message of the token."""
    return _message_object(call, call.services.interactions.message(_by_token(call), call.params["message"]))


@routes.on("PATCH", MESSAGE, anonymous=True)
async def edit(call: RestCall) -> Json:
    """Edit a message of the token."""
    interaction = _by_token(call)
    return _message_object(
        call, call.services.interactions.edit(interaction, call.params["message"], call.form, call.files)
    )


@routes.on("DELETE", MESSAGE, anonymous=True)
async def delete(call: RestCall) -> None:
    """Delete a message of the token."""
    call.services.interactions.delete(_by_token(call), call.params["message"])
