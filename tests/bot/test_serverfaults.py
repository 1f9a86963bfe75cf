"""Why the bot does not start on a PostgreSQL server: one plain sentence, and never a password."""

import sys
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.__main__ import Exit, main
from bot.operations.doctor import examine
from bot.settings import SettingsError, load_settings
from data.postgres import opening
from tests.bot.environment import NOWHERE, tell
from tests.postgres import Server

PASSWORD = "open-sesame"


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Settings with a token and an unreachable Discord."""
    tell(monkeypatch, tmp_path, discord_token="a-token", discord_api_url=NOWHERE)


def named(monkeypatch: pytest.MonkeyPatch, url: URL) -> None:
    """Set this database in the environment."""
    monkeypatch.setenv("DATABASE_URL", url.set(password=PASSWORD).render_as_string(hide_password=False))


@pytest.mark.parametrize(
    "url",
    [
        "tiplu",
        "mysql://tiplu@localhost/tiplu",
        "postgresql+psycopg2://tiplu@localhost/tiplu",
        "postgresql://localhost",
        "postgresql+asyncpg://:x:/",
        "postgresql://tiplu@localhost:port/tiplu",
        "postgresql://tiplu@[::1/tiplu",
        f"postgresql://tiplu:a@{PASSWORD}@localhost/tiplu",
        "   ",
    ],
)
def test_an_address_that_names_no_database(monkeypatch: pytest.MonkeyPatch, url: str):
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(SettingsError, match=r"DATABASE_URL: .*postgresql\+asyncpg://tiplu:PASSWORD@"):
        load_settings()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("db.example:0/games", "a port from 1 to 65535"),
        ("db.example:99999/games", "a port from 1 to 65535"),
        ("db.example/games?options=-csearch_path%3Dx", "sslmode and host, and no other"),
        ("db.example/games?command_timeout=abc", "sslmode and host, and no other"),
        ("db.example/games?sslmode=yes", "disable, allow, prefer, require, verify-ca, verify-full"),
        ("db.example/games?ssl=require&ssl=disable", "disable, allow, prefer"),
        ("/games?host=one&host=two:5432", "each with its port"),
        ("/games?host=one:5432,two:5432", "each with its port"),
    ],
)
def test_an_address_of_which_the_driver_would_make_nothing(
    monkeypatch: pytest.MonkeyPatch, address: str, said: str
):
    monkeypatch.setenv("DATABASE_URL", f"postgresql://tiplu:{PASSWORD}@{address}")
    with pytest.raises(SettingsError, match=f"DATABASE_URL: .*{said}") as refused:
        load_settings()
    assert PASSWORD not in str(refused.value)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
@pytest.mark.parametrize("name", ["sslmode", "ssl"])
def test_an_address_as_hosts_of_databases_hand_it_out(
    monkeypatch: pytest.MonkeyPatch, scheme: str, name: str
):
    monkeypatch.setenv("DATABASE_URL", f"{scheme}://tiplu@db.example/games?{name}=require")
    place = load_settings().place
    assert str(place) == "postgresql+asyncpg://tiplu@db.example/games?ssl=require"


def test_a_server_without_the_encryption_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    named(monkeypatch, server.url().update_query_dict({"sslmode": "require"}))
    assert main(["recompute"]) == Exit.CONFIG
    said = capsys.readouterr().err
    assert "offers no encrypted connection" in said
    assert "sslmode=disable" in said
    assert "Traceback" not in said


def test_a_certificate_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PGSSLROOTCERT", raising=False)
    named(monkeypatch, server.url().update_query_dict({"sslmode": "verify-full"}))
    assert main(["recompute"]) == Exit.CONFIG
    said = capsys.readouterr().err
    assert str(tmp_path / ".postgresql" / "root.crt") in said
    assert "Traceback" not in said


def test_a_server_that_admits_no_more_connections(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    """The supervisor tries again, because other connections may close."""
    server.run("DROP ROLE IF EXISTS crowd; CREATE ROLE crowd LOGIN CONNECTION LIMIT 0")
    named(monkeypatch, server.url().set(username="crowd"))
    assert main(["recompute"]) == Exit.UNREACHABLE
    said = capsys.readouterr().err
    assert "admits no more connections" in said
    assert "max_connections" in said
    assert PASSWORD not in said
    assert "Traceback" not in said


def test_a_host_that_nobody_knows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("DATABASE_URL", f"postgresql://tiplu:{PASSWORD}@nowhere.invalid/games")
    assert main(["recompute"]) == Exit.UNREACHABLE
    said = capsys.readouterr().err
    assert "no PostgreSQL server answers at nowhere.invalid:5432" in said
    assert PASSWORD not in said
    assert "Traceback" not in said


def test_an_address_keeps_its_password_to_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", f"postgresql://tiplu:{PASSWORD}@db.example/games")
    settings = load_settings()
    assert isinstance(settings.place, URL)
    assert (settings.place.drivername, settings.place.password) == ("postgresql+asyncpg", PASSWORD)
    assert PASSWORD not in f"{settings!r} {settings.place}"


def test_without_an_address_there_is_a_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DATABASE_URL", "")
    assert load_settings().place == load_settings().database_path


def test_a_server_that_is_down_is_tried_again_by_the_supervisor(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    named(monkeypatch, server.url().set(port=1))
    assert main(["recompute"]) == Exit.UNREACHABLE
    said = capsys.readouterr().err
    assert "no PostgreSQL server answers at 127.0.0.1:1" in said
    assert "Start the server" in said
    assert PASSWORD not in said
    assert "Traceback" not in said


def test_a_database_that_is_not_there_is_for_its_operator(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    named(monkeypatch, server.url("nowhere"))
    assert main(["recompute"]) == Exit.CONFIG
    assert "createdb --encoding=UTF8" in capsys.readouterr().err


def test_a_newer_schema_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    url = server.create()
    named(monkeypatch, url)
    assert main(["recompute"]) == Exit.OK
    server.run("UPDATE alembic_version SET version_num = '9999'", url.database or "")
    assert main(["recompute"]) == Exit.DATA
    assert "Start the newer version" in capsys.readouterr().err
    server.drop(url)


def test_copies_are_the_server_s_own_affair(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    named(monkeypatch, server.url())
    for command in (["backup", "here"], ["backups"], ["restore", "here"]):
        assert main(command) == Exit.CONFIG
        assert "pg_dump" in capsys.readouterr().err


def test_games_are_copied_to_the_server_and_it_is_told_what_arrived(
    server: Server, path: Path, capsys: pytest.CaptureFixture[str]
):
    url = server.fresh().set(password=PASSWORD).render_as_string(hide_password=False)
    assert main(["transfer", str(path), url]) == Exit.OK
    said = capsys.readouterr().out
    assert "game_table" in said
    assert f"has everything that {path} has" in said
    assert PASSWORD not in said


def test_what_cannot_be_copied_is_told(server: Server, path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["transfer", "nowhere.sqlite3", str(path)]) == Exit.DATA
    assert "Nothing was copied: there is no nowhere.sqlite3" in capsys.readouterr().err
    nobody = server.url().set(port=1).render_as_string()
    assert main(["transfer", str(path), nobody]) == Exit.UNREACHABLE
    assert "no PostgreSQL server answers" in capsys.readouterr().err
    letter = path.with_name("letter")
    letter.write_text("no database " * 100)
    assert main(["transfer", str(letter), str(path)]) == Exit.DATA
    said = capsys.readouterr().err
    assert "Nothing was copied." in said
    assert f"{letter} is no database of Tiplu" in said
    with pytest.raises(SystemExit):
        main(["transfer", str(path), "mysql://here/there"])
    assert "must be an address such as" in capsys.readouterr().err


def test_a_server_without_the_packages_for_it_is_told(
    monkeypatch: pytest.MonkeyPatch, server: Server, capsys: pytest.CaptureFixture[str]
):
    """As where only the packages are installed that a file needs."""
    named(monkeypatch, server.url())
    with monkeypatch.context() as without:
        for name in [name for name in sys.modules if name.startswith("data.postgres")]:
            without.delitem(sys.modules, name)
        without.setitem(sys.modules, "greenlet", None)
        for command in ("recompute", "doctor"):
            assert main([command]) == Exit.CONFIG
            said = "".join(capsys.readouterr())
            assert "pip install asyncpg" in said
            assert "Traceback" not in said


async def test_the_doctor_looks_at_the_server(monkeypatch: pytest.MonkeyPatch, server: Server):
    async def store():
        return next(finding for finding in await examine() if finding.name == "store")

    named(monkeypatch, server.fresh())
    found = await store()
    assert found.good
    assert PASSWORD not in str(found)
    monkeypatch.setattr(opening, "_state", lambda *_: "older")
    assert "pg_dump" in (await store()).todo
    named(monkeypatch, server.url("nowhere"))
    found = await store()
    assert not found.good
    assert "createdb" in found.todo
