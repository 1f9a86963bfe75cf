"""What a league's staff may do to its season: start it early, set its numbers, move it, close it."""

from bot.errors import UserError
from bot.league.agenda import first_draw, opens_at
from bot.league.leagues import Leagues, open_with
from bot.league.number_settings import CLOCK, changed, read_clock
from bot.league.rounds import close_season
from bot.league.season_transaction import SeasonTransaction
from bot.people import Person
from data.ids import ChannelId, InteractionId, SeasonId
from data.outbox_keys import ClosedMessageKey, Subject, TableMessageKey
from data.season_posts import RoundPost, SignupPost
from league.events import CheckedIn, Confirmed
from league.season import Season
from league.settings import SeasonSettings

_SET_THE_START = ("signup_days", "rest_weeks")


class SeasonAdmin:
    """The caller checks that the person is staff."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def start(self, season_id: SeasonId, interaction_id: InteractionId) -> None:
        """Draw the first round now; raises UserError if there are too few players.

        The draw is among confirmed players, or before confirmation has opened, among all who have signed up.
        """
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            season = season_tx.season
            if not season.settings.format.has_draw:
                raise UserError("league.no_draw")
            if season.drawn:
                raise UserError("league.started_already")
            early = season_tx.now < opens_at(season_tx.row, season, 1)
            waiting = season.waiting() if early else ()
            least, there = (
                season.settings.format.least_to_start(season.settings),
                _confirmed(season) + len(waiting),
            )
            if there < least:
                raise UserError("league.too_few", least=least, there=there)
            for member in waiting:
                await season_tx.add(Confirmed(member.player), CheckedIn(member.player, 1))
            await season_tx.change(starts_at=season_tx.now, acted_until=season_tx.now - 1)
            await season_tx.look_again()

    async def set_number(
        self, season_id: SeasonId, staff: Person, name: str, typed: str, interaction_id: InteractionId
    ) -> None:
        """Change one number of the season, or its clock; raises UserError once its first round is drawn."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            if season_tx.season.drawn:
                raise UserError("league.fixed")
            if name == CLOCK:
                await season_tx.change(pace=read_clock(typed))
                await season_tx.request_post(SignupPost())
                return
            settings = changed(season_tx.season.settings, name, typed)
            await season_tx.db.people.keep(staff.id, staff.name, season_tx.now)
            await open_with(season_tx, settings, await season_tx.db.seasons.keep_player(staff.id))
            if name in _SET_THE_START:
                await season_tx.change(starts_at=max(season_tx.now, await _first_draw(season_tx, settings)))
            await season_tx.request_post(SignupPost())
            await season_tx.look_again()

    async def set_place(
        self, season_id: SeasonId, channel_id: ChannelId, interaction_id: InteractionId
    ) -> None:
        """Move the season to another channel; matches in play stay where they are."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            await season_tx.change(channel_id=channel_id)
            await _take_along(season_tx, channel_id)
            await season_tx.request_post(SignupPost())
            await season_tx.db.outbox.hasten_all(Subject.SEASON, season_id, season_tx.now)

    async def close(
        self, season_id: SeasonId, staff: Person, reason: str, interaction_id: InteractionId
    ) -> None:
        """Close the season with the table as it stands."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            await season_tx.db.people.keep(staff.id, staff.name, season_tx.now)
            player = await season_tx.db.seasons.keep_player(staff.id)
            await close_season(season_tx, actor=player, reason=reason)


async def _take_along(season_tx: SeasonTransaction, channel_id: ChannelId) -> None:
    """Post the tables that have not begun in the new channel: the old one may be gone."""
    db = season_tx.db
    pod_tables = await db.seasons.pod_tables(season_tx.row.id)
    tables = await db.tables.get_many(pod_tables.values())
    for pod, table_id in pod_tables.items():
        table = tables[table_id]
        if table.status == "lobby":
            if table.message_id is not None:
                old = ClosedMessageKey(table.id, table.place_id, table.message_id)
                await db.outbox.put(old, table.revision, season_tx.now)
            await db.tables.set_message(table_id, channel_id, None)
            await db.outbox.put(TableMessageKey(table_id), table.revision, season_tx.now)
            await season_tx.request_post(RoundPost(season_tx.season.pods[pod].round))


async def _first_draw(season_tx: SeasonTransaction, settings: SeasonSettings) -> int:
    row = season_tx.row
    former = None if row.former is None else await season_tx.db.seasons.get(row.former)
    return first_draw(row.created_at, settings, former and former.closed_at)


def _confirmed(season: Season) -> int:
    return sum(member.plays for member in season.members.values())
