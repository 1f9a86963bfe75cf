"""The search for the highest rate at which answers still come in time."""

from collections.abc import Callable

from tests.load.measuring import PASSED_MS, Step, percentile
from tests.load.stages import Stage

START_RATE = 10.0
FASTER = 1.6
FINE = 1.15
"""The ratio of failed to passed rate at which the search ends."""
MOST_STEPS = 12
SLOWEST = 2.5
LEAST_PRESSES = 150
"""The fewest presses in a step: with fewer, the slowest of a hundred would be chance."""
NEARLY_MS = 2 * PASSED_MS
"""A step that failed by no more than this is tried again: another program may have caused it."""
MOST_TRIES = 100


async def climb(stage: Stage, start: float, seconds: float, tell: Callable[[Step], None]) -> list[Step]:
    """Return every step tried, in order: faster until one fails, then between the last two."""
    steps: list[Step] = []
    passed, failed, rate = 0.0, 0.0, start
    while len(steps) < MOST_STEPS and rate >= SLOWEST:
        for _ in range(2):
            step = await stage.measure(rate, max(seconds, LEAST_PRESSES / rate))
            steps.append(step)
            tell(step)
            await calm(stage)
            if step.passed or percentile(step.complete, 99) > NEARLY_MS:
                break
        if step.passed:
            passed = rate
        else:
            failed = rate
        if not failed:
            rate *= FASTER
        elif not passed:
            rate /= 2
        elif failed / passed > FINE:
            rate = (passed * failed) ** 0.5
        else:
            break
    return steps


def best(steps: list[Step]) -> Step:
    """Return the fastest step that passed, or else the slowest of all."""
    passed = [step for step in steps if step.passed]
    return max(passed, key=lambda step: step.rate) if passed else min(steps, key=lambda step: step.rate)


async def calm(stage: Stage) -> None:
    """Wait until the bot answers quickly again, after too many presses have piled up."""
    for _ in range(MOST_TRIES):
        press = stage.press(stage.now())
        await press.ended
        if press.complete is not None and (press.complete - press.due) * 1000 < PASSED_MS / 2:
            return
    raise RuntimeError("the bot does not come to rest")
