"""Members hear once that a time holds, that they were booked as a no-show, and that the league is paused."""

from bot.league.ruling_events import undone
from bot.panels.league.direct_messages import reminder_panel
from bot.people import Person
from bot.words.texts import texts
from data.season_posts import NoShowNotice, PauseNotice, PersonalPost
from data.transaction import ReadTransaction
from league.events import NoShowBooked
from league.times import MINUTE
from tests.bot.league.house import DAY, STAFF, LeagueHouse, waiting_posts
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_unplayed_matches import PEOPLE, begun, set_time, table_of


async def notices(house: LeagueHouse, kind: type[PersonalPost]) -> list[int]:
    """Whom the bot is to send a message of this kind, by person."""

    async def read(db: ReadTransaction):
        rows = await waiting_posts(db, house.clock.at)
        posts = [row.key.post for row in rows if isinstance(row.key.post, kind)]
        persons = await db.seasons.persons_of([post.player for post in posts])
        return posts, persons

    posts, persons = await house.store.read(read)
    return sorted(persons[post.player] for post in posts)


async def test_no_shows_are_told_what_it_costs_and_who_can_correct_it(house: LeagueHouse):
    season, at = await begun(house)
    await set_time(house, season, at + DAY, *PEOPLE)
    await house.sit_down(await table_of(house, season), [11, 12, 13])
    await house.until(season, at + DAY + 11 * MINUTE)
    assert await notices(house, NoShowNotice) == [14]
    seen = await house.view(season)
    told = NoShowNotice(1, 0, seen.by_person[14])
    said = words(reminder_panel(seen, told, texts()))
    assert "counts as a no-show for you" in said
    assert "staff can correct it" in said
    assert "less 20" in said

    rows = await house.store.read(lambda db: db.seasons.events(season))
    number = next(row.id for row in rows if isinstance(row.body, NoShowBooked))
    rulings = house.services.rulings
    preview = await rulings.prepare(
        season, STAFF, "was there", lambda _, entries, __: undone(entries, number), corrects=number
    )
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    assert reminder_panel(await house.view(season), told, texts()) is None, (
        "it was taken back before it was sent"
    )


async def test_a_deadline_tells_those_who_did_not_come_and_nobody_else(house: LeagueHouse):
    season, at = await begun(house)
    await house.sit_down(await table_of(house, season), [11])
    await house.until(season, at + 2 * DAY)
    assert await notices(house, NoShowNotice) == [12, 13, 14]


async def test_a_pause_is_told_to_all_who_are_in(house: LeagueHouse):
    season, _ = await begun(house)
    await house.entries.leave(season, Person(14, "P14"), next(house.ids))
    await house.pause(season, "a festival")
    assert await notices(house, PauseNotice) == [11, 12, 13]
    seen = await house.view(season)
    told = PauseNotice(seen.season.paused_at or 0, seen.by_person[11])
    assert "has been paused since" in words(reminder_panel(seen, told, texts()))
    await house.resume(season, "over")
    assert reminder_panel(await house.view(season), told, texts()) is None
