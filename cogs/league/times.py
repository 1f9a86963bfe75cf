"""Agreeing on a time for a match: a player proposes it, the others agree. A time that is typed is shown as the bot reads it."""

from discord import app_commands

from bot.errors import UserError
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league.agenda import latest_time
from bot.league.moments import read_moment
from bot.people import NamedPerson
from bot.services import Services
from bot.words.numbers import date_words
from bot.words.texts import texts
from cogs.league.replies import LeagueOffers, league_offers, season_of
from data.ids import InteractionId
from league.times import SECOND

_LONGEST = 100
"""Discord's length limit for a choice."""


def offered_reading(typed: str, now: int, timezone: str) -> list[app_commands.Choice[str]]:
    """Return the typed time as weekday, date and time; unchanged if it cannot be read."""
    try:
        return [offered_moment(read_moment(typed, now, timezone), timezone)]
    except UserError:  # reported when the command is sent
        return as_typed(typed)


def as_typed(typed: str) -> list[app_commands.Choice[str]]:
    """Return the typed text as a choice, so that Discord sends it unchanged."""
    return [app_commands.Choice(name=typed, value=typed)] if typed.strip() and len(typed) <= _LONGEST else []


def offered_moment(at: int, timezone: str) -> app_commands.Choice[str]:
    """Return a moment as a choice, in local time of that time zone."""
    return app_commands.Choice(name=f"{date_words(at, timezone)} ({timezone})", value=f"<t:{at // SECOND}:f>")


_OFFERED = 5


class LeagueTimes(LeagueOffers):
    """Mixed into the group of `/league`."""

    _services: Services

    def serve_times(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("league-agree", self._agree)

    @app_commands.command(description="Propose a time for your match to the others of your pod")
    @app_commands.describe(
        when="Such as tomorrow 8pm, friday 18:30, in 2h; in your time zone, otherwise the league's",
        league="Which league; otherwise yours, or this channel's",
    )
    @app_commands.autocomplete(league=league_offers)
    @app_commands.guild_only()
    async def propose(
        self, interaction: AnyInteraction, when: app_commands.Range[str, 1, 60], league: str = ""
    ) -> None:
        """Propose a time."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            season_id = await season_of(self._services, interaction, league, playing=True)
            say, view = texts(), await self._services.leagues.view(season_id)
            person = NamedPerson.of(interaction.user)
            own = (await self._services.personal.settings(person.id)).timezone
            zone = own or view.season.settings.timezone
            at = read_moment(when, view.now, zone)
            pod_id = await self._services.meetings.propose(
                season_id, person, at, InteractionId(interaction.id)
            )
            late = [
                player for player in view.season.pods[pod_id].expected if not view.hours_of(player).suit(at)
            ]
            said = say("league.proposed", at=at, date=date_words(at, zone), timezone=zone)
            if late:
                said += "\n" + say("league.outside_hours", names=view.names(late))
            await reply.tell(said)

    @propose.autocomplete("when")
    async def _offer(self, interaction: AnyInteraction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest the typed time as the bot reads it, then moments that suit the whole pod.

        Moments are in the time zone of the person who asks.
        """
        try:
            season_id = await season_of(
                self._services, interaction, interaction.namespace.league or "", playing=True
            )
        except UserError:  # there is no such league
            return as_typed(typed)
        view = await self._services.leagues.view(season_id)
        own = (await self._services.personal.settings(NamedPerson.of(interaction.user).id)).timezone
        zone = own or view.season.settings.timezone
        offered = offered_reading(typed, view.now, zone)
        player = view.by_person.get(interaction.user.id)
        pod = None if player is None else view.waiting_pod(player)
        if pod is None:
            return offered
        times = view.common_times(pod, latest_time(view.row, view.season, pod), _OFFERED)
        return offered + [offered_moment(at, zone) for at in times]

    async def _agree(self, pressed: Pressed) -> None:
        press = pressed.press
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            said = await self._services.meetings.agree(
                pressed.season_id,
                press.revision,
                press.id_argument,
                pressed.person,
                pressed.interaction_id,
            )
            await reply.tell(texts()(said))
