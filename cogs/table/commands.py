"""The `/marriage` commands: opening a table, playing a hand, leaving; all else is pressed."""

from discord import app_commands
from discord.ext import commands

from bot.interactions import choices
from bot.interactions.choices import Choice, read_card, read_groups
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.places import my_table
from bot.interactions.reply import Kind, Reply
from bot.people import Person, guild_of
from bot.services import Services
from bot.ui.custom_id import Press
from bot.ui.presets import PRESET_CHOICES
from bot.words.texts import texts
from cogs.history.replay import ReplayCommand
from cogs.learning.rules_replies import show_page, usual_place
from cogs.table.autocomplete import Offers, card_offers, face_offers
from cogs.table.leaving import LeavingCommands
from cogs.table.opening import PlayCommand
from cogs.table.replies import TableReplies
from cogs.table.table_list import TablesCommand
from data.ids import InteractionId
from league.ids import PersonId
from marriage.rules import PRESETS


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
            await self._replies.show_hand(reply, table_id, Person.of(interaction.user))

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
        """Discard."""
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
        """Show."""
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
        """Finish."""
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
            await show_page(self._services, reply, place, 0, guild_of(interaction))

    async def _move(self, interaction: AnyInteraction, choice: Choice) -> None:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction)
            await self._replies.move(interaction, reply, table_id, choice)
