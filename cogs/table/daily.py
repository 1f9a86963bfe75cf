"""`/daily`: the deal of the day, played alone; yesterday's board, and the month's list."""

from discord import app_commands
from discord.ext import commands

from bot.daily.days import shared_day
from bot.errors import UnexpectedInputError, UserError
from bot.interactions.permissions import require_guild, require_may_share
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.daily import day_panel, month_panel, share_panel
from bot.panels.table.more import seal
from bot.people import NamedPerson
from bot.services import Services
from bot.ui.panel import notice_panel
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from data.ids import InteractionId
from league.ids import GuildId


class DailyDeal(commands.Cog):
    """Everything is answered in private."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        self._shared: set[int] = set()
        """The attempts, by table, that were shared since the start. Each can be shared once."""
        router.add("share-day", self._share)
        router.add("remind-day", self._remind)
        router.add("remind-day-off", self._remind_no_more)

    @app_commands.command(description="The deal of the day: the same cards for everybody here, one attempt")
    @app_commands.describe(show="Show a board instead of today's deal")
    @app_commands.choices(
        show=[
            app_commands.Choice(name="the board of the last day", value="board"),
            app_commands.Choice(name="the list of this month", value="month"),
        ]
    )
    @app_commands.guild_only()
    async def daily(self, interaction: AnyInteraction, show: str | None = None) -> None:
        """Open or continue today's deal, or show the results of earlier days."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(interaction)
            match show:
                case None:
                    await self._play(interaction, reply, guild_id)
                case "board":
                    await reply.show(day_panel(await self._services.daily.last_board(guild_id), texts()))
                case "month":
                    await reply.show(month_panel(await self._services.daily.month(guild_id), texts()))
                case _:
                    raise UnexpectedInputError("nothing to show")

    async def _share(self, pressed: Pressed) -> None:
        services, table_id = self._services, pressed.table_id
        async with Reply(pressed.interaction, Kind.PUBLIC) as reply:
            guild_id, _ = require_guild(pressed.interaction)
            require_may_share(pressed.interaction)
            shared = await shared_day(services.store, services.tables, table_id, pressed.person.id)
            say = await services.languages.words_for(guild_id, public=True)
            if table_id in self._shared:
                raise UserError("daily.shared_already")
            self._shared.add(table_id)
            try:
                await reply.show(share_panel(shared, say))
            except BaseException:
                self._shared.discard(table_id)  # it could not be posted
                raise

    async def _remind(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.reminders.turn_on(pressed.person, pressed.table_id)
            await self._replies.show_hand(reply, pressed.table_id, pressed.person)

    async def _remind_no_more(self, pressed: Pressed) -> None:
        """Turn reminders off: from the hand, which stays, or from the reminder, which then confirms it."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._services.reminders.turn_off(pressed.person)
            if pressed.table_id:
                await self._replies.show_hand(reply, pressed.table_id, pressed.person)
            else:
                await reply.show(notice_panel(texts()("daily.reminder_off")))

    async def _play(self, interaction: AnyInteraction, reply: Reply, guild_id: GuildId) -> None:
        person = NamedPerson.of(interaction.user)
        table_id, begun = await self._services.daily.open(guild_id, person, InteractionId(interaction.id))
        note = None
        if begun:
            deal = await self._services.store.read(lambda db: db.deals.get(table_id, 1))
            note = texts()("daily.begun", seal=seal(deal.commitment) if deal else "")
        await self._replies.show_hand(reply, table_id, person, note)
