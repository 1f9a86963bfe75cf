"""The `/marriage` commands: opening a table, playing a hand, leaving. Everything else has components."""

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.interactions import choices
from bot.interactions.choices import Choice, read_card, read_groups
from bot.interactions.permissions import may_see, my_table, require_guild
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.table.lobby import MOST_TABLES, tables_panel
from bot.people import NamedPerson
from bot.services import Services
from bot.ui.items import MOST_OPTIONS, PRESET_CHOICES, Press
from bot.words.texts import card_name, cards_name, texts
from cogs.history.replay import ReplayCommand
from cogs.learning.practice import show_page, usual_place
from cogs.table.leaving import LeavingCommands
from cogs.table.opening import PlayCommand
from cogs.table.replies import TableReplies
from data.ids import InteractionId
from league.ids import PersonId
from marriage.cards import Cards
from marriage.legal import legal_discards, tunnelas
from marriage.rules import PRESETS
from marriage.view import View

Offers = list[app_commands.Choice[str]]


async def card_offers(services: Services, interaction: discord.Interaction[Any], typed: str) -> Offers:
    """Return the cards that the person may discard, filtered by the typed text."""
    cards = await _cards(services, interaction, legal_discards)
    return _matching({str(card): card_name(card, texts()) for card in cards}, typed)


async def face_offers(services: Services, interaction: discord.Interaction[Any], typed: str) -> Offers:
    """Return the tunnelas that the person may expose, filtered by the typed text."""
    faces = await _cards(services, interaction, tunnelas)
    return _matching({str(face): cards_name((face,) * 3, texts()) for face in faces}, typed)


async def _cards(
    services: Services, interaction: discord.Interaction[Any], choose: Callable[[View], Cards]
) -> Cards:
    """Return the chosen cards of the person's view; none if they have no hand.

    Autocompletion cannot give an error.
    """
    try:
        snapshot = await services.tables.snapshot(await my_table(services.tables, interaction))
    except UserError:
        return ()
    seat = snapshot.seat_of(PersonId(interaction.user.id))
    return () if seat is None or not snapshot.private else choose(snapshot.private[seat])


def _matching(names: dict[str, str], typed: str) -> Offers:
    wanted = typed.strip().upper()
    return [
        app_commands.Choice(name=name, value=value)
        for value, name in names.items()
        if value.startswith(wanted) or name.startswith(wanted)
    ][:MOST_OPTIONS]


class TablesCommand(commands.Cog):
    """The part of `/marriage` that lists tables; a base class of that cog."""

    _services: Services

    @app_commands.command(description="List the open tables of this server, yours first")
    @app_commands.guild_only()
    async def tables(self, interaction: AnyInteraction) -> None:
        """List the tables in channels that the person can see, and their own table."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(interaction)
            person_id, sees = PersonId(interaction.user.id), may_see(interaction)
            shown, count = await self._services.tables.tables_of(guild_id, person_id, sees, MOST_TABLES)
            await reply.show(tables_panel(shown, count, person_id, texts()))


class Marriage(
    LeavingCommands,
    ReplayCommand,
    TablesCommand,
    PlayCommand,
    commands.GroupCog,
    name="marriage",
    description="Play Marriage, the three-pack rummy of Nepal",
):
    """Each command finds its author's table, calls one service and answers with the author's hand."""

    def __init__(self, services: Services, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies

    @app_commands.command(description="See your own hand; nobody else does")
    async def hand(self, interaction: AnyInteraction) -> None:
        """Show the hand."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction)
            await self._replies.show_hand(reply, table_id, NamedPerson.of(interaction.user))

    @app_commands.command(description="Draw the top card of the stock")
    async def draw(self, interaction: AnyInteraction) -> None:
        """Draw from the stock."""
        await self._move(interaction, choices.draw)

    @app_commands.command(description="Take the top card of the pile")
    async def take(self, interaction: AnyInteraction) -> None:
        """Take the discard."""
        await self._move(interaction, choices.take)

    @app_commands.command(description="Discard a card and end your turn")
    @app_commands.describe(card="The card to throw, such as 5H or 10C")
    async def discard(self, interaction: AnyInteraction, card: str) -> None:
        """Discard a card."""
        await self._move(interaction, choices.discard(read_card(card)))

    @discard.autocomplete("card")
    async def _offer_discards(self, interaction: AnyInteraction, current: str) -> Offers:
        return await card_offers(self._services, interaction, current)

    @app_commands.command(description="Show three pure sets, or seven dublees, and see the tiplu")
    @app_commands.describe(
        sets="Your sets, such as 3S 4S 5S, 6H 6H 6H, QS KS AS; otherwise the bot finds them",
        dublees="Show seven dublees instead of sets",
        sure="If a wrong claim kills the hand: confirm that you are sure of your sets",
    )
    async def show(
        self,
        interaction: AnyInteraction,
        sets: str = "",
        dublees: bool = False,  # noqa: FBT001, FBT002 - an option
        sure: bool = False,  # noqa: FBT001, FBT002 - an option
    ) -> None:
        """Show sets or dublees."""
        if sets.strip():
            await self._move(interaction, choices.claim_named(read_groups(sets), sure=sure))
        elif dublees:
            await self._move(interaction, choices.show_dublees)
        else:
            async with Reply(interaction, Kind.PRIVATE) as reply:
                table_id = await my_table(self._services.tables, interaction)
                await self._replies.move_thought_out(interaction, reply, table_id, choices.show_any)

    @app_commands.command(description="Cut the tiplu, after showing first")
    @app_commands.describe(place="Which card of the stock, 1 for the top; otherwise a random one")
    async def cut(
        self, interaction: AnyInteraction, place: app_commands.Range[int, 1, 160] | None = None
    ) -> None:
        """Cut the tiplu."""
        await self._move(interaction, choices.cut(None if place is None else place - 1))

    @app_commands.command(description="Finish the deal with the sets in your hand")
    async def finish(self, interaction: AnyInteraction) -> None:
        """Finish the deal."""
        await self._move(interaction, choices.finish)

    @app_commands.command(description="Expose a tunnela you were dealt")
    @app_commands.describe(card="A card of the tunnela, such as 6H; leave it empty to keep it hidden")
    async def tunnela(self, interaction: AnyInteraction, card: str = "") -> None:
        """Answer the tunnela window."""
        choice = choices.expose((read_card(card),)) if card.strip() else choices.decline
        await self._move(interaction, choice)

    @tunnela.autocomplete("card")
    async def _offer_tunnelas(self, interaction: AnyInteraction, current: str) -> Offers:
        return await face_offers(self._services, interaction, current)

    @app_commands.command(description="Mix a word of your own into the next shuffle")
    @app_commands.describe(text="Any text; only its hash is kept")
    async def word(self, interaction: AnyInteraction, text: app_commands.Range[str, 1, 100]) -> None:
        """Contribute to the shuffle."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction)
            await self._services.play.add_word(
                table_id, PersonId(interaction.user.id), text, InteractionId(interaction.id)
            )
            await reply.tell(texts()("verify.word_taken"))

    @app_commands.command(description="The rules of Marriage, page by page, with pictures")
    @app_commands.describe(preset="Which rules; otherwise those of your table, or of this server")
    @app_commands.choices(preset=PRESET_CHOICES)
    async def rules(self, interaction: AnyInteraction, preset: str = "") -> None:
        """Explain the game."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            place = (
                Press("rules", 0, 0, preset)
                if preset in PRESETS
                else await usual_place(self._services, interaction)
            )
            await show_page(self._services, reply, place, 0)

    async def _move(self, interaction: AnyInteraction, choice: Choice) -> None:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction)
            await self._replies.move(interaction, reply, table_id, choice)
