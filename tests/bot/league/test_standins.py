"""Free seats: stand-ins are asked, the first to accept sits, and no one who had left is penalised."""

import pytest

from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.league.free_seats import Offers
from bot.league.ruling_events import banned, moved, reopened, ruled, substituted, undone
from bot.league.rulings import Rulings
from bot.people import NamedPerson
from data.season_posts import CheckInReminder, FreeSeatNotice, FreeSeatPost, TableNotice
from data.transaction import ReadTransaction
from tests.bot.league.house import DAY, HOUR, STAFF, LeagueHouse, entrant
from tests.bot.league.test_unplayed_matches import begins

PEOPLE = tuple(range(11, 19))
STANDBYS = (31, 32)


async def begun(house: LeagueHouse, **options) -> int:
    """A season of pods whose first round is drawn, with two who stand by."""
    season = await house.open(
        **({"rounds": 2, "signup_days": 1, "confirm_hours": 0, "round_days": 2, "late_entry": 0} | options)
    )
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    await house.join(season, *STANDBYS)
    return season


async def leave(house: LeagueHouse, season: int, person: int) -> None:
    await house.entries.leave(season, NamedPerson(person, "gone"), next(house.ids))
    await house.rounds.catch_up(season)


async def test_the_first_yes_has_the_seat_of_who_left(house: LeagueHouse):
    season = await begun(house)
    offers = Offers(house.leagues)
    seen = await house.view(season)
    pod = seen.pods_of(1)[0]
    gone, *others = pod.players
    with pytest.raises(UserError, match="seat_taken"):
        await offers.take(season, pod.id, gone, entrant(31), next(house.ids))
    await leave(house, season, seen.people[gone].id)
    seen = await house.view(season)
    assert FreeSeatPost(pod.id, gone) in seen.posts

    async def read(db: ReadTransaction):
        for number in STANDBYS:
            player = seen.by_person[number]
            assert await db.seasons.post(season, FreeSeatNotice(pod.id, gone, player)) is not None
            assert player in await db.seasons.players_written_to(season)

    await house.store.read(read)
    with pytest.raises(UserError, match="not_standing_by"):
        await offers.take(season, pod.id, gone, entrant(seen.people[others[0]].id), next(house.ids))
    with pytest.raises(UserError, match="not_standing_by"):
        await offers.take(season, pod.id, gone, entrant(999), next(house.ids))
    with pytest.raises(UserError, match="seat_taken"):
        await offers.take(season, pod.id, others[0], entrant(31), next(house.ids))
    with pytest.raises(UserError, match="seat_taken"):
        await offers.take(season, 77, gone, entrant(31), next(house.ids))
    click = next(house.ids)
    await offers.take(season, pod.id, gone, entrant(31), click)
    with pytest.raises(RepeatedInteractionError):
        await offers.take(season, pod.id, gone, entrant(31), click)
    with pytest.raises(UserError, match="seat_taken"):
        await offers.take(season, pod.id, gone, entrant(32), next(house.ids))
    await house.rounds.catch_up(season)
    await house.play_round(season, 1)
    seen = await house.view(season)
    result = seen.season.pods[pod.id].result
    assert result is not None
    assert 31 in {seen.people[player].id for player in result.players}
    assert len(result.players) == 4
    await house.assert_fold(season)


async def test_the_seat_of_who_did_not_come_to_the_agreed_time(house: LeagueHouse):
    season = await begun(house)
    seen = await house.view(season)
    pod = seen.pods_of(1)[0]
    table, persons = seen.tables[pod.id].id, [seen.people[player].id for player in pod.players]
    await house.sit_down(table, persons[:3])
    await house.rounds.pods.book_missing(season, pod.id)
    seen = await house.view(season)
    missed = pod.players[3]
    assert seen.season.pods[pod.id].missed == {missed}
    await Offers(house.leagues).take(season, pod.id, missed, entrant(32), next(house.ids))
    await house.sit_down(table, [32])
    await house.play_match(table, [*persons[:3], 32])
    await house.until(season, seen.row.starts_at + 3 * DAY)
    seen = await house.view(season)
    lines = {
        seen.people[row.row.player].id: row.row.lines[0].kind
        for row in seen.standings().rows
        if row.row.lines
    }
    assert lines[persons[3]] == "no_show"
    assert [lines[person] for person in persons[:3]] == ["match"] * 3


async def seated(house: LeagueHouse, season: int) -> tuple[int, list[int]]:
    """The table of the first pod, whose players all sit there."""
    seen = await house.view(season)
    pod = seen.pods_of(1)[0]
    persons = [seen.people[player].id for player in pod.players]
    await house.sit_down(seen.tables[pod.id].id, persons)
    return seen.tables[pod.id].id, persons


async def sitting(house: LeagueHouse, table: int) -> set[int | None]:
    return {seat.person_id for seat in await house.store.read(lambda db: db.tables.seats(table))}


@pytest.mark.parametrize("missing", ["substitute", "shorter", "computer"])
@pytest.mark.parametrize("act", ["leaves", "is banned"])
async def test_who_leaves_gets_up_so_that_the_others_play_without_them(
    house: LeagueHouse, act: str, missing: str
):
    season = await begun(house, missing=missing)
    table, (gone, *others) = await seated(house, season)
    player = (await house.view(season)).by_person[gone]
    await house.play.ready(table, gone, next(house.ids))
    await house.get_ready(table, others[:-1])
    if act == "leaves":
        await house.entries.leave(season, NamedPerson(gone, "gone"), next(house.ids))
    else:
        await house.rule(season, "cheats", lambda told, _, __: banned(told, player))
    with pytest.raises(StaleRevisionError):
        await house.play.ready(table, others[-1], next(house.ids))
    await house.rounds.catch_up(season)
    assert await sitting(house, table) == set(others)
    await house.play.ready(table, others[-1], next(house.ids))
    await house.play_deals_on(table)
    seen = await house.view(season)
    result = seen.season.pods[1].result
    assert result is not None
    assert {seen.people[number].id for number in result.players} == set(others)
    await house.assert_fold(season)


async def test_those_who_were_ready_begin_once_a_player_has_left(house: LeagueHouse):
    season = await begun(house)
    table, (gone, *others) = await seated(house, season)
    await house.get_ready(table, others)
    await leave(house, season, gone)
    await begins(house, table)
    assert await sitting(house, table) == set(others)


async def test_at_the_deadline_who_has_left_is_no_company(house: LeagueHouse):
    season = await begun(house)
    draw = (await house.view(season)).row.starts_at
    table, (gone, last, *others) = await seated(house, season)
    for person in others:
        await house.lobby.leave(table, person)
    await house.until(season, draw + 2 * DAY - 1)
    await house.entries.leave(season, NamedPerson(gone, "gone"), next(house.ids))
    house.clock.at = draw + 2 * DAY
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    verdicts = {seen.people[player].id: verdict for player, verdict in seen.season.pods[1].verdicts.items()}
    assert verdicts == {gone: "nothing", last: "average_plus"} | dict.fromkeys(others, "no_show")


@pytest.mark.parametrize("back", ["undone", "substituted again"])
async def test_a_substitute_whose_seat_is_taken_back_gets_up(house: LeagueHouse, back: str):
    season = await begun(house)
    seen = await house.view(season)
    pod = seen.pods_of(1)[0]
    other, table = seen.by_person[31], seen.tables[pod.id].id
    row = await house.rule(
        season, "ill", lambda told, _, __: substituted(told, pod.id, pod.players[0], other)
    )
    await house.rounds.catch_up(season)
    await house.sit_down(table, [31])
    if back == "undone":
        await house.undo(season, row.id)
    else:
        await house.rule(
            season, "well again", lambda told, _, __: substituted(told, pod.id, other, pod.players[0])
        )
    await house.rounds.catch_up(season)
    assert await sitting(house, table) == set()
    await house.play_round(season, 1)
    seen = await house.view(season)
    assert {*seen.season.pods[pod.id].result.players} == {*pod.players}
    await house.assert_fold(season)


@pytest.mark.parametrize(("how", "refusal"), [("leaves", "not_a_member"), ("banned", "is_banned")])
async def test_nobody_who_has_left_becomes_a_substitute(house: LeagueHouse, how: str, refusal: str):
    season = await begun(house)
    seen = await house.view(season)
    pod, other = seen.pods_of(1)[0], seen.by_person[31]
    if how == "leaves":
        await leave(house, season, 31)
    else:
        await house.rule(season, "cheats", lambda told, _, __: banned(told, other))
    with pytest.raises(UserError, match=rf"league\.{refusal}"):
        await house.rule(season, "ill", lambda told, _, __: substituted(told, pod.id, pod.players[0], other))


async def test_a_substitute_from_outside_the_season_who_is_banned_gives_up_the_seat_until_that_is_undone(
    house: LeagueHouse,
):
    season = await begun(house)
    seen = await house.view(season)
    pod = seen.pods_of(1)[0]
    table, outsider = seen.tables[pod.id].id, NamedPerson(50, "Outsider")
    await house.store.write(lambda db: db.people.keep(outsider.id, outsider.name, house.clock.at))
    other = await house.store.write(lambda db: db.seasons.keep_player(outsider.id))
    await house.rule(season, "ill", lambda told, _, __: substituted(told, pod.id, pod.players[0], other))
    await house.sit_down(table, [outsider.id])
    ban = await house.rule(season, "cheats", lambda told, _, __: banned(told, other))
    await house.rounds.catch_up(season)
    assert await sitting(house, table) == set()
    assert TableNotice(1, other, table) not in await house.posts()
    with pytest.raises(UserError):
        await house.sit_down(table, [outsider.id])
    await house.undo(season, ban.id)
    await house.sit_down(table, [outsider.id])


async def test_a_player_who_has_left_does_not_sit_down_if_their_substitute_is_taken_back(house: LeagueHouse):
    season = await begun(house)
    seen = await house.view(season)
    pod, other = seen.pods_of(1)[0], seen.by_person[31]
    table, gone = seen.tables[pod.id].id, seen.people[pod.players[0]].id
    row = await house.rule(
        season, "ill", lambda told, _, __: substituted(told, pod.id, pod.players[0], other)
    )
    await leave(house, season, gone)
    await house.undo(season, row.id)
    await house.rounds.catch_up(season)
    with pytest.raises(UserError):
        await house.sit_down(table, [gone])


async def test_no_seat_is_reserved_for_a_player_who_has_left_and_is_moved(house: LeagueHouse):
    season = await begun(house)
    seen = await house.view(season)
    source, to = seen.pods_of(1)
    gone, other = source.players[0], to.players[0]
    await leave(house, season, seen.people[gone].id)
    await house.rule(season, "a friend", lambda told, _, __: moved(told, gone, None, other))
    await house.rounds.catch_up(season)
    with pytest.raises(UserError):
        await house.sit_down(seen.tables[to.id].id, [seen.people[gone].id])
    await house.sit_down(seen.tables[source.id].id, [seen.people[other].id])


async def test_stand_bys_come_in_for_who_has_not_checked_in(house: LeagueHouse):
    season = await begun(house)
    await house.play_round(season, 1)
    draw = (await house.view(season)).row.starts_at + 2 * DAY
    await house.until(season, draw - 3 * HOUR)
    await house.come(season, 2, *PEOPLE[:6], *STANDBYS[::-1])
    await house.come(season, 2, PEOPLE[6])
    await house.until(season, draw)
    seen = await house.view(season)
    drawn = {seen.people[player].id for pod in seen.pods_of(2) for player in pod.players}
    assert drawn == {*PEOPLE[:7], STANDBYS[0]}  # one was missing, the other stand-by is not needed
    await house.play_round(season, 2)
    await house.rounds.catch_up(season)
    rows = (await house.view(season)).standings().rows
    assert {seen.people[row.row.player].id for row in rows} == set(PEOPLE)


@pytest.mark.parametrize("hours", [(3,), (24,)], ids=["with the last reminder", "at once if no other comes"])
async def test_stand_bys_are_asked_to_check_in_if_somebody_is_missing(
    house: LeagueHouse, hours: tuple[int, ...]
):
    season = await begun(house, checkin_hours=6, reminder_hours=hours)
    seen = await house.view(season)
    due, asked = seen.season.rounds[1].due, seen.by_person[STANDBYS[0]]
    await house.until(season, due - 3 * HOUR)
    assert asked in {post.player for post in await house.posts() if isinstance(post, CheckInReminder)}


async def test_who_has_left_gets_no_verdict_and_a_closed_pod_can_play_again(house: LeagueHouse):
    season = await begun(house, rounds=1)
    begins = (await house.view(season)).row.starts_at
    first, second = (await house.view(season)).pods_of(1)
    seen = await house.view(season)
    persons = [seen.people[player].id for player in second.players]
    await house.play_table(seen.tables[first.id].id, [seen.people[player].id for player in first.players])
    await leave(house, season, persons[3])
    await house.sit_down(seen.tables[second.id].id, persons[:1])
    with pytest.raises(UserError, match="table_is_open"):
        await reopen(house, season, second.id)
    await house.until(season, begins + 2 * DAY)
    seen = await house.view(season)
    verdicts = [seen.season.pods[second.id].verdicts[player] for player in second.players]
    assert verdicts == ["average_plus", "no_show", "no_show", "nothing"]
    assert seen.row.closed_at is not None

    rulings = Rulings(house.leagues)
    with pytest.raises(UserError, match="reopen_first"):
        await reopen(house, season, second.id)

    async def read(db: ReadTransaction):
        return [row for row in await db.seasons.events(season) if row.body.event == "season_closed"][-1]

    closing = await house.store.read(read)
    undo = await rulings.prepare(
        season, STAFF, "too early", lambda _, rows, __: undone(rows, closing.id), corrects=closing.id
    )
    await rulings.enact(season, undo.draft, STAFF, next(house.ids))
    await reopen(house, season, second.id)
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert not seen.season.pods[second.id].over
    assert seen.row.closed_at is None
    await house.play_table(seen.tables[second.id].id, persons[:3])
    await house.rounds.catch_up(season)
    seen = await house.view(season)
    assert len(seen.season.pods[second.id].result.players) == 3
    assert seen.row.closed_at is not None
    await house.assert_fold(season)


async def test_a_pod_that_plays_again_has_a_deadline_of_its_own(house: LeagueHouse):
    season = await begun(house)
    seen = await house.view(season)
    pod = seen.pods_of(1)[0]
    rulings = Rulings(house.leagues)
    ruling = await rulings.prepare(
        season, STAFF, "a quarrel", lambda season, _, __: ruled(season, pod.id, [])
    )
    await rulings.enact(season, ruling.draft, STAFF, next(house.ids))
    await house.rounds.catch_up(season)
    assert (await house.tables.status(seen.tables[pod.id].id)) == "closed"
    await reopen(house, season, pod.id, days=9)
    await house.until(season, house.clock.at + 9 * DAY - HOUR)
    assert not (await house.view(season)).season.pods[pod.id].over
    await house.until(season, house.clock.at + HOUR)
    assert (await house.view(season)).season.pods[pod.id].verdicts


async def reopen(house: LeagueHouse, season: int, pod: int, days: int = 2) -> None:
    rulings, due = Rulings(house.leagues), (house.clock.at + days * DAY)
    preview = await rulings.prepare(
        season, STAFF, "play it", lambda season, _, __: reopened(season, pod, due)
    )
    await rulings.enact(season, preview.draft, STAFF, next(house.ids))
