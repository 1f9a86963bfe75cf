"""`/league-staff season open`: a league from a template, showing its whole calendar before it opens."""

from dataclasses import replace
from typing import Any

import discord

from bot.errors import UserError
from bot.interactions.permissions import (
    require_league_place,
    require_manager,
    require_own_role,
    require_staff,
)
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.moments import read_moment
from bot.panels.league.wizard import (
    LONGEST_NAME,
    LeaguePlan,
    Own,
    Said,
    name_fields,
    number_fields,
    wizard_panel,
)
from bot.services import Services
from bot.ui.items import Press, chosen_one, open_form, typed
from bot.words.names import shown_name
from bot.words.numbers import read_id, read_number
from bot.words.texts import catalogue, texts
from cogs.league.replies import LeagueOffers, create_fields
from cogs.league.staff import season_commands
from data.ids import InteractionId
from data.names import clean_name
from data.preferences import GuildSettings
from league.numbers import LONGEST_DESCRIPTION
from league.templates import TEMPLATES
from league.times import MINUTE, timezone_named


class LeagueWizard(LeagueOffers):
    """Mixed into the group of `/league-staff`. Non-staff are refused at run time."""

    _services: Services

    def serve_wizard(self, router: Router) -> None:
        """Serve the verbs of this part."""
        for verb in ("pick-plan", "pick-plan-clock", "pick-plan-rules"):
            router.add(verb, self._choose_plan)
        router.add("league-open", self._open_plan)
        router.add("league-own-form", self._own_form)
        router.add("league-plan", self._ask_numbers)
        router.add("form-plan", self._set_numbers)
        router.add("league-name", self._ask_name)
        router.add("form-plan-open", self._open_plan)

    @season_commands.command(
        name="open", description="Open a league from a template, after a look at its calendar"
    )
    async def set_up(self, interaction: AnyInteraction) -> None:
        """Show the templates."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            server = await self._staff_server(interaction)
            await self._show(reply, LeaguePlan.new(next(iter(TEMPLATES.values())), server), server)

    async def _choose_plan(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            server = await self._staff_server(pressed.interaction)
            plan = LeaguePlan.of(pressed.press).with_choice(pressed.press.verb, pressed.chosen, server)
            await self._show(reply, plan, server)

    async def _open_plan(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            server = await self._staff_server(pressed.interaction)
            guild_id, channel_id = require_league_place(pressed.interaction)
            now, plan = self._services.clock.now(), LeaguePlan.of(pressed.press)
            said, server = await self._said(pressed, server)
            founding = plan.founding(server, now, catalogue(server.language), said)
            await self._services.leagues.create(
                guild_id, channel_id, pressed.person, founding, InteractionId(pressed.interaction.id)
            )
            await reply.tell(texts()("wizard.opened", league=shown_name(founding.name)))

    async def _said(self, pressed: Pressed, server: GuildSettings) -> tuple[Said, GuildSettings]:
        """Read the league's details from a form; raises UserError.

        A staff role named in it becomes the server's staff role.
        """
        fields = pressed.fields
        name = clean_name(typed(fields, "name"), "", LONGEST_NAME)
        if fields and not name:
            raise UserError("league.bad_name")
        role, staff = (read_id(chosen_one(fields, field)) for field in ("role", "staff"))
        for chosen in (role, staff):
            if chosen is not None:
                require_own_role(pressed.interaction.guild, chosen)
        if fields and staff is not None and staff != server.staff_role_id:
            guild_id = require_manager(pressed.interaction)
            server = await self._services.servers.change(guild_id, pressed.person, staff_role_id=staff)
        description = typed(fields, "description").strip()[:LONGEST_DESCRIPTION]
        teams = read_number(chosen_one(fields, "teams"), 1) or 0
        return Said(name, description, role or 0, teams), server

    async def _ask_numbers(self, pressed: Pressed) -> None:
        server, plan, say = (
            await self._staff_server(pressed.interaction),
            LeaguePlan.of(pressed.press),
            texts(),
        )
        fields = number_fields(plan, server, say)
        await open_form(pressed.interaction, plan.press("form-plan"), say("wizard.numbers"), *fields)

    async def _set_numbers(self, pressed: Pressed) -> None:
        """Show the calendar again with the submitted numbers."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            server, plan = await self._staff_server(pressed.interaction), LeaguePlan.of(pressed.press)
            own = _own(pressed, self._services.clock.now())
            await self._show(reply, replace(plan, own=own), server)

    async def _ask_name(self, pressed: Pressed) -> None:
        server, plan, say = (
            await self._staff_server(pressed.interaction),
            LeaguePlan.of(pressed.press),
            texts(),
        )
        fields = name_fields(plan, server, say)
        await open_form(pressed.interaction, plan.press("form-plan-open"), say("wizard.name"), *fields)

    async def _own_form(self, pressed: Pressed) -> None:
        interaction = pressed.interaction
        server, plan = await self._staff_server(interaction), LeaguePlan.of(pressed.press)
        say = texts()
        press = Press("form-league", 0, 0, plan.pace)
        await open_form(interaction, press, say("league.form_title"), *create_fields(say, server))

    async def _staff_server(self, interaction: AnyInteraction | discord.Interaction[Any]) -> GuildSettings:
        await require_staff(self._services.store, interaction)
        guild_id, _ = require_league_place(interaction)
        return await self._services.servers.settings(guild_id)

    async def _show(self, reply: Reply, plan: LeaguePlan, server: GuildSettings) -> None:
        await reply.show(wizard_panel(plan, server, self._services.clock.now(), texts()))


def _own(pressed: Pressed, now: int) -> Own:
    """Read the submitted numbers; raises UserError."""
    fields = pressed.fields
    zone = timezone_named(typed(fields, "timezone"))
    numbers = [
        read_number(typed(fields, "rounds").strip(), 2),
        read_number(chosen_one(fields, "size"), 1),
        read_number(typed(fields, "most").strip(), 3),
    ]
    if zone is None:
        raise UserError("daily.no_timezone")
    if None in numbers:
        raise UserError("wizard.bad_numbers")
    start = typed(fields, "start").strip()
    starts_at = -(-read_moment(start, now, zone) // MINUTE) if start else 0
    rounds, size, most = (number or 0 for number in numbers)
    return Own(starts_at, rounds, size, most, zone)
