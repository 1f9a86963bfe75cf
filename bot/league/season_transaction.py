"""A season within one transaction: the fold of its events so far, ways to add more, and a player's next match."""

from dataclasses import dataclass
from typing import Unpack

from bot.errors import UserError
from bot.people import NamedPerson
from bot.words.names import shown_name
from data.ids import SeasonId
from data.outbox_keys import season_key
from data.season_posts import DisputePost, NoShowNotice, PersonalPost, PublicPost, ReportPost
from data.season_rows import SeasonChanges, SeasonEventRow, SeasonRow
from data.transaction import ReadTransaction, WriteTransaction
from league.events import Event, PodId
from league.results import Player
from league.season import Pod, Season, after


async def read_season(db: ReadTransaction, season_id: SeasonId) -> tuple[SeasonRow, Season, int]:
    """A season's row, the fold of its events, and the number of the last event; raises UserError if there is no such season."""
    row = await db.seasons.get(season_id)
    if row is None:
        raise UserError("league.none")
    told = await db.seasons.projection(season_id)
    return row, told.season, told.last


def require_open(row: SeasonRow) -> None:
    """Raise UserError if the season is closed."""
    if row.closed_at is not None:
        raise UserError("league.closed", league=shown_name(row.name))


async def read_former(db: ReadTransaction, row: SeasonRow, most: int) -> list[Season]:
    """The seasons of the league before this one, the latest first, `most` of them."""
    found: list[Season] = []
    number = row.former
    while number is not None and len(found) < most:
        former, season, _ = await read_season(db, number)
        found.append(season)
        number = former.former
    return found


@dataclass(slots=True)
class SeasonTransaction:
    """One season while it is changed. The store has one writer at a time, so nothing comes in between."""

    db: WriteTransaction
    now: int
    row: SeasonRow
    season: Season
    last: int
    """The number of the last event."""

    @classmethod
    async def of(cls, db: WriteTransaction, season_id: SeasonId, now: int) -> "SeasonTransaction":
        """Load a season; raises UserError if there is no such season."""
        return cls(db, now, *await read_season(db, season_id))

    async def add(
        self,
        *events: Event,
        actor: Player | None = None,
        reason: str = "",
        staff: bool = False,
        corrects: int | None = None,
    ) -> SeasonEventRow | None:
        """Add events to the season; returns the row of the last one."""
        row = None
        for event in events:
            row = await self.db.seasons.add_event(
                self.row.id, event, self.now, actor=actor, reason=reason, staff=staff, corrects=corrects
            )
            before, self.season, self.last = self.season, after(self.season, row.entry), row.id
            await self._tell_no_shows(before)
        return row

    async def _tell_no_shows(self, before: Season) -> None:
        """Tell the players whom the latest event books as no-shows."""
        for pod_id, pod in self.season.pods.items():
            was = before.pods.get(pod_id)
            if was is not pod and pod.no_shows:
                for player in sorted(pod.no_shows - (was.no_shows if was else frozenset())):
                    await self.request_post(NoShowNotice(pod_id, pod.due, player))

    async def change(self, **changes: Unpack[SeasonChanges]) -> None:
        """Change columns of the season's row."""
        self.row = await self.db.seasons.update(self.row, **changes)

    async def look_again(self) -> None:
        """Have the worker look at the season at once: something may follow from the new events."""
        if self.row.closed_at is None:
            await self.change(due_at=self.now)

    async def request_post(self, post: PublicPost | PersonalPost) -> None:
        """Let a message of the season be sent, or brought up to date where it is."""
        key = season_key(self.row.id, post)
        await self.db.seasons.keep_post(key)
        await self.db.outbox.ask(key, self.now)

    def require_open(self) -> None:
        """Raise UserError if the season is closed."""
        require_open(self.row)


async def show_reports(season_tx: SeasonTransaction, pod: PodId) -> None:
    """Bring the messages about reports of this pod up to date, and those about a dispute, if there are any."""
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if isinstance(post, ReportPost | DisputePost) and post.pod == pod:
            await season_tx.request_post(post)


async def own_pod(
    db: ReadTransaction, season_id: SeasonId, season: Season, person: NamedPerson
) -> tuple[Player, Pod]:
    """The player and the earliest of their pods whose match has not begun; raises UserError if there is none.

    A match whose report is disputed comes last: it waits for the staff, while the next one is to be played.
    """
    player = await db.seasons.player_of(person.id)
    tables = await db.seasons.pod_tables(season_id)
    waiting = [
        pod
        for pod in season.pods.values()
        if player in pod.players and not pod.over and pod.table is None and pod.id in tables
    ]
    if player is None or not waiting:
        raise UserError("league.nothing_to_play")
    return player, min(waiting, key=lambda pod: (pod.is_disputed, pod.round, pod.id))


async def require_member(
    season_tx: SeasonTransaction, pod_id: PodId, person: NamedPerson
) -> tuple[Player, Pod]:
    """The player and the pod of that number; raises UserError if the player does not belong to it."""
    player = await season_tx.db.seasons.player_of(person.id)
    pod = season_tx.season.pods.get(pod_id)
    if player is None or pod is None or player not in pod.players:
        raise UserError("league.not_your_pod")
    return player, pod
