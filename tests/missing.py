"""What a machine may lack, and what is not tested without it. A run reports each at its end, in one line."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.postgres import binaries
from tests.powercut import record

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
"""The browser that looks at the playground's page, or None."""
PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
"""The connection pooler for PostgreSQL, or None."""
OPENAPI = os.environ.get("DISCORD_OPENAPI")
"""The path of Discord's own description of its API, or None."""


@dataclass(frozen=True)
class Need:
    """Something that these tests (folders or files) need, and what to report if it is missing."""

    found: str | None
    tests: tuple[str, ...]
    untested: str
    remedy: str


NEEDS = (
    Need(
        CHROMIUM,
        ("tests/browser/", "tests/playground/test_page.py"),
        "the playground's page and a deal in a browser, for there is no Chromium",
        "`apt-get install chromium`, or put `chromium` on the PATH",
    ),
    Need(
        str(binaries() or "") or None,
        ("tests/data/",),
        "the store on PostgreSQL, for there is no server",
        "`apt-get install postgresql`, or set POSTGRES_BIN to the folder with `initdb`",
    ),
    Need(
        PGBOUNCER,
        ("tests/data/postgres/",),
        "a pooler in front of PostgreSQL, for there is no pgbouncer",
        "`apt-get install pgbouncer`",
    ),
    Need(
        record.COMPILER if sys.platform == "linux" else None,
        ("tests/powercut/",),
        "power cuts, for there is no C compiler or no Linux",
        "`apt-get install gcc libc6-dev`",
    ),
    Need(
        OPENAPI,
        ("tests/e2e/", "tests/playground/", "tests/cogs/test_translation.py"),
        "the wire against Discord's own description, for DISCORD_OPENAPI is not set",
        "set it to the path of specs/openapi.json from https://github.com/discord/discord-api-spec",
    ),
)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Report last what was not tested, and how to enable it, if the run had tests that needed it."""
    yield
    ran = {getattr(report, "nodeid", "") for reports in terminalreporter.stats.values() for report in reports}
    for need in NEEDS:
        if not need.found and any(test.startswith(need.tests) for test in ran):
            terminalreporter.write_line(
                f"Not tested: {need.untested}. To have it: {need.remedy}.", yellow=True
            )
