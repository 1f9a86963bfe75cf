"""What players of a ladder do at random: they play matches at ordinary tables, in any company, and leave some of them."""

from collections.abc import Mapping

from bot.people import NamedPerson
from bot.table.lobby import Wishes
from data.preferences import Pace
from marriage.rules import PRESETS
from tests.bot.league.house import CHANNEL, GUILD
from tests.season.acts.players import Act, play_deal
from tests.season.acts.stage import PEOPLE, NothingToDoError, RandomSeason

DEALS = (0, 1, 2, 3, 20)
"""How many deals are played in a row; the last number is more than any match has."""


async def play_freely(season: RandomSeason) -> None:
    """Open an ordinary table, and play some deals of its match."""
    house, people = season.house, season.random.sample(PEOPLE, season.choose((2, 3, 4)))
    host, *guests = [NamedPerson(person, f"P{person}") for person in people]
    wishes = Wishes(rules=PRESETS["pagat"], deals=season.choose((2, 4, 6)), pace=Pace.NONE)
    table = await house.lobby.open(GUILD, CHANNEL, host, season.next_id(), wishes=wishes)
    for guest in guests:
        await season.try_to(house.lobby.join(table, guest, season.next_id()))
    await house.play.start(table, host.id, season.next_id())
    season.ordinary.append(table)
    await _play(season, table)


async def go_on(season: RandomSeason) -> None:
    """Play more deals at an ordinary table."""
    if not await _play(season, season.choose(season.ordinary)):
        raise NothingToDoError


async def leave_ordinary_table(season: RandomSeason) -> None:
    """Leave an ordinary table, also in the midst of a match."""
    table = season.choose(season.ordinary)
    persons = [seat.person_id for seat in (await season.house.tables.get(table)).seats if seat.person_id]
    await season.house.leaving.leave(table, season.choose(persons), season.next_id())


async def _play(season: RandomSeason, table: int) -> bool:
    """Play some deals; returns False if none can be played."""
    for played in range(season.choose(DEALS)):
        if not await play_deal(season, table):
            return played > 0
    return True


ACTS: Mapping[Act, int] = {play_freely: 25, go_on: 8, leave_ordinary_table: 2}
"""What they do, and how often, compared with what all players and the staff do."""
