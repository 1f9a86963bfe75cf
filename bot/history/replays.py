"""Finished deals to be looked at again: step by step, in words, and as analyses of a person's play.

A replay says who may look, from whose eyes, and what was known then. An analysis is computed once, in the pool, and stored.
"""

import re
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final, Literal

from bot.clock import Clock
from bot.cooperative import cooperatively
from bot.errors import UnexpectedInputError, UserError
from bot.ui.items import Press
from bot.words.hands import describe
from bot.words.names import seat_name
from bot.words.texts import Texts, shown_card, shown_cards
from bot.workpool.pool import WorkKind, WorkPool
from data.ids import ChannelId
from data.repositories.deal_search import Search, Sight
from data.store import HAS_STORED, Store, aside
from data.transaction import ReadTransaction, WriteTransaction
from data.values import ResultRow, TableRow
from league.ids import PersonId, TableId
from league.statistics.stats import StandIn
from marriage.analysis.deal_analysis import Analysis, check_dearest, judge, put_together, weigh_draws
from marriage.cards import UNKNOWN, Cards
from marriage.events import (
    Dealt,
    Discarded,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
)
from marriage.review import ReviewStep, SeenStep, step_by_step
from marriage.view import View
from render.drawing.deck import ace_high


def step_words(moment: SeenStep, names: Sequence[str], texts: Texts) -> str:
    """Return one step as a sentence, with every known card."""
    match moment.event:
        case Showed(seat=seat, groups=laid) | ShowedDublees(seat=seat, pairs=laid):
            return texts("replay.showed", name=names[seat], sets=_sets(laid, texts))
        case _:
            return step_caption(moment, names, texts)


def step_caption(moment: SeenStep, names: Sequence[str], texts: Texts) -> str:
    """Return the caption in short form. Shown sets lie on the table, so the caption does not name them."""
    match moment.event:
        case Dealt(dealer=dealer):
            return texts("replay.dealt", dealer=names[dealer], first=names[moment.view.turn])
        case Drew(seat=seat, card=card) if card != UNKNOWN:
            return texts("replay.drew", name=names[seat], card=shown_card(card, texts))
        case TipluCut(seat=seat, card=card) if card != UNKNOWN:
            return texts("replay.tiplu_cut", name=names[seat], card=shown_card(card, texts))
        case TipluSeen(seat=seat, card=card) if card != UNKNOWN:
            return texts("replay.tiplu_seen", name=names[seat], card=shown_card(card, texts))
        case Discarded(seat=seat, card=card, threw=True):
            return texts("replay.threw", name=names[seat], card=shown_card(card, texts))
        case Finished(seat=seat, discard=card) | FinishedDublees(seat=seat, discard=card):
            return texts("replay.finished", name=names[seat], card=shown_card(card, texts))
        case event:
            return describe(event, names, texts) or ""


def _sets(laid: Iterable[Cards], texts: Texts) -> str:
    return " · ".join(shown_cards(ace_high(group), texts) for group in laid)


ALL: Literal["all"] = "all"
PUBLIC: Literal["public"] = "public"
Eyes = int | Literal["all", "public"]
"""Whose view to show: a seat's, all hands open, or a spectator's."""

MOST_STEPS: Final = 5_000
"""The most cached steps of all deals together, some 6 MB. A deal has 50 to 200."""
_ARGUMENT = re.compile(r"([0-9]{1,5})-([0-4]|all|public)(?:-[a-z]+)?")


@dataclass(frozen=True, slots=True)
class PlaceInReplay:
    """A step of a deal and the view it is seen from: all that a replay panel needs to know."""

    table: TableId
    deal: int
    step: int = 0
    """The step, counted from 0."""
    eyes: Eyes | None = None
    """None for the viewer's default: their own seat if they played."""

    @classmethod
    def of(cls, press: Press) -> "PlaceInReplay":
        """Parse the place from a custom id, by default the beginning; raises UserError for an invalid one."""
        if not press.argument:
            return cls(TableId(press.subject), press.revision)
        found = _ARGUMENT.fullmatch(press.argument)
        if found is None:
            raise UnexpectedInputError("no such step")
        return cls(TableId(press.subject), press.revision, int(found[1]), read_eyes(found[2]))

    def press(self, verb: str, tag: str = "") -> Press:
        """Return the press that leads here; `tag` distinguishes two buttons that lead to the same place."""
        argument = "" if self.eyes is None else f"{self.step}-{self.eyes}{f'-{tag}' if tag else ''}"
        return Press(verb, self.table, self.deal, argument)


def read_eyes(text: str) -> Eyes:
    """Return the eyes of that name; raises UserError if there are none."""
    if text == ALL:
        return ALL
    if text == PUBLIC:
        return PUBLIC
    if not re.fullmatch("[0-4]", text):
        raise UnexpectedInputError("eyes that there are not")
    return int(text)


@dataclass(frozen=True, slots=True, repr=False)
class Scene:
    """One step from one point of view, as a panel shows it."""

    place: PlaceInReplay
    count: int
    """The number of steps in the deal."""
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
    """A finished deal that a person may replay."""

    table: TableRow
    deal_no: int
    seats: tuple[ResultRow, ...]
    """The seats as they were in that deal."""
    own_seat: int | None
    """The viewer's seat in the deal; None if they had none."""
    watched_in: ChannelId | None
    """The channel where everyone could watch; None for a private table and for a deal of the day."""
    steps: tuple[ReviewStep, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat, as plain text, in the current language."""
        return tuple(seat_name(row.person_id, row.name) for row in self.seats)

    @property
    def may_be_shared(self) -> bool:
        """Whether the viewer may post it: everyone could watch it, or it is their own deal of the day."""
        if not self.table.kind.has_message:
            return self.own_seat is not None
        return self.watched_in is not None

    def scene(self, place: PlaceInReplay) -> Scene:
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
        """Return every step from this point of view, and whether it is a turning point."""
        return ((_seen(step, eyes), step.notable) for step in self.steps)

    def eyes_of(self, place: PlaceInReplay) -> Eyes:
        """Return whose view a place selects; raises UserError if there is no such seat."""
        if place.eyes is None:
            return ALL if self.own_seat is None else self.own_seat
        if isinstance(place.eyes, int) and place.eyes >= len(self.seats):
            raise UserError("sorry.replay_seat", seats=len(self.seats))
        return place.eyes

    def hands_of(self, eyes: Eyes) -> tuple[int, ...]:
        """Return the seats whose hands are shown in this view."""
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
        """Steps by table and deal, least recently used first. The events of a finished deal never change."""

    async def load(self, table_id: TableId, deal_no: int | None, sight: Sight) -> Replay:
        """A deal of a table, its last finished one for None.

        Raises UserError for one that is not there, still on, or not for this person to see (`data.repositories.deal_search`).
        """

        async def find_deal(db: ReadTransaction):
            table = await db.tables.get(table_id)
            if table is None:
                raise UserError("sorry.replay_none", table=table_id)
            number = _last_finished(table) if deal_no is None else deal_no
            if not await db.history.may_see(sight, table_id, number):
                raise await _refusal(db, table, number, sight)
            events = () if (table_id, number) in self._kept else await db.deals.events(table_id, number)
            results = await db.deals.results_of_deal(table_id, number)
            return table, number, events, results, await db.history.watched_in(table_id, number)

        table, number, events, results, watched_in = await self._store.read(find_deal)
        found = await self._steps((table_id, number), events)
        seats = results[: found[0].opened().view.players]
        viewer_seat = next((row.seat for row in seats if row.person_id == sight.person_id), None)
        return Replay(table, number, tuple(seats), viewer_seat, watched_in, found)

    async def _steps(self, deal: tuple[TableId, int], events: Sequence[Event]) -> tuple[ReviewStep, ...]:
        """Return the steps of a deal, from its events unless they are cached."""
        if deal not in self._kept:
            self._kept[deal] = tuple([step async for step in cooperatively(step_by_step(events))])
        self._kept.move_to_end(deal)
        found = self._kept[deal]
        while len(self._kept) > 1 and sum(map(len, self._kept.values())) > MOST_STEPS:
            self._kept.popitem(last=False)
        return found


def _last_finished(table: TableRow) -> int:
    """Return the number of the last finished deal; 1 during the first deal, 0 before it."""
    return table.deal_no - (table.status == "playing" and table.deal_no > 1)


async def _refusal(db: ReadTransaction, table: TableRow, number: int, sight: Sight) -> UserError:
    """Return why a person may not see a deal.

    Someone who could not watch the table learns nothing about it.
    """
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
    if not table.kind.has_message:
        return UserError("sorry.replay_attempt")
    if not await db.deals.results_of_deal(table.id, number):  # it was damaged, and the staff closed the table
        return UserError("sorry.replay_stopped", table=table.id, deal=number)
    return UserError("sorry.replay_private", table=table.id)


@asynccontextmanager
async def shared_once(store: Store, replay: Replay, now: int) -> AsyncGenerator[None, None]:
    """Post the animated replay for everyone within the block; it counts only if the block raises nothing.

    Raises UserError if it was posted before, and for a deal of a private table or another's deal of the day.
    """
    if not replay.may_be_shared:
        raise UserError("sorry.replay_stays")

    async def note_sharing(db: WriteTransaction) -> None:
        if not await db.deals.share_replay(replay.table.id, replay.deal_no, now):
            raise UserError("sorry.replay_shared", deal=replay.deal_no)

    await store.write(note_sharing)
    try:
        yield
    except BaseException:
        await store.write(lambda db: db.deals.unshare_replay(replay.table.id, replay.deal_no))
        HAS_STORED.set(False)  # as if nothing had been posted
        raise


PARTS: Final = 3
"""The number of parts that the work is divided into."""
Tell = Callable[[int], Awaitable[object]]
"""A callback that receives the number of finished parts."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysed:
    """A person's analysis, and its deal."""

    replay: Replay
    analysis: Analysis
    by_computer: bool
    """Whether a computer played some of the turns."""


class Analyses:
    """Analyses of finished deals, one for each person who played. Stored analyses are not computed again."""

    def __init__(self, store: Store, clock: Clock, workpool: WorkPool) -> None:
        self._store = store
        self._clock = clock
        self._workpool = workpool

    async def last_deal(self, sight: Sight) -> tuple[TableId, int]:
        """Return the last finished deal of a person; raises UserError if there is none."""
        page = await self._store.read(lambda db: db.history.page(sight, Search(), 0, 1))
        if not page.deals:
            raise UserError("sorry.analysis_none")
        row = page.deals[0].row
        return row.table_id, row.deal_no

    async def of(self, replay: Replay, sight: Sight, tell: Tell) -> Analysed:
        """Return the analysis of the person's own play in a deal that they may see.

        Raises UserError if they did not play in it, and SupersededError if they have requested another
        analysis meanwhile.
        """
        seat = replay.own_seat
        if seat is None:
            raise UserError("sorry.analysis_not_yours")
        table, deal = replay.table.id, replay.deal_no

        async def find_known(db: ReadTransaction):
            known = await db.analyses.of_deal(table, deal, sight.person_id)
            found = await db.history.find(sight, table, deal)
            return known, found

        known, found = await self._store.read(find_known)
        played = None if found is None else found.seats[seat].stand_in
        if played is StandIn.WHOLE:
            raise UserError("sorry.analysis_computer")
        analysis = known or await self._worked_out(replay, seat, sight.person_id, tell)
        return Analysed(replay, analysis, played is not None)

    async def _worked_out(self, replay: Replay, seat: int, person_id: PersonId, tell: Tell) -> Analysis:
        table, deal = replay.table.id, replay.deal_no
        events = tuple(await self._store.read(lambda db: db.deals.events(table, deal)))
        await tell(0)
        judged = await self._workpool.run(WorkKind.ANALYSIS, person_id, judge, events, seat)
        await tell(1)
        checked = await self._workpool.run(WorkKind.ANALYSIS, person_id, check_dearest, events, seat, judged)
        await tell(2)
        draws = await self._workpool.run(WorkKind.ANALYSIS, person_id, weigh_draws, events, seat)
        analysis = put_together(events, seat, checked, draws)

        async def keep_analysis(db: WriteTransaction) -> None:
            if await db.people.get(person_id) is not None:  # they may have been forgotten meanwhile
                await db.analyses.keep(table, deal, person_id, analysis, self._clock.now())

        with aside():
            await self._store.write(keep_analysis)
        return analysis
