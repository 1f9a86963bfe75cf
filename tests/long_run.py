"""What long runs share: their options, their Discord, their progress messages, and how they end."""

import argparse
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import structlog

from playground.server import Playground
from tests.e2e.players import be_patient
from tests.games import add_database
from tests.waiting import SLOW_DEADLINE

NOTHING_PLAYED = 2
"""The exit status of a run that added nothing to its tally, so that it proves nothing."""


def options(
    document: str | None, *, tally: str | Path = "", database: bool = False
) -> argparse.ArgumentParser:
    """Return the options of a run: `--number`, and `--tally` and `--database` if asked for.

    The first line of the module's docstring describes them.
    """
    parser = argparse.ArgumentParser(description=(document or "").partition("\n")[0])
    parser.add_argument("--number", type=int, default=7, help="the seed of the run")
    if tally:
        parser.add_argument("--tally", type=Path, default=Path(tally), help="the file with the counts")
    if database:
        add_database(parser)
    return parser


@asynccontextmanager
async def patient_discord(**given: Any) -> AsyncGenerator[Playground, None]:
    """Run a Discord over sockets that waits for answers as long as a busy machine needs."""
    be_patient()
    async with Playground(deadline=SLOW_DEADLINE, **given) as discord:
        yield discord


def log_as_python_does() -> None:
    """Send the bot's log to the handlers of `logging`, where it is read."""
    structlog.configure(
        processors=[structlog.stdlib.render_to_log_kwargs],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def timed_print() -> Callable[[object], None]:
    """Return a function that prints lines, each with the seconds since now before it."""
    begun = time.monotonic()
    return lambda words: print(f"{time.monotonic() - begun:7.1f} s  {words}", flush=True)


def status(broken: Iterable[object], *, played: bool = True) -> int:
    """Print the broken promises, and return the exit status: 1 if there are any, 2 if nothing was played."""
    faults = list(broken)
    print(*(f"BROKEN  {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
    if not played:
        print(
            "Nothing was played: the tally has as much as was asked for. Ask for more, or for another number."
        )
    return 1 if faults else 0 if played else NOTHING_PLAYED
