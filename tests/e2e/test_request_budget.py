"""A large draw stays within Discord's rate limit per second, and a turn does not wait for it."""

from playground.recorder import RecordedRequest
from tests.e2e.looking import published
from tests.e2e.players import DRAW, START, button_in_dm, next_panel, open_table, play_by_buttons, press_in_dm
from tests.e2e.seasons import JOIN, UNHURRIED, Circle, start_league
from tests.waiting import until

PLAYERS = 64
MOST = 45


def counted(entries: list[RecordedRequest]) -> list[RecordedRequest]:
    """Return the requests that count against the bot's rate limit per second."""
    return [
        entry for entry in entries if "/interactions/" not in entry.path and "/webhooks/" not in entry.path
    ]


def busiest(entries: list[RecordedRequest]) -> int:
    """Return the highest number of requests in any second."""
    times = sorted(entry.at for entry in entries)
    return max(sum(at <= other < at + 1 for other in times) for at in times)


async def test_a_league_of_64_is_drawn_within_the_budget_while_a_table_plays(discord, start_bot, clock, dull):
    bot = await start_bot(clock=clock)
    people = [discord.person(f"player{number}") for number in range(PLAYERS)]
    discord.world.grant(people[0].user, "MANAGE_GUILD")
    circle = Circle(bot, clock, people)
    signup = await circle.open("Autumn", "3, 7, 3", confirm_hours=0)
    for person in people:
        await person.press(JOIN, message=signup)
    host, guest = (discord.person(name).go("general") for name in ("chandra", "devi"))
    table = await open_table(host, guest)
    await host.press(START, message=table)
    await play_by_buttons(guest, 2)
    await next_panel(host)
    await published(bot)

    before = discord.recorder.entries[-1].n
    await start_league(circle.staff)

    def drawn() -> list[RecordedRequest]:
        return counted([entry for entry in discord.recorder.entries if entry.n > before])

    await until(lambda: len(drawn()) > 20, timeout=UNHURRIED)
    pressed_at = discord.recorder.entries[-1].at
    await press_in_dm(host, DRAW)
    await play_by_buttons(host, 1)
    await guest.wait_for(lambda: button_in_dm(guest, DRAW))
    turn_took = discord.recorder.entries[-1].at - pressed_at
    assert len(drawn()) < 2 * PLAYERS, "the draw was still being told"
    await circle.rest()
    await published(bot)
    entries = drawn()
    print(
        f"{len(entries)} requests, {busiest(entries)} in the busiest second, the turn took {turn_took:.2f} s"
    )
    assert len(entries) > 2 * PLAYERS
    assert busiest(entries) <= MOST
    assert turn_took < 1
    assert all(person.dm() for person in people)
