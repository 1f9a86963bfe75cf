"""Opening a table: `/marriage play`, **Play now**, which fills it with computers and deals at once, and a challenge.

The user menu "Challenge to Marriage" opens a private table with one person invited.
"""

from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import RepeatedInteractionError, UnexpectedInputError, UserError
from bot.interactions.permissions import parent_of, require_guild, require_permissions, sees_channel
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.people import NamedPerson
from bot.services import Services
from bot.table.lobby import COMPUTER_LEVEL, NO_WISHES, PLAY_NOW_LEVEL, PLAY_NOW_SEATS, Wishes
from bot.ui.items import MOST_OPTIONS
from bot.words.names import shown_name
from bot.words.rules import EVERYDAY, preset_name
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from cogs.table.rules import house_rules
from data.ids import InteractionId
from data.names import clean_name
from data.preferences import MOST_DEALS, Pace, Terms
from data.store import HAS_STORED
from marriage.rules import PRESETS, SEATS_MAX

Offers = list[app_commands.Choice[str]]


async def open_table(
    services: Services,
    replies: TableReplies,
    interaction: AnyInteraction,
    *,
    seats: int = 0,
    wishes: Wishes = NO_WISHES,
) -> None:
    """Open a table with a public answer; the author of the interaction is its host.

    With `seats`, computers take the seats up to that number and the first deal begins: the host sees their
    hand too.
    """
    async with Reply(interaction, Kind.PUBLIC) as reply:
        guild_id, channel_id = require_guild(interaction)
        require_permissions(interaction.app_permissions)
        person = NamedPerson.of(interaction.user)
        try:
            table_id = await services.lobby.open(
                guild_id,
                channel_id,
                person,
                InteractionId(interaction.id),
                parent_id=parent_of(interaction),
                sees=sees_channel(interaction),
                wishes=wishes,
                token=interaction.token,
            )
        except RepeatedInteractionError:
            if HAS_STORED.get():  # this is another try, so that no one else answers
                raise
            return  # the process that opened the table answers
        if seats:
            await services.play.start(
                table_id, person.id, InteractionId(interaction.id), seats=seats, has_opened=True
            )
        message_id = await replies.show_table(reply, table_id)
        if message_id is not None:
            await services.lobby.posted(table_id, channel_id, message_id)
        if seats:
            await replies.show_hand_besides(reply, table_id, person)


class PlayCommand(commands.Cog):
    """The part of `/marriage` that opens a table; a base class of that cog."""

    _services: Services
    _replies: TableReplies

    @app_commands.command(description="Open a table in this channel, or play against computers at once")
    @app_commands.describe(
        computers="Play at once against this many computers; otherwise the table waits for people",
        deals="Deals in the match; otherwise as in your house rules, or as many as you like",
        clock="How long a turn may take; otherwise as in your house rules, or the server's",
        rules="A preset or house rules; otherwise your house rules, or the server's",
    )
    @app_commands.guild_only()
    async def play(
        self,
        interaction: AnyInteraction,
        computers: app_commands.Range[int, 0, SEATS_MAX - 1] = 0,
        deals: app_commands.Range[int, 0, MOST_DEALS] | None = None,
        clock: str = "",
        rules: str = "",
    ) -> None:
        """Open a table."""
        wishes = await self._wishes(interaction, deals, clock, rules)
        seats = 1 + computers if computers else 0
        await open_table(self._services, self._replies, interaction, seats=seats, wishes=wishes)

    async def _wishes(self, interaction: AnyInteraction, deals: int | None, clock: str, rules: str) -> Wishes:
        """Convert the options to wishes. House rules include their deals and clock unless these are given."""
        pace = _picked(_clocks(), clock, "rulesform.bad_pace")
        house = await house_rules(self._services.store, interaction)
        wanted = _picked(_rules(house), rules, "sorry.no_such_rules")
        terms = house.get(wanted or "")
        if terms is None:
            return Wishes(PRESETS[wanted] if wanted else None, deals, Pace(pace) if pace else None)
        return Wishes(
            terms.rules, terms.deals if deals is None else deals, Pace(pace) if pace else terms.pace
        )

    @play.autocomplete("clock")
    async def _offer_clocks(self, _: AnyInteraction, current: str) -> Offers:
        return _offers(_clocks(), current)

    @play.autocomplete("rules")
    async def _offer_rules(self, interaction: AnyInteraction, current: str) -> Offers:
        return _offers(_rules(await house_rules(self._services.store, interaction)), current)


class PlayNow(commands.Cog):
    """The button **Play now**, which opens a table against computers and deals."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        router.add("play-now", self._play_now)
        router.add("stronger", self._choose_level)

    async def _play_now(self, pressed: Pressed) -> None:
        if pressed.table_id:
            raise UnexpectedInputError("a table begins with Start")
        await open_table(self._services, self._replies, pressed.interaction, seats=PLAY_NOW_SEATS)

    async def _choose_level(self, pressed: Pressed) -> None:
        """Store whether the player wants stronger computers, and show their hand without the question."""
        is_yes = pressed.press.argument == "yes"
        async with Reply(pressed.interaction, pressed.privately) as reply:
            level = COMPUTER_LEVEL if is_yes else PLAY_NOW_LEVEL
            await self._services.personal.change(pressed.person, play_now_level=level)
            note = texts()("hand.stronger_chosen", level=texts()(f"level.{level}"))
            await self._replies.show_hand(reply, pressed.table_id, pressed.person, note)


def _clocks() -> dict[str, str]:
    """Return the name of each clock, keyed by value."""
    return {pace.value: texts()(f"pace.{pace}") for pace in Pace}


def _rules(house: Mapping[str, Terms]) -> dict[str, str]:
    """Return the name of each set of house rules and each preset, keyed by value."""
    names = {whose: texts()(f"rulesform.house_{whose}") for whose in house}
    return names | {preset: preset_name(preset, texts()) for preset in EVERYDAY}


def _offers(names: Mapping[str, str], typed: str) -> Offers:
    """Return choices for the values whose name contains the typed text."""
    wanted = typed.strip().casefold()
    found = [
        app_commands.Choice(name=name, value=value)
        for value, name in names.items()
        if wanted in name.casefold()
    ]
    return found[:MOST_OPTIONS]


def _picked(names: Mapping[str, str], typed: str, sorry: str) -> str | None:
    """Return the value that was typed, or whose name was; None for empty text.

    Raises UserError with key `sorry`.
    """
    wanted = typed.strip().casefold()
    if not wanted:
        return None
    for value, name in names.items():
        if wanted in {value, name.casefold()}:
            return value
    raise UserError(sorry)


class Challenge(commands.Cog):
    """Opens a private table and pings the challenged person, once."""

    def __init__(
        self, services: Services, replies: TableReplies, tree: app_commands.CommandTree[Any]
    ) -> None:
        self._services = services
        self._tree = tree
        self._replies = replies
        self._menu: app_commands.ContextMenu = app_commands.guild_only()(
            app_commands.ContextMenu(name="Challenge to Marriage", callback=self.challenge)
        )

    async def cog_load(self) -> None:
        """Add the menu."""
        self._tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """Remove the menu."""
        self._tree.remove_command(self._menu.name, type=self._menu.type)

    async def challenge(self, interaction: AnyInteraction, user: discord.User | discord.Member) -> None:
        """Open a table with that person invited."""
        async with Reply(interaction, Kind.PUBLIC) as reply:
            guild_id, channel_id = require_guild(interaction)
            require_permissions(interaction.app_permissions)
            if user.bot:
                raise UserError("sorry.challenge_bot", name=shown_name(clean_name(user.display_name, "-")))
            if user.id == interaction.user.id:
                raise UserError("sorry.challenge_self")
            try:
                table_id = await self._services.lobby.open(
                    guild_id,
                    channel_id,
                    NamedPerson.of(interaction.user),
                    InteractionId(interaction.id),
                    parent_id=parent_of(interaction),
                    sees=sees_channel(interaction),
                    invited=[NamedPerson.of(user)],
                    token=interaction.token,
                )
            except RepeatedInteractionError:  # the process that opened the table answers
                return
            message_id = await self._replies.show_challenge(reply, table_id, user.id)
            if message_id is not None:
                await self._services.lobby.posted(table_id, channel_id, message_id)
