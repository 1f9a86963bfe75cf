"""Autocomplete of a person's own cards."""

from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot.errors import UserError
from bot.interactions.places import my_table
from bot.services import Services
from bot.ui.items import MOST_OPTIONS
from bot.words.card_names import card_name, cards_name
from bot.words.texts import texts
from league.ids import PersonId
from marriage.cards import Cards
from marriage.legal import discards, tunnelas
from marriage.view import View

Offers = list[app_commands.Choice[str]]


async def card_offers(services: Services, interaction: discord.Interaction[Any], typed: str) -> Offers:
    """The cards that the person may discard, filtered by what they have typed."""
    cards = await _cards(services, interaction, discards)
    return _matching({str(card): card_name(card, texts()) for card in cards}, typed)


async def face_offers(services: Services, interaction: discord.Interaction[Any], typed: str) -> Offers:
    """The tunnelas that the person may expose."""
    faces = await _cards(services, interaction, tunnelas)
    return _matching({str(face): cards_name((face,) * 3, texts()) for face in faces}, typed)


async def _cards(
    services: Services, interaction: discord.Interaction[Any], choose: Callable[[View], Cards]
) -> Cards:
    """The cards chosen from the person's view; none for people without a hand, because autocomplete cannot answer otherwise."""
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
