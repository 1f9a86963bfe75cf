"""Answers with a finished deal: one step of it, or an animation of all."""

from dataclasses import replace

from bot.cooperative import cooperatively
from bot.errors import UserError
from bot.history.past_deals import sight_of
from bot.history.replay_words import step_caption
from bot.history.replays import ALL, Eyes, Place, Replay, Scene
from bot.interactions.permissions import is_staff
from bot.interactions.reply import AnyInteraction, Reply
from bot.panels.history.replay import animated_panel, replay_panel, seen_by
from bot.people import NamedPerson
from bot.services import Services
from bot.table.core.snapshot import Holder
from bot.words.texts import texts
from league.ids import PersonId, TableId
from marriage.strategy.progress import Missing
from render.picture import Picture
from render.replay_animation import Animation, Frame


async def find_replay(
    services: Services, interaction: AnyInteraction, table_id: TableId, deal_no: int | None
) -> Replay:
    """The deal that a person asks for; raises UserError if they may not see it."""
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
    services: Services, reply: Reply, person: NamedPerson, replay: Replay, place: Place
) -> None:
    """Answer with one step, drawn by the person's preferences."""
    scene = replay.scene(place)
    settings = await services.personal.settings(person.id)
    pictures, missing = await _seen(services, scene, Holder(settings))
    await reply.show(replay_panel(scene, pictures, missing, texts()))


async def _seen(services: Services, scene: Scene, holder: Holder) -> tuple[list[Picture], Missing | None]:
    """The pictures of the table, or of the score sheet, and of the hands, and a single hand's distance from its aim.

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
    """The whole deal as an animation; raises UserError if it cannot be drawn, or is too large for this place."""
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
