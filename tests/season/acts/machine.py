"""What happens at random to the bot and its tables: it is away, its server removes it, a table cannot be shown."""

from collections.abc import Mapping

from league.ids import GuildId
from league.times import HOUR
from tests.bot.league.house import GUILD
from tests.season.acts import players
from tests.season.acts.players import Act
from tests.season.acts.stage import NothingToDoError, RandomSeason, nothing_refused

HOURS_WITHOUT = (0.05, 1, 20, 60)
"""For how many hours a server may be without the bot."""
BY_DIRECT_MESSAGE = (
    players.play,
    players.agree_on_time,
    players.answer_report,
    players.leave_table,
    players.take_free_seat,
    players.withdraw,
)
"""What players can do while the server is without the bot."""


async def lose_the_bot(season: RandomSeason) -> None:
    """Take the bot offline for a while."""
    await season.go_away(season.choose(season.kind.outages))


async def lose_the_server(season: RandomSeason) -> None:
    """Let the server remove the bot, and take it back later. Meanwhile players act by direct message."""
    guild, services = GuildId(GUILD), season.house.services
    await services.postponing.server_gone(guild)
    await services.pauses.server_gone(guild)
    for _ in range(season.choose((0, 2, 4))):
        try:
            await season.try_to(season.choose(BY_DIRECT_MESSAGE)(season))
        except NothingToDoError:
            continue
        with nothing_refused():
            await season.act_on_what_is_due()
    await season.pass_time(int(season.choose(HOURS_WITHOUT) * HOUR))
    await services.postponing.server_back(guild)


async def hide_table(season: RandomSeason) -> None:
    """Let Discord no longer show a table, as if its channel were deleted."""
    _, table, _ = await players.table_to_play(season)
    await season.house.pauses.lost(table)


async def show_table(season: RandomSeason) -> None:
    """Let Discord show a table again."""
    _, table, _ = await players.table_to_play(season)
    await season.house.pauses.shown(table)


ACTS: Mapping[Act, int] = {lose_the_bot: 2, lose_the_server: 1, hide_table: 1, show_table: 2}
"""What happens, and how often, compared with what players and staff do."""
