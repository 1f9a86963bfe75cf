"""A person's export has what they did in leagues and at tables, and no card that they may not know yet."""

import ast
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

import league
from data.ids import SeasonId
from data.outbox_keys import OutboxKey, SeasonReminderKey, TableMessageKey, ThreadAccessKey
from data.privacy.traces import PLAYER_FIELDS, PLAYERS_FIELDS, columns_with
from data.schema import TABLES
from data.schema.leagues import league_player
from data.season_posts import TeamNotice
from data.season_rows import PodTimeRow
from data.store import Store
from data.transaction import WriteTransaction
from data.values import ResultRow, TableRow
from league.events import (
    Adjudicated,
    CheckedIn,
    DealReported,
    NoShowBooked,
    RoundDrawn,
    SeasonOpened,
    SignedUp,
    SubstituteSet,
)
from league.events import DrawnPod as Drawn
from league.matches.times import Proposal
from league.members import Banned, DivisionsExchanged
from league.pairing.pods import KeptApart
from league.settings import default_settings
from league.statistics.par import pars
from marriage.apply import replay
from marriage.cards import Card, parse_cards
from marriage.events import Dealt, Discarded, Drew, Event, FoulLifted, FoulReason, FoulRuled
from marriage.rules import preset
from marriage.sheet import Status
from marriage.shuffle import DealSeed
from marriage.strategy.practice import advised, after, opening
from tests.data.conftest import CHANNEL, GUILD, RAM, SEED, SITA, by, first_deal, open_table

RULES = preset("kathmandu")
HANDS = tuple(parse_cards(hand) for hand in ("AS 2S 3S", "4H 5H 6H", "7D 8D 9D"))
STOCK = parse_cards("QC KC")


async def open_season(db: WriteTransaction, name: str) -> SeasonId:
    fields = {"guild_id": GUILD, "channel_id": CHANNEL, "name": name, "number": 1, "former": None}
    times = {"starts_at": 0, "acted_until": 0, "due_at": None, "created_at": 0, "closed_at": None}
    season = await db.seasons.create(**fields, rules=RULES, pace="none", seed=b"x" * 32, **times)
    staff = await db.seasons.keep_player(SITA)
    await db.seasons.add_event(
        season.id, SeasonOpened(name, default_settings("pods"), pars(RULES)), 1, actor=staff
    )
    return season.id


async def test_it_has_what_somebody_did_in_leagues_and_what_was_ruled_about_them(store: Store):
    await open_table(store)

    async def write(db: WriteTransaction) -> None:
        autumn, spring = [await open_season(db, name) for name in ("Autumn", "Spring")]
        sita, ram = [await db.seasons.keep_player(person) for person in (SITA, RAM)]
        own = [SignedUp(ram), CheckedIn(ram, 1), DealReported(4, 1, 2, ram)]
        for body in own:
            await db.seasons.add_event(autumn, body, 2, actor=ram, reason="mine")
        about = [
            RoundDrawn(1, (Drawn(4, (sita, ram)),)),
            NoShowBooked(4, ram),
            Adjudicated(4, {ram: "no_show"}),
        ]
        for body in about:
            await db.seasons.add_event(autumn, body, 3, reason="about me", staff=True)
        await db.seasons.add_event(autumn, DealReported(4, 1, 2, sita), 4, actor=sita, reason="about Ram")
        await db.seasons.add_event(spring, Banned(ram), 5, actor=sita, reason="about me", staff=True)
        await db.seasons.add_event(spring, Banned(sita), 5, reason="not about me", staff=True)
        await db.seasons.set_pod_time(PodTimeRow(autumn, 4, Proposal(9, 8, (sita, ram))))
        await db.seasons.set_pod_time(PodTimeRow(autumn, 5, Proposal(9, 8, (sita,))))
        found = await db.privacy.everything_of(RAM)
        assert [(row["season"], row["body"]["event"], row["reason"]) for row in found["season_event"]] == [
            *[(autumn, body.event, "mine") for body in own],
            *[(autumn, body.event, "about me") for body in about],
            (spring, "banned", "about me"),
        ]
        assert [row["pod"] for row in found["pod_time"]] == [4]

    await store.write(write)


@pytest.mark.parametrize("is_first", [True, False])
async def test_it_has_rulings_of_leagues_in_which_somebody_did_nothing_themselves(
    store: Store, is_first: bool
):
    await open_table(store)

    async def write(db: WriteTransaction) -> None:
        autumn, spring = [await open_season(db, name) for name in ("Autumn", "Spring")]
        sita, ram = [await db.seasons.keep_player(person) for person in (SITA, RAM)]
        about = [
            KeptApart(ram, 99) if is_first else KeptApart(99, ram),
            SubstituteSet(4, sita, ram),
            DivisionsExchanged(sita, ram),
        ]
        for body in about:
            await db.seasons.add_event(autumn, body, 3, actor=sita, reason="about me", staff=True)
        await db.seasons.add_event(spring, KeptApart(sita, 99), 3, actor=sita, reason="not me", staff=True)
        found = await db.privacy.everything_of(RAM)
        assert [(row["season"], row["body"]["event"]) for row in found["season_event"]] == [
            (autumn, body.event) for body in about
        ]

    await store.write(write)


async def finish(
    db: WriteTransaction, table: TableRow, number: int, *, ended: bool = True, **board: object
) -> None:
    """Play a move each of Ram, Sita and a computer in a deal of their table."""
    key = DealSeed(SEED, str(table.id), number)
    row = replace(first_deal(table), deal_no=number, **{"entropy": ["1:5:-", "0:6:-"], **board})
    await db.deals.start(row)
    dealt = Dealt(table.rules, 2, HANDS, Card(3), STOCK, key)
    await db.deals.append_events(table.id, number, 0, by(None, [dealt]), 5)
    for seat in range(3):
        moves = [Drew(seat, STOCK[seat % 2]), Discarded(seat, HANDS[seat][0])]
        await db.deals.append_events(table.id, number, 1 + 2 * seat, by(seat, moves), 6 + seat)
    if ended:
        people = [(RAM, "राम"), (SITA, "Sita"), (None, "Kanchha")]
        await db.deals.add_results(
            table.id,
            number,
            [
                ResultRow(table.id, number, seat, person, name, Status.SEEN, 0, 0, 0, winner=not seat)
                for seat, (person, name) in enumerate(people)
            ],
        )
        await db.deals.end(table.id, number, 9)


async def test_it_has_the_hands_and_moves_of_deals_that_are_over_for_all(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        sealed = await db.boards.open_set(GUILD, RULES, 3, 1_000)
        released = await db.boards.open_set(GUILD, RULES, 3, 1_000)
        await db.boards.release_set(released.id, 2_000)
        await finish(db, table, 1)
        await finish(db, table, 2, board_set=sealed.id, board_no=1)
        await finish(db, table, 3, board_set=released.id, board_no=1)
        await finish(db, table, 4, ended=False)
        found = await db.privacy.everything_of(SITA)
        assert [(row["deal_no"], row["at"], row["body"]) for row in found["event"]] == [
            (number, 7, body)
            for number in (1, 3)
            for body in (
                {"seat": 1, "card": "KC", "event": "drew"},
                {"seat": 1, "card": "4H", "event": "discarded", "threw": False},
            )
        ]
        hands = [(row["deal_no"], row["seat"], row["cards"], row["contributions"]) for row in found["hand"]]
        assert hands == [(number, 1, ["4H", "5H", "6H"], ["1:5:-"]) for number in (1, 3)]
        assert (await db.privacy.everything_of(RAM))["hand"][0]["contributions"] == ["0:6:-"]

    await store.write(write)


async def test_it_has_the_fouls_that_somebody_ruled_or_that_were_ruled_about_them(
    store: Store, table: TableRow
):
    """No seat acts when a foul is ruled, so that it takes no one's turn; the event names the seats."""

    async def write(db: WriteTransaction) -> None:
        await finish(db, table, 1)
        ruled: list[Event] = [
            FoulRuled(1, FoulReason.DELAYED, by=0),
            FoulLifted(1),
            FoulRuled(2, FoulReason.TEAMED, by=None),
            FoulRuled(2, FoulReason.HELPED, by=1),
        ]
        await db.deals.append_events(table.id, 1, 7, by(None, ruled), 20)
        for person, fouls in ((RAM, [(1, 0)]), (SITA, [(1, 0), (1, None), (2, 1)])):
            events = (await db.privacy.everything_of(person))["event"]
            bodies = [row["body"] for row in events if row["at"] == 20]
            assert [(body["seat"], body.get("by")) for body in bodies] == fouls

    await store.write(write)


async def test_a_deal_of_its_own_at_a_table_with_boards_has_its_contributions(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        shared = await db.boards.open_set(GUILD, RULES, 3, 1_000)
        await db.boards.add_tables(shared.id, [table.id])
        await finish(db, table, 1)
        (hand,) = (await db.privacy.everything_of(SITA))["hand"]
        assert hand["contributions"] == ["1:5:-"]

    await store.write(write)


async def test_it_has_the_messages_that_wait_for_somebody_alone(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> list[OutboxKey]:
        season = await open_season(db, "Autumn")
        ram = await db.seasons.keep_player(RAM)
        theirs = [ThreadAccessKey(table.id, RAM), SeasonReminderKey(season, TeamNotice(4, ram))]
        others = [
            ThreadAccessKey(table.id, SITA),
            SeasonReminderKey(season, TeamNotice(4, ram * 10)),
            TableMessageKey(table.id),
        ]
        for key in (*theirs, *others):
            await db.outbox.ask(key, 7)
        return theirs

    theirs = await store.write(write)
    rows = (await store.read(lambda db: db.privacy.everything_of(RAM)))["outbox"]
    assert {(row["about"], row["name"]) for row in rows} == {(key.about, key.name) for key in theirs}


async def test_a_player_of_several_tables_with_the_same_boards_gets_their_own_contributions(
    store: Store, table: TableRow
):
    async def write(db: WriteTransaction) -> None:
        shared = await db.boards.open_set(GUILD, RULES, 3, 1_000)
        other = await db.tables.create(GUILD, CHANNEL, RAM, RULES, 1_000)
        await db.boards.add_tables(shared.id, [other.id, table.id])
        await db.boards.release_set(shared.id, 2_000)
        await finish(
            db, table, 1, board_set=shared.id, board_no=1, entropy=["1/1:5:-", "2/1:6:-", "2/11:7:-"]
        )
        (hand,) = (await db.privacy.everything_of(SITA))["hand"]
        assert hand["contributions"] == ["2/1:6:-"]

    await store.write(write)


async def test_contributions_that_the_disk_has_changed_are_exported_as_they_are(
    migrated: Path, tmp_path: Path
):
    shutil.copy(migrated, tmp_path / "tiplu.db")
    store = await Store.open(tmp_path / "tiplu.db")
    table = await open_table(store)

    async def write(db: WriteTransaction) -> None:
        await finish(db, table, 1)
        await db.deals._execute(text("PRAGMA ignore_check_constraints = ON"))
        await db.deals._execute(text("UPDATE deal SET entropy = '[\"1:5'"))
        (hand,) = (await db.privacy.everything_of(SITA))["hand"]
        assert (hand["cards"], hand["contributions"]) == (["4H", "5H", "6H"], '["1:5')

    await store.write(write)
    await store.close()


PARTS = {"DrawnPod", "Result", "Proposal"}
"""What events and proposed times contain."""


def test_every_field_of_a_season_that_holds_a_player_is_known():
    folder, found = Path(league.__file__).parent, set[str]()
    for name in ("events.py", "members.py", "matches/times.py", "pairing/pods.py"):
        for kind in ast.walk(ast.parse((folder / name).read_text())):
            if isinstance(kind, ast.ClassDef):
                typed = [field for field in kind.body if isinstance(field, ast.AnnAssign)]
                words = {ast.unparse(field.target): ast.unparse(field.annotation) for field in typed}
                if words.get("event", "").startswith("Literal") or kind.name in PARTS:
                    found |= {field for field, said in words.items() if re.search(r"\bPlayer\b", said)}
    assert found == PLAYER_FIELDS | PLAYERS_FIELDS


@pytest.mark.parametrize("table", ["season_event", "season_draft", "season_post"])
def test_every_column_with_the_number_of_a_player_is_found(table: str):
    """A column named like a player refers to one."""
    assert table in {found.name for found, _ in columns_with(league_player.c.number)}
    named = {
        (table.name, column.name)
        for table in TABLES.sorted_tables
        for column in table.columns
        if column.name in {"actor", "player"}
    }
    assert named - {("event", "actor")} == {
        (table.name, column.name) for table, column in columns_with(league_player.c.number)
    }


async def test_the_hidden_cards_of_a_practice_deal_are_in_it_only_when_the_deal_is_over(store: Store):
    async def export(db: WriteTransaction, before: int, events: tuple[Event, ...]):
        await db.practice.set(RAM, before, events, 2)
        return (await db.privacy.everything_of(RAM))["practice"][0]

    async def write(db: WriteTransaction) -> None:
        await db.people.keep(RAM, "राम", 1)
        events, revision = opening(), 0
        while (action := advised(replay(events))) is not None:
            shown = await export(db, revision, events)
            assert shown == {"person_id": RAM, "revision": revision + 1, "events": None, "at": 2}
            events, revision = after(events, action), revision + 1
        kept = (await export(db, revision, events))["events"]
        assert [event["event"] for event in kept] == [event.event for event in events]
        assert all(kept[0]["hands"])

    await store.write(write)
