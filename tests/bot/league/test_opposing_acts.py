"""Conflicting acts: undo after undo, two staff members at once, teams that change while others act."""

import pytest

from bot.errors import UserError
from bot.league.ruling_events import (
    banned,
    corrected,
    entered,
    moved,
    redrawn,
    replayed,
    require_still,
    ruled,
    substituted,
    taken_back,
    undone,
    withdrawn,
)
from bot.people import NamedPerson
from league.events import Entry, MatchFinished, Points
from league.members import DivisionsExchanged, MemberSet, PlayerMoved
from league.season import after
from league.standings import standings
from league.undoing import inverse
from tests.bot.league.house import DAY, STAFF, LeagueHouse
from tests.bot.league.test_desk_acts import begun
from tests.bot.league.test_reports import drawn
from tests.bot.league.test_rulings_over_rulings import DEALS
from tests.bot.league.test_teams import accept, found, invite, opened, teams

OTHER_STAFF = NamedPerson(2, "Bina")


async def deals(house: LeagueHouse, season: int) -> tuple[Points, ...]:
    result = (await house.view(season)).season.pods[1].result
    assert result is not None
    return result.deals


async def test_undoing_one_correction_leaves_a_later_one(house: LeagueHouse):
    season, _ = await drawn(house)
    await house.play_round(season, 1)
    first, second, *rest = await deals(house, season)
    one = await house.rule(season, "typed wrong", lambda told, _, __: corrected(told, 1, 1, "30 -10 -10 -10"))
    two = await house.rule(season, "typed wrong", lambda told, _, __: corrected(told, 1, 2, "-9 27 -9 -9"))
    await house.undo(season, one.id)
    assert await deals(house, season) == (first, (-9, 27, -9, -9), *rest)
    await house.undo(season, two.id)
    assert await deals(house, season) == (first, second, *rest)
    await house.assert_fold(season)


async def test_what_a_later_ruling_replaced_is_taken_back_after_it(house: LeagueHouse):
    season, _ = await drawn(house)
    await house.play_round(season, 1)
    before = standings((await house.view(season)).season)
    one = await house.rule(season, "typed wrong", lambda told, _, __: corrected(told, 1, 1, "30 -10 -10 -10"))
    again = await house.rule(season, "no, so", lambda told, _, __: corrected(told, 1, 1, "-10 30 -10 -10"))
    rows = await house.store.read(lambda db: db.seasons.events(season))
    finished = next(row.id for row in rows if isinstance(row.body, MatchFinished))
    for earlier in (one.id, finished):
        with pytest.raises(UserError, match="later_first"):
            await house.undo(season, earlier)
    whole = await house.rule(season, "from paper", lambda told, _, __: entered(told, 1, DEALS))
    with pytest.raises(UserError, match="later_first"):
        await house.undo(season, again.id)
    for row in (whole, again, one):
        await house.undo(season, row.id)
    assert standings((await house.view(season)).season) == before
    await house.assert_fold(season)


async def test_a_substitution_stands_once_the_match_has_begun(house: LeagueHouse):
    season, people = await drawn(house, late_entry=0)
    await house.join(season, 31)
    seen = await house.view(season)
    gone, sitting = seen.by_person[people[0].id], seen.by_person[31]
    row = await house.rule(season, "ill", lambda told, _, __: substituted(told, 1, gone, sitting))
    await house.undo(season, row.id)
    assert gone in (await house.view(season)).season.pods[1].players
    row = await house.rule(season, "ill", lambda told, _, __: substituted(told, 1, gone, sitting))
    await house.play_round(season, 1)
    with pytest.raises(UserError, match="over_ruled"):
        await house.undo(season, row.id)
    pod = (await house.view(season)).season.pods[1]
    assert pod.result is not None
    assert pod.players == pod.result.players


async def test_an_approval_stands_once_the_player_is_drawn(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=0, round_days=2, approval=True)
    await house.join(season, 11, 12, 13, 14, 15)
    await house.services.members.approve(season, STAFF, None, next(house.ids))
    events = await house.store.read(lambda db: db.seasons.events(season))
    rows = [row for row in events if isinstance(row.body, MemberSet)]
    await house.undo(season, rows[-1].id)
    assert (await house.view(season)).season.members[rows[-1].body.player].status == "asking"
    await house.until(season, (await house.view(season)).row.starts_at)
    with pytest.raises(UserError, match="later_first"):
        await house.undo(season, rows[0].id)
    assert len((await house.view(season)).standings().rows) == 4


async def test_each_extension_is_taken_back_alone(house: LeagueHouse):
    season, _ = await drawn(house)
    due = (await house.view(season)).season.rounds[1].due
    one = await house.extend(season, due + DAY, "a festival")
    two = await house.extend(season, due + 3 * DAY, "another one")
    await house.undo(season, one.id)
    assert (await house.view(season)).season.rounds[1].due == due + 2 * DAY
    await house.undo(season, two.id)
    assert (await house.view(season)).season.rounds[1].due == due


async def test_the_later_of_two_orders_to_play_again_is_taken_back_first(house: LeagueHouse):
    season, _ = await drawn(house)
    await house.play_round(season, 1)
    before = (await house.view(season)).season.pods[1]
    due = house.clock.at + DAY
    one = await house.rule(season, "a wrong card", lambda told, _, __: replayed(told, 1, 1, due))
    await house.play_round(season, 1)
    two = await house.rule(season, "another one", lambda told, _, __: replayed(told, 1, 2, due))
    with pytest.raises(UserError, match="stands"):
        await house.undo(season, one.id)
    await house.undo(season, two.id)
    await house.undo(season, one.id)
    assert (await house.view(season)).season.pods[1] == before


@pytest.mark.parametrize("format_", ["pods", "divisions"])
async def test_what_is_to_be_played_again_keeps_its_players_and_its_draw_until_the_order_is_undone(
    house: LeagueHouse, format_: str
):
    season = await begun(house, format_, division_size=4)
    first, second = (await house.view(season)).pods_of(1)
    before, due = await house.view(season), house.clock.at + DAY
    await house.rule(season, "from paper", lambda told, _, __: entered(told, first.id, DEALS))
    played = (await house.view(season)).season.pods[first.id]
    order = await house.rule(season, "a dispute", lambda told, _, __: replayed(told, first.id, None, due))
    told = (await house.view(season)).season
    gone, came = first.players[1], second.players[2]
    event = (
        DivisionsExchanged(gone, came)
        if format_ == "divisions"
        else PlayerMoved(gone, first.id, second.id, 2, 1, came)
    )
    with pytest.raises(UserError, match="begun_or_over"):
        require_still(told, event)
    with pytest.raises(UserError, match="redraw_played"):
        redrawn(told)
    exchanged, back = after(told, Entry(order.id + 1, 0, event)), inverse(order.body)
    assert back is not None
    with pytest.raises(UserError, match="later_first"):
        taken_back(exchanged, order.id, back, 0)  # from the time when it was not refused
    await house.undo(season, order.id)
    now = (await house.view(season)).season
    assert now.pods == {**before.season.pods, first.id: played}
    await house.assert_fold(season)


@pytest.mark.parametrize("act", ["entered", "ruled"])
async def test_a_result_or_ruling_does_not_come_back_to_other_players(house: LeagueHouse, act: str):
    season = await begun(house)
    first, second = (await house.view(season)).pods_of(1)
    make = {
        "entered": lambda told: entered(told, first.id, DEALS),
        "ruled": lambda told: ruled(told, first.id, []),
    }
    row = await house.rule(season, "a mistake", lambda told, _, __: make[act](told))
    over = (await house.view(season)).season.pods[first.id]
    assert over.over

    async def latest() -> int:
        rows = await house.store.read(lambda db: db.seasons.events(season))
        return rows[-1].id

    await house.undo(season, row.id)
    back = await latest()
    gone, came = first.players[1], second.players[2]
    exchange = await house.rule(season, "a quarrel", lambda told, _, __: moved(told, gone, None, came))
    with pytest.raises(UserError, match="later_first"):
        await house.undo(season, back)
    await house.undo(season, exchange.id)
    await house.undo(season, back)
    assert (await house.view(season)).season.pods[first.id] == over
    await house.assert_fold(season)


async def test_a_player_who_came_back_does_not_come_back_twice(house: LeagueHouse):
    season, people = await drawn(house, late_entry=9)
    player = (await house.view(season)).by_person[people[0].id]
    row = await house.rule(season, "rude", lambda told, _, __: withdrawn(told, player))
    await house.undo(season, row.id)
    told = (await house.view(season)).season
    back = inverse(row.body)
    assert back is not None
    with pytest.raises(UserError, match="later_first"):
        taken_back(told, row.id, back, 0)


@pytest.mark.parametrize("drawn", [True, False], ids=["after the draw", "before the draw"])
async def test_who_is_banned_comes_back_only_once_the_ban_is_taken_back(house: LeagueHouse, drawn: bool):
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, 11, 12, 13, 14)
    if drawn:
        await house.until(season, (await house.view(season)).row.starts_at)
    player = (await house.view(season)).by_person[14]
    out = await house.rule(season, "rude", lambda told, _, __: withdrawn(told, player))
    ban = await house.rule(season, "cheats", lambda told, _, __: banned(told, player))
    with pytest.raises(UserError, match="later_first"):
        await house.undo(season, out.id)
    await house.undo(season, ban.id)
    await house.undo(season, out.id)
    assert not (await house.view(season)).season.has_left(player)


async def test_of_two_staff_members_who_do_opposite_things_one_is_told(house: LeagueHouse):
    season, people = await drawn(house)
    await house.play_round(season, 1)
    player = (await house.view(season)).by_person[people[0].id]
    rulings = house.services.rulings
    rows = await house.store.read(lambda db: db.seasons.events(season))
    finished = next(row.id for row in rows if isinstance(row.body, MatchFinished))
    keeps = await rulings.prepare(
        season, STAFF, "abc", lambda told, _, __: corrected(told, 1, 1, "9 -3 -3 -3")
    )
    drops = await rulings.prepare(
        season, OTHER_STAFF, "abc", lambda _, entries, __: undone(entries, finished), corrects=finished
    )
    with pytest.raises(UserError, match="not_your_draft"):
        await rulings.enact(season, keeps.draft, OTHER_STAFF, next(house.ids))
    await rulings.enact(season, keeps.draft, STAFF, next(house.ids))
    before = (await house.view(season)).season
    with pytest.raises(UserError, match="moved_on"):
        await rulings.enact(season, drops.draft, OTHER_STAFF, next(house.ids))
    assert (await house.view(season)).season == before
    assert not before.has_left(player)


@pytest.mark.parametrize("act", [withdrawn, banned])
async def test_whom_the_staff_take_out_before_the_first_draw_leaves_the_team(house: LeagueHouse, act):
    season = await opened(house)
    await found(house, season, 11)
    await invite(house, season, 11, 12, 13)
    await accept(house, season, 12)
    captain = (await house.view(season)).by_person[11]
    await house.rule(season, "rude", lambda told, _, __: act(told, captain))
    assert await teams(house, season) == [("Tigers", [12])]
    await accept(house, season, 13)
    assert await teams(house, season) == [("Tigers", [12, 13])]
    await house.assert_fold(season)


async def test_no_team_is_left_larger_than_teams_may_be(house: LeagueHouse):
    season = await opened(house)
    await found(house, season, 11)
    await invite(house, season, 11, 12)
    await accept(house, season, 12)
    for size in ("0", "1"):
        with pytest.raises(UserError):
            await house.season_admin.set_number(season, STAFF, "team_size", size, next(house.ids))
    assert (await house.view(season)).season.settings.team_size == 2
    await house.season_admin.set_number(season, STAFF, "team_size", "3", next(house.ids))
    with pytest.raises(UserError, match="too_large"):
        await house.season_admin.set_number(season, STAFF, "team_size", "0", next(house.ids))
