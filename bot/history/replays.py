"""Finished deals to be looked at again, step by step: who may, from whose eyes, and what was known then."""

import re
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.cooperative import cooperatively
from bot.errors import UnexpectedInputError, UserError
from bot.ui.items import Press
from bot.words.names import seat_name
from data.repositories.statistics.deal_search import Sight
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import ResultRow, TableRow
from league.ids import TableId
from marriage.events import Event
from marriage.review import ReviewStep, SeenStep, step_by_step
from marriage.view import View

ALL: Literal["all"] = "all"
PUBLIC: Literal["public"] = "public"
Eyes = int | Literal["all", "public"]
"""Whose view to show: a seat's, all hands open, or a spectator's."""

MOST_STEPS: Final = 5_000
"""The most cached steps of all deals together, some 6 MB. A deal has 50 to 200."""
_ARGUMENT = re.compile(r"([0-9]{1,5})-([0-4]|all|public)(?:-[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """A step of a deal, seen from somewhere: all that a panel of the replay needs to know."""

    table: TableId
    deal: int
    step: int = 0
    """The step, counted from 0."""
    eyes: Eyes | None = None
    """None for the viewer's default, which is their own seat if they played."""

    @classmethod
    def of(cls, press: Press) -> "Place":
        """Parse the place from a custom id, by default the beginning; raises UserError for an invalid one."""
        if not press.argument:
            return cls(TableId(press.subject), press.revision)
        found = _ARGUMENT.fullmatch(press.argument)
        if found is None:
            raise UnexpectedInputError("no such step")
        return cls(TableId(press.subject), press.revision, int(found[1]), read_eyes(found[2]))

    def press(self, verb: str, tag: str = "") -> Press:
        """The press that leads here; `tag` keeps apart two buttons that lead to the same place."""
        argument = "" if self.eyes is None else f"{self.step}-{self.eyes}{f'-{tag}' if tag else ''}"
        return Press(verb, self.table, self.deal, argument)


def read_eyes(text: str) -> Eyes:
    """The eyes of that name; raises UserError when there are none."""
    if text == ALL:
        return ALL
    if text == PUBLIC:
        return PUBLIC
    if not re.fullmatch("[0-4]", text):
        raise UnexpectedInputError("eyes that there are not")
    return int(text)


@dataclass(frozen=True, slots=True, repr=False)
class Scene:
    """One step as a pair of eyes saw it: what a panel shows."""

    place: Place
    count: int
    """The steps of the deal."""
    names: tuple[str, ...]
    """The names by seat, as plain text."""
    moment: SeenStep
    hands: tuple[View, ...]
    """The view of each seat whose hand is shown."""
    turning_points: tuple[tuple[int, SeenStep], ...]
    """The turning points with their step numbers."""
    is_own: bool
    """Whether the viewer played in the deal."""


@dataclass(frozen=True, slots=True, repr=False)
class Replay:
    """A finished deal that a person may see again."""

    table: TableRow
    deal_no: int
    seats: tuple[ResultRow, ...]
    """The seats as they were in that deal."""
    own_seat: int | None
    """The viewer's seat in the deal; None if they had none."""
    steps: tuple[ReviewStep, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by seat, as plain text, in the current language."""
        return tuple(seat_name(row.person_id, row.name) for row in self.seats)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it."""
        return not self.table.kind.by_invitation

    def scene(self, place: Place) -> Scene:
        """Return the scene at a place; raises UserError if there is no such step or seat."""
        eyes = self.eyes_of(place)
        if not 0 <= place.step < len(self.steps):
            raise UserError("sorry.replay_step", steps=len(self.steps))
        step = self.steps[place.step]
        return Scene(
            place=replace(place, eyes=eyes),
            count=len(self.steps),
            names=self.names,
            moment=_seen(step, eyes),
            hands=tuple(_hand(step, seat, eyes) for seat in self.hands_of(eyes)),
            turning_points=tuple(
                (number, _seen(step, eyes)) for number, step in enumerate(self.steps) if step.notable
            ),
            is_own=self.own_seat is not None,
        )

    def moments(self, eyes: Eyes) -> Iterator[tuple[SeenStep, bool]]:
        """Every step from these eyes, and whether it is a turning point."""
        return ((_seen(step, eyes), step.notable) for step in self.steps)

    def eyes_of(self, place: Place) -> Eyes:
        """Return whose view a place selects; raises UserError if there is no such seat."""
        if place.eyes is None:
            return ALL if self.own_seat is None else self.own_seat
        if isinstance(place.eyes, int) and place.eyes >= len(self.seats):
            raise UserError("sorry.replay_seat", seats=len(self.seats))
        return place.eyes

    def hands_of(self, eyes: Eyes) -> tuple[int, ...]:
        """The seats whose hands are shown to these eyes."""
        if isinstance(eyes, int):
            return (eyes,)
        return tuple(range(len(self.seats))) if eyes == ALL else ()


def _seen(step: ReviewStep, eyes: Eyes) -> SeenStep:
    if eyes == ALL:
        return step.opened()
    return step.seen_by(eyes if isinstance(eyes, int) else None)


def _hand(step: ReviewStep, seat: int, eyes: Eyes) -> View:
    """Return one seat's view. If all hands are open, it includes the tiplu once it is cut."""
    seen = step.seen_by(seat).view
    return replace(seen, tiplu=step.opened().view.tiplu) if eyes == ALL else seen


class Replays:
    """Finished deals as steps. The latest ones are cached, because people go through them step by step."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[int, int], tuple[ReviewStep, ...]] = OrderedDict()
        """By table and deal, the one that was looked at longest ago first. The events of such a deal never change."""

    async def load(self, table_id: TableId, deal_no: int | None, sight: Sight) -> Replay:
        """A deal of a table, its last finished one for None.

        Raises UserError for one that is not there, still on, or not for this person to see (`data.repositories.statistics.deal_search`).
        """

        async def read(db: ReadTransaction):
            table = await db.tables.get(table_id)
            if table is None:
                raise UserError("sorry.replay_none", table=table_id)
            number = _last_finished(table) if deal_no is None else deal_no
            if not await db.history.may_see(sight, table_id, number):
                raise await _refusal(db, table, number, sight)
            events = () if (table_id, number) in self._kept else await db.deals.events(table_id, number)
            return table, number, events, await db.deals.results(table_id)

        table, number, events, results = await self._store.read(read)
        found = await self._steps((table_id, number), events)
        seats = [row for row in results if row.deal_no == number][: found[0].opened().view.players]
        viewer_seat = next((row.seat for row in seats if row.person_id == sight.person_id), None)
        return Replay(table, number, tuple(seats), viewer_seat, found)

    async def _steps(self, deal: tuple[TableId, int], events: Sequence[Event]) -> tuple[ReviewStep, ...]:
        """The steps of a deal, from its events unless they are cached."""
        if deal not in self._kept:
            self._kept[deal] = tuple([step async for step in cooperatively(step_by_step(events))])
        self._kept.move_to_end(deal)
        found = self._kept[deal]
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > MOST_STEPS:
            self._kept.popitem(last=False)
        return found


def _last_finished(table: TableRow) -> int:
    """The number of the last deal that is over; of the first deal while that is on, 0 before it."""
    return table.deal_no - (table.status == "playing" and table.deal_no > 1)


async def _refusal(db: ReadTransaction, table: TableRow, number: int, sight: Sight) -> UserError:
    """Why a person may not see a deal; a person who could not watch the table learns nothing of it."""
    deal = await db.deals.get(table.id, number)
    here = table.guild_id == sight.guild_id and (
        not table.kind.has_message or table.channel_id in sight.channels
    )
    sits = sight.person_id in {seat.person_id for seat in await db.tables.seats(table.id)}
    if not (here or sits) or deal is None or deal.match_no is None:
        return UserError("sorry.replay_none", table=table.id)
    if deal.ended_at is None:
        return UserError("sorry.replay_on", deal=number)
    if await db.boards.is_sealed(deal):
        return UserError("daily.sealed")
    return UserError("sorry.replay_private", table=table.id)


@asynccontextmanager
async def shared_once(store: Store, replay: Replay, now: int) -> AsyncGenerator[None, None]:
    """Post the animated replay for everybody within the block; it counts only if nothing is raised in it.

    Raises UserError when it was posted before, or for a private table.
    """
    if not replay.is_public:
        raise UserError("sorry.replay_stays")

    async def write(db: WriteTransaction) -> None:
        if not await db.deals.share_replay(replay.table.id, replay.deal_no, now):
            raise UserError("sorry.replay_shared", deal=replay.deal_no)

    await store.write(write)
    try:
        yield
    except BaseException:
        await store.write(lambda db: db.deals.unshare_replay(replay.table.id, replay.deal_no))
        raise
