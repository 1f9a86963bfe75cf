"""`/league-staff season open`: a league from a template, with its whole calendar before it is opened."""

from typing import Any

import discord

from bot.interactions.guard import AnyInteraction
from bot.interactions.places import require_league_place
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.interactions.staff import require_staff
from bot.panels.league.wizard import Plan, wizard_panel
from bot.services import Services
from bot.ui.custom_id import Press
from bot.ui.form import open_form
from bot.words.texts import catalogue, texts
from cogs.league.replies import LeagueOffers, create_fields
from cogs.league.staff import season_commands
from data.ids import InteractionId
from data.preferences import GuildSettings
from league.templates import TEMPLATES


class LeagueWizard(LeagueOffers):
    """Mixed into the group of `/league-staff`. People who are not staff are refused at run time."""

    _services: Services

    def serve_wizard(self, router: Router) -> None:
        """Serve the verbs of this part."""
        for verb in ("pick-plan", "pick-plan-clock", "pick-plan-rules"):
            router.add(verb, self._choose_plan)
        router.add("league-open", self._open_plan)
        router.add("league-own-form", self._own_form)

    @season_commands.command(
        name="open", description="Open a league from a template, after a look at its calendar"
    )
    async def set_up(self, interaction: AnyInteraction) -> None:
        """Show the templates."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            server = await self._staff_server(interaction)
            await self._show(reply, Plan.new(next(iter(TEMPLATES.values())), server), server)

    async def _choose_plan(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            server = await self._staff_server(pressed.interaction)
            plan = Plan.read(pressed.press.argument).with_choice(pressed.press.verb, pressed.chosen, server)
            await self._show(reply, plan, server)

    async def _open_plan(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            server = await self._staff_server(pressed.interaction)
            guild_id, channel_id = require_league_place(pressed.interaction)
            now, plan = self._services.clock.now(), Plan.read(pressed.press.argument)
            founding = plan.founding(server, now, catalogue(server.language))
            await self._services.leagues.create(
                guild_id, channel_id, pressed.person, founding, InteractionId(pressed.interaction.id)
            )
            await reply.tell(texts()("wizard.opened", league=founding.name))

    async def _own_form(self, pressed: Pressed) -> None:
        interaction = pressed.interaction
        server, plan = await self._staff_server(interaction), Plan.read(pressed.press.argument)
        say = texts()
        press = Press("form-league", 0, 0, plan.pace)
        await open_form(interaction, press, say("league.form_title"), *create_fields(say, server))

    async def _staff_server(self, interaction: AnyInteraction | discord.Interaction[Any]) -> GuildSettings:
        await require_staff(self._services.store, interaction)
        guild_id, _ = require_league_place(interaction)
        return await self._services.servers.settings(guild_id)

    async def _show(self, reply: Reply, plan: Plan, server: GuildSettings) -> None:
        await reply.show(wizard_panel(plan, server, self._services.clock.now(), texts()))
