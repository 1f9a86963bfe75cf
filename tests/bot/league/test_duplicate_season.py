"""A season in duplicate: the same boards at all tables of a round, and nothing told before the last has played them."""

from dataclasses import replace

from bot.interactions.people import Person
from bot.panels.league.boards import boards_panel
from bot.panels.table import table_panel, table_words
from bot.table.lobby import close
from bot.words.cardnames import card_name
from bot.words.texts import texts
from league.book import book
from league.duplicate import compare, match_score
from marriage.cards import CARDS
from tests.bot.league.house import HOUR, LeagueHouse

PEOPLE = tuple(range(201, 213))


def words(panel) -> str:
    """Everything that a panel says."""
    return "\n".join(item.content for item in panel.view.walk_children() if hasattr(item, "content"))


def tells_cards(said: str) -> bool:
    """Whether a text names a card."""
    return any(card_name(card, texts()) in said for card in CARDS if card.is_pack)


async def drawn(house: LeagueHouse) -> tuple[int, list[int]]:
    """A season of twelve people in duplicate, its first round drawn, and the tables of it."""
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, duplicate=True)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    return season, [seen.tables[pod.id].id for pod in seen.pods_of(1)]


async def persons(house: LeagueHouse, season: int, table: int) -> list[int]:
    seen = await house.view(season)
    pod = next(pod for pod in seen.pods_of(1) if seen.tables[pod.id].id == table)
    return [seen.people[player].id for player in pod.players]


async def seeds(house: LeagueHouse, table: int) -> dict[int, tuple[bytes, list[str]]]:
    """What the boards of a table were dealt from, by number."""
    async with house.store.read() as reader:
        deals = [await reader.deal(table, number) for number in range(1, 5)]
    return {deal.board_no or 0: (deal.seed, deal.entropy) for deal in deals if deal is not None}


async def test_all_tables_play_the_same_boards_and_are_compared_after_the_last(house: LeagueHouse):
    season, tables = await drawn(house)
    assert len(tables) == 3
    for table in tables[:2]:
        await house.play_table(table, await persons(house, season, table))
    await house.rounds.catch_up(season)
    assert "boards:1" not in (await house.view(season)).posts
    await house.play_table(tables[2], await persons(house, season, tables[2]))
    await house.rounds.catch_up(season)

    first, second, third = [await seeds(house, table) for table in tables]
    assert first == second == third
    assert set(first) == {1, 2, 3, 4}
    seen = await house.view(season)
    pods = seen.pods_of(1)
    assert {pod.id: sorted(pod.boards) for pod in pods} == {pod.id: [1, 2, 3, 4] for pod in pods}
    assert len({pod.boards for pod in pods}) == 3  # each table begins elsewhere
    assert "boards:1" in seen.posts
    said = words(boards_panel(seen, 1, texts()))
    assert all(seen.plain_name(player) in said for pod in pods for player in pod.players)
    await house.assert_fold(season)

    own = pods[0]
    assert own.result is not None
    scores: list[list[int]] = [[] for _ in own.players]
    for number in range(1, 5):
        played = {
            pod.id: pod.result.deals[pod.boards.index(number)] for pod in pods if pod.result is not None
        }
        for seat, score in enumerate(compare(played, seen.season.pars[4])[own.id]):
            scores[seat].append(score.points)
    written = book(seen.season).matches
    counted = next(match.seats for match in written if match.pod.id == own.id)
    assert [counted[player].score for player in own.result.players] == [match_score(one) for one in scores]


async def test_no_card_of_a_board_is_told_where_others_have_yet_to_play_it(house: LeagueHouse):
    season, tables = await drawn(house)
    table = tables[0]
    sitting = await persons(house, season, table)
    await house.sit_down(table, sitting)
    for person in sitting:
        await house.play.ready(table, person, next(house.ids))
    for status in ("playing", "between"):
        snapshot = await house.desk.snapshot(table)
        assert snapshot.table.status == status
        assert snapshot.is_withheld
        said = words(table_panel(snapshot, None, texts()))
        assert "sealed" in said
        assert not tells_cards(said)
        assert snapshot.shuffle is not None
        assert snapshot.shuffle.seed is None
        opened = replace(snapshot, is_sealed=False)
        assert status == "playing" or tells_cards(words(table_panel(opened, None, texts())))
        assert tells_cards(table_words(snapshot, texts())) == (
            status == "between"
        )  # in the panels of its players
        if status == "playing":
            await house.finish_deal(table)
    housed = replace(snapshot, table=replace(snapshot.table, thread_id=1))
    assert not housed.is_withheld  # a thread is the table's own
    async with house.desk.lock(table), house.desk.sitting(table) as closing:
        await close(closing)
    closed = await house.desk.snapshot(table)
    assert closed.next_shuffle is not None
    assert closed.next_shuffle.seed is None  # a board that the others still play


async def test_boards_are_opened_though_a_table_never_played(house: LeagueHouse):
    season, tables = await drawn(house)
    for table in tables[:2]:
        await house.play_table(table, await persons(house, season, table))
    seen = await house.view(season)
    begins = seen.row.starts_at
    before = await house.desk.snapshot(tables[0])
    assert before.shuffle is not None
    assert before.shuffle.seed is None
    await house.entries.leave(season, Person(PEOPLE[0], "P"), next(house.ids))
    await house.until(season, begins + 7 * 24 * HOUR + 48 * HOUR)
    seen = await house.view(season)
    assert seen.row.closed_at is not None
    assert sum(bool(pod.boards) for pod in seen.pods_of(1)) == 2
    after = await house.desk.snapshot(tables[0])
    assert after.shuffle is not None
    assert after.shuffle.seed is not None
    await house.assert_fold(season)
