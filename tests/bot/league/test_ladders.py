"""Which people of an ordinary table's match may count in a ladder, and that a damaged season does not hold the match up."""

from bot.league.pod_tables import who_played
from bot.people import NamedPerson
from bot.table.lobby import Wishes
from data.preferences import Pace
from data.values import BenchRow, ResultRow, SeatRow
from league.events import MatchFinished
from league.ids import PersonId
from marriage.rules import PRESETS
from marriage.sheet import Status
from tests.bot.league.house import CHANNEL, GUILD, STAFF, LeagueHouse
from tests.damaging import damage_season


def seat(number: int, person_id: int | None) -> SeatRow:
    return SeatRow(1, number, person_id, "A", None if person_id else "steady")


def played(deal: int, *people: int | None) -> list[ResultRow]:
    return [
        ResultRow(1, deal, number, person, "A", Status.SEEN, 0, 0, 0, winner=False)
        for number, person in enumerate(people)
    ]


def waiting(person_id: int) -> BenchRow:
    return BenchRow(1, 0, person_id, "A", 0, comes=False)


def test_a_match_counts_for_those_who_began_it_even_if_they_sit_out():
    rows = [*played(1, 5, 6, 7), *played(2, 5, 6)]
    assert who_played([seat(0, 5), seat(1, 6)], [waiting(7), waiting(8)], rows) == [5, 6, 7]
    assert who_played([seat(0, 5), seat(1, 6)], [], rows) == [5, 6]


def test_a_match_that_somebody_joined_later_counts_for_nobody():
    rows = [*played(1, 5, 6), *played(2, 5, 6, 7)]
    assert who_played([seat(0, 5), seat(1, 6), seat(2, 7)], [], rows) is None
    assert who_played([seat(0, 5), seat(1, 6)], [waiting(7)], rows) is None


def test_a_match_with_a_computer_counts_for_nobody():
    assert who_played([seat(0, 5), seat(1, None)], [], played(1, 5, None)) is None


async def play(house: LeagueHouse, *persons: int) -> None:
    """Play a match at a table that these people open."""
    wishes = Wishes(rules=PRESETS["pagat"], deals=2, pace=Pace.NONE)
    first, *others = [NamedPerson(PersonId(number), f"P{number}") for number in persons]
    table = await house.lobby.open(GUILD, CHANNEL, first, next(house.ids), wishes=wishes)
    for other in others:
        await house.lobby.join(table, other, next(house.ids))
    await house.play.start(table, first.id, next(house.ids))
    await house.play_deals_on(table)


async def test_a_damaged_season_keeps_no_match_from_ending_nor_from_counting_elsewhere(house: LeagueHouse):
    damaged, ladder = await house.open(name="Spring"), await house.open("ladder")
    await house.join(ladder, 11, 12)
    await house.until(ladder, (await house.view(ladder)).row.starts_at)
    await damage_season(house.store, damaged)
    await play(house, 11, 12)
    [pod] = (await house.view(ladder)).season.pods.values()
    assert pod.result is not None


async def test_no_table_opens_for_a_match_of_a_ladder_whose_result_is_taken_back(house: LeagueHouse):
    ladder = await house.open("ladder")
    await house.join(ladder, 11, 12)
    await play(house, 11, 12)
    await house.rounds.catch_up(ladder)
    rows = await house.store.read(lambda db: db.seasons.events(ladder))
    await house.undo(ladder, next(row.id for row in rows if isinstance(row.body, MatchFinished)))
    assert not (await house.view(ladder)).tables


async def test_the_staff_can_close_a_table_of_a_damaged_season(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0)
    await house.join(season, 11, 12, 13, 14)
    await house.until(season, (await house.view(season)).row.starts_at)
    seen = await house.view(season)
    [table] = [table.id for table in seen.tables.values()]
    await house.sit_down(table, [11, 12, 13, 14])
    await house.get_ready(table, (11, 12, 13, 14))
    await damage_season(house.store, season)
    await house.endings.by_staff(table, GUILD, STAFF, "its season is damaged", next(house.ids))
    assert await house.tables.status(table) == "closed"
