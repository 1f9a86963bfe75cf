"""`deploy/copies.sh` copies a real server's database, and removes expired copies."""

import os
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.operations.copying import newest_copy
from bot.settings import Settings
from tests.postgres import Server, binaries
from tests.test_house import ROOT

SCRIPT = ROOT / "deploy" / "copies.sh"


@pytest.fixture
def url(server: Server) -> URL:
    if shutil.which("pg_dump", path=_path()) is None:
        pytest.skip("There is no pg_dump beside the server's programs, and none elsewhere.")
    return server.fresh()


def _path() -> str:
    return f"{binaries()}{os.pathsep}{os.environ['PATH']}"


def copied(url: URL, folder: Path) -> subprocess.CompletedProcess[str]:
    told = {"PATH": _path(), "BACKUP_PATH": str(folder), "BACKUP_EVERY_H": "24", "PGUSER": url.username or ""}
    told |= {"PGHOST": url.host or "", "PGPORT": str(url.port), "PGDATABASE": url.database or ""}
    return subprocess.run(
        ["/bin/sh", str(SCRIPT), "once"], env=told, capture_output=True, text=True, check=False
    )


def test_a_copy_is_whole_and_found_by_the_bot(url: URL, tmp_path: Path):
    done = copied(url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    [copy] = tmp_path.iterdir()
    assert copy.stat().st_mode & 0o777 == 0o600
    settings = Settings(
        _env_file=None,
        discord_token="a-token",
        database_url=url.render_as_string(hide_password=False),
        backup_path=tmp_path,
    )
    newest = newest_copy(settings, datetime.now().astimezone() + timedelta(minutes=1))
    assert newest is not None
    assert newest.path == copy


def test_one_that_fails_leaves_nothing(url: URL, tmp_path: Path):
    done = copied(url.set(database="nowhere"), tmp_path)
    assert done.returncode != 0
    assert "backup.failed" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_old_ones_expire_even_if_none_can_be_made(url: URL, tmp_path: Path):
    old, good = [tmp_path / f"nowhere-2026{day}T020000Z.dump" for day in ("0901", "1001")]
    old.touch()
    good.touch()
    moment = (datetime.now().astimezone() - timedelta(days=30)).timestamp()
    os.utime(old, (moment, moment))
    assert copied(url.set(database="nowhere"), tmp_path).returncode != 0
    assert list(tmp_path.iterdir()) == [good]


def test_a_week_is_kept_and_the_first_of_four_weeks(url: URL, tmp_path: Path):
    now, folder = datetime.now().astimezone(), tmp_path / "my backups"
    folder.mkdir()

    def made(database: str, age: int) -> Path:
        path = folder / f"{database}-{now - timedelta(days=age):%Y%m%dT%H%M%SZ}.dump"
        path.touch()
        moment = (now - timedelta(days=age)).timestamp()
        os.utime(path, (moment, moment))
        return path

    ages = {age: made(url.database or "", age) for age in range(1, 40)}
    of_others = [made(f"{url.database}-{other}", age) for other in ("test", "2") for age in range(8, 40)]
    of_others.append(folder / "forgotten")
    of_others[-1].touch()
    assert copied(url, folder).returncode == 0
    left = {age for age, path in ages.items() if path.exists()}
    weeks = [(now - timedelta(days=age)).isocalendar()[:2] for age in sorted(left) if age > 8]
    assert set(range(1, 8)) <= left
    assert max(left) < 28
    assert len(weeks) == len(set(weeks)) <= 4
    assert all(path.exists() for path in of_others)


def served(folder: Path, every_h: int, pauses: int) -> list[str]:
    """Run the script for so many pauses, which take no time; return them and the copies, in order.

    The stand-ins for the programs that it calls copy nothing.
    """
    programs = folder.parent / "programs"
    programs.mkdir()
    rest = f'echo "$1" >> {programs}/rests; echo "rest $1"; [ "$(wc -l < {programs}/rests)" -lt {pauses} ] || kill $PPID'
    for name, does in {"sleep": rest, "pg_dump": 'touch "${3#--file=}"', "pg_restore": "true"}.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    told = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PGDATABASE": "tiplu"}
    told |= {"BACKUP_PATH": str(folder), "BACKUP_EVERY_H": str(every_h)}
    done = subprocess.run(["/bin/sh", str(SCRIPT)], env=told, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return [line.replace("backup.made", "made").split(f" {folder}")[0] for line in done.stdout.splitlines()]


def test_a_copy_is_made_every_so_many_hours(tmp_path: Path):
    folder = tmp_path / "copies"
    folder.mkdir()
    assert served(folder, 2, 3) == ["made", "rest 3600", "rest 3600", "made", "rest 3600"]


@pytest.mark.parametrize("every_h", [0, 24])
def test_no_copy_gets_older_than_four_weeks_even_if_no_more_are_made(tmp_path: Path, every_h: int):
    """They are looked for once an hour."""
    folder = tmp_path / "copies"
    folder.mkdir()
    now = datetime.now().astimezone()
    for hours, day in ((28 * 24 - 2, "02"), (28 * 24 - 1, "01")):
        copy = folder / f"tiplu-202609{day}T020000Z.dump"
        copy.touch()
        moment = (now - timedelta(hours=hours, minutes=2)).timestamp()
        os.utime(copy, (moment, moment))
    assert served(folder, every_h, 1)[-1] == "rest 3600"
    assert [copy.name for copy in folder.glob("tiplu-2026090*")] == ["tiplu-20260902T020000Z.dump"]
