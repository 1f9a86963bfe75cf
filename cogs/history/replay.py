"""A finished deal again: its replay, step by step or as an animation, and how a person played it.

Both have a command, `/marriage replay` and `/analyse`, and a button of the score sheet.
"""

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.cooperative import cooperatively
from bot.errors import UnexpectedInputError, UserError
from bot.history.past_deals import sight_of
from bot.history.replays import (
    ALL,
    Analysed,
    Eyes,
    PlaceInReplay,
    Replay,
    Scene,
    read_eyes,
    shared_once,
    step_caption,
)
from bot.interactions.choices import read_card
from bot.interactions.permissions import is_staff, may_write, my_table, parent_of
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.history.analysis import (
    analysis_panel,
    decisions_panel,
    lost_throw_panel,
    no_throw_panel,
    progress_panel,
    thrown_cards,
    view_at,
)
from bot.panels.history.replay import animated_panel, replay_panel, seen_by
from bot.people import NamedPerson, channel_of, guild_of
from bot.services import Services
from bot.table.core.snapshot import Holder
from bot.words.names import person_name
from bot.words.numbers import read_number
from bot.words.texts import texts
from data.ids import ChannelId
from league.ids import GuildId, PersonId, TableId
from marriage.cards import Card
from marriage.strategy.advice import Missing
from render.picture import Picture
from render.replay_animation import Animation, Frame
from render.words import speaking


async def find_replay(
    services: Services, interaction: AnyInteraction, table_id: TableId, deal_no: int | None
) -> Replay:
    """Return the deal that a person asks for; raises UserError if they may not see it."""
    sight = sight_of(interaction)
    if (
        sight.guild_id is not None
        and deal_no is not None
        and await is_staff(services.store, interaction)
        and await services.deal_reports.is_reported(sight.guild_id, table_id, deal_no)
    ):
        sight = replace(sight, reported=(table_id, deal_no))
    return await services.replays.load(table_id, deal_no, sight)


async def show_step(
    services: Services, reply: Reply, person: NamedPerson, replay: Replay, place: PlaceInReplay
) -> None:
    """Answer with one step, drawn according to the person's preferences."""
    scene = replay.scene(place)
    settings = await services.personal.settings(person.id)
    pictures, missing = await _seen(services, scene, Holder(settings))
    await reply.show(replay_panel(scene, pictures, missing, texts()))


async def _seen(services: Services, scene: Scene, holder: Holder) -> tuple[list[Picture], Missing | None]:
    """Return the pictures of the table or score sheet and of the hands, and what a single hand lacks.

    There are no pictures in word mode.
    """
    found: list[Picture | None] = []
    missing = None
    view = scene.moment.view
    if not holder.settings.words and view.sheet is not None:
        found.append(await services.pictures.sheet(view, scene.names, None, holder.style))
    elif not holder.settings.words:
        found.append(await services.pictures.board(view, scene.names, holder.style))
    if scene.place.eyes == ALL and not holder.settings.words:
        found.append(await services.pictures.open_hands(view, scene.names, holder.style))
    elif len(scene.hands) == 1:
        hand = await services.pictures.hand(scene.hands[0], holder)
        missing = hand.missing
        found += hand.pictures or [None]
    pictures = [picture for picture in found if picture is not None]
    return (pictures if len(pictures) == len(found) else []), missing


async def animate(services: Services, interaction: AnyInteraction, replay: Replay, eyes: Eyes) -> Animation:
    """Return the whole deal as an animation; raises UserError if it cannot be drawn or is too large."""
    settings = await services.personal.settings(PersonId(interaction.user.id))
    frames = tuple(
        [
            Frame(moment.view, step_caption(moment, replay.names, texts().without_emojis()), notable)
            async for moment, notable in cooperatively(replay.moments(eyes))
        ]
    )
    title = texts()("replay.alt", steps=len(frames), eyes=seen_by(eyes, replay.names, texts()))
    style = Holder(settings).style
    asked_by, hands = NamedPerson.of(interaction.user).id, replay.hands_of(eyes)
    animation = await services.pictures.animation(asked_by, frames, hands, replay.names, title, style)
    if animation is None or len(animation.gif) > interaction.filesize_limit:
        raise UserError("sorry.replay_undrawn")
    return animation


async def show_animation(
    services: Services,
    reply: Reply,
    interaction: AnyInteraction,
    replay: Replay,
    eyes: Eyes,
    shared_by: str | None = None,
) -> None:
    """Answer with the animation."""
    animation = await animate(services, interaction, replay, eyes)
    await reply.show(animated_panel(replay, eyes, animation, texts(), shared_by=shared_by))


class ReplayCommand(commands.Cog):
    """The part of `/marriage` that opens a replay; a base class of that cog."""

    _services: Services

    @app_commands.command(description="Replay a finished deal, step by step, from any seat")
    @app_commands.describe(
        deal="The deal's number; otherwise the last finished one",
        table="The table's number; otherwise yours, or the last one in this channel",
    )
    async def replay(
        self,
        interaction: AnyInteraction,
        deal: app_commands.Range[int, 1, 2**31] | None = None,
        table: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Open a private replay."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await _usual_table(self._services, interaction) if table is None else TableId(table)
            found = await find_replay(self._services, interaction, table_id, deal)
            place = PlaceInReplay(table_id, found.deal_no)
            await show_step(self._services, reply, NamedPerson.of(interaction.user), found, place)


async def _usual_table(services: Services, interaction: AnyInteraction) -> TableId:
    """Return the default table of a person who names none; raises UserError if there is none."""
    try:
        return await my_table(services.tables, interaction)
    except UserError:
        table_id = await services.store.read(
            lambda db: db.tables.latest_played(channel_of(interaction) or ChannelId(0))
        )
        if table_id is None:
            raise
        return table_id


class ReplayCog(commands.Cog):
    """The panel of a replay; its custom ids hold all state."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("replay", self._step)
        router.add("hands", self._hands)
        router.add("pick-replay-eye", self._choose_eyes)
        router.add("pick-replay-turn", self._choose_turn)
        router.add("animate", self._animate)
        router.add("share-replay", self._share)

    async def _step(self, pressed: Pressed) -> None:
        """Open a replay, or show another step of it."""
        await self._show(pressed, PlaceInReplay.of(pressed.press), opens=not pressed.press.argument)

    async def _hands(self, pressed: Pressed) -> None:
        """Show the end of a deal with every hand open."""
        place = PlaceInReplay.of(pressed.press)
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            found = await self._found(pressed, place)
            end = replace(place, step=len(found.steps) - 1, eyes=ALL)
            await show_step(self._services, reply, pressed.person, found, end)

    async def _choose_eyes(self, pressed: Pressed) -> None:
        eyes = read_eyes(pressed.chosen)
        await self._show(pressed, replace(PlaceInReplay.of(pressed.press), eyes=eyes))

    async def _choose_turn(self, pressed: Pressed) -> None:
        step = pressed.chosen_number
        await self._show(pressed, replace(PlaceInReplay.of(pressed.press), step=step))

    async def _show(self, pressed: Pressed, place: PlaceInReplay, *, opens: bool = False) -> None:
        kind = Kind.PRIVATE if opens else pressed.privately
        async with Reply(pressed.interaction, kind) as reply:
            await show_step(self._services, reply, pressed.person, await self._found(pressed, place), place)

    async def _animate(self, pressed: Pressed) -> None:
        place = PlaceInReplay.of(pressed.press)
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            found = await self._found(pressed, place)
            await show_animation(self._services, reply, pressed.interaction, found, found.eyes_of(place))

    async def _share(self, pressed: Pressed) -> None:
        """Post the replay for everybody, once per deal, in the server's language."""
        place, interaction = PlaceInReplay.of(pressed.press), pressed.interaction
        found = await self._found(pressed, place)
        eyes = found.eyes_of(place)
        _require_may_post(interaction, found.table.guild_id)
        _require_watchers(interaction, found)
        async with (
            Reply(interaction, Kind.PUBLIC) as reply,  # the store may take longer than Discord waits
            shared_once(self._services.store, found, self._services.clock.now()),
        ):
            with speaking(await self._services.languages.of_server(guild_of(interaction))):
                await show_animation(
                    self._services,
                    reply,
                    interaction,
                    found,
                    eyes,
                    shared_by=person_name(pressed.person.id, pressed.person.name),
                )

    async def _found(self, pressed: Pressed, place: PlaceInReplay) -> Replay:
        return await find_replay(self._services, pressed.interaction, place.table, place.deal)


def _require_may_post(interaction: AnyInteraction, guild_id: GuildId) -> None:
    """Raise UserError outside the table's server, or if the person themselves may not post a picture."""
    if interaction.guild_id != guild_id or not may_write(interaction):
        raise UserError("sorry.replay_not_here")


def _require_watchers(interaction: AnyInteraction, found: Replay) -> None:
    """Raise UserError where people read who could not watch: outside of the deal's own channel and its threads."""
    if found.watched_in not in {None, channel_of(interaction), parent_of(interaction)}:
        raise UserError("sorry.replay_elsewhere")


_DIGITS = 3


class AnalysisCommands(commands.Cog):
    """Each person sees only the analysis of their own play, in private. The custom ids hold all state."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("analyse", self._open)
        router.add("analysis", self._overview)
        router.add("analysis-page", self._turn)
        router.add("lost-throw", self._ask_throw)
        router.add("lost-throw-answer", self._answer_throw)

    @app_commands.command(description="See how well you played a finished deal: accuracy, mistakes and luck")
    @app_commands.describe(
        deal="The deal's number; otherwise the last finished one",
        table="The table's number; otherwise that of your last deal, or yours",
    )
    async def analyse(
        self,
        interaction: AnyInteraction,
        deal: app_commands.Range[int, 1, 2**31] | None = None,
        table: app_commands.Range[int, 1, 2**31] | None = None,
    ) -> None:
        """Open a private analysis."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id, deal_no = await self._asked(interaction, deal, table)
            await self._show(reply, interaction, table_id, deal_no)

    async def _asked(
        self, interaction: AnyInteraction, deal: int | None, table: int | None
    ) -> tuple[TableId, int | None]:
        """Return the table and the number of the deal; raises UserError if the person has no deal."""
        if table is not None:
            return TableId(table), deal
        if deal is not None:
            return await my_table(self._services.tables, interaction), deal
        return await self._services.analyses.last_deal(sight_of(interaction))

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._show(reply, pressed.interaction, pressed.table_id, pressed.press.revision)

    async def _overview(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(reply, pressed.interaction, pressed.table_id, pressed.press.revision)

    async def _turn(self, pressed: Pressed) -> None:
        number = read_number(pressed.press.argument, _DIGITS)
        if number is None:
            raise UnexpectedInputError("no such page")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            found = await self._analysed(reply, pressed.interaction, pressed.table_id, pressed.press.revision)
            await reply.show(decisions_panel(found, number, texts()))

    async def _ask_throw(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await self._show_throw(reply, pressed, None)

    async def _answer_throw(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show_throw(reply, pressed, read_card(pressed.press.argument))

    async def _show_throw(self, reply: Reply, pressed: Pressed, answer: Card | None) -> None:
        """Show the person's costliest throw in a deal: the question, or the answer.

        It does not count as a puzzle.
        """
        found = await self._analysed(reply, pressed.interaction, pressed.table_id, pressed.press.revision)
        throw = found.analysis.dearest_throw
        if throw is None:
            await reply.show(no_throw_panel(found, texts()))
            return
        if answer is not None and answer not in thrown_cards(throw):
            raise UnexpectedInputError("a card that was not offered")
        settings = await self._services.personal.settings(pressed.person.id)
        holder = Holder(settings, plain=True)
        hand = await self._services.pictures.hand(view_at(found, throw), holder, found.replay.names)
        await reply.show(lost_throw_panel(found, throw, hand, texts(), answer))

    async def _show(
        self, reply: Reply, interaction: AnyInteraction, table_id: TableId, deal_no: int | None
    ) -> None:
        found = await self._analysed(reply, interaction, table_id, deal_no)
        holder = Holder(await self._services.personal.settings(PersonId(interaction.user.id)))
        picture = None
        if not holder.settings.words:
            picture = await self._services.pictures.analysis(found.analysis, holder.style)
        await reply.show(analysis_panel(found, picture, texts()))

    async def _analysed(
        self, reply: Reply, interaction: AnyInteraction, table_id: TableId, deal_no: int | None
    ) -> Analysed:
        """Return the analysis. It takes seconds the first time; the answer shows its progress meanwhile."""
        replay = await find_replay(self._services, interaction, table_id, deal_no)

        async def tell(done: int) -> None:
            await reply.show(progress_panel(table_id, replay.deal_no, done, texts()))

        return await self._services.analyses.of(replay, sight_of(interaction), tell)
