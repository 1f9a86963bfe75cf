"""`/score`: keeping the score of a game with real cards, typed or pressed.

The answers are the public message, one deal of it, and the forms of its keepers.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import discord
from discord import app_commands
from discord.ext import commands

from bot.delivery.score_messages import deal_picture, evening_panel
from bot.errors import StaleRevisionError, UserError
from bot.interactions.permissions import is_staff, require_guild
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.scorekeeping.score import deal_fields, deal_panel, names_fields, read_rules, rules_fields
from bot.people import NamedPerson, channel_of, guild_of
from bot.scorekeeping.score_text import Typed, read_more_names, read_names, refusal
from bot.scorekeeping.scorekeeper import Keeper, Scorekeeper, ScoreSession
from bot.services import Services
from bot.ui.items import PRESET_CHOICES, Press, open_form, typed
from bot.words.numbers import read_id
from bot.words.texts import texts
from league.ids import GuildId
from marriage.rules import PRESETS
from marriage.scoring.home_game import InvalidDealError
from render.words import speaking


async def keeper_of(services: Services, interaction: AnyInteraction) -> Keeper:
    """Return the person, and whether they are staff."""
    return Keeper(NamedPerson.of(interaction.user), await is_staff(services.store, interaction))


class Note(NamedTuple):
    """A public note on the latest change: a message key and values, in the language of the game."""

    key: str
    values: Mapping[str, object] = {}


async def show_evening(
    services: Services,
    reply: Reply,
    evening: ScoreSession,
    guild_id: GuildId | None,
    note: Note | None = None,
) -> None:
    """Answer with the message of a home game in this server, and store where it is."""
    with speaking(await services.languages.shared_by(evening.keepers, guild_id)):
        said = None if note is None else texts()(note.key, **note.values)
        message_id = await reply.show(await evening_panel(services.pictures, evening, said))
    channel_id = channel_of(reply.interaction)
    if reply.stays and message_id is not None and channel_id is not None:
        await services.scores.posted(evening, channel_id, message_id)


async def show_deal(
    services: Services, reply: Reply, evening: ScoreSession, number: int, note: Note | None = None
) -> None:
    """Answer privately with one deal, counted from 1; raises UserError if there is no such deal."""
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
    argument = f"{corrects or ''}-{evening.forgotten}"
    press = Press(f"form-score-{what}", session.id, session.revision, argument)
    match what:
        case "deal":
            title = say("scoreform.title", deal=len(evening.sheets) + 1)
            await open_form(interaction, press, title, *deal_fields(evening, say))
        case "fix":
            number = corrects or 0
            evening.entry(number)
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


Act = Callable[[Pressed], Awaitable[Note | None]]


class Score(commands.GroupCog, name="score", description="Keep the score of a game with real cards"):
    """Each command or component calls the scorekeeper and shows the home game."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        self._scores = Scorekeeper(services.store, services.clock)
        acts: dict[str, Act] = {
            "score-undo": self._undo,
            "score-close": self._close,
            "score-reopen": self._reopen,
            "form-score-deal": self._enter,
            "form-score-fix": self._correct,
            "form-score-names": self._rename,
            "form-score-rules": self._rule,
        }
        for verb, act in acts.items():
            router.add(verb, lambda pressed, act=act: self._press(pressed, act))
        for what in ("deal", "fix", "names", "rules"):
            router.add(f"score-{what}", lambda pressed, what=what: self._ask(pressed, what))
        router.add("pick-score", self._look)

    # Commands

    @app_commands.command(description="Keep the score of a game with real cards in this channel")
    @app_commands.describe(
        players="Their names, separated by commas",
        preset="Which rules; you can change each option before the first deal",
        keeper="Another person who may enter deals",
    )
    @app_commands.choices(preset=PRESET_CHOICES)
    @app_commands.guild_only()
    async def new(
        self,
        interaction: AnyInteraction,
        players: app_commands.Range[str, 1, 400],
        preset: str = "",
        keeper: discord.User | None = None,
    ) -> None:
        """Open a home game."""
        async with Reply(interaction, Kind.PUBLIC) as reply:
            guild_id, channel_id = require_guild(interaction)
            keepers = [NamedPerson.of(user) for user in (interaction.user, keeper) if user is not None]
            rules = PRESETS.get(preset) or await self._scores.usual_rules(guild_id)
            session_id = await self._scores.open(guild_id, channel_id, keepers, read_names(players), rules)
            await show_evening(
                self._services, reply, await self._scores.evening(session_id, guild_id), guild_id
            )

    @app_commands.command(description="Enter a deal: who won, who has seen, everybody's maal")
    @app_commands.describe(correct="Correct an earlier deal; otherwise enter the next one")
    @app_commands.guild_only()
    async def deal(
        self, interaction: AnyInteraction, correct: app_commands.Range[int, 1, 999] | None = None
    ) -> None:
        """Open the form for a deal."""
        session_id = await self._scores.find(channel_of(interaction))
        what = "deal" if correct is None else "fix"
        await ask(self._services, self._scores, interaction, session_id, what, correct)

    @app_commands.command(description="Show the score of the game in this channel")
    @app_commands.describe(deal="One deal, shown only to you; otherwise the whole score, for everybody")
    @app_commands.guild_only()
    async def sheet(
        self, interaction: AnyInteraction, deal: app_commands.Range[int, 1, 999] | None = None
    ) -> None:
        """Show the home game in a new message, or one deal of it."""
        kind = Kind.PUBLIC if deal is None else Kind.PRIVATE
        async with Reply(interaction, kind) as reply:
            session_id = await self._scores.find(channel_of(interaction))
            evening = await self._scores.evening(session_id, guild_of(interaction))
            if deal is None:
                await show_evening(self._services, reply, evening, guild_of(interaction))
            else:
                await show_deal(self._services, reply, evening, deal)

    # Components

    async def _ask(self, pressed: Pressed, what: str) -> None:
        corrects = pressed.press.id_argument if what == "fix" else None
        await ask(self._services, self._scores, pressed.interaction, pressed.table_id, what, corrects)

    async def _look(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            evening = await self._scores.evening(pressed.table_id, guild_of(pressed.interaction))
            await show_deal(self._services, reply, evening, pressed.chosen_number)

    async def _press(self, pressed: Pressed, act: Act) -> None:
        """Act and update the message. A form opened by a command makes a new message."""
        kind = Kind.UPDATE if pressed.interaction.message else Kind.PUBLIC
        session_id, guild_id = pressed.press.subject, guild_of(pressed.interaction)
        async with Reply(pressed.interaction, kind) as reply:
            try:
                note = await act(pressed)
            except StaleRevisionError:
                note = Note("score.stale")
            evening = await self._scores.evening(session_id, guild_id)
            if reply.stays:
                await show_evening(self._services, reply, evening, guild_id, note)
            else:  # the keeper corrected a deal in a private message
                await show_deal(self._services, reply, evening, _corrected(pressed.press), note)

    async def _enter(self, pressed: Pressed) -> Note | None:
        await self._write_down(pressed, Typed.of(pressed.fields))
        return None

    async def _correct(self, pressed: Pressed) -> Note | None:
        number = _corrected(pressed.press)
        await self._write_down(pressed, Typed.of(pressed.fields, corrects=number))
        return Note("score.corrected", {"deal": number})

    async def _write_down(self, pressed: Pressed, typed: Typed) -> None:
        press = pressed.press
        number, forgotten = _parts(press)
        keeper = await keeper_of(self._services, pressed.interaction)
        try:
            await self._scores.enter(
                press.subject, guild_of(pressed.interaction), keeper, press.revision, typed, forgotten
            )
        except (UserError, InvalidDealError) as error:
            evening = await self._scores.evening(press.subject, guild_of(pressed.interaction))
            is_impossible = isinstance(error, InvalidDealError)
            sorry = refusal(error, evening.session.names, texts()) if is_impossible else error
            if not (evening.open_to(keeper) and evening.has_kept(typed)):
                raise sorry from None
            why = texts()(sorry.key, **sorry.values)
            raise UserError(_kept(press), why=why, deal=number) from None

    async def _undo(self, pressed: Pressed) -> Note | None:
        press = pressed.press
        keeper = await keeper_of(self._services, pressed.interaction)
        number = await self._scores.undo(press.subject, guild_of(pressed.interaction), keeper, press.revision)
        return Note("score.undone", {"deal": number})

    async def _close(self, pressed: Pressed) -> Note | None:
        press = pressed.press
        keeper = await keeper_of(self._services, pressed.interaction)
        await self._scores.close(press.subject, guild_of(pressed.interaction), keeper, press.revision)
        return None

    async def _reopen(self, pressed: Pressed) -> Note | None:
        keeper = await keeper_of(self._services, pressed.interaction)
        await self._scores.reopen(pressed.table_id, guild_of(pressed.interaction), keeper)
        return None

    async def _rename(self, pressed: Pressed) -> Note | None:
        press, guild_id = pressed.press, guild_of(pressed.interaction)
        keeper = await keeper_of(self._services, pressed.interaction)
        before = (await self._scores.evening(press.subject, guild_id)).session.names
        names = read_more_names(typed(pressed.fields, "names"), before)
        await self._scores.change(press.subject, guild_id, keeper, press.revision, {"names": names})
        return None

    async def _rule(self, pressed: Pressed) -> Note | None:
        press, guild_id = pressed.press, guild_of(pressed.interaction)
        keeper = await keeper_of(self._services, pressed.interaction)
        before = (await self._scores.evening(press.subject, guild_id)).session.rules
        rules = read_rules(pressed.fields, before)
        await self._scores.change(press.subject, guild_id, keeper, press.revision, {"rules": rules})
        return None


def _parts(press: Press) -> tuple[str, int | None]:
    """Return which deal a form corrects, if any, and how many people had been forgotten when it was opened.

    A form of an earlier version does not say the latter.
    """
    number, _, forgotten = press.argument.partition("-")
    return number, read_id(forgotten)


def _corrected(press: Press) -> int:
    """Return the number of the deal that a form corrects; raises UnexpectedInputError."""
    return replace(press, argument=_parts(press)[0]).id_argument


def _kept(press: Press) -> str:
    """Return the key of the message that says that nothing was recorded, and where to find the typed text."""
    return "score.kept_correction" if press.verb == "form-score-fix" else "score.kept"
