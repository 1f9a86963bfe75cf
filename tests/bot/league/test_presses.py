"""Presses on a league's buttons that come twice, too late, from others, or after a restart; and a channel that is gone."""

import asyncio

import pytest

from bot.delivery import discord_calls
from bot.delivery.discord_calls import DirectMessages, Posting
from bot.delivery.outbox import Handlers, Outbox
from bot.delivery.season_posts import SeasonPosts
from bot.errors import RepeatedInteractionError, UserError
from bot.league.calendar_acts import paused
from bot.league.meetings import Meetings
from bot.league.ruling_events import penalised
from bot.league.rulings import Rulings
from bot.league.season import SeasonTransaction
from bot.people import NamedPerson
from data.outbox_keys import TableMessageKey
from data.store import HAS_STORED
from data.transaction import ReadTransaction
from tests.bot.league.house import DAY, HOUR, NOWHERE, STAFF, LeagueHouse, entrant, waiting_posts

PEOPLE = (11, 12, 13, 14)
STRANGER = NamedPerson(98, "ekta")


async def drawn(house: LeagueHouse) -> int:
    season = await house.open(rounds=2, signup_days=1, confirm_hours=0, round_days=2)
    await house.join(season, *PEOPLE)
    await house.until(season, (await house.view(season)).row.starts_at)
    return season


async def last(house: LeagueHouse, season: int) -> int:
    """Return the number of the season's last event."""
    return (await house.store.read(lambda db: db.seasons.events(season)))[-1].id


async def test_the_same_press_twice_counts_once(house: LeagueHouse):
    season = await house.open(rounds=1, signup_days=1, confirm_hours=12)
    click = next(house.ids)
    await house.entries.join(season, entrant(11), click)
    with pytest.raises(RepeatedInteractionError):
        await house.entries.join(season, entrant(11), click)
    before = await last(house, season)
    with pytest.raises(UserError, match="already_in"):
        await house.entries.join(season, entrant(11), next(house.ids))
    presses = [house.entries.join(season, entrant(12), next(house.ids)) for _ in range(3)]
    answers = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(type(answer) is str for answer in answers) == [False, False, True]
    assert await last(house, season) == before + 1
    with pytest.raises(UserError, match="none"):
        await house.entries.join(77, entrant(11), next(house.ids))


async def test_others_and_other_rounds_change_nothing(house: LeagueHouse):
    season = await drawn(house)
    before = await last(house, season)
    for number in (0, 1, 3, 10**17):
        with pytest.raises(UserError, match="checkin_over"):
            await house.entries.check_in(season, number, entrant(11), next(house.ids))
    with pytest.raises(UserError, match="checkin_not_yet"):
        await house.entries.check_in(season, 2, entrant(11), next(house.ids))
    for act in (
        house.entries.check_in(season, 2, entrant(98), next(house.ids)),
        house.entries.leave(season, STRANGER, next(house.ids)),
        house.entries.always(season, STRANGER, next(house.ids)),
    ):
        with pytest.raises(UserError, match="not_in"):
            await act
    meetings = Meetings(house.leagues)
    at = house.clock.at + HOUR
    with pytest.raises(UserError, match="nothing_to_play"):
        await meetings.propose(season, STRANGER, at, next(house.ids))
    for late in (house.clock.at, house.clock.at + 3 * DAY):
        with pytest.raises(UserError, match="bad_time"):
            await meetings.propose(season, NamedPerson(11, "P11"), late, next(house.ids))
    with pytest.raises(UserError, match="other_time"):
        await meetings.agree(season, 1, at, NamedPerson(12, "P12"), next(house.ids))
    await meetings.propose(season, NamedPerson(11, "P11"), at, next(house.ids))
    before = await last(house, season)
    for pod, person in ((1, STRANGER), (77, NamedPerson(12, "P12"))):
        with pytest.raises(UserError, match="not_your_pod"):
            await meetings.agree(season, pod, at, person, next(house.ids))
    with pytest.raises(UserError, match="other_time"):
        await meetings.agree(season, 1, at + 1, NamedPerson(12, "P12"), next(house.ids))
    assert await last(house, season) == before


async def test_a_ruling_is_made_of_what_its_author_saw(house: LeagueHouse):
    season = await drawn(house)
    rulings = Rulings(house.leagues)

    async def draft() -> int:
        preview = await rulings.prepare(
            season,
            STAFF,
            "late again",
            lambda season, _, players: penalised(season, players[11], 5, 1),
            [NamedPerson(11, "P11")],
        )
        return preview.draft

    first = await draft()
    second = await draft()
    with pytest.raises(UserError, match="not_your_draft"):
        await rulings.enact(season, first, STAFF, next(house.ids))
    with pytest.raises(UserError, match="not_your_draft"):
        await rulings.enact(season, second, STRANGER, next(house.ids))
    await house.entries.always(season, NamedPerson(12, "P12"), next(house.ids))
    with pytest.raises(UserError, match="moved_on"):
        await rulings.enact(season, second, STAFF, next(house.ids))
    third = await draft()
    await rulings.enact(season, third, STAFF, next(house.ids))
    with pytest.raises(UserError, match="not_your_draft"):
        await rulings.enact(season, third, STAFF, next(house.ids))
    assert len((await house.view(season)).season.penalties) == 1


async def test_what_staff_only_preview_does_not_count_as_saved_for_them(house: LeagueHouse):
    season = await house.open(signup_days=1)
    await house.join(season, *PEOPLE)
    HAS_STORED.set(False)
    draw = await house.season_admin.next_draw(season)
    preview = await house.services.rulings.prepare(season, STAFF, "a break", lambda told, _, __: paused(told))
    assert not HAS_STORED.get()
    await house.services.rulings.enact(season, preview.draft, STAFF, next(house.ids))
    assert HAS_STORED.get()
    assert draw.coming


async def test_a_restart_at_any_step_draws_once_and_opens_one_table_a_pod(house: LeagueHouse):
    season = await drawn(house)
    before, tables = await last(house, season), (await house.view(season)).tables

    async def change(season_tx: SeasonTransaction) -> None:
        await season_tx.change(acted_until=season_tx.row.starts_at - 1, due_at=season_tx.now)

    await house.leagues.write(season, change)
    await house.rounds.catch_up(season)
    await house.rounds.catch_up(season)
    assert await last(house, season) == before
    assert (await house.view(season)).tables == tables


async def send_due(house: LeagueHouse, posts: Outbox) -> None:
    """Try everything that is due once."""
    due = await house.store.read(waiting_posts, house.clock.at)
    assert due
    for row in due:
        await posts._publish(row)


async def test_a_channel_that_is_gone_holds_up_messages_alone(house: LeagueHouse, monkeypatch):
    season = await drawn(house)
    sent: list[int] = []
    gone = {2}

    async def send(_client, channel_id, *_, **_named) -> discord_calls.Posted:
        if channel_id in gone:
            raise discord_calls.ChannelGoneError("gone")
        sent.append(channel_id)
        return discord_calls.Posted(1_000 + len(sent), ())

    async def edit(_client, channel_id, *_) -> None:
        sent.append(channel_id)

    async def open_dm(_client, _person_id) -> int:
        raise discord_calls.DirectMessagesClosedError("closed")

    monkeypatch.setattr(discord_calls, "send", send)
    monkeypatch.setattr(discord_calls, "edit", edit)
    monkeypatch.setattr(discord_calls, "open_dm", open_dm)
    handlers = Handlers()
    direct = DirectMessages(NOWHERE, house.store)
    SeasonPosts(NOWHERE, house.store, house.clock, Posting(NOWHERE, house.clock), direct).register(handlers)
    posts = Outbox(house.store, house.clock, handlers, 0)
    await send_due(house, posts)
    assert sent == []
    assert (await house.view(season)).failing_posts
    table = (await house.view(season)).tables[1]
    await house.season_admin.set_place(season, 5, next(house.ids))
    moved = (await house.view(season)).tables[1]
    assert (table.channel_id, moved.channel_id, moved.message_id) == (2, 5, None)  # it waits for its players

    async def read(db: ReadTransaction) -> None:
        assert any(isinstance(row.key, TableMessageKey) for row in await db.outbox.due(house.clock.at, 99))

    await house.store.read(read)
    await house.play_round(season, 1)
    await house.season_admin.set_place(season, 5, next(house.ids))
    await send_due(house, posts)
    assert set(sent) == {5}
    assert not await house.store.read(waiting_posts, house.clock.at)
