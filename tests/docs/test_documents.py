"""The documents match the code: generated parts are up to date, doctests pass, links resolve."""

import doctest
import importlib
import re
import tomllib
from pathlib import Path

import pytest

from marriage.handbook import written
from tests.test_house import ROOMS, files

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ROOMS
    for path in files(room)
    if ">>> " in path.read_text(encoding="utf-8")
)
"""Modules with examples in their docstrings."""


def test_the_rules_are_written_anew_from_the_options():
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written(text) == text
    assert text.count("<!-- end -->") == 3


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_between_documents_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#\s]+)\)", path.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (path.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name):
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 0) == (0, True)


@pytest.mark.parametrize(("name", "least"), [("complaints", 23), ("faults", 28), ("statements", 60)])
def test_every_complaint_fault_and_statement_is_answered_by_tests_that_exist(name, least):
    rows = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").splitlines()
    told = [row for row in rows if row.startswith("| ") and not row.endswith(("| tests |", "| held by |"))]
    answers = [re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row) for row in told]
    assert len(answers) >= least
    for answer in answers:
        assert answer
        for path, name in answer:
            assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{name}"


def test_the_tests_of_faults_that_the_gate_leaves_out_are_where_the_page_says():
    named = set(
        re.findall(r"`(tests/[\w/]+\.py)::", (ROOT / "docs" / "faults.md").read_text(encoding="utf-8"))
    )
    left_out = {name for name in named if "mark.by_name" in (ROOT / name).read_text(encoding="utf-8")}
    assert {name.split("/")[1] for name in left_out} == {"processes", "powercut"}


def test_every_promise_names_a_proof_that_can_be_run():
    """The proof is a `make` target, a command of the bot, or tests; the figure is dated or of every run."""
    rows = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").splitlines()
    told = [row.strip("| ").split(" | ") for row in rows if row.startswith("| ") and "| proof |" not in row]
    assert len(told) >= 20
    for promise, proof, figure in told:
        assert re.search(r"`(?:make \w|tests/|python -m bot \w)", proof), promise
        assert re.search(r"20\d\d-\d\d-\d\d|in every run|not run|as for `make", figure), promise


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_target_of_make_that_is_named_exists(path):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"`(?:[A-Z]+=\w+ )*make ([a-z]+)[^`]*`", path.read_text(encoding="utf-8"))
    assert set(named) <= targets


TOP = {path.name for path in ROOT.iterdir()} - {"var", "dist", "site"}
"""What a path in a document may begin with; generated folders of a checkout need not exist."""


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_that_is_named_exists(path):
    spans = re.findall(r"`([\w./-]+)`", path.read_text(encoding="utf-8"))
    named = {span for span in spans if "/" in span and span.partition("/")[0] in TOP}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


@pytest.mark.parametrize(
    ("recipe", "most"),
    [("A table button", 4), ("A slash command", 3), ("A rule option", 6), ("A league format", 3)],
)
def test_a_recipe_needs_few_files(recipe: str, most: int):
    """Common additions touch few places; the words of all languages count as one."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [section] = re.findall(rf"^### {recipe}\n(.*?)(?=^##)", text, re.MULTILINE | re.DOTALL)
    steps = re.findall(r"^\d\. ", section, re.MULTILINE)
    assert 0 < len(steps) <= most


KEPT = {
    "your Discord id": "Your id",
    "your settings": "how you like your cards",
    "your deals": "Your deals",
    "what you do in a league": "What you do in leagues",
    "answers to puzzles": "answers, your practice deal",
    "what others write": "What others write",
    "home games": "the names of a home game, for two years",
    "what a server's staff do to you": "what a server's staff did to you",
    "the ids of interactions": "Presses of buttons",
    "messages that wait to be sent": "what I still have to send",
    "which of the bot's messages show what": "which message shows what",
    "the id of your direct message channel": "the channel in which I write to you",
    "limits that you have used up": "Limits that you have used up",
    "that you asked to be forgotten": "That you asked me",
    "a press on its way": "pass your press to another",
}
"""How each line of the table in docs/privacy.md begins, and what says the same in `/privacy`."""
STAYS = {
    "limits that you have used up": "Limits that you have used up",
    "messages that the bot can no longer find": "Messages that I cannot find",
    "requests to Discord": "What I ask of Discord",
    "texts by others that use": "Words of others",
    "texts by others that are older": "took up after they were written",
    "the name of a league": "The name of a league",
    "files that others have exported": "files that others have exported",
    "backups": "Copies of my file",
}
"""The same for what stays when a person is forgotten."""


def privacy(language: str) -> str:
    """Return what `/privacy` says."""
    words = (ROOT / "bot" / "words" / "messages" / f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(words)["privacy"]["policy"]


def test_the_command_says_of_a_person_s_data_what_the_page_says():
    page = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    kept = re.findall(
        r"^\| (?!what \||-)(.+?)(?: \||$)", page.partition("## What the bot does not")[0], re.MULTILINE
    )
    stays = re.findall(r"^- (.+)$", page.partition("The following stay")[2].partition("##")[0], re.MULTILINE)
    before, _, after = privacy("en").partition("### What stays")
    for lines, same, said in ((kept, KEPT, before + after), (stays, STAYS, after)):
        assert len(lines) == len(same)
        for line, begins in zip(lines, same, strict=True):
            assert line.startswith(begins)
            assert same[begins] in said


@pytest.mark.parametrize("language", ["ne", "hi"])
def test_the_command_has_the_same_points_in_each_language(language: str):
    said, same = ([line[:4] for line in privacy(which).splitlines()] for which in (language, "en"))
    points = [[line.startswith("- ") for line in lines] for lines in (said, same)]
    assert points[0] == points[1]
