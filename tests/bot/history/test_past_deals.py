"""A search of finished deals tells nothing but the deals that it finds."""

import pytest

from bot.history.past_deals import Asked, DealSearch
from data.repositories.deal_search import Sight
from data.store import Store
from league.ids import GuildId
from tests.bot.conftest import GUILD, RAM, SITA, SetClock


@pytest.mark.parametrize("guild_id", [GuildId(GUILD), None])
async def test_a_search_for_a_persons_deals_does_not_tell_whether_the_bot_knows_them(
    store: Store, clock: SetClock, guild_id: GuildId | None
):
    """They may use it in other servers only."""
    await store.write(lambda db: db.people.keep(SITA, "Sita", clock.now()))
    known, unknown = [
        (await DealSearch(store, clock).page(Sight(RAM, guild_id), Asked(with_id=person), 0)).filters
        for person in (SITA, SITA + 1)
    ]
    assert known == [words.replace(str(SITA + 1), str(SITA)) for words in unknown]
