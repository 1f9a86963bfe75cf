"""Faults at Discord that the process survives.

Each is called like an end of the process, and passes by itself.
"""

import asyncio

from playground.faults import rate_limited
from tests.crash.endings import Ending, Scene

PLACES = r"/channels/\d+/messages|/webhooks/"
"""All requests except the first answer to a press, whose failure people would see."""
LONGEST_S = 1.5
FORWARD_S = 45.0


async def _a_while(scene: Scene) -> None:
    """Wait until the bot has made some more requests, or everyone is done."""
    await scene.some_requests()


async def requests_fail(scene: Scene) -> set[int]:
    """Fail some requests with one of Discord's errors; some take effect nevertheless."""
    status = scene.chance.choice((500, 502, 503, 504))
    method = scene.chance.choice(("POST", "PATCH", "*"))
    done = scene.chance.random() < 1 / 4
    scene.discord.faults.fail(
        PLACES, method=method, status=status, times=scene.chance.randrange(1, 6), done=done
    )
    await _a_while(scene)
    return set()


async def limited_here(scene: Scene) -> set[int]:
    """Rate-limit some requests, for a short or a long time."""
    scene.discord.faults.fail(
        PLACES,
        method="PATCH",
        status=429,
        times=scene.chance.randrange(1, 4),
        retry_after=scene.chance.choice((0.2, 1.0, 40.0)),
    )
    await _a_while(scene)
    return set()


async def limited_everywhere(scene: Scene) -> set[int]:
    """Answer one request with the global rate limit."""
    after = scene.chance.uniform(0.2, LONGEST_S)
    scene.discord.faults.fail(
        PLACES,
        status=429,
        retry_after=after,
        body=rate_limited(after, scope="global"),
        headers={"Via": "1.1 google", "Retry-After": f"{after}", "X-RateLimit-Global": "true"},
    )
    await _a_while(scene)
    return set()


async def blocked(scene: Scene) -> set[int]:
    """Refuse one request before it reaches Discord: a limit without the mark of a proxy."""
    scene.discord.faults.fail(
        PLACES, method="PATCH", status=429, headers={"Via": ""}, body={"message": "blocked"}
    )
    await _a_while(scene)
    return set()


async def slow(scene: Scene) -> set[int]:
    """Make every request slower for a while."""
    scene.discord.faults.pause = scene.chance.uniform(0.02, 0.2)
    await _a_while(scene)
    scene.discord.faults.pause = 0.0
    return set()


async def held(scene: Scene) -> set[int]:
    """Let requests hang for a while, then take effect."""
    hold = scene.discord.faults.hold(PLACES, method=scene.chance.choice(("POST", "PATCH")))
    reached = asyncio.ensure_future(hold.reached())
    await scene.until(reached.done)
    reached.cancel()
    await asyncio.wait({scene.process.life}, timeout=scene.chance.uniform(0, LONGEST_S))
    scene.discord.faults.holds.remove(hold)
    hold.release()
    return set()


async def line_lost(scene: Scene) -> set[int]:
    """Break the gateway connection; the session is resumed."""
    await _a_while(scene)
    scene.discord.gateway.drop()
    return set()


async def told_to_reconnect(scene: Scene) -> set[int]:
    """Have the gateway ask the bot to reconnect."""
    await _a_while(scene)
    scene.discord.gateway.reconnect()
    return set()


async def session_invalid(scene: Scene) -> set[int]:
    """Invalidate the gateway session, so that a new one begins."""
    await _a_while(scene)
    scene.discord.gateway.invalidate(resumable=scene.chance.random() < 1 / 2)
    return set()


async def time_jumps(scene: Scene) -> set[int]:
    """Let much time pass at once, as if the machine slept."""
    await _a_while(scene)
    scene.stage.jump(scene.chance.uniform(5, FORWARD_S))
    return set()


PASSING: tuple[Ending, ...] = (
    requests_fail,
    requests_fail,
    limited_here,
    limited_everywhere,
    blocked,
    slow,
    held,
    line_lost,
    told_to_reconnect,
    session_invalid,
    time_jumps,
)
"""All passing faults; some are listed twice to be twice as frequent."""
UNHEARD: tuple[Ending, ...] = (line_lost, told_to_reconnect, session_invalid, time_jumps)
"""The faults in which a press may not reach the bot, or not in time."""
