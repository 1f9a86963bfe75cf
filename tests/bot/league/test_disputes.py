"""A disputed result alerts staff immediately and again later, and does not hold up the season forever."""

from bot.league.ruling_events import ruled
from bot.panels.league.desk import check_panel
from bot.panels.league.posts import post_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.outbox_keys import SeasonKey, season_key
from data.season_posts import DisputePost, ReportPost
from data.transaction import ReadTransaction
from tests.bot.league.house import HOUR, STAFF, LeagueHouse, waiting_posts
from tests.bot.league.test_duplicate_season import words
from tests.bot.league.test_reports import DEALS, PEOPLE, drawn

say = texts()


async def disputed(house: LeagueHouse, **numbers: int) -> tuple[int, list[NamedPerson], int]:
    """A season of one pod whose report the second player rejects, its people, and the time of the report."""
    season, people = await drawn(house, **numbers)
    await house.reports.report(season, 1, people[0], DEALS, [], next(house.ids))
    told = (await house.view(season)).season.pods[1].report
    assert told is not None
    await house.reports.answer(season, 1, told.at, people[1], next(house.ids), agrees=False)
    await house.rounds.catch_up(season)
    return season, people, told.at


async def calls(house: LeagueHouse, season: int) -> list[DisputePost]:
    return [post for post in (await house.view(season)).posts if isinstance(post, DisputePost)]


async def test_staff_are_called_at_once_and_after_a_day_and_the_rule_decides_after_four(house: LeagueHouse):
    season, _, at = await disputed(house)
    begun = house.clock.at
    assert await calls(house, season) == [DisputePost(1, at)]
    await house.until(season, begun + 23 * HOUR)
    assert await calls(house, season) == [DisputePost(1, at)]
    seen = await house.view(season)
    assert "then the match does not count" in words(check_panel(seen, None, say, plans=True))
    await house.until(season, begun + 25 * HOUR)
    first, second = await calls(house, season)
    assert (first, second) == (DisputePost(1, at), DisputePost(1, at, 2))
    for post in (first, second):
        said = words(post_panel(await house.view(season), post, say))
        assert "objects to the reported result" in said
        assert "the match does not count, and all get their own mean" in said
    assert "still waits" in said
    await house.until(season, begun + 97 * HOUR)
    seen = await house.view(season)
    assert set(seen.season.pods[1].verdicts.values()) == {"average"}
    assert seen.row.closed_at is not None, "the season goes on, here to its end"
    assert "dispute about pod 1 is over" in words(post_panel(seen, DisputePost(1, at), say))
    assert len([act for act in seen.acts if not act.staff]) == 1, "the log says what was ruled"
    await house.assert_fold(season)


async def test_the_second_call_of_an_evening_comes_after_half_of_the_time(house: LeagueHouse):
    season, _, at = await disputed(house, dispute_hours=2)
    begun = house.clock.at
    await house.until(season, begun + HOUR - 1)
    assert await calls(house, season) == [DisputePost(1, at)]
    await house.until(season, begun + HOUR)
    assert await calls(house, season) == [DisputePost(1, at), DisputePost(1, at, 2)]


async def test_without_a_limit_the_staff_are_called_as_well(house: LeagueHouse):
    season, _, at = await disputed(house, dispute_hours=0)
    said = words(post_panel(await house.view(season), DisputePost(1, at), say))
    assert "Until somebody decides, the match does not count" in said
    await house.until(season, house.clock.at + 25 * HOUR)
    assert await calls(house, season) == [DisputePost(1, at), DisputePost(1, at, 2)]


async def test_a_pause_gives_the_staff_more_time(house: LeagueHouse):
    season, _, _ = await disputed(house)
    begun = house.clock.at
    await house.pause(season, "a festival")
    house.clock.at += 200 * HOUR
    await house.rounds.catch_up(season)
    await house.resume(season, "over")
    await house.until(season, begun + (200 + 95) * HOUR)
    assert not (await house.view(season)).season.pods[1].over
    await house.until(season, begun + (200 + 97) * HOUR)
    assert (await house.view(season)).season.pods[1].over


async def test_the_next_match_goes_before_a_disputed_one(house: LeagueHouse):
    season = await house.open(
        "divisions", rounds=2, signup_days=1, confirm_hours=0, round_days=2, division_size=4
    )
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    people = [NamedPerson(number, f"P{number}") for number in PEOPLE]
    await house.reports.report(season, 1, people[0], DEALS, [], next(house.ids))
    told = (await house.view(season)).season.pods[1].report
    assert told is not None
    await house.reports.answer(season, 1, told.at, people[1], next(house.ids), agrees=False)
    assert await house.reports.pod_of(season, people[0]) == 1, "it may be reported anew"
    await house.until(season, (await house.view(season)).season.rounds[1].due)
    assert await house.reports.pod_of(season, people[0]) == 2
    seen = await house.view(season)
    waiting = seen.waiting_pod(seen.by_person[people[0].id])
    assert waiting is not None
    assert waiting.id == 2


async def test_a_ruling_shows_in_the_messages_about_the_dispute(house: LeagueHouse):
    season, people, at = await disputed(house)
    await house.until(season, house.clock.at + 25 * HOUR)
    before = await asked(house)
    rulings = house.services.rulings
    preview = await rulings.prepare(
        season, STAFF, "a quarrel", lambda told, _, players: ruled(told, 1, [players[people[1].id]]), people
    )
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))
    after = await asked(house)
    for post in (ReportPost(1), DisputePost(1, at)):
        assert after[season_key(season, post)] > before[season_key(season, post)]
    said = words(post_panel(await house.view(season), ReportPost(1), say))
    assert "is decided without a match" in said
    assert "−20.00" in said


async def asked(house: LeagueHouse) -> dict[SeasonKey, int]:
    """Return the messages that seasons have requested, and how often."""

    async def read(db: ReadTransaction) -> dict[SeasonKey, int]:
        return {row.key: row.revision for row in await waiting_posts(db, house.clock.at)}

    return await house.store.read(read)
