"""`python -m tests.fuzz.text`: coverage-guided fuzzing of every function that reads text.

    python -m tests.fuzz.text [--seconds 300] [--reader PART] [--corpus FOLDER]

The readers are those that hypothesis tests (`tests.fuzz.readers`). `--reader` takes only those whose name
contains PART. Each runs in its own process for an equal share of the seconds. Texts that reached new code are
kept in the corpus, so the next run continues from there. The exit status is 1 if a reader raised an
undocumented error, read back another value than it had written, or took longer than a few seconds. The text
that caused it is kept next to the corpus.
"""

import argparse
import os
import re
import sys
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import atheris

ROOMS = ["marriage", "league", "data", "bot", "cogs", "dotenv"]

with redirect_stderr(StringIO()), atheris.instrument_imports(include=ROOMS):  # it names every module
    from tests.fuzz.readers import READERS
    from tests.fuzz.readers.reader import ODD, Reader, check

SLOW_S = 10
LONGEST = 4_096
_RUNS = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
_REACHED = re.compile(r"cov: (\d+)")


@dataclass(frozen=True)
class Outcome:
    """The result of one reader."""

    reader: Reader
    status: int
    runs: int
    reached: int
    """The number of branches reached."""
    log: Path

    def __str__(self) -> str:
        told = f"{self.runs:9,} texts  {self.reached:6,} branches  {self.reader.name}"
        return f"{told}\n    BROKEN: {self.log}" if self.status else told


def fuzz(reader: Reader, seconds: int, folder: Path) -> Outcome:
    """Fuzz one reader in a process of its own, since the fuzzer ends the process that it runs in."""
    home = folder / re.sub(r"[^\w.]+", "-", reader.name).strip("-")
    corpus, log = home / "corpus", home / "log"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate(reader.samples):
        (corpus / f"sample-{number}").write_bytes(_bytes(sample))
        check(reader, sample)  # so that what loads at the first call is not timed
    (home / "words").write_text("".join(map(_quoted, ODD)))
    child = os.fork()
    if child == 0:
        _fuzz_here(reader, seconds, home)
    _, status = os.waitpid(child, 0)
    said = log.read_text(errors="replace")
    runs, reached = _RUNS.findall(said), _REACHED.findall(said)
    return Outcome(reader, status, int((runs or ["0"])[-1]), int((reached or ["0"])[-1]), log)


def _fuzz_here(reader: Reader, seconds: int, home: Path) -> None:
    log = os.open(home / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)
    os.dup2(log, 2)
    options = (
        f"-max_total_time={seconds}",
        f"-timeout={SLOW_S}",
        f"-max_len={LONGEST}",
        f"-dict={home / 'words'}",
        f"-artifact_prefix={home}/",
        "-print_final_stats=1",
    )
    atheris.Setup([sys.argv[0], *options, str(home / "corpus")], lambda data: _feed(reader, data))
    atheris.Fuzz()


def _feed(reader: Reader, data: bytes) -> None:
    check(reader, data.decode("utf-8", "surrogateescape"))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _quoted(word: str) -> str:
    """Return a line of the fuzzer's dictionary.

    A long word is cut, because the fuzzer takes no longer ones.
    """
    return '"' + "".join(f"\\x{byte:02x}" for byte in _bytes(word)[:60]) + '"\n'


def main() -> int:
    """Fuzz all readers and print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=300, help="for how long, in all")
    parser.add_argument("--reader", default="", help="only the readers with this in their name")
    parser.add_argument("--corpus", type=Path, default=Path("var/fuzztext"), help="where texts are kept")
    asked = parser.parse_args()
    chosen = [reader for reader in READERS if asked.reader in reader.name]
    if not chosen:
        parser.error(f"no reader has {asked.reader!r} in its name")
    outcomes: list[Outcome] = []
    for reader in chosen:
        outcomes.append(fuzz(reader, max(1, asked.seconds // len(chosen)), asked.corpus))
        print(outcomes[-1], flush=True)
    broken = sum(outcome.status != 0 for outcome in outcomes)
    print(f"{sum(outcome.runs for outcome in outcomes):,} texts, {len(outcomes)} readers, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
