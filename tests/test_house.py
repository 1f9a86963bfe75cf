"""The house rules: which package may import which, and how large a file may grow."""

import ast
import logging
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("marriage", "league", "render", "data", "bot", "cogs", "playground", "tiplu", "training")
INSTALLED = tuple(room for room in ROOMS if room != "training")
"""The packages of an installation. Training needs a compiler, and playing does not need training."""
MAY_KNOW = {
    "marriage": set(),
    "league": {"marriage"},
    "render": {"marriage", "league"},
    "data": {"marriage", "league"},
    "bot": {"marriage", "league", "render", "data"},
    "cogs": {"marriage", "league", "render", "data", "bot"},
    "playground": set(),
    "tiplu": {"marriage", "bot", "playground"},
    "training": {"marriage"},
}
SPEAK_DISCORD = {"bot", "cogs"}
NEVER = {
    "bot.words": {"bot.table", "bot.panels", "bot.interactions", "bot.delivery", "bot.league", "bot.history"},
    "bot.table": {"bot.league", "bot.history", "bot.panels", "bot.delivery"},
    "bot.panels": {"bot.delivery"},
}
"""Forbidden imports within the bot.

Words know no table; a table does not know how it is shown or who counts its games; a panel does not know how
it is sent.
"""
LONGEST_FILE = 600
"""The most lines in a file: a file has one subject, and few subjects need more."""
MOST_MODULES = 24
MOST_PUBLIC_METHODS = 20
TAKEN_BY_LOGGING = {*vars(logging.makeLogRecord({})), "message", "asctime"} - {"exc_info", "stack_info"}
PRONOUNS = re.compile(r"\b(he|his|him|himself|whoever|(?<!no )one who|one's own)\b", re.IGNORECASE)
"""Forbidden pronouns: a player is "they", or the role: the host, the caller, the viewer."""


@cache
def files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@cache
def statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return every import of a file, including late ones.

    Most tests here use them, so a file is read only once.
    """
    tree = ast.parse(path.read_bytes(), str(path))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def imported(path: Path) -> Iterator[str]:
    """Yield the full name of every module that a file imports, including late imports."""
    for node in statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{path} imports relatively"
            yield node.module or ""


def arrows(room: str) -> set[tuple[str, str]]:
    """Return every file of a package with the top-level names that it imports."""
    return {
        (str(path.relative_to(ROOT)), name.partition(".")[0])
        for path in files(room)
        for name in imported(path)
    }


def modules(room: str) -> dict[str, Path]:
    """Return the path of every module of a package, by its dotted name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files(room)
    }


def import_graph(room: str) -> dict[str, set[str]]:
    """Return every module of a package with its modules that it imports, including late imports."""
    known = modules(room)
    return {name: {other for other in _named(path) if other in known} for name, path in known.items()}


def _named(path: Path) -> Iterator[str]:
    """Yield every dotted name that a file imports.

    `from a import b` names `a.b` if that is a module, and otherwise `a`.
    """
    for node in statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name for name in inner if _is_module(name)]
            yield from found
            if len(found) < len(inner):
                yield node.module


@cache
def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of two or more modules that import each other in a loop."""
    reach = {name: _reachable(graph, name) for name in graph}
    groups = {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in graph
        if name in reach[name]
    }
    return sorted(sorted(group) for group in groups)


def _reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_a_circle_is_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(graph) == [["b", "c"]]


@pytest.mark.parametrize("room", ROOMS)
def test_no_modules_import_each_other_in_a_circle(room: str):
    assert circles(import_graph(room)) == []


def folder_graph(room: str) -> dict[str, set[str]]:
    """Return every folder of a package, and every module next to the folders, with those that it imports."""
    graph: dict[str, set[str]] = {}
    for name, others in import_graph(room).items():
        imports = graph.setdefault(_folder(name), set())
        imports |= {_folder(other) for other in others if "." in other} - {_folder(name)}
    return graph


def _folder(name: str) -> str:
    return ".".join(name.split(".")[:2])


@pytest.mark.parametrize("room", ["bot", "cogs"])
def test_no_folders_import_each_other_in_a_circle(room: str):
    """Therefore the folders have an order, and no import goes back up."""
    assert circles(folder_graph(room)) == []


def test_of_the_features_only_their_setups_know_the_client():
    found = {str(path.relative_to(ROOT)) for path in files("cogs") if "bot.app" in set(imported(path))}
    assert found == {
        f"cogs/{feature.parent.name}/__init__.py" for feature in (ROOT / "cogs").glob("*/__init__.py")
    }


def test_every_room_is_here():
    assert all(files(room) for room in ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_run_only_downwards(room: str):
    allowed = MAY_KNOW[room] | {room}
    assert {(path, name) for path, name in arrows(room) if name in ROOMS and name not in allowed} == set()


@pytest.mark.parametrize("folder", NEVER)
def test_data_flows_one_way_within_the_bot(folder: str):
    found = {
        (path.name, name)
        for path in files(folder.replace(".", "/"))
        for name in imported(path)
        if name.startswith(tuple(NEVER[folder]))
    }
    assert found == set()


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_tests_or_benchmarks(room: str):
    assert {(path, name) for path, name in arrows(room) if name in ("tests", "benchmarks")} == set()


@pytest.mark.parametrize("room", sorted(set(ROOMS) - SPEAK_DISCORD))
def test_only_bot_and_cogs_know_discord(room: str):
    assert {path for path, name in arrows(room) if name == "discord"} == set()


def test_the_game_needs_the_standard_library_and_pydantic_alone():
    allowed = sys.stdlib_module_names | {"marriage", "pydantic", "pydantic_core"}
    assert {(path, name) for path, name in arrows("marriage") if name not in allowed} == set()


def test_training_needs_the_game_and_numpy_alone():
    allowed = sys.stdlib_module_names | {"training", "marriage", "numpy"}
    assert {(path, name) for path, name in arrows("training") if name not in allowed} == set()


def test_the_game_has_no_clock_no_chance_of_its_own_and_no_loop():
    """Chance and time are passed in; only the command line reads and writes."""
    outside = {"asyncio", "secrets", "time", "datetime", "sqlite3", "socket", "os", "subprocess"}
    found = {(path, name) for path, name in arrows("marriage") if name in outside}
    assert {(path, name) for path, name in found if "/cli" not in path and "__main__" not in path} == set()


@pytest.mark.parametrize("room", [*ROOMS, "tests"])
def test_files_stay_short(room: str):
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files(room)}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


@pytest.mark.parametrize("room", ROOMS)
def test_folders_stay_small(room: str):
    modules = [path for path in files(room) if path.stem != "__init__"]
    modules_of = Counter(path.parent for path in modules)
    assert {str(folder): count for folder, count in modules_of.items() if count > MOST_MODULES} == {}


@pytest.mark.parametrize("room", ROOMS)
def test_log_fields_have_names_that_logging_does_not_use_itself(room: str):
    taken = [
        f"{path.relative_to(ROOT)}:{call.lineno} {field.arg}"
        for path in files(room)
        for call in ast.walk(ast.parse(path.read_bytes(), str(path)))
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("log.")
        for field in call.keywords
        if field.arg in TAKEN_BY_LOGGING
    ]
    assert taken == [], "logging refuses such a field when the line is written, so the work around it fails"


def test_no_two_classes_share_a_name():
    places = [
        (node.name, str(path.relative_to(ROOT)))
        for room in ROOMS
        for path in files(room)
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef)
    ]
    shared = {name for name, count in Counter(name for name, _ in places).items() if count > 1}
    assert {(name, path) for name, path in places if name in shared} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_classes_have_few_public_methods(room: str):
    """Methods are counted in the body of each class, without properties and inherited methods."""
    found = {
        f"{path.relative_to(ROOT)}: {node.name}": count
        for path in files(room)
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef) and (count := _public_methods(node)) > MOST_PUBLIC_METHODS
    }
    assert found == {}


def _public_methods(node: ast.ClassDef) -> int:
    functions = [part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return sum(not function.name.startswith("_") and not _is_property(function) for function in functions)


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(name, ast.Name) and name.id == "property" for name in function.decorator_list)


def texts_of_the_project() -> list[Path]:
    """Return the code, the documents and the English catalogues."""
    python = [path for room in (*ROOMS, "tests", "benchmarks") for path in files(room)]
    english = [ROOT / "bot/words/messages/en.toml", ROOT / "render/messages/en.toml"]
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return [path for path in (*python, *english, *documents) if path != Path(__file__)]


def test_a_player_is_they():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in texts_of_the_project()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if PRONOUNS.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_says_what_it_is(room: str):
    silent = [path for path in files(room) if "migrations" not in path.parts and not _docstring(path)]
    assert silent == []


def _docstring(path: Path) -> str | None:
    return ast.get_docstring(ast.parse(path.read_bytes()))
