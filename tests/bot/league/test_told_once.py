"""Members are notified once of an agreed time, of being booked as a no-show, and of a paused league.

Each direct message is built from a small part of the season, and reads as if built from all of it.
"""

from bot.league.ruling_events import undone
from bot.league.season import view_season
from bot.panels.league.direct_messages import reminder_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.outbox_keys import SeasonReminderKey
from data.season_posts import NoShowNotice, PauseNotice, PersonalPost
from data.transaction import ReadTransaction
from league.events import NoShowBooked
from league.times import MINUTE
from tests.bot.league.house import DAY, STAFF, LeagueHouse, waiting_posts
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_reports import DEALS
from tests.bot.league.test_teams import PEOPLE as TEAMMATES
from tests.bot.league.test_teams import found, invite, opened
from tests.bot.league.test_unplayed_matches import PEOPLE, begun, propose, set_time, table_of


async def notices(house: LeagueHouse, kind: type[PersonalPost]) -> list[int]:
    """Return the people who are to get a message of this kind."""

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
    assert "minus 20" in said

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
    await house.entries.leave(season, NamedPerson(14, "P14"), next(house.ids))
    await house.pause(season, "a festival")
    assert await notices(house, PauseNotice) == [11, 12, 13]
    seen = await house.view(season)
    told = PauseNotice(seen.season.paused_at or 0, seen.by_person[11])
    assert "has been paused since" in words(reminder_panel(seen, told, texts()))
    await house.resume(season, "over")
    assert reminder_panel(await house.view(season), told, texts()) is None


async def test_of_the_pauses_of_a_day_only_the_first_is_told_to_members(house: LeagueHouse):
    season, _ = await begun(house)
    for _ in range(5):
        await house.pause(season, "a festival")
        house.clock.at += 60_000
        await house.resume(season, "over")
        house.clock.at += 60_000
    assert sorted(await notices(house, PauseNotice)) == [11, 12, 13, 14]
    house.clock.at += DAY
    await house.pause(season, "another festival")
    assert sorted(await notices(house, PauseNotice)) == sorted([11, 12, 13, 14] * 2)


async def same_words(house: LeagueHouse, season: int) -> set[str]:
    """Return the kinds of the waiting direct messages; each must read as if the whole season were loaded."""

    async def read(db: ReadTransaction) -> set[str]:
        rows = await waiting_posts(db, house.clock.at + 365 * DAY)
        whole = await view_season(db, season, house.clock.at)
        seen: set[str] = set()
        for post in (row.key.post for row in rows if isinstance(row.key, SeasonReminderKey)):
            part = await view_season(db, season, house.clock.at, reader=post.player)
            assert part.people.keys() <= whole.people.keys()
            assert part.waiting_pod(post.player) == whole.waiting_pod(post.player)
            full, small = (reminder_panel(view, post, texts()) for view in (whole, part))
            assert (full is None) == (small is None)
            if full is not None and small is not None:
                assert words(small) == words(full)
                seen.add(post.word)
        return seen

    return await house.store.read(read)


async def test_a_direct_message_from_a_part_of_the_season_says_the_same(house: LeagueHouse):
    season = await opened(house, *TEAMMATES, *range(21, 25), round_days=4)
    await found(house, season, 11)
    await invite(house, season, 11, 12, 13)
    assert await same_words(house, season) == {"team"}
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.join(season, 31)
    first, second, _ = (await house.view(season)).pods_of(1)
    persons = (await house.view(season)).people
    one, *_ = (persons[player].id for player in first.players)
    await propose(house, season, one, house.clock.at + DAY)
    await house.entries.leave(season, NamedPerson(persons[second.players[0]].id, "gone"), next(house.ids))
    await house.rounds.catch_up(season)
    assert await same_words(house, season) >= {"open", "propose", "seat"}
    await house.reports.report(season, first.id, NamedPerson(one, "P"), DEALS, [], next(house.ids))
    assert "report" in await same_words(house, season)
    await house.until(season, house.clock.at + 3 * DAY)
    assert await same_words(house, season) >= {"checkin", "play", "seat"}
    part = await house.store.read(lambda db: view_season(db, season, house.clock.at, reader=first.players[0]))
    assert len(part.people) < len(persons)
