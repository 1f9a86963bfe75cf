"""`python -m tests.season`: play whole seasons in process on a virtual clock, and check every promise.

    python -m tests.season [pods swiss divisions teams arena] [--few]

Each season prints a line of JSON with its results, and then every broken promise: a table that differs from
the independent recount, a refused request, an error in the log, an unanswered press, a press by the staff.
The exit status is 1 if there is any. `--few` plays the gate's tiny seasons.
"""

import argparse
import asyncio
import json
import logging
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from playground.in_process import InProcessLoop
from playground.server import Playground
from tests.e2e.players import be_patient
from tests.e2e.running import Running, Watch, run_here
from tests.in_process import without_threads
from tests.long_run import log_as_python_does, status
from tests.missing import OPENAPI
from tests.playground.openapi import judge_all
from tests.season.seasons import KINDS, Kind, Outcome, play
from tests.waiting import SLOW_DEADLINE


def listen() -> Watch:
    """Collect the errors in the log from now on."""
    log_as_python_does()
    watch = Watch()
    logging.getLogger().addHandler(watch)
    return watch


async def play_alone(
    kind: Kind, folder: Path, patch: pytest.MonkeyPatch, *, few: bool
) -> tuple[Outcome, list[str]]:
    """Play a season on its own Discord; return the results and the broken promises."""
    started: list[Running] = []
    async with Playground(deadline=SLOW_DEADLINE) as discord:

        async def start(**options: object) -> Running:
            started.append(await run_here(discord, folder / "tiplu.sqlite3", **options))
            return started[-1]

        try:
            outcome, broken = await play(kind, discord, start, patch, few=few)
        finally:
            await started[-1].stop()
        broken += [
            f"unanswered: {interaction.data}"
            for interaction in discord.world.interactions.values()
            if interaction.state == "failed"
        ]
        broken += [str(failure) for failure in discord.failures]
        if OPENAPI:
            broken += await judge_all(discord)
    return outcome, broken


def main() -> int:
    """Play the seasons and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help=f"one of {', '.join(KINDS)}; all if none is given"
    )
    parser.add_argument("--few", action="store_true", help="play the tiny seasons of the gate")
    asked = parser.parse_args()
    if unknown := set(asked.kinds) - KINDS.keys():
        parser.error(f"there is no season {', '.join(sorted(unknown))}")
    be_patient()
    watch, held = listen(), True
    for name in asked.kinds or KINDS:
        with (
            TemporaryDirectory() as folder,
            pytest.MonkeyPatch.context() as patch,
            asyncio.Runner(loop_factory=InProcessLoop) as runner,
        ):
            without_threads(patch)
            outcome, broken = runner.run(play_alone(KINDS[name], Path(folder), patch, few=asked.few))
        broken += [f"logged: {error}" for error in watch.errors]
        watch.errors.clear()
        print(json.dumps(asdict(outcome)), flush=True)
        held = status(broken) == 0 and held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
