"""The gate, which a change must pass before it lands: `python -m tests.gate`, run by `make test`.

A test marked as `real` needs processes, sockets or time of this machine, so it may fail by chance. It is run
a second time if it fails. If it then passes, the run passes too and reports at the end which tests were
unsteady and how each failed first. Three of them fail the run. No other test is ever run twice.
"""

import asyncio
import gc
import io
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

REAL = (
    "tests/browser",
    "tests/data/postgres",
    "tests/playground",
    "tests/processes",
    "tests/test_package.py",
)
"""The places of tests marked as `real`. The marker is refused elsewhere, so that they are easy to find."""
PARTS = (
    ("-n", "2", "--dist", "loadgroup"),
    ("-m", "real and not by_name", *REAL),
)
"""The parts, run in turn: first what needs no processes or sockets, on two cores; then the rest, alone."""
MOST_UNSTEADY = 2


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option to run no test a second time."""
    parser.addoption("--once", action="store_true", help="run no test a second time")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let real tests be run a second time. Raises UsageError for one that the gate would not find."""
    real = [item for item in items if item.get_closest_marker("real") is not None]
    for item in real:
        if not item.nodeid.startswith(REAL):
            raise pytest.UsageError(
                f"{item.nodeid} is marked as real, and so belongs to one of {', '.join(REAL)}"
            )
        if not config.getoption("--once"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report where each task waits if a test timed out; pytest-timeout reports the threads."""
    report = yield
    if call.excinfo is not None and "from pytest-timeout" in str(call.excinfo.value):
        report.sections.append(("Tasks", _stacks()))
    return report


def _stacks() -> str:
    text = io.StringIO()
    for task in gc.get_objects():
        if isinstance(task, asyncio.Task) and not task.done():
            task.print_stack(file=text)
    return text.getvalue()


def _unsteady(stats: dict[str, list[pytest.TestReport]]) -> list[pytest.TestReport]:
    """Return the first failure of each test that failed and then passed."""
    passed = {report.nodeid for report in stats.get("passed", []) if report.when == "call"}
    return [report for report in stats.get("rerun", []) if report.nodeid in passed]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with too many unsteady tests."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if (
        reporter is not None
        and session.exitstatus == pytest.ExitCode.OK
        and len(_unsteady(reporter.stats)) > MOST_UNSTEADY
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests were unsteady."""
    unsteady = _unsteady(terminalreporter.stats)
    for report in unsteady:
        terminalreporter.section(f"UNSTEADY: {report.nodeid} passed only when it was run again")
        terminalreporter.write_line(report.longreprtext)
    if len(unsteady) > MOST_UNSTEADY:
        terminalreporter.write_line(
            f"{len(unsteady)} unsteady tests are too many: at most {MOST_UNSTEADY} may be.", red=True
        )


def main() -> int:
    """Run the parts with fixed examples, and return the exit status of the first that fails."""
    fixed = os.environ | {"CI": "1"}
    for part in PARTS:
        command = (sys.executable, "-m", "pytest", *part)
        if status := subprocess.run(command, cwd=Path(__file__).parents[1], env=fixed).returncode:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
