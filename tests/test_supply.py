"""What the bot consists of: its licences, its bill of materials, and its known vulnerabilities."""

import importlib.metadata
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.supply import audit
from tests.supply.licences import refused, told
from tests.supply.lock import PLAYING, pins, plain
from tests.supply.materials import missing

LOCK = """\
some-thing==1.0 \\
    --hash=sha256:{0} \\
    --hash=sha256:{1}
    # via other
other==2.1 ; python_full_version < '3.12' \\
    --hash=sha256:{1}
""".format("a" * 64, "b" * 64)


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "some.lock"
    path.write_text(LOCK)
    return path


def test_every_package_of_a_bot_has_a_licence_that_is_accepted():
    assert {(name, version) for name, version, _ in told()} == {
        (plain(pin.name), pin.version) for pin in pins(PLAYING)
    }
    assert {name: refused(licence) for name, _, licence in told() if refused(licence)} == {}


def test_a_licence_that_asks_for_more_is_found():
    assert refused("MIT AND GPL-3.0-only") == {"GPL-3.0-only"}
    assert refused("UNKNOWN") == {"UNKNOWN"}


def test_the_document_says_what_the_installed_packages_say():
    licences = {name: licence for name, _, licence in told()}
    versions = Counter(name for name, _, _ in told())
    asked = 0
    for package in importlib.metadata.distributions():
        expression = package.metadata.get("License-Expression")
        if expression and plain(package.name) in licences:
            asked += 1
            assert refused(expression) == set(), package.name
            assert licences[plain(package.name)] == expression or versions[plain(package.name)] > 1, (
                package.name
            )
    assert asked > 10


def test_a_lock_is_read_with_its_hashes(lock: Path):
    assert [(pin.name, pin.version, len(pin.hashes)) for pin in pins(lock)] == [
        ("some-thing", "1.0", 2),
        ("other", "2.1", 1),
    ]


def test_what_a_bill_of_materials_lacks_is_named(lock: Path, tmp_path: Path):
    bill = tmp_path / "bill.json"
    file = {"hashes": [{"alg": "SHA-256", "content": "a" * 64}]}
    listed = [{"name": "Some_Thing", "version": "1.0", "externalReferences": [file]}]
    bill.write_text(json.dumps({"components": listed}))
    assert list(missing(bill, lock)) == ["1 hashes of some-thing 1.0", "other 2.1"]
    file["hashes"].append({"alg": "SHA-256", "content": "b" * 64})
    bill.write_text(
        json.dumps(
            {"components": [*listed, {"name": "other", "version": "2.1"} | {"externalReferences": [file]}]}
        )
    )
    assert list(missing(bill, lock)) == []


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: Path) -> Callable[..., int]:
    """The verdict on a lock if pip-audit prints this and exits with that status."""

    def verdict(printed: str, code: int) -> int:
        program = tmp_path / "pip-audit"
        program.write_text(f"#!{sys.executable}\nimport sys\nprint({printed!r})\nsys.exit({code})\n")
        program.chmod(0o700)
        monkeypatch.setattr(audit.sys, "executable", str(tmp_path / "python"))
        return audit.audit(lock)

    return verdict


def packages(*known: dict) -> str:
    return json.dumps({"dependencies": known, "fixes": []})


WELL = {"name": "other", "version": "2.1", "vulns": []}
ILL = {"name": "some-thing", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
UNTOLD = {"name": "other", "skip_reason": "other (2.1) could not be audited"}


@pytest.mark.parametrize(
    ("printed", "code", "verdict", "words"),
    [
        (packages(WELL), 0, 0, "nothing is known of 1 packages"),
        (packages(WELL, ILL), 1, audit.FOUND, "some-thing 1.0: PYSEC-1, mended in 1.1"),
        (packages(WELL, UNTOLD), 0, audit.NOT_CHECKED, "NOT CHECKED, nothing is told of 1 of 2"),
        (packages(), 0, audit.NOT_CHECKED, "NOT CHECKED"),
        ("no network", 1, audit.NOT_CHECKED, "NOT CHECKED, the vulnerability data could not be had"),
    ],
)
def test_what_could_not_be_asked_is_not_taken_for_well(
    asked: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    printed: str,
    code: int,
    verdict: int,
    words: str,
):
    assert asked(printed, code) == verdict
    assert words in capsys.readouterr().out
