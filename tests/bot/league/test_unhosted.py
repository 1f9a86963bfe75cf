"""The messages at league tables, which have no host and where a match is played once."""

import pytest

from bot.errors import UserError
from bot.panels.table.lobby import tables_panel
from bot.panels.table.match import go_on_buttons, go_on_from_hand
from bot.people import NamedPerson
from bot.table.hosting import Actor
from bot.words.texts import texts
from render.words import speaking
from tests.bot.league.house import LeagueHouse
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_presses import PEOPLE, STRANGER, drawn

LANGUAGES = ("en", "ne", "hi")


async def league_table(house: LeagueHouse) -> tuple[int, list[int]]:
    """Return a table of the first round and the players drawn for it."""
    seen = await house.view(await drawn(house))
    [pod] = seen.pods_of(1)
    return seen.tables[pod.id].id, [seen.people[player].id for player in pod.players]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_nobody_is_sent_to_a_host(house: LeagueHouse, language: str):
    table, persons = await league_table(house)
    with pytest.raises(UserError) as refused:
        await house.lobby.join(table, STRANGER, next(house.ids))
    with pytest.raises(UserError) as fixed:
        await house.services.hosting.governed(table, Actor(NamedPerson(persons[0], "P")))
    assert (refused.value.key, fixed.value.key) == ("league.players_stay", "league.locked")
    with speaking(language):
        said = [texts()(error.value.key, **error.value.values) for error in (refused, fixed)]
        snapshot = await house.tables.snapshot(table)
        said.append(words(tables_panel([snapshot], 1, STRANGER.id, texts())))
        assert texts()("tables.league") in said[-1]
    assert not [line for line in said if "–" in line]


async def test_a_table_that_somebody_hosts_names_them(house: LeagueHouse):
    await house.store.write(lambda db: db.guilds.keep(1))
    table = await house.lobby.open(1, 2, NamedPerson(21, "Asha"), next(house.ids))
    snapshot = await house.tables.snapshot(table)
    assert "host Asha" in words(tables_panel([snapshot], 1, STRANGER.id, texts()))


async def test_after_a_match_no_rematch_is_offered(house: LeagueHouse):
    table, persons = await league_table(house)
    assert sorted(persons) == sorted(PEOPLE)
    await house.sit_down(table, persons)
    await house.play_deals(table, persons)
    snapshot = await house.tables.snapshot(table)
    assert go_on_buttons(snapshot, texts()) == go_on_from_hand(snapshot, 0, texts()) == []
    with pytest.raises(UserError) as refused:
        await house.play.next_deal(table, persons[0], next(house.ids))
    assert refused.value.key == "league.no_rematch"
