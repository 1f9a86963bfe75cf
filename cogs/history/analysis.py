"""How a person played a finished deal: `/analyse`, a button of the score sheet, and one of the replay."""

from discord import app_commands
from discord.ext import commands

from bot.errors import UnexpectedInputError
from bot.history.analyses import Analysed
from bot.history.past_deals import sight_of
from bot.interactions.choices import read_card
from bot.interactions.permissions import my_table
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.history.analysis import analysis_panel, decisions_panel, progress_panel
from bot.panels.history.lost_throw import lost_throw_panel, no_throw_panel, thrown_cards, view_at
from bot.services import Services
from bot.table.core.snapshot import Holder
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.history.replies import find_replay
from league.ids import PersonId, TableId
from marriage.cards import Card

_DIGITS = 3


class AnalysisCommands(commands.Cog):
    """Everybody sees the analysis of their own play alone, in private; its state is all in the custom ids."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("analyse", self._open)
        router.add("analysis", self._overview)
        router.add("analysis-page", self._turn)
        router.add("lost-throw", self._ask_throw)
        router.add("lost-throw-answer", self._answer_throw)

    @app_commands.command(description="See how well you played a finished deal: accuracy, mistakes and luck")
    @app_commands.describe(
        deal="The deal's number; otherwise the last finished one",
        table="The table's number; otherwise that of your last deal, or yours",
    )
    async def analyse(
        self,
        interaction: AnyInteraction,
        deal: app_commands.Range[int, 1, 2**31] | None = None,
        table: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Open a private analysis."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id, deal_no = await self._asked(interaction, deal, table)
            await self._show(reply, interaction, table_id, deal_no)

    async def _asked(
        self, interaction: AnyInteraction, deal: int | None, table: int | None
    ) -> tuple[TableId, int | None]:
        """The table and the number of the deal; raises UserError if the person has none."""
        if table is not None:
            return TableId(table), deal
        if deal is not None:
            return await my_table(self._services.tables, interaction), deal
        return await self._services.analyses.last_deal(sight_of(interaction))

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._show(reply, pressed.interaction, pressed.table_id, pressed.press.revision)

    async def _overview(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(reply, pressed.interaction, pressed.table_id, pressed.press.revision)

    async def _turn(self, pressed: Pressed) -> None:
        number = read_number(pressed.press.argument, _DIGITS)
        if number is None:
            raise UnexpectedInputError("no such page")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            found = await self._analysed(reply, pressed.interaction, pressed.table_id, pressed.press.revision)
            await reply.show(decisions_panel(found, number, texts()))

    async def _ask_throw(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._show_throw(reply, pressed, None)

    async def _answer_throw(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_throw(reply, pressed, read_card(pressed.press.argument))

    async def _show_throw(self, reply: Reply, pressed: Pressed, answer: Card | None) -> None:
        """The person's dearest throw in a deal: the question, or the answer. It is no puzzle that counts."""
        found = await self._analysed(reply, pressed.interaction, pressed.table_id, pressed.press.revision)
        throw = found.analysis.dearest_throw
        if throw is None:
            await reply.show(no_throw_panel(found, texts()))
            return
        if answer is not None and answer not in thrown_cards(throw):
            raise UnexpectedInputError("a card that was not offered")
        settings = await self._services.personal.settings(pressed.person.id)
        holder = Holder(settings, plain=True)
        hand = await self._services.pictures.hand(view_at(found, throw), holder, found.replay.names)
        await reply.show(lost_throw_panel(found, throw, hand, texts(), answer))

    async def _show(
        self, reply: Reply, interaction: AnyInteraction, table_id: TableId, deal_no: int | None
    ) -> None:
        found = await self._analysed(reply, interaction, table_id, deal_no)
        holder = Holder(await self._services.personal.settings(PersonId(interaction.user.id)))
        picture = None
        if not holder.settings.words:
            picture = await self._services.pictures.analysis(found.analysis, holder.style)
        await reply.show(analysis_panel(found, picture, texts()))

    async def _analysed(
        self, reply: Reply, interaction: AnyInteraction, table_id: TableId, deal_no: int | None
    ) -> Analysed:
        """The analysis, which takes seconds the first time: the answer shows how far it is."""
        replay = await find_replay(self._services, interaction, table_id, deal_no)

        async def tell(done: int) -> None:
            await reply.show(progress_panel(table_id, replay.deal_no, done, texts()))

        return await self._services.analyses.of(replay, sight_of(interaction), tell)
