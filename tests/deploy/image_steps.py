"""`python -m tests.deploy.image_steps`: run the Dockerfile's steps without an image, and check the bot.

Steps that would change the machine are left out: Debian's packages and the user.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playground.cluster.postgres import free_port
from playground.server import Playground
from playground.starting import settings_for, stop_bot
from tests.test_house import ROOT
from tests.waiting import SLOW_DEADLINE, until

DOCKERFILE = ROOT / "deploy" / "Dockerfile"
CHANGES_THE_MACHINE = "apt-get"
FOLDERS = re.compile(r"(?<![\w/.])/(?=(opt|build|data|backups)\b)")
"""Folders of the image, which lie in a temporary folder here."""


def instructions(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Yield every instruction with its arguments, in order."""
    lines = (line for line in dockerfile.splitlines() if line.strip() and not line.startswith("#"))
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        name, _, arguments = line.partition(" ")
        yield name, arguments.strip()


@dataclass
class Image:
    """The result of the steps, below `root`."""

    root: Path
    folder: Path = Path("/")
    environment: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    """The arguments of the instructions that define how the image runs."""

    def here(self, text: str) -> str:
        """Return a text of the Dockerfile with the image's folders replaced by those on this machine."""
        return FOLDERS.sub(f"{self.root}/", text)

    def do(self, name: str, arguments: str) -> None:
        """Carry out one instruction."""
        if name == "FROM":
            self.environment.clear()
        elif name == "WORKDIR":
            self.folder = Path(self.here(arguments))
            self.folder.mkdir(parents=True, exist_ok=True)
        elif name == "ENV":
            self.environment |= dict(pair.split("=", 1) for pair in self.here(arguments).split())
        elif name == "VOLUME":
            for folder in json.loads(arguments):
                Path(self.here(folder)).mkdir(exist_ok=True)
        elif name == "COPY" and not arguments.startswith("--from"):
            self._copy(*arguments.split())
        elif name == "RUN" and not arguments.startswith(CHANGES_THE_MACHINE):
            print("RUN", arguments, flush=True)
            subprocess.run(("sh", "-c", self.here(arguments)), cwd=self.folder, env=self.found(), check=True)
        else:
            self.told[name] = self.here(arguments)

    def found(self) -> Mapping[str, str]:
        """The environment of a step: that of the image, with the python of the base image first."""
        python = self.root / "base"
        python.mkdir(exist_ok=True)
        if not (python / "python").exists():
            (python / "python").symlink_to(Path(sys.executable).resolve())
        path = self.environment.get("PATH", "$PATH").replace("$PATH", f"{python}:{os.environ['PATH']}")
        return {**self.environment, "PATH": path}

    def _copy(self, source: str, target: str) -> None:
        there = self.folder / self.here(target)
        if source != ".":
            shutil.copy(ROOT / source, there)
            return
        rules = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
        for kept in (rule[1:] for rule in rules if rule.startswith("!")):
            if (ROOT / kept).is_dir():
                shutil.copytree(ROOT / kept, there / kept, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                there.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / kept, there / kept)

    async def is_well(self, discord: Playground) -> None:
        """Run the image at a playground until its health check succeeds, then stop it."""
        port = str(free_port())
        environment = {
            **self.found(),
            **settings_for(discord),
            "MONITORING_PORT": port,
        }
        check = [
            part.replace("9464", port) for part in json.loads(self.told["HEALTHCHECK"].partition("CMD ")[2])
        ]
        entry = json.loads(self.told["ENTRYPOINT"]) + json.loads(self.told["CMD"])
        bot = await asyncio.create_subprocess_exec(*entry, cwd=self.folder, env=environment)

        async def is_healthy() -> bool:
            asked = await asyncio.create_subprocess_exec(
                *check, env=environment, stderr=asyncio.subprocess.DEVNULL
            )
            return await asked.wait() == 0

        try:
            await until(is_healthy, timeout=2 * SLOW_DEADLINE)
        finally:
            await stop_bot(bot)
        if bot.returncode:
            sys.exit(f"the bot ended with {bot.returncode}")


async def main() -> None:
    """Carry out every step, and run the result."""
    with tempfile.TemporaryDirectory() as folder:
        image = Image(Path(folder))
        for name, arguments in instructions(DOCKERFILE.read_text(encoding="utf-8")):
            image.do(name, arguments)
        async with Playground() as discord:
            await image.is_well(discord)
    print("The bot of the image was well, and ended when it was told to.")


if __name__ == "__main__":
    asyncio.run(main())
