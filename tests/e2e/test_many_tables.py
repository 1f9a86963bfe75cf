"""Many tables at once: a fault in one channel affects no other table."""

import pytest

from playground.faults import rate_limited
from tests.e2e.looking import published
from tests.e2e.players import (
    DRAW,
    START,
    button_in_dm,
    next_panel,
    open_table,
    play_by_buttons,
    press_in_dm,
)
from tests.waiting import until


async def two_tables(discord):
    """Start two deals in two channels; return the hosts, who are to draw, and the tables' messages."""
    hosts, tables = [], []
    for place, names in (("marriage", ("asha", "bikram")), ("general", ("chandra", "devi"))):
        host, guest = (discord.person(name).go(place) for name in names)
        table = await open_table(host, guest)
        await host.press(START, message=table)
        await play_by_buttons(guest, 2)
        await next_panel(host)
        await host.wait_for(
            lambda host=host, table=table: f"**{host.user.shown_name}** draws next" in host.look(table).text
        )
        hosts.append(host)
        tables.append(table)
    return hosts, tables


def refused(discord, path, status):
    return [request for request in discord.recorder.requests("PATCH", path) if request.status == status]


async def the_other_plays_on(discord, host, table):
    """Play a whole turn that everyone sees, up to the next player's turn."""
    guest = discord.person("devi").go("general")
    await play_by_buttons(host, 2)
    await guest.wait_for(lambda: button_in_dm(guest, DRAW))
    await guest.wait_for(lambda: f"**{guest.user.shown_name}** draws next" in guest.look(table).text)


async def test_a_channel_that_hangs_delays_no_other_table(discord, bot, dull):
    (asha, chandra), (ill, well) = await two_tables(discord)
    hold = discord.faults.hold(rf"/channels/{ill.message.channel.id}/")
    await press_in_dm(asha, DRAW)
    await hold.reached()
    await the_other_plays_on(discord, chandra, well)
    assert "**Asha** draws next" in asha.look(ill).text
    hold.release()
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(ill).text)
    await published(bot)


@pytest.mark.parametrize(
    ("status", "answer"),
    [(500, {}), (429, {"retry_after": 20}), (429, {"retry_after": 600}), (400, {"code": 50035})],
)
async def test_a_channel_that_is_ill_or_limited_delays_no_other_table(
    discord, bot, dull, watch, status, answer
):
    (asha, chandra), (ill, well) = await two_tables(discord)
    path = rf"/channels/{ill.message.channel.id}/messages"
    discord.faults.fail(path, method="PATCH", status=status, times=1_000, **answer)
    await press_in_dm(asha, DRAW)
    await until(lambda: refused(discord, path, status))
    await the_other_plays_on(discord, chandra, well)
    assert "**Asha** draws next" in asha.look(ill).text
    if status == 400:
        watch.expect("outbox.refused")


async def test_direct_messages_that_hang_delay_no_other_player(discord, bot, dull):
    (asha, chandra), (ill, well) = await two_tables(discord)
    bikram = discord.person("bikram")
    hold = discord.faults.hold(rf"/channels/{bikram.dm_channel.id}/")
    await play_by_buttons(asha, 2)
    await hold.reached()
    await asha.wait_for(lambda: "**Bikram** draws next" in asha.look(ill).text)
    await the_other_plays_on(discord, chandra, well)
    hold.release()
    await bikram.wait_for(lambda: button_in_dm(bikram, DRAW))


async def test_a_request_that_hangs_is_given_up_and_made_again(discord, bot, dull, monkeypatch):
    (asha, _), (ill, _) = await two_tables(discord)
    monkeypatch.setattr("bot.rest.ATTEMPT_S", 0.5)
    monkeypatch.setattr("bot.lanes.FIRST_WAIT_MS", 10)
    path = rf"/channels/{ill.message.channel.id}/messages/{ill.id}"
    hold = discord.faults.hold(path, method="PATCH")
    before = len(discord.recorder.requests("PATCH", path))
    await press_in_dm(asha, DRAW)
    await until(lambda: len(discord.recorder.requests("PATCH", path)) >= before + 2, timeout=30)
    monkeypatch.undo()
    hold.release()
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(ill).text)


async def test_a_limit_for_all_is_waited_out_and_everything_goes_on(discord, bot, dull):
    (asha, chandra), (ill, well) = await two_tables(discord)
    discord.faults.fail("/messages/", method="PATCH", status=429, body=rate_limited(0.2, scope="global"))
    await press_in_dm(asha, DRAW)
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(ill).text)
    await the_other_plays_on(discord, chandra, well)
