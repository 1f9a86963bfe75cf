"""When people pressed, from stored events, and what `/fairplay` derives from a file's times and boards."""

from bot.history.fair_play import move_times, own_seats, questions
from bot.panels.history.fair_play import questions_panel
from bot.words.texts import texts
from data.repositories.deal_search import EventTime
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DealRow, PlayedRow
from league.statistics.estimates import strengths
from league.statistics.fairplay import TimedAnswer, late_boards
from league.statistics.stats import StandIn
from marriage.cards import Card
from marriage.events import Drew
from marriage.rules import PRESETS
from marriage.sheet import Ending
from render.words import speaking
from tests.league.evenings import Evenings, boards_season, one_hand
from tests.league.facts import deal, seat

GUILD, CARD = 1, Card.parse("5H")
RULES = PRESETS["pagat"]


def test_presses_are_those_that_people_made():
    moments = [
        EventTime((7, 1), type_, actor, at)
        for type_, actor, at in [
            ("dealt", None, 0), ("window_closed", None, 20), ("drew", 0, 20),  # drawn ahead: no one pressed
            ("discarded", 0, 50), ("drew", 1, 50), ("discarded", 1, 90),
            ("drew", 2, 100), ("showed", 2, 110), ("discarded", 2, 120),  # a computer
            ("took", 0, 150), ("discarded", 0, 170), ("settled", None, 170),
        ]
    ]  # fmt: skip
    other = [EventTime((8, 1), "drew", 1, 5), EventTime((9, 1), "drew", 0, 5)]
    times = move_times([*moments, *other], {(7, 1): (11, 12, None), (8, 1): (11, 12)})
    assert dict(times.presses) == {(11, 7): [50, 150, 170], (12, 7): [90], (12, 8): [5]}
    assert times.answers == [TimedAnswer(7, 12, 11, 40)]


def test_where_a_computer_played_a_part_nobody_is_timed():
    facts = deal(seat(11), seat(12, stand_in=StandIn.BACK), seat(13, stand_in=StandIn.PART))
    assert own_seats(facts) == (11, None, None)


def words(found) -> str:
    walked = questions_panel(found, texts()).view.walk_children()
    return "\n".join(str(part.content) for part in walked if hasattr(part, "content"))


async def stored(db, table: int, number: int, players, points, started: int, ended: int, board=None) -> None:
    set_id, number_in_set = board or (None, None)
    row = DealRow(
        table, number, b"", "", [], 1, 1, RULES, 0, started, ended_at=ended, board_set=set_id, board_no=number_in_set
    )  # fmt: skip
    await db.deals.start(row)
    played = PlayedRow(
        table_id=table, deal_no=number, match_no=None, match_deal=None, guild_id=GUILD, channel_id=2,
        private=False, preset="pagat", variations=0, seats=len(players), ending=Ending.GROUPS, stopped=False,
        started_at=started, ended_at=ended,
    )  # fmt: skip
    await db.stats.add_deal(played, [seat(person, net) for person, net in zip(players, points, strict=True)])


async def test_one_hand_at_two_tables_is_asked_about(place):
    evenings = Evenings(16, 4)
    evenings.play(2)
    one_hand(evenings.presses, 3, 5)
    store = await Store.open(place)
    try:

        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(GUILD)
            for person in range(16):
                await db.people.keep(person, f"P{person}", 0)
            for number in sorted({table for _, table in evenings.presses}):
                table = await db.tables.create(GUILD, 2, 0, RULES, 0)
                players = [person for person, at in evenings.presses if at == number]
                await stored(db, table.id, 1, players, [6, -2, -2, -2], 0, number)
                acts = sorted(
                    (at, place_) for place_, person in enumerate(players)
                    for at in evenings.presses[person, number]
                )  # fmt: skip
                for at, place_ in acts:
                    await db.deals.append_events(
                        table.id, 1, acts.index((at, place_)), [(Drew(place_, CARD), place_)], at
                    )

        await store.write(write)
        found = await store.read(questions, GUILD, 0)
    finally:
        await store.close()
    [pair] = found.together.found
    assert pair.players == (3, 5)
    assert found.together.compared > 0
    said = words(found)
    assert "**P3** and **P5** pressed within a second of each other" in said
    assert f"of {found.together.compared} comparisons" in said
    for language in ("ne", "hi"):
        with speaking(language):
            assert "**P3**" in words(found)


async def test_somebody_who_hears_of_boards_is_asked_about(place):
    deals, boards = boards_season([0.0] * 16, 8, 1, ghost=3, gain=1.5)
    [late] = late_boards(deals, boards, strengths(deals)).players
    store = await Store.open(place)
    try:

        async def write(db: WriteTransaction):
            await db.guilds.keep(GUILD)
            for person in range(16):
                await db.people.keep(person, f"P{person}", 0)
            sets = [await db.boards.open_set(GUILD, RULES, 4, 0) for _ in range(8)]
            tables = {}
            for one in sorted(deals, key=lambda one: one.id):
                if one.id[0] not in tables:
                    tables[one.id[0]] = (await db.tables.create(GUILD, 2, 0, RULES, 0)).id
                set_no, board = boards[one.id].board
                at = (sets[set_no].id, board + 1)
                started = boards[one.id].started_at
                await stored(db, tables[one.id[0]], one.id[1], one.players, one.points, started, one.at, at)
            for one in sets[1:]:
                await db.boards.release_set(one.id, 10**6)
            return sets

        sets = await store.write(write)
        sealed = await store.read(lambda db: db.fair_play.boards(GUILD, 0))
        await store.write(lambda db: db.boards.release_set(sets[0].id, 10**6))

        async def read(db: ReadTransaction):
            found = await questions(db, GUILD, 0)
            nothing = await questions(db, GUILD, 10**6)
            return found, nothing

        found, nothing = await store.read(read)
    finally:
        await store.close()
    assert len(sealed) == 7 * 4 * 12
    [listed] = found.late.found
    assert (listed.player, listed.boards) == (3, late.boards)
    assert 0 < found.late.expected < 0.01
    assert f"of {found.late.compared} players with boards that another table had finished, 0.00" in words(
        found
    )
    assert f"{found.late.expected:.4f}" in words(found)
    assert f"over {late.boards} such boards and {late.others} other deals" in words(found)
    assert (nothing.late.compared, nothing.together.compared, nothing.quick.compared) == (0, 0, 0)
    assert "Nothing stands out on boards" in words(nothing)
