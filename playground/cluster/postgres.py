"""A PostgreSQL server on the loopback interface, with its data in its own folder."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

USER: Final = "tiplu"
MISSING: Final = (
    "There is no PostgreSQL server on this machine. Install one, such as Debian's package postgresql or Homebrew's "
    "postgresql@17. Where its programs are not found, POSTGRES_BIN names their folder"
)

Mode = Literal["fast", "immediate"]
"""How to stop a server: `fast` ends every connection, `immediate` is like a power failure."""


def find_programs() -> Path | None:
    """Return the folder with PostgreSQL's programs; None if they are not installed."""
    if named := os.environ.get("POSTGRES_BIN"):
        return Path(named)
    found = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    places = [Path(found)] if found else debian
    return places[-1].parent if places else None


class PostgresServer:
    """A server with an empty database `postgres`, not started yet."""

    def __init__(self, programs: Path, folder: Path, settings: Sequence[str] = ()) -> None:
        self._programs = programs
        self._data = folder / "data"
        self._log = folder / "server.log"
        self._settings = settings
        # The server refuses to run as root, which is the usual user in a container.
        self._as = as_nobody()
        self.port = free_port()
        folder.mkdir(parents=True, exist_ok=True)
        if _is_root():
            shutil.chown(folder, "nobody")
        self._run(
            "initdb", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--username", USER, "--no-sync"
        )

    @property
    def address(self) -> str:
        """The value for DATABASE_URL."""
        return f"postgresql+asyncpg://{USER}@127.0.0.1:{self.port}/postgres"

    @property
    def process(self) -> int:
        """The id of the server's main process."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start, and wait until connections are accepted."""
        own = (f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories=")
        said = " ".join(f"-c {setting}" for setting in (*own, *self._settings))
        self._run("pg_ctl", "-w", "-l", str(self._log), "-o", said, "start")

    def stop(self, mode: Mode = "immediate") -> None:
        """Stop, and wait until it has."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as, str(self._programs / program), "-D", str(self._data), *arguments]
        # A pipe would be kept open by the server.
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(command, stdout=said, stderr=said, cwd="/", check=False)  # noqa: S603 - its own programs
            if done.returncode:
                said.seek(0)
                log = self._log.read_text() if self._log.exists() else ""
                raise RuntimeError(f"{program} failed: {said.read().decode()}{log}")


@contextmanager
def temporary_folder() -> Generator[Path]:
    """Yield a folder for a server, and remove it at the end.

    Folders of other users may be closed to the user whom the server runs as.
    """
    with tempfile.TemporaryDirectory(prefix="tiplu-postgres-") as folder:
        yield Path(folder)


def as_nobody() -> list[str]:
    """Return the prefix of a command that refuses to run as root."""
    return ["setpriv", "--reuid=nobody", "--clear-groups"] if _is_root() else []


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
