"""What those who look after a league may do to its season: start it early, set its numbers, close it."""

from bot.errors import Sorry
from bot.league.agenda import first_draw, opens_at
from bot.league.leagues import Leagues, open_with
from bot.league.number_settings import changed
from bot.league.rounds import close_season
from bot.league.season_transaction import Chronicle
from bot.people import Person
from bot.table.outbox_requests import leave_message
from bot.table.repository import table_key
from league.drawing import least_to_start
from league.events import CheckedIn, Confirmed
from league.season import Season
from league.settings import SeasonSettings

_SET_THE_START = ("signup_days", "rest_weeks")


class Stewards:
    """That the person may is for the caller to know."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def start(self, season_id: int, interaction_id: int) -> None:
        """Draw the first round now; raises Sorry where there are too few.

        Among those who are confirmed, and before anybody could be among all who have signed up.
        """
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            season = chronicle.season
            if season.settings.format == "ladder":
                raise Sorry("league.no_draw")
            if season.drawn:
                raise Sorry("league.started_already")
            early = chronicle.now < opens_at(chronicle.row, season.settings, 1)
            waiting = season.waiting() if early else ()
            least, there = least_to_start(season), _confirmed(season) + len(waiting)
            if there < least:
                raise Sorry("league.too_few", least=least, there=there)
            for own in waiting:
                await chronicle.add(Confirmed(own.player), CheckedIn(own.player, 1))
            await chronicle.change(starts_at=chronicle.now, acted_until=chronicle.now - 1)
            await chronicle.look_again()

    async def set_number(
        self, season_id: int, staff: Person, name: str, typed: str, interaction_id: int
    ) -> SeasonSettings:
        """Change one number of the season; raises Sorry once its first round is drawn."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            if chronicle.season.drawn:
                raise Sorry("league.fixed")
            settings = changed(chronicle.season.settings, name, typed)
            await chronicle.writer.keep_person(staff.id, staff.name, chronicle.now)
            await open_with(chronicle, settings, await chronicle.writer.keep_player(staff.id))
            if name in _SET_THE_START:
                await chronicle.change(starts_at=max(chronicle.now, await _first_draw(chronicle, settings)))
            await chronicle.tell("signup")
            await chronicle.look_again()
            return settings

    async def set_place(self, season_id: int, channel_id: int, interaction_id: int) -> None:
        """Announce everything in another channel from now on; matches that are being played stay where they are."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            await chronicle.change(channel_id=channel_id)
            await _take_along(chronicle, channel_id)
            await chronicle.tell("signup")
            await chronicle.writer.hasten_posts(season_id, chronicle.now)

    async def close(self, season_id: int, staff: Person, reason: str, interaction_id: int) -> None:
        """End the season with the table as it stands."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            await chronicle.writer.keep_person(staff.id, staff.name, chronicle.now)
            player = await chronicle.writer.keep_player(staff.id)
            await close_season(chronicle, actor=player, reason=reason)


async def _take_along(chronicle: Chronicle, channel_id: int) -> None:
    """Post the tables anew whose match has not begun: where they stood may be gone."""
    writer = chronicle.writer
    own = await writer.pod_tables(chronicle.row.id)
    tables = await writer.tables(own.values())
    for pod, table_id in own.items():
        if tables[table_id].status == "lobby":
            await leave_message(writer, tables[table_id], chronicle.now)
            await writer.set_message(table_id, channel_id, None)
            await writer.put_outbox(
                table_id, "table", table_key(table_id), tables[table_id].revision, chronicle.now
            )
            await chronicle.tell(f"round:{chronicle.season.pods[pod].round}")


async def _first_draw(chronicle: Chronicle, settings: SeasonSettings) -> int:
    row = chronicle.row
    former = None if row.former is None else await chronicle.writer.season(row.former)
    return first_draw(row.created_at, settings, former and former.closed_at)


def _confirmed(season: Season) -> int:
    return sum(own.plays for own in season.members.values())
