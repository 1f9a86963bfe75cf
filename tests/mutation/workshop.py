"""The mutants of one module: mutmut makes them in a folder of their own, and runs the module's tests on each."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
ROOMS: Final = ("marriage", "league")
TESTS: Final = Path(__file__).with_name("tests.toml")
SURVIVED: Final = ("survived", "no tests")
_SETTINGS: Final = "[tool.mutmut]\n"
_VERDICT: Final = re.compile(r"^ +(\S+): ([a-z ]+)$", re.MULTILINE)


@dataclass(frozen=True)
class Workshop:
    """A module, such as `marriage/scoring/settlement`, and the tests that should notice its mutants."""

    module: str
    tests: tuple[str, ...]
    """The test files, relative to the root."""

    @property
    def folder(self) -> Path:
        """The folder of the mutants; removing it discards the results so far."""
        return ROOT / "var" / "mutation" / self.module.replace("/", ".")

    def digest(self) -> str:
        """Return twelve digits that change with the module and its tests."""
        files = (f"{self.module}.py", *self.tests)
        return hashlib.sha256(b"".join((ROOT / file).read_bytes() for file in files)).hexdigest()[:12]

    def tried(self) -> str:
        """Return the digest of the module and its tests when its mutants were created."""
        return (self.folder / "made_of").read_text()

    def run(self, processes: int) -> None:
        """Try all mutants not tried yet. Raises CalledProcessError, also if a test fails without a mutant."""
        self._prepare()
        self._mutmut("run", "--max-children", str(processes))

    def again(self, processes: int) -> None:
        """Try the survivors again, after tests were added. What was noticed before counts as noticed.

        Raises FileNotFoundError if the mutants were not created here, and CalledProcessError as `run` does.
        """
        survivors = [name for name, verdict in self.verdicts().items() if verdict in SURVIVED]
        (self.folder / "mutants" / "mutmut-stats.json").unlink(
            missing_ok=True
        )  # which test executes which function
        (self.folder / "made_of").write_text(self.digest())
        self._name_tests()
        if survivors:
            self._mutmut("run", "--max-children", str(processes), *survivors)

    def verdicts(self) -> dict[str, str]:
        """Return each mutant's result by name: killed, survived, timeout, no tests or not checked."""
        return dict(_VERDICT.findall(self._mutmut("results", "--all", "true")))

    def change(self, mutant: str) -> str:
        """Return what a mutant changes, as `function: before -> after`."""
        lines = self._mutmut("show", mutant).splitlines()
        before, after = (
            " ".join(line[1:].strip() for line in lines if line.startswith(sign) and line[1:3] != sign * 2)
            for sign in "-+"
        )
        return f"{function_of(mutant)}: {before} -> {after or 'nothing'}"

    def _prepare(self) -> None:
        made_of = self.folder / "made_of"
        if not made_of.exists() or self.tried() != self.digest():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            for name in (*ROOMS, "tests"):
                (self.folder / name).symlink_to(ROOT / name)
            made_of.write_text(self.digest())
        self._name_tests()

    def _name_tests(self) -> None:
        """Write the workshop's settings: which module has mutants, and which tests run on them."""
        settings = (ROOT / "pyproject.toml").read_text()
        own = f"only_mutate = {json.dumps([f'{self.module}.py'])}\n"
        own += f"pytest_add_cli_args_test_selection = {json.dumps(self.tests)}\n"
        (self.folder / "pyproject.toml").write_text(settings.replace(_SETTINGS, _SETTINGS + own))

    def _mutmut(self, *arguments: str) -> str:
        """Run mutmut and return its output.

        The other packages, which share test helpers, come from the checkout.
        """
        command = (Path(sys.executable).with_name("mutmut"), *arguments)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        if run.returncode:
            sys.stderr.write(run.stdout[-3000:] + run.stderr[-3000:])
            run.check_returncode()
        return run.stdout


def workshops() -> Mapping[str, Workshop]:
    """Return every module that has mutants, with its workshop, in the order in which they are tried."""
    listed: dict[str, list[str]] = tomllib.loads(TESTS.read_text())
    return {module: Workshop(module, tuple(_files(module, names))) for module, names in listed.items()}


def _files(module: str, names: list[str]) -> list[str]:
    room = module.partition("/")[0]
    return [f"tests/{room}/test_{name}.py" for name in names]


def function_of(mutant: str) -> str:
    """Return the function of a mutant from mutmut's name: `package.module.xǁClassǁmethod__mutmut_3`."""
    name = mutant.rpartition(".")[2].rpartition("__mutmut_")[0]
    return ".".join(name.split("ǁ")[1:]) if "ǁ" in name else name.removeprefix("x_")
