"""Interactions: a person opens one, the bot answers in time and follows up with its token."""

import asyncio
import copy
import secrets
import time

from playground.messages import MessageWriter, complete_components
from playground.model import EPHEMERAL, LOADING, Channel, Interaction, Message, User
from playground.payloads import Json, object_in
from playground.refusals import RefusalError, refuse_field
from playground.validation.answers import check_choices, check_modal
from playground.validation.messages import ANSWER_FLAGS, Draft, Files, check_message
from playground.world import World

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
MESSAGE, THINK, UPDATE_LATER, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
ANSWERS = {
    COMMAND: {MESSAGE, THINK, MODAL},
    COMPONENT: {MESSAGE, THINK, UPDATE_LATER, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    SUBMIT: {MESSAGE, THINK, UPDATE_LATER, UPDATE},
}


class Interactions:
    """All interactions. The bot must answer within `deadline` seconds, and may follow up for `token_life` seconds."""

    def __init__(
        self, world: World, writer: MessageWriter, *, deadline: float = 3.0, token_life: float = 900.0
    ) -> None:
        self.world = world
        self.writer = writer
        self.deadline = deadline
        self.token_life = token_life
        self.late_by = 0.0  # seconds by which new interactions are already old, as after a slow network
        self._by_token: dict[str, Interaction] = {}

    def open(
        self,
        kind: int,
        user: User,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        opener: Interaction | None = None,
        nonce: str | None = None,
    ) -> Interaction:
        """Open an interaction and start its deadline; the gateway sends it to the bot."""
        number = self.world.ids.new() - (int(self.late_by * 1000) << 22)
        interaction = Interaction(number, secrets.token_urlsafe(48), kind, user, channel, data)
        interaction.message, interaction.opener, interaction.nonce = message, opener, nonce
        self.world.interactions[interaction.id] = interaction
        self._by_token[interaction.token] = interaction
        loop = asyncio.get_running_loop()
        interaction.timer = loop.call_later(self.deadline, self._fail, interaction, "not answered in time")
        self.world.publish("interaction_create", interaction)
        return interaction

    def close(self) -> None:
        """Cancel all deadlines."""
        for interaction in self.world.interactions.values():
            if interaction.timer is not None:
                interaction.timer.cancel()

    def _fail(self, interaction: Interaction, why: str) -> None:
        interaction.state, interaction.refusal = "failed", why
        self.world.publish("interaction_update", interaction)

    # The callback ---------------------------------------------------------------------------------

    def called(self, interaction_id: int, token: str) -> Interaction:
        """Return the interaction of a callback; refused if it is unknown, late or already answered."""
        interaction = self.world.interactions.get(interaction_id)
        if interaction is None or not secrets.compare_digest(interaction.token, token):
            raise RefusalError(10062)
        if interaction.callback_type is not None:
            raise RefusalError(40060)
        if interaction.state == "failed":
            raise RefusalError(10062)
        return interaction

    def answer(self, interaction: Interaction, payload: Json, files: Files) -> Message | None:
        """Accept the bot's first answer; returns the message that it creates or changes."""
        kind = payload.get("type")
        data = object_in(payload, "data")
        if not isinstance(kind, int) or kind not in ANSWERS[interaction.type]:
            refuse_field("type", f"This kind of interaction cannot be answered with type {kind}.")
        if kind in (UPDATE, UPDATE_LATER) and interaction.message is None:
            refuse_field("type", "There is no message to update.")
        message = self._apply_answer(interaction, kind, data, files)
        interaction.callback_type = kind
        interaction.state = "acknowledged"
        if interaction.timer is not None:
            interaction.timer.cancel()
        self.world.publish("interaction_update", interaction)
        return message

    def _apply_answer(self, interaction: Interaction, kind: int, data: Json, files: Files) -> Message | None:
        match kind:
            case 4:
                draft = self._checked(data, files)
                interaction.response = self._write(interaction, draft, data)
                return interaction.response
            case 5:
                interaction.response = self._think(interaction, data)
            case 7:
                assert interaction.message is not None  # noqa: S101 - answer() refused that
                self._edit(interaction.message, data, files)
                return interaction.message
            case 8:
                interaction.choices = check_choices(data)
            case 9:
                interaction.modal = copy.deepcopy(check_modal(data))
                complete_components(interaction.modal["components"])
            case _:
                pass  # 6 defers the update, so nothing changes yet
        return None

    def _checked(self, payload: Json, files: Files) -> Draft:
        """Check a new message that answers an interaction."""
        return check_message(payload, files, self.world.ids, flags=ANSWER_FLAGS, emojis=self.world.emojis)

    def _think(self, interaction: Interaction, data: Json) -> Message:
        flags = data.get("flags") or 0
        if flags & ~EPHEMERAL:
            refuse_field("data.flags", "Only EPHEMERAL may be set while thinking.")
        return self.writer.think(interaction, flags, interaction.user if flags else None)

    def _write(self, interaction: Interaction, draft: Draft, data: Json) -> Message:
        first = interaction.callback_type is None
        kind = 0
        if first and interaction.type == COMMAND:
            kind = 23 if "target_id" in interaction.data else 20
        only_for = interaction.user if draft.flags & EPHEMERAL else None
        return self.writer.write(
            interaction.channel,
            self.world.bot,
            draft,
            data,
            kind=kind,
            interaction=interaction,
            only_for=only_for,
        )

    def _edit(self, message: Message, data: Json, files: Files) -> None:
        world = self.world
        draft = check_message(data, files, world.ids, before=message, emojis=world.emojis)
        self.writer.edit(message, draft, data)

    # Follow-ups by token --------------------------------------------------------------------------

    def by_token(self, application_id: int, token: str) -> Interaction:
        """Return the interaction with this token; refused if it is unknown, unanswered or too old."""
        interaction = self._by_token.get(token)
        unanswered = interaction is None or interaction.callback_type is None
        if interaction is None or unanswered or application_id != self.world.application_id:
            raise RefusalError(10015)
        if time.monotonic() - interaction.created > self.token_life:
            raise RefusalError(50027)
        return interaction

    def follow_up(self, interaction: Interaction, payload: Json, files: Files) -> Message:
        """Write a follow-up; after a deferred answer the first one completes the "thinking" message instead."""
        loading = interaction.response
        if loading is not None and loading.is_loading and not loading.deleted:
            draft = self._checked(payload, files)
            draft.flags = draft.flags & ~EPHEMERAL | loading.flags & (EPHEMERAL | LOADING)
            self.writer.edit(loading, draft, payload)
            return self._followed(interaction, loading)
        draft = self._checked(payload, files)
        message = self._write(interaction, draft, payload)
        interaction.followups.append(message)
        return self._followed(interaction, message)

    def _followed(self, interaction: Interaction, message: Message) -> Message:
        """Record the follow-up of the first answer: it completes a deferred one."""
        interaction.followed = message
        self.world.publish("interaction_followed", interaction)
        return message

    def message(self, interaction: Interaction, which: str) -> Message:
        """Return the message that `@original` or an id names for this token."""
        if interaction.callback_type in (UPDATE, UPDATE_LATER):
            original = interaction.message
        else:
            original = interaction.response
        for message in (original, *interaction.followups):
            if message is None or message.deleted:
                continue
            if which == str(message.id) or (which == "@original" and message is original):
                return message
        raise RefusalError(10008)

    def edit(self, interaction: Interaction, which: str, payload: Json, files: Files) -> Message:
        """Edit a message by its interaction's token."""
        message = self.message(interaction, which)
        self._edit(message, payload, files)
        return self._followed(interaction, message)

    def delete(self, interaction: Interaction, which: str) -> None:
        """Delete a message by its interaction's token."""
        self.world.delete_message(self.message(interaction, which))
