"""Teams before the first draw: founding, inviting, leaving; and after it: drawn apart and ranked."""

import pytest

from bot.errors import UserError
from bot.history.season_page import season_page
from bot.panels.league.direct_messages import reminder_panel
from bot.panels.league.people import team_panel
from bot.panels.league.posts import post_panel, signup_panel
from bot.panels.league.standings import standings_panel
from bot.people import NamedPerson
from bot.words.texts import texts
from data.season_posts import EndPost, StandingsPost, TeamNotice
from league.members import Team, teammates
from league.statistics.team_standings import team_standings
from tests.bot.league.house import DAY, HOUR, LeagueHouse
from tests.bot.league.test_duplicate_season import words

say = texts()
PEOPLE = tuple(range(11, 19))


def person(number: int) -> NamedPerson:
    return NamedPerson(number, f"P{number}")


async def opened(house: LeagueHouse, *people: int, format_: str = "pods", **options) -> int:
    season = await house.open(
        format_,
        **({"team_size": 2, "rounds": 2, "signup_days": 1, "confirm_hours": 0, "round_days": 2} | options),
    )
    await house.join(season, *(people or PEOPLE))
    return season


async def found(house: LeagueHouse, season: int, captain: int, name: str = "Tigers") -> None:
    await house.services.teams.found(season, person(captain), name, next(house.ids))


async def invite(house: LeagueHouse, season: int, captain: int, *guests: int) -> None:
    await house.services.teams.invite(season, person(captain), [*map(person, guests)], next(house.ids))


async def accept(house: LeagueHouse, season: int, guest: int, team: int = 1) -> None:
    await house.services.teams.accept(season, person(guest), team, next(house.ids))


async def teams(house: LeagueHouse, season: int) -> list[tuple[str, list[int]]]:
    seen = await house.view(season)
    return [
        (team.name, [seen.people[player].id for player in team.members])
        for team in seen.season.teams.values()
    ]


async def paired(house: LeagueHouse, format_: str = "pods") -> int:
    """A season whose people are in teams of two."""
    season = await opened(house, format_=format_)
    for number, captain in enumerate(PEOPLE[::2], 1):
        await found(house, season, captain, f"Team {number}")
        await invite(house, season, captain, captain + 1)
        await accept(house, season, captain + 1, number)
    return season


async def test_a_captain_asks_and_a_member_enters(house: LeagueHouse):
    season = await opened(house)
    await found(house, season, 11, "  The *Tigers* ")
    await invite(house, season, 11, 12, 13)
    seen = await house.view(season)
    posts = await house.posts()
    asked = seen.by_person[12]
    assert TeamNotice(1, asked) in posts
    said = words(reminder_panel(seen, TeamNotice(1, asked), say))
    assert "P11 invites you to join the team" in said
    assert r"The \*Tigers\*" in said
    await accept(house, season, 12)
    assert await teams(house, season) == [("The *Tigers*", [11, 12])]
    seen = await house.view(season)
    assert reminder_panel(seen, TeamNotice(1, asked), say) is None, "that is no question any more"
    with pytest.raises(UserError, match=r"team\.full"):
        await accept(house, season, 13)
    assert "P11, P12" in words(team_panel(seen, asked, say))
    assert r"The \*Tigers\*" in words(signup_panel(seen, say))
    await house.assert_fold(season)


async def test_what_is_not_possible_is_refused(house: LeagueHouse):
    season = await opened(house)
    with pytest.raises(UserError, match=r"team\.in_none"):
        await house.services.teams.leave(season, person(11), next(house.ids))
    await found(house, season, 11)
    with pytest.raises(UserError, match=r"team\.in_one"):
        await found(house, season, 11, "Lions")
    for name in ("tigers", " "):
        with pytest.raises(UserError, match=r"team\.bad_name"):
            await found(house, season, 12, name)
    with pytest.raises(UserError, match=r"team\.captain_only"):
        await invite(house, season, 12, 13)
    with pytest.raises(UserError, match=r"team\.not_free"):
        await invite(house, season, 11, 99)
    with pytest.raises(UserError, match=r"team\.not_asked"):
        await accept(house, season, 13)
    await found(house, season, 14, "Lions")
    with pytest.raises(UserError, match=r"team\.not_free"):
        await invite(house, season, 11, 14)
    with pytest.raises(UserError, match=r"league\.not_in"):
        await found(house, season, 77, "Bears")
    alone = await house.open(name="Alone")
    await house.join(alone, 11)
    with pytest.raises(UserError, match=r"team\.no_teams"):
        await found(house, alone, 11)


async def test_a_team_asks_so_many_at_a_time(house: LeagueHouse):
    season = await opened(house, *range(11, 26))
    await found(house, season, 11)
    await invite(house, season, 11, *range(12, 22))
    with pytest.raises(UserError, match=r"team\.too_many"):
        await invite(house, season, 11, 22)
    assert len((await house.view(season)).season.teams[1].invited) == 10


async def test_a_captain_who_founds_one_team_after_another_notifies_nobody_twice(house: LeagueHouse):
    season = await opened(house)
    notices = set[TeamNotice]()
    for _ in range(3):
        await found(house, season, 11)
        await invite(house, season, 11, 12, 13)
        notices |= {post for post in await house.posts() if isinstance(post, TeamNotice)}
        await house.services.teams.leave(season, person(11), next(house.ids))
    assert len(notices) == 2
    await found(house, season, 14, "Lions")
    await invite(house, season, 14, 12)
    asked = (await house.view(season)).by_person[12]
    assert TeamNotice(4, asked) in await house.posts()


async def test_who_leaves_the_league_leaves_their_team_and_the_next_is_captain(house: LeagueHouse):
    season = await opened(house, team_size=3)
    await found(house, season, 11)
    await invite(house, season, 11, 12)
    await accept(house, season, 12)
    await house.entries.leave(season, person(11), next(house.ids))
    seen = await house.view(season)
    second = seen.by_person[12]
    assert seen.season.teams[1] == Team(1, "Tigers", second, (second,))
    await house.services.teams.leave(season, person(12), next(house.ids))
    assert await teams(house, season) == []


async def test_whoever_has_a_team_is_asked_by_no_other(house: LeagueHouse):
    season = await opened(house)
    await found(house, season, 11)
    await found(house, season, 12, "Lions")
    await invite(house, season, 11, 13)
    await invite(house, season, 12, 13)
    await accept(house, season, 13, 2)
    assert not (await house.view(season)).season.teams[1].invited


@pytest.mark.parametrize("format_", ["pods", "swiss"])
async def test_a_season_of_teams_from_sign_up_to_its_end(house: LeagueHouse, format_: str):
    season = await paired(house, format_=format_)
    seen = await house.view(season)
    starts_at, how = seen.row.starts_at, say("team.how", size=2)
    assert how in words(signup_panel(seen, say))
    await house.until(season, starts_at)
    with pytest.raises(UserError, match=r"team\.fixed"):
        await house.services.teams.leave(season, person(11), next(house.ids))
    for number in (1, 2):
        await house.play_round(season, number)
        ends = starts_at + number * 2 * DAY
        await house.until(season, ends - HOUR)
        if number == 1:
            await house.come(season, 2, *PEOPLE)
        await house.until(season, ends)
        seen = await house.view(season)
        mates = teammates(seen.season.teams.values())
        assert not [pair for pod in seen.pods_of(number) for pair in mates if pair <= set(pod.players)]
        post = words(post_panel(seen, StandingsPost(number), say))
        best, *_ = team_standings(seen.season, number)
        assert f"1. **{best.team.name}**" in post
    assert seen.row.closed_at is not None
    assert how not in words(signup_panel(seen, say))
    shown = words(standings_panel(seen, 0, 0, None, say))
    assert "**Teams**" in shown
    assert "**Teams**" in words(post_panel(seen, EndPost(), say))
    table = seen.told.standings()
    page = season_page(seen.season, [table], {p: f"P{p}" for p in seen.people}, {}, seen.now, say)
    assert "<h2>Teams</h2>" in page
    assert best.team.name in page
    await house.assert_fold(season)


async def test_a_season_without_teams_says_nothing_of_them(house: LeagueHouse):
    season = await opened(house, team_size=0)
    seen = await house.view(season)
    assert "Teams" not in words(signup_panel(seen, say))
    assert "Teams" not in words(standings_panel(seen, 0, 0, None, say))


async def test_a_forgotten_name_goes_from_the_name_of_a_team(house: LeagueHouse):
    season = await paired(house)
    await found(house, await opened(house, 11, name="Winter"), 11, "P12 and co")
    await house.services.forgetting.forget(12)
    names = [team.name for team in (await house.view(2)).season.teams.values()]
    assert names
    assert "P12" not in names[0]
    assert len(await teams(house, season)) == 4


async def test_who_is_no_member_is_told_to_join_first(house: LeagueHouse):
    season = await opened(house)
    assert "Press Join" in words(team_panel(await house.view(season), 0, say))
