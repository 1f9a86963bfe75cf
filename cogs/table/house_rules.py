"""The house rules that a person may choose for a table."""

from bot.interactions.error_boundary import AnyInteraction
from bot.panels.table.rules import HOUSE
from bot.people import guild_of
from data.preferences import Terms
from data.store import Store
from league.ids import PersonId


async def house_rules(store: Store, interaction: AnyInteraction) -> dict[str, Terms]:
    """Return the house rules of the server and of the person, if any, by the words of `HOUSE`."""
    server = await store.directory.guild_settings(guild_of(interaction))
    person = await store.directory.person_settings(PersonId(interaction.user.id))
    found = (server.terms if server.has_house_rules else None, person.house_rules)
    return {whose: terms for whose, terms in zip(HOUSE, found, strict=True) if terms is not None}
