"""What the host of a table may do, and the staff: the host's panel, guests and computers, and ruling fouls."""

from collections.abc import Awaitable, Callable
from contextlib import suppress

from discord.ext import commands

from bot.errors import RepeatedInteractionError, StaleRevisionError, UnexpectedInputError, UserError
from bot.interactions.permissions import missing_for_thread, permission_words
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import Kind, Reply
from bot.panels.table.lobby import invitation_panel, manage_panel
from bot.panels.table.more import confirm_panel, fouls_panel, why_panel
from bot.services import Services
from bot.table.core.snapshot import Snapshot
from bot.table.hosting import Actor
from bot.words.names import shown_name, table_address
from bot.words.numbers import read_number
from bot.words.texts import catalogue, texts
from cogs.table.replies import TableReplies
from data.preferences import Level
from data.repositories.tables import Standing
from data.values import TableRow
from league.ids import PersonId
from marriage.events import FoulReason

Act = Callable[[Pressed, Actor], Awaitable[str]]


class HostingButtons(commands.Cog):
    """The host's buttons and selects. Other people who press them get a refusal."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        self._acts: dict[str, Act] = {
            "switch": self._switch,
            "pick-kick": self._kick,
            "pick-block": self._block,
            "pick-unblock": self._unblock,
            "pick-uninvite": self._uninvite,
            "pick-computer": self._add_computer,
            "pick-remove": self._remove_computer,
        }
        for verb in self._acts:
            router.add(verb, self._act)
        router.add("manage", self._manage)
        router.add("pick-invite", self._invite)
        router.add("accept", self._accept)

    async def _manage(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            snapshot = await self._services.hosting.governed(
                pressed.table_id, await self._replies.actor(pressed)
            )
            await self._replies.show_private(reply, snapshot, manage_panel(snapshot, texts()))

    async def _act(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            await self._answer(pressed, reply, self._acts[pressed.press.verb])

    async def _answer(self, pressed: Pressed, reply: Reply, act: Act) -> Snapshot:
        """Act, show the panel again with a note on the result, and return the table after it."""
        actor = await self._replies.actor(pressed)
        try:
            note = await act(pressed, actor)
        except UserError as sorry:
            note = texts()(sorry.key, **sorry.values)
        except StaleRevisionError:
            note = texts()("hand.stale")
        except RepeatedInteractionError:
            note = texts()("manage.done")
        snapshot = await self._services.hosting.governed(pressed.table_id, actor)
        await self._replies.show_private(reply, snapshot, manage_panel(snapshot, texts(), note))
        return snapshot

    async def _switch(self, pressed: Pressed, actor: Actor) -> str:
        option, _, state = pressed.press.argument.partition("-")
        if state not in {"on", "off"}:
            raise UnexpectedInputError("a switch has two states")
        await self._services.hosting.switch(
            pressed.table_id, actor, option, pressed.interaction_id, on=state == "on"
        )
        table = (await self._services.tables.snapshot(pressed.table_id)).table
        missing = missing_for_thread(pressed.interaction.app_permissions, private=table.kind.by_invitation)
        if missing and table.options.thread:
            return texts()("manage.thread_lacks", missing=permission_words(missing, texts()))
        return texts()("manage.done")

    async def _kick(self, pressed: Pressed, actor: Actor) -> str:
        name = await self._services.hosting.kick(
            pressed.table_id, actor, PersonId(pressed.chosen_id), pressed.interaction_id
        )
        return texts()("manage.kicked", name=shown_name(name))

    async def _block(self, pressed: Pressed, actor: Actor) -> str:
        people = pressed.people
        if not people:
            raise UserError("sorry.only_people")
        name = await self._services.hosting.block(pressed.table_id, actor, people[0], pressed.interaction_id)
        return texts()("manage.blocked", name=shown_name(name))

    async def _unblock(self, pressed: Pressed, actor: Actor) -> str:
        return await self._forget(pressed, actor, "blocked", "manage.unblocked")

    async def _uninvite(self, pressed: Pressed, actor: Actor) -> str:
        return await self._forget(pressed, actor, "invited", "manage.uninvited")

    async def _forget(self, pressed: Pressed, actor: Actor, standing: Standing, key: str) -> str:
        name = await self._services.hosting.forget(
            pressed.table_id, actor, PersonId(pressed.chosen_id), standing, pressed.interaction_id
        )
        return texts()(key, name=shown_name(name))

    async def _invite(self, pressed: Pressed) -> None:
        """Invite people, and mention the newly invited ones in the channel, once."""
        news: list[PersonId] = []

        async def invite(pressed: Pressed, actor: Actor) -> str:
            people, table_id = pressed.people, pressed.table_id
            if not people:
                raise UserError("sorry.only_people")
            invited = await self._services.hosting.invite(table_id, actor, people, pressed.interaction_id)
            news.extend(invited.news)
            table = (await self._services.tables.snapshot(table_id)).table
            key = _invited_key(table, are_told=len(invited.news) == len(people))
            return texts()(key, names=", ".join(map(shown_name, invited.names)))

        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._answer(pressed, reply, invite)
            if news:
                say = catalogue(snapshot.language)
                await reply.call(invitation_panel(snapshot.table, news, say), news)

    async def _accept(self, pressed: Pressed) -> None:
        """Sit down by an invitation, which remains for the other invited people."""
        table_id, person = pressed.table_id, pressed.person
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            table = (await self._services.tables.snapshot(table_id)).table
            sit_down = (
                self._services.lobby.join if table.status == "lobby" else self._services.changing.sit_down
            )
            try:
                await sit_down(table_id, person, pressed.interaction_id)
            except UserError as sorry:
                await reply.refuse(sorry)
                return
            except RepeatedInteractionError:
                pass  # a repeated click: they already sit there
            await reply.tell(texts()("manage.accepted", table=table_id, link=table_address(table)))

    async def _add_computer(self, pressed: Pressed, actor: Actor) -> str:
        level = next((level for level in Level if level.value == pressed.chosen), None)
        if level is None:
            raise UnexpectedInputError("no such level")
        beside = read_number(pressed.press.argument, 1)
        await self._services.hosting.add_computer(
            pressed.table_id, actor, pressed.interaction_id, level, beside=beside
        )
        return texts()("manage.done")

    async def _remove_computer(self, pressed: Pressed, actor: Actor) -> str:
        await self._services.hosting.remove_computer(
            pressed.table_id, actor, pressed.chosen, pressed.interaction_id
        )
        return texts()("manage.done")


def _invited_key(table: TableRow, *, are_told: bool) -> str:
    """Return the words for the host; `are_told` says whether all whom they invited are mentioned in the channel now."""
    if table.status != "lobby":
        return "manage.invited_begun" if are_told else "manage.invited_begun_again"
    if not table.kind.by_invitation:
        return "manage.invited_open"
    return "manage.invited" if are_told else "manage.invited_again"


class Fouls(commands.Cog):
    """The button at the table, and the three steps after it."""

    def __init__(self, services: Services, router: Router, replies: TableReplies) -> None:
        self._services = services
        self._replies = replies
        router.add("foul", self._open)
        router.add("fouls", self._again)
        router.add("pick-foul", self._choose)
        router.add("pick-foul-why", self._confirm)
        router.add("rule-foul", self._rule)
        router.add("pick-unfoul", self._lift)

    async def _governed(self, pressed: Pressed) -> Snapshot:
        return await self._services.fouling.governed(pressed.table_id, await self._replies.actor(pressed))

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await reply.show(fouls_panel(await self._governed(pressed), texts()))

    async def _again(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            await reply.show(fouls_panel(await self._governed(pressed), texts()))

    async def _choose(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            await reply.show(why_panel(snapshot, _seat(pressed.chosen, snapshot), texts()))

    async def _confirm(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            _, seat, _ = _parts(pressed)
            await reply.show(confirm_panel(snapshot, _seat(seat, snapshot), _reason(pressed.chosen), texts()))

    async def _rule(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            deal, number, why = _parts(pressed)
            seat = _seat(number, snapshot)
            with suppress(RepeatedInteractionError):  # the same press already ruled it
                await self._services.fouling.rule(
                    pressed.table_id,
                    await self._replies.actor(pressed),
                    deal,
                    seat,
                    _reason(why),
                    pressed.interaction_id,
                )
            note = texts()("fouls.done", name=snapshot.shown_names[seat])
            await reply.show(fouls_panel(await self._governed(pressed), texts(), note))

    async def _lift(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            snapshot = await self._governed(pressed)
            deal, _, _ = _parts(pressed)
            seat = _seat(pressed.chosen, snapshot)
            with suppress(RepeatedInteractionError):  # the same choice already undid it
                await self._services.fouling.lift(
                    pressed.table_id, await self._replies.actor(pressed), deal, seat, pressed.interaction_id
                )
            note = texts()("fouls.lifted", name=snapshot.shown_names[seat])
            await reply.show(fouls_panel(await self._governed(pressed), texts(), note))


def _parts(pressed: Pressed) -> tuple[int, str, str]:
    """Return the deal, seat and reason in an argument; seat and reason may be empty."""
    deal, _, rest = pressed.press.argument.partition("-")
    seat, _, why = rest.partition("-")
    if (number := read_number(deal, 9)) is None:
        raise UnexpectedInputError("no deal is named")
    return number, seat, why


def _seat(text: str, snapshot: Snapshot) -> int:
    seat = read_number(text, 1)
    if seat is None or seat >= len(snapshot.seats):
        raise UnexpectedInputError("there is no such seat")
    return seat


def _reason(text: str) -> FoulReason:
    reason = next((why for why in FoulReason if why == text), None)
    if reason is None:
        raise UnexpectedInputError("there is no such reason for a foul")
    return reason
