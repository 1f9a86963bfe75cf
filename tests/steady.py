"""`python -m tests.steady`: run the gate repeatedly to find unsteady tests.

The gate runs in random order next to a busy core, and a test that ever fails is unsteady. Each run has its
own order, which depends on the number. Nothing is run twice within a run, so every failure counts.
"""

import argparse
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.gate import PARTS

ROOT = Path(__file__).parents[1]
HOG = "while True: pass"


@contextmanager
def busy_core() -> Generator[None, None, None]:
    """Keep a core busy within the block."""
    hog = subprocess.Popen((sys.executable, "-c", HOG))
    try:
        yield
    finally:
        hog.kill()
        hog.wait()


def failures(report: Path) -> list[str]:
    """Return the tests of a report that failed or could not be set up."""
    cases = ET.parse(report).iter("testcase")
    return [
        f"{case.get('classname')}::{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def run(part: Sequence[str], seed: int, folder: Path) -> list[str]:
    """Run a part of the gate in the order of this seed, and return the failed tests."""
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    command = (sys.executable, "-m", "pytest", "-q", "--once", f"--junitxml={report}", *part)
    ended = subprocess.run((*command, "-p", "randomly", f"--randomly-seed={seed}"), cwd=ROOT)
    found = failures(report) if report.exists() else []
    return found or ([f"the run ended with {ended.returncode}"] if ended.returncode else [])


def main() -> int:
    """Run the gate, and return 1 if anything ever failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.steady", description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="how often to run the gate")
    parser.add_argument("--number", type=int, default=7, help="the seed of the orders")
    parser.add_argument("--real", action="store_true", help="run only the tests that may fail by chance")
    asked = parser.parse_args()
    failed: Counter[str] = Counter()
    with busy_core(), TemporaryDirectory() as folder:
        for number in range(asked.runs):
            for part in PARTS[1:] if asked.real else PARTS:
                failed.update(run(part, asked.number * 1_000 + number, Path(folder)))
            print(f"\nrun {number + 1} of {asked.runs}: {len(failed)} tests have failed so far\n")
    for test, times in failed.most_common():
        print(f"{test}: failed {times} times")
    print(f"{asked.runs} runs, {len(failed)} unsteady tests")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
