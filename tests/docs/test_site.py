"""The site builds without a broken link, and what it says about the engine is true."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.test_house import ROOT

pytestmark = pytest.mark.xdist_group("site")
"""The site is built once."""

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    build = (sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place))
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place


def pages(part: object) -> list[str]:
    if isinstance(part, str):
        return [part]
    parts = part.values() if isinstance(part, dict) else part
    return [page for inner in parts for page in pages(inner)]


def test_every_document_is_a_page_that_can_be_found(site: Path):
    listed = pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
    for page in listed:
        name = page.removesuffix(".md")
        assert (site / ("" if name == "index" else name) / "index.html").exists()


def test_a_page_loads_nothing_from_elsewhere(site: Path):
    for page in site.rglob("index.html"):
        loaded = re.findall(r'(?:<script[^>]* src|<link[^>]* href|<img[^>]* src)="([^"]+)"', page.read_text())
        assert [address for address in loaded if "://" in address or address.startswith("//")] == []


def test_the_examples_of_the_library_hold():
    text = (DOCS / "library.md").read_text(encoding="utf-8")
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "library.md", "docs/library.md", 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert failed == 0
    assert tried > 10
