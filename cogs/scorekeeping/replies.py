"""Answers about home games: the public message, one deal of it, and the forms of its keepers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from bot.delivery.score_messages import deal_picture, evening_panel
from bot.interactions.permissions import is_staff
from bot.interactions.reply import AnyInteraction, Reply
from bot.panels.scorekeeping.score import deal_fields, deal_panel, names_fields, rules_fields
from bot.people import NamedPerson, channel_of, guild_of
from bot.scorekeeping.scorekeeper import Keeper, Scorekeeper, ScoreSession
from bot.services import Services
from bot.ui.items import Press, open_form
from bot.words.texts import texts
from league.ids import GuildId
from render.words import speaking


async def keeper_of(services: Services, interaction: AnyInteraction) -> Keeper:
    """The person, and whether they are staff."""
    return Keeper(NamedPerson.of(interaction.user), await is_staff(services.store, interaction))


class Note(NamedTuple):
    """A note on what has just happened: a message key and values. Everybody reads it, in the language of the game."""

    key: str
    values: Mapping[str, object] = {}


async def show_evening(
    services: Services,
    reply: Reply,
    evening: ScoreSession,
    guild_id: GuildId | None,
    note: Note | None = None,
) -> None:
    """Answer with the message of a home game in this server, and store its place."""
    with speaking(await services.languages.shared_by(evening.keepers, guild_id)):
        said = None if note is None else texts()(note.key, **note.values)
        message_id = await reply.show(await evening_panel(services.pictures, evening, said))
    channel_id = channel_of(reply.interaction)
    if reply.stays and message_id is not None and channel_id is not None:
        await services.scores.posted(evening.session, channel_id, message_id)


async def show_deal(
    services: Services, reply: Reply, evening: ScoreSession, number: int, note: Note | None = None
) -> None:
    """Answer with one deal, counted from 1, to the person alone; raises UserError if there is no such deal."""
    evening.entry(number)
    said = None if note is None else texts()(note.key, **note.values)
    keeper = await keeper_of(services, reply.interaction)
    picture = await deal_picture(services.pictures, evening, number)
    await reply.show(deal_panel(evening, number, picture, texts(), said, may_correct=evening.open_to(keeper)))


async def ask(
    services: Services,
    scores: Scorekeeper,
    interaction: AnyInteraction,
    session_id: int,
    what: str,
    corrects: int | None = None,
) -> None:
    """Open the form for a deal, the names or the rules; raises UserError if the person may not write."""
    evening = await scores.evening(session_id, guild_of(interaction))
    scores.require_may_write(evening, await keeper_of(services, interaction))
    say, session = texts(), evening.session
    press = Press(f"form-score-{what}", session.id, session.revision)
    match what:
        case "deal":
            title = say("scoreform.title", deal=len(evening.sheets) + 1)
            await open_form(interaction, press, title, *deal_fields(evening, say))
        case "fix":
            number = corrects or 0
            evening.entry(number)
            press = replace(press, argument=str(number))
            await open_form(
                interaction,
                press,
                say("scoreform.title_fix", deal=number),
                *deal_fields(evening, say, number),
            )
        case "names":
            await open_form(interaction, press, say("scoreform.title_names"), *names_fields(evening, say))
        case _:
            scores.require_no_deals(evening)
            await open_form(
                interaction, press, say("scoreform.title_rules"), *rules_fields(session.rules, say)
            )
