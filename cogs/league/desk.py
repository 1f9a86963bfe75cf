"""The organiser's desk: one private panel that leads from every open matter to the acts that resolve it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from discord import app_commands

from bot.errors import UnexpectedInputError, UserError
from bot.interactions.permissions import require_staff
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.league import ruling_events
from bot.league.agenda import played_within
from bot.league.calendar_acts import extended, paused, resumed
from bot.league.rulings import Make
from bot.league.season import SeasonView
from bot.panels.league.desk import (
    OF_PLAYERS,
    PLAYER,
    POD,
    act_fields,
    act_name,
    desk_panel,
    matter_panel,
    written_to,
)
from bot.panels.league.rulings import draw_panel
from bot.people import guild_of
from bot.ui.items import Press, chosen, chosen_one, open_form, typed
from bot.words.numbers import read_number
from bot.words.texts import texts
from cogs.league.replies import league_offers, season_of
from cogs.league.ruling_steps import LeagueActing
from data.ids import SeasonId
from league.ids import PersonId
from league.results import Player

_DIGITS: Final = 9


class LeagueDesk(LeagueActing):
    """Mixed into the group of `/league-staff`."""

    def serve_desk(self, router: Router) -> None:
        """Serve the verbs of this part."""
        router.add("desk", self._show_again)
        router.add("pick-desk", self._pick_matter)
        router.add("pick-desk-person", self._pick_person)
        router.add("desk-draw", self._ask_to_draw)
        router.add("desk-act", self._ask)
        router.add("form-desk", self._prepare_act)

    @app_commands.command(
        description="See what needs you: matches, disputes, silent players, and what comes next"
    )
    @app_commands.describe(league="Which league")
    @app_commands.autocomplete(league=league_offers)
    async def desk(self, interaction: AnyInteraction, league: str = "") -> None:
        """Show the desk."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await require_staff(self._services.store, interaction)
            season_id = await season_of(self._services, interaction, league)
            await reply.show(desk_panel(await self._services.leagues.view(season_id), texts()))

    async def _show_again(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await reply.show(desk_panel(await self._seen(pressed), texts()))

    async def _pick_matter(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            view = await self._seen(pressed)
            kind, _, number = pressed.chosen.partition("-")
            if not number.isdecimal() or len(number) > 18:
                raise UnexpectedInputError("no such matter")
            shown = matter_panel(view, kind, int(number), texts())
            await reply.show(shown or desk_panel(view, texts()))

    async def _ask_to_draw(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            view = await self._seen(pressed)
            draw = await self._services.season_admin.next_draw(pressed.season_id)
            await reply.show(draw_panel(view, draw, texts()))

    async def _pick_person(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            view = await self._seen(pressed)
            player = next((view.by_person.get(person.id, 0) for person in pressed.people), 0)
            shown = matter_panel(view, PLAYER, player, texts())
            if shown is None:
                raise UserError("league.not_a_member")
            await reply.show(shown)

    async def _ask(self, pressed: Pressed) -> None:
        """Open the form of an act: what to do, and usually the reason."""
        view, press, say = await self._seen(pressed), pressed.press, texts()
        form = Press("form-desk", press.subject, press.revision, press.argument)
        fields = act_fields(view, press.argument, press.revision, say)
        await open_form(pressed.interaction, form, act_name(press.argument, say), *fields)

    async def _prepare_act(self, pressed: Pressed) -> None:
        """Preview an act of the desk with a button to confirm it, or show the match that the form names."""
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            view = await self._seen(pressed)
            if pressed.press.argument == "match":
                number = read_number(typed(pressed.fields, "pod"), _DIGITS) or 0
                if (shown := matter_panel(view, POD, number, texts())) is None:
                    raise UserError("league.no_pod", pod=number)
                await reply.show(shown)
                return
            make = make_act(view, pressed, self._services.clock.now())
            await self._preview(
                reply, pressed.season_id, typed(pressed.fields, "reason"), make, pressed.people
            )

    async def _seen(self, pressed: Pressed) -> SeasonView:
        """Return the current season. Raises UserError unless the person is its staff."""
        await require_staff(self._services.store, pressed.interaction)
        season_id = SeasonId(pressed.press.subject)
        return await self._services.leagues.view(season_id, guild_of(pressed.interaction))


@dataclass(frozen=True, slots=True)
class _FilledForm:
    """A submitted form of the desk. `number` is that of the pod or player, 0 for acts on the whole league."""

    view: SeasonView
    pressed: Pressed
    number: int
    now: int

    def whole(self, name: str) -> int:
        """Return the whole number in a field, 0 if it is empty; raises UserError for other text."""
        said = typed(self.pressed.fields, name).strip()
        return ruling_events.read_points(said)[0] if said else 0

    def players(self, name: str) -> list[Player]:
        """Return the players chosen in a field; raises UnexpectedInputError for an invalid choice."""
        numbers = [read_number(value, _DIGITS) for value in chosen(self.pressed.fields, name)]
        return [Player(_required(number)) for number in numbers]

    @property
    def player(self) -> Player:
        """The player chosen from those of a pod; raises UnexpectedInputError for a wrong choice."""
        return _required(next(iter(self.players("player")), None))

    @property
    def people(self) -> list[PersonId]:
        """Return the people chosen in a field."""
        return [person.id for person in self.pressed.people]

    @property
    def person(self) -> PersonId:
        """Return the one person chosen; raises UserError for a bot."""
        if not self.people:
            raise UserError("league.no_bot")
        return self.people[0]


def _required(number: int | None) -> int:
    if number is None:
        raise UnexpectedInputError("no player")
    return number


def make_act(view: SeasonView, pressed: Pressed, now: int) -> Make:
    """Return the ruling of a submitted form; raises UserError.

    Raises UnexpectedInputError for an unknown act.
    """
    act, number = pressed.press.argument, pressed.press.revision
    if act not in _ACTS:
        raise UnexpectedInputError("no such act")
    if act in OF_PLAYERS and number not in view.season.members:
        raise UserError("league.not_a_member")
    return _ACTS[act](_FilledForm(view, pressed, number, now))


def _written(form: _FilledForm) -> Make:
    text, people = typed(form.pressed.fields, "text"), form.people
    one = [Player(form.number)] if form.number else []
    players = one or written_to(form.view, chosen_one(form.pressed.fields, "whom"))
    return lambda season, entries, known: ruling_events.written_to(
        season, entries, text, {*players, *(known[person] for person in people)}, form.now
    )


def _moved(player: Player, form: _FilledForm) -> Make:
    other, to = next(iter(form.people), None), form.whole("pod") or None
    return lambda season, _, known: ruling_events.moved(season, player, to, known[other] if other else None)


def _substituted(form: _FilledForm) -> Make:
    pod, player, person = form.number, form.player, form.person
    return lambda season, _, known: ruling_events.substituted(season, pod, player, known[person])


def _substituted_player(form: _FilledForm) -> Make:
    player, person = Player(form.number), form.person
    return lambda season, _, known: ruling_events.substituted(
        season, ruling_events.substituted_pod(season, player).id, player, known[person]
    )


def _entered(form: _FilledForm) -> Make:
    pod, deals, missing = form.number, typed(form.pressed.fields, "deals"), form.players("missing")
    return lambda season, _, __: ruling_events.entered(season, pod, deals, missing)


def _ruled(form: _FilledForm) -> Make:
    pod, missing = form.number, form.players("missing")
    return lambda season, _, __: ruling_events.ruled(season, pod, missing)


def _reopened(form: _FilledForm) -> Make:
    pod, now = form.number, form.now
    return lambda season, _, __: ruling_events.reopened(season, pod, now + played_within(season))


def _booked(form: _FilledForm) -> Make:
    player, points, conduct = Player(form.number), form.whole("points"), form.whole("conduct")
    return lambda season, _, __: ruling_events.booked(season, player, points, conduct)


def _seeded(form: _FilledForm) -> Make:
    player, place = Player(form.number), form.whole("seed")
    return lambda season, _, __: ruling_events.seeded(season, player, place)


def _added_person(form: _FilledForm) -> Make:
    person = form.person
    return lambda season, _, known: ruling_events.added(season, known[person])


_ACTS: Mapping[str, Callable[[_FilledForm], Make]] = {
    "pause": lambda _: lambda season, _, __: paused(season),
    "resume": lambda _: lambda season, _, __: resumed(season),
    "extend": lambda form: lambda season, _, __: extended(form.view.row, season),
    "redraw": lambda _: lambda season, _, __: ruling_events.redrawn(season),
    "write-some": _written,
    "add-somebody": _added_person,
    "accept": lambda form: lambda season, _, __: ruling_events.accepted(season, form.number),
    "reopen": _reopened,
    "rule": _ruled,
    "enter": _entered,
    "substitute": _substituted,
    "move": lambda form: _moved(form.player, form),
    "substitute-player": _substituted_player,
    "move-player": lambda form: _moved(Player(form.number), form),
    "points": _booked,
    "seed": _seeded,
    "withdraw": lambda form: lambda season, _, __: ruling_events.withdrawn(season, Player(form.number)),
    "ban": lambda form: lambda season, _, __: ruling_events.banned(season, Player(form.number)),
    "add": lambda form: lambda season, _, __: ruling_events.added(season, Player(form.number)),
    "write": _written,
}
