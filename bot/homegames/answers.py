"""Answers about home games: the message everybody sees, one deal of it, and the forms of those who write."""

from collections.abc import Mapping
from typing import NamedTuple

from bot.app import Tiplu
from bot.errors import Sorry
from bot.homegames.scorekeeper import Evening, Keeper, Scorekeeper
from bot.interactions.ids import Press
from bot.interactions.people import Person
from bot.interactions.reply import Reply
from bot.interactions.router import AnyInteraction
from bot.interactions.staff import is_staff
from bot.panels.form import open_form
from bot.panels.score import deal_panel, score_panel
from bot.panels.scoreforms import deal_fields, names_fields, rules_fields
from bot.words.texts import speaking, texts
from render.known import Outcome
from render.picture import Picture


async def keeper_of(bot: Tiplu, interaction: AnyInteraction) -> Keeper:
    """Who acts, and whether he looks after the server."""
    return Keeper(Person.of(interaction.user), await is_staff(bot.store, interaction))


class Note(NamedTuple):
    """What has just happened, as a message of the catalogue: everybody reads it, in the server's language."""

    key: str
    values: Mapping[str, object] = {}


async def show_evening(
    bot: Tiplu, reply: Reply, evening: Evening, guild_id: int | None, note: Note | None = None
) -> None:
    """Answer with the message of a home game in this server."""
    with speaking(await bot.languages.of_server(guild_id)):
        picture = await _picture(bot, evening, len(evening.sheets))
        said = None if note is None else texts()(note.key, **note.values)
        await reply.show(score_panel(evening, picture, texts(), said))


async def show_deal(bot: Tiplu, reply: Reply, evening: Evening, number: int) -> None:
    """Answer with one deal, counted from 1; raises Sorry for one that is not there."""
    if not 1 <= number <= len(evening.sheets):
        raise Sorry("sorry.score_no_such_deal", deals=len(evening.sheets))
    await reply.show(deal_panel(evening, number, await _picture(bot, evening, number), texts()))


async def _picture(bot: Tiplu, evening: Evening, number: int) -> Picture | None:
    if not number:
        return None
    deal = evening.entries[number - 1].deal
    end = Outcome(deal.tiplu, evening.session.rules, evening.sheets[number - 1])
    return await bot.pictures.sheet(end, evening.session.names, evening.totals_after(number))


async def ask(
    bot: Tiplu, scores: Scorekeeper, interaction: AnyInteraction, session_id: int, what: str
) -> None:
    """Open the form for a deal, the names or the rules; raises Sorry for those who may not write."""
    evening = await scores.evening(session_id, interaction.guild_id)
    scores.require_may_write(evening, await keeper_of(bot, interaction))
    say, session = texts(), evening.session
    press = Press(f"form-score-{what}", session.id, session.revision)
    match what:
        case "deal":
            title = say("scoreform.title", deal=len(evening.sheets) + 1)
            await open_form(interaction, press, title, *deal_fields(evening, say))
        case "names":
            await open_form(interaction, press, say("scoreform.title_names"), *names_fields(evening, say))
        case _:
            scores.require_no_deals(evening)
            await open_form(
                interaction, press, say("scoreform.title_rules"), *rules_fields(session.rules, say)
            )
