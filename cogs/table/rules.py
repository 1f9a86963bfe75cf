"""The rules of a table before its first deal: questions to answer, a form for experts, and house rules to choose and keep."""

from collections.abc import Mapping

from discord.ext import commands

from bot.errors import RepeatedInteractionError, UnexpectedInputError, UserError
from bot.interactions.permissions import require_manager
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.table.lobby import FIRST_PRESETS
from bot.panels.table.rules import (
    HOUSE,
    OVERVIEW,
    Filled,
    filled_before,
    rules_fields,
    rules_panel,
    variation_words,
    wrong_rules_panel,
)
from bot.people import guild_of
from bot.services import Services
from bot.table.hosting import terms_of
from bot.table.lobby import require_lobby
from bot.ui.items import Press, open_form
from bot.words.numbers import read_number
from bot.words.rules import InvalidRulesError, also_changed, answer, subject_of
from bot.words.texts import texts
from cogs.table.replies import TableReplies
from data.preferences import MOST_DEALS, Pace, Terms
from data.store import Store
from league.ids import PersonId
from marriage.rules import PRESETS, Rules


async def house_rules(store: Store, interaction: AnyInteraction) -> dict[str, Terms]:
    """Return the house rules of the server and of the person, if any, keyed by the words of `HOUSE`."""
    server = await store.directory.guild_settings(guild_of(interaction))
    person = await store.directory.person_settings(PersonId(interaction.user.id))
    found = (server.terms if server.has_house_rules else None, person.house_rules)
    return {whose: terms for whose, terms in zip(HOUSE, found, strict=True) if terms is not None}


class TableRules(commands.Cog):
    """Only the host or the staff of the server may change the rules. Each choice takes effect at once."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        router.add("how-we-play", self._choose_first)
        router.add("table-rules", self._open)
        router.add("pick-subject", self._turn)
        router.add("pick-rule", self._answer)
        router.add("rules-text", self._open_form)
        router.add("form-rules", self._read_form)
        router.add("save-rules", self._save)

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(reply, pressed, OVERVIEW)

    async def _choose_first(self, pressed: Pressed) -> None:
        """Use one of the first presets here, and at every new table of a server whose question this table asks."""
        preset = pressed.press.argument
        if preset not in FIRST_PRESETS:
            raise UnexpectedInputError("a preset that is not asked about")
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            try:
                await self._play_by(pressed, PRESETS[preset])
            except UserError as sorry:
                await reply.refuse(sorry)
                return
            except RepeatedInteractionError:
                pass  # a repeated click is answered with the current state
            await self._replies.show_table(reply, pressed.table_id)

    async def _play_by(self, pressed: Pressed, rules: Rules) -> None:
        actor = await self._replies.actor(pressed)
        snapshot = await self._services.hosting.governed(pressed.table_id, actor)
        table = snapshot.table
        require_lobby(table)
        if pressed.interaction.guild_id != table.guild_id:
            raise UserError("sorry.no_table", table=table.id)
        if snapshot.asks_how:  # otherwise the press is late or forged
            await self._services.servers.change(table.guild_id, pressed.person, rules=rules)
        await self._services.hosting.set_terms(
            table.id, actor, lambda terms: terms.model_copy(update={"rules": rules}), pressed.interaction_id
        )

    async def _turn(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            await self._show(reply, pressed, pressed.chosen or OVERVIEW)

    async def _answer(self, pressed: Pressed) -> None:
        """Change the rules by one answer, and note what else it changed."""
        option, note = pressed.press.argument, None
        async with Reply(pressed.interaction, pressed.privately) as reply:
            house = await house_rules(self._services.store, pressed.interaction)
            try:
                before, after = await self._services.hosting.set_terms(
                    pressed.table_id,
                    await self._replies.actor(pressed),
                    lambda terms: _with_answer(terms, option, pressed.chosen, house),
                    pressed.interaction_id,
                )
            except RepeatedInteractionError:
                pass  # the panel shows the result
            else:
                if option not in {"preset", "deals", "pace"}:
                    note = _also(before, after, option)
            page = OVERVIEW if option in {"preset", "deals", "pace"} else subject_of(option)
            await self._show(reply, pressed, page, note)

    async def _open_form(self, pressed: Pressed) -> None:
        table_id = pressed.table_id
        snapshot = await self._services.hosting.governed(table_id, await self._replies.actor(pressed))
        require_lobby(snapshot.table)
        filled = filled_before(pressed.press, pressed.interaction.message)
        await open_form(
            pressed.interaction,
            Press("form-rules", table_id, snapshot.table.revision),
            texts()("rulesform.title", table=table_id),
            *rules_fields(filled or Filled.of_rules(snapshot.table.rules), texts()),
        )

    async def _read_form(self, pressed: Pressed) -> None:
        table_id, filled = pressed.table_id, Filled.of_fields(pressed.fields)
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            try:
                rules = filled.rules()
            except InvalidRulesError as error:
                await reply.show(wrong_rules_panel(pressed.press, error.faults, filled, texts()))
                return
            await self._services.hosting.set_terms(
                table_id,
                await self._replies.actor(pressed),
                lambda terms: terms.model_copy(update={"rules": rules}),
                pressed.interaction_id,
            )
            await reply.tell(texts()("rulesform.changed", table=table_id))

    async def _save(self, pressed: Pressed) -> None:
        """Save the table's rules, match and clock as house rules: of the person, or of the server."""
        async with Reply(pressed.interaction, pressed.privately) as reply:
            snapshot = await self._services.tables.snapshot(pressed.table_id)
            terms, whose = terms_of(snapshot.table), pressed.press.argument
            if whose == "server":
                guild_id = require_manager(pressed.interaction)
                changes = {"rules": terms.rules, "deals": terms.deals, "pace": terms.pace}
                await self._services.servers.change(guild_id, pressed.person, **changes)
            elif whose == "mine":
                await self._services.personal.change(pressed.person, house_rules=terms)
            else:
                raise UnexpectedInputError("nowhere to keep rules")
            # The table's message shows whose house rules these are.
            await self._services.tables.show_anew([pressed.table_id])
            await self._show(reply, pressed, OVERVIEW, texts()(f"rulesform.saved_{whose}"))

    async def _show(self, reply: Reply, pressed: Pressed, page: str, note: str | None = None) -> None:
        snapshot = await self._services.hosting.governed(pressed.table_id, await self._replies.actor(pressed))
        require_lobby(snapshot.table)
        is_manager = pressed.interaction.guild_id is not None and pressed.interaction.permissions.manage_guild
        house = await house_rules(self._services.store, pressed.interaction)
        panel = rules_panel(snapshot, page, house, texts(), note, is_manager=is_manager)
        await self._replies.show_private(reply, snapshot, panel)


def _with_answer(terms: Terms, option: str, value: str, house: Mapping[str, Terms]) -> Terms:
    """Return the terms with one answer; raises UserError if the house rules are gone.

    Raises UnexpectedInputError for an invalid answer.
    """
    match option:
        case "preset" if value in PRESETS:
            return terms.model_copy(update={"rules": PRESETS[value]})
        case "preset" if value in HOUSE:
            if value not in house:
                raise UserError("rulesform.no_house")
            return house[value]
        case "deals":
            deals = read_number(value, 2)
            if deals is None or deals > MOST_DEALS:
                raise UnexpectedInputError("a match of no such length")
            return terms.model_copy(update={"deals": deals})
        case "pace" if value in set(Pace):
            return terms.model_copy(update={"pace": Pace(value)})
        case _:
            return terms.model_copy(update={"rules": answer(terms.rules, option, value)})


def _also(before: Terms, after: Terms, option: str) -> str | None:
    """Describe what else an answer has changed."""
    changed = also_changed(before.rules, after.rules, option)
    words = "; ".join(variation_words(name, value, texts()) for name, value in changed.items())
    return texts()("rulesform.also", what=words) if words else None
