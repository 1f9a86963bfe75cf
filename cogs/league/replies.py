"""Answers about leagues: finding the one that is meant, the form that opens one, and a page of standings."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

import discord
from discord import app_commands, ui
from discord.ext import commands
from pydantic import ValidationError

from bot.errors import UnexpectedInputError, UserError
from bot.history.exports import seen_shares
from bot.interactions.permissions import parent_of, require_guild
from bot.interactions.receiver import Tree
from bot.interactions.reply import AnyInteraction, Kind, QuestionError, Reply
from bot.league.eligibility import Applicant
from bot.league.leagues import Asker, Founding
from bot.panels.league.lists import which_panel
from bot.panels.league.standings import ROWS, last_page, standings_panel
from bot.panels.league.wizard import HOUSE_RULES, LONGEST_NAME
from bot.panels.table.rules import rules_short
from bot.people import NamedPerson, guild_of
from bot.services import Services
from bot.ui.items import MOST_OPTIONS, Fields, Press, chosen_one, field, preset_options, typed
from bot.words.numbers import read_number
from bot.words.texts import Texts, texts
from data.ids import SeasonId
from data.names import clean_name
from data.preferences import GuildSettings, Pace
from data.season_rows import SeasonRow
from league.formats import DEFAULT_FORMAT, FORMATS
from league.ids import GuildId, PersonId
from league.settings import default_settings
from league.times import milliseconds
from marriage.rules import PRESETS

_NUMBERS = ("rounds", "round_days", "signup_days")
_ROTATIONS = (1, 2, 3, 4)


class LeagueOffers(commands.Cog):
    """A cog with commands that name a league."""

    _services: Services

    async def offer_leagues(self, interaction: AnyInteraction, typed: str) -> list[app_commands.Choice[str]]:
        """Complete a typed name with this server's leagues, open ones first."""
        rows = await self._services.leagues.seasons(guild_of(interaction) or GuildId(0))
        wanted = typed.casefold()
        return [
            app_commands.Choice(name=f"{row.name} · {row.number}"[:100], value=str(row.id))
            for row in rows
            if wanted in row.name.casefold() or wanted == str(row.id)
        ][:MOST_OPTIONS]


league_offers = LeagueOffers.offer_leagues


async def season_of(
    services: Services, interaction: AnyInteraction, wanted: str, *, playing: bool = False
) -> SeasonId:
    """Return the id of the season that a command means; raises UserError if there is none.

    It is found by name, else by channel, or, if a player asks, by who plays in it. Raises QuestionError with
    a menu if there is more than one.
    """
    guild_id, _ = require_guild(interaction)
    if wanted:
        return (await services.leagues.find(guild_id, wanted)).id
    return _the_one(interaction, await services.leagues.meant(guild_id, _asker(interaction), playing=playing))


async def last_season_of(services: Services, interaction: AnyInteraction, wanted: str) -> SeasonId:
    """Return the id of the season before the next one; raises the same errors as `season_of`."""
    guild_id, _ = require_guild(interaction)
    if wanted:
        return (await services.leagues.find_last(guild_id, wanted)).id
    return _the_one(interaction, await services.leagues.over(guild_id, _asker(interaction)))


def _asker(interaction: AnyInteraction) -> Asker:
    _, channel_id = require_guild(interaction)
    return Asker(PersonId(interaction.user.id), channel_id, parent_of(interaction))


def _the_one(interaction: AnyInteraction, rows: Sequence[SeasonRow]) -> SeasonId:
    if len(rows) == 1:
        return rows[0].id
    if interaction.type is discord.InteractionType.application_command:
        kept = cast("Tree", interaction.client.tree).kept
        kept.keep(interaction.user.id, interaction.id, interaction.data)
    raise QuestionError(which_panel(rows, interaction.id, texts()))


async def entrant_of(interaction: AnyInteraction, guild_id: GuildId) -> Applicant:
    """Return the person, with when their account was created.

    Also return when they joined the league's server, and their roles there. A direct message lacks these two,
    so they are fetched from Discord. Raises UserError if the person has left the server.
    """
    user = interaction.user
    since = milliseconds(user.created_at)
    if isinstance(user, discord.Member):
        joined, roles = user.joined_at, frozenset(role.id for role in user.roles)
    else:
        try:
            member = await interaction.client.http.get_member(guild_id, user.id)
        except discord.NotFound:
            raise UserError("league.not_in_server") from None
        told = member["joined_at"]
        joined = datetime.fromisoformat(told) if told else None
        roles = frozenset({guild_id, *map(int, member["roles"])})
    return Applicant(NamedPerson.of(user), since, milliseconds(joined) if joined else since, roles)


def create_fields(texts: Texts, server: GuildSettings | None = None) -> list[ui.Label[Any]]:
    """Return the five fields of the form that opens a league; other numbers keep the format's defaults."""
    formats = [
        discord.SelectOption(
            label=texts(f"league.format_{name}"),
            description=texts(f"league.format_{name}_hint"),
            value=name,
            default=name == DEFAULT_FORMAT.name,
        )
        for name in FORMATS
    ]
    presets = preset_options("pagat", texts)
    if server is not None and server.has_house_rules:
        rules = rules_short(server.terms.rules, texts)
        label = texts("league.house_rules", rules=rules)
        presets = [
            discord.SelectOption(label=label[:100], value=HOUSE_RULES, default=True),
            *preset_options(None, texts),
        ]
    lengths = [
        discord.SelectOption(
            label=texts("league.form_length", deals=4 * rotation, three=3 * rotation),
            value=str(rotation),
            default=rotation == 3,
        )
        for rotation in _ROTATIONS
    ]
    return [
        field(
            texts("league.form_name"),
            ui.TextInput(custom_id="name", max_length=LONGEST_NAME),
            texts("league.form_name_hint"),
        ),
        field(texts("league.form_format"), ui.Select(custom_id="format", options=formats)),
        field(texts("league.form_rules"), ui.Select(custom_id="rules", options=presets)),
        field(texts("league.form_match"), ui.Select(custom_id="rotations", options=lengths)),
        field(
            texts("league.form_numbers"),
            ui.TextInput(custom_id="numbers", max_length=12, required=False, placeholder="7, 7, 10"),
            texts("league.form_numbers_hint"),
        ),
    ]


def read_pace(argument: str) -> Pace:
    """Return the clock chosen with the command that opened the form; raises UnexpectedInputError."""
    if argument not in set(Pace):
        raise UnexpectedInputError("no such pace")
    return Pace(argument)


def read_create(fields: Fields, server: GuildSettings, pace: Pace) -> Founding:
    """Return the league of a submitted form; raises UserError. The house rules are those of the server."""
    name = clean_name(typed(fields, "name"), "", LONGEST_NAME)
    chosen, rotations = chosen_one(fields, "rules"), chosen_one(fields, "rotations")
    rules = server.rules if chosen == HOUSE_RULES else PRESETS.get(chosen)
    wanted = chosen_one(fields, "format")
    if not name:
        raise UserError("league.bad_name")
    if wanted not in FORMATS or rules is None or rotations not in map(str, _ROTATIONS):
        raise UnexpectedInputError("no such format")
    numbers = typed(fields, "numbers").replace(",", " ").split()
    if len(numbers) > len(_NUMBERS) or not all(number.isdecimal() and len(number) < 4 for number in numbers):
        raise UserError("league.bad_numbers")
    options = {key: int(number) for key, number in zip(_NUMBERS, numbers, strict=False)}
    try:
        settings = default_settings(wanted).with_options(
            rotations=int(rotations), timezone=server.timezone, **options
        )
    except ValidationError:
        raise UserError("league.bad_numbers") from None
    return Founding(name, settings, rules, pace)


async def answer_standings(services: Services, interaction: AnyInteraction, press: Press, kind: Kind) -> None:
    """Show the requested page and division; by default the viewer's division."""
    async with Reply(interaction, kind) as reply:
        guild_id, _ = require_guild(interaction)
        view = await services.leagues.view(SeasonId(press.subject), guild_id)
        viewer = view.by_person.get(interaction.user.id)
        member = view.member(PersonId(interaction.user.id))
        page, division = press.revision, read_number(press.argument, 9)
        if press.verb == "league-division":
            page, division = 0, press.revision
        if division not in view.divisions:
            is_placed = member is not None and member.division in view.divisions
            division = member.division if member and is_placed else view.divisions[0]
        if press.verb == "league-around" and viewer is not None:
            page = (view.standings(division).index_of(viewer) or 0) // ROWS
        shown = view.standings(division)
        page = min(page, last_page(shown))
        seen_by = None if kind is Kind.PUBLIC else PersonId(interaction.user.id)
        style = await services.personal.style(seen_by)
        draw = services.pictures.standings
        picture = (
            await draw(NamedPerson.of(interaction.user).id, shown, page, ROWS, viewer, style)
            if style
            else None
        )
        seen = await services.store.read(seen_shares, view.row.id, view.season)
        await reply.show(standings_panel(view, page, division, viewer, texts(), picture, seen))
