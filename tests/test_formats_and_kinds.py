"""Nothing asks a league's format or a table's kind for its name: both answer for themselves.

A format is a class in `league/formats.py`, a kind of table one in `data/preferences.py`. Whatever differs by them is a question
to the class, so that a new one changes no other file.
"""

import ast
from collections.abc import Iterator

from data import preferences
from data.preferences import TableKind
from league.formats import FORMATS
from tests.test_house import ROOMS, ROOT, files

FORMATS_LIVE_IN = "league/formats.py"
KINDS_LIVE_IN = "data/preferences.py"
FLAGS = {"league", "private"}
KINDS = {
    name
    for name, value in vars(preferences).items()
    if isinstance(value, TableKind) or TableKind in getattr(value, "__bases__", ())
}
"""The names of the kinds and their classes."""
DAY = "daily"
"""The option that makes a table the deal of the day. Its date is also displayed, which is no decision."""


def compared(tree: ast.AST) -> Iterator[ast.expr | ast.pattern]:
    """Yield everything that is compared or matched."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            yield from (node.left, *node.comparators)
            for side in node.comparators:
                if isinstance(side, ast.Tuple | ast.Set | ast.List):
                    yield from side.elts
        elif isinstance(node, ast.Match):
            yield node.subject
            yield from (
                inner
                for case in node.cases
                for inner in ast.walk(case.pattern)
                if isinstance(inner, ast.pattern)
            )


def names_a_format(tree: ast.AST) -> bool:
    """Return whether a format, or the name of one, is compared with anything."""
    for found in compared(tree):
        value = found.value if isinstance(found, ast.MatchValue) else found
        if isinstance(value, ast.Constant) and value.value in FORMATS:
            return True
        if isinstance(value, ast.Attribute) and value.attr == "format":
            return True
    return False


def asks_for_a_flag(tree: ast.AST) -> bool:
    """Return whether an option that makes a table's kind is read, or a kind's class is named."""
    read = {name for node in ast.walk(tree) if (name := _option(node)) in FLAGS}
    decided = {name for test in decisions(tree) for node in ast.walk(test) if (name := _option(node)) == DAY}
    imports = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "data.preferences"
    )
    named = {alias.name for node in imports for alias in node.names}
    return bool(read or decided or named & KINDS)


def decisions(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield every expression that decides something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
            yield node.test
        elif isinstance(node, ast.BoolOp | ast.UnaryOp | ast.Compare):
            yield node


def _option(node: ast.AST) -> str | None:
    """Return the name of the table's option read here, as in `table.options.league`."""
    if not isinstance(node, ast.Attribute):
        return None
    owner = node.value
    named = (
        owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else None
    )
    return node.attr if named == "options" else None


def trees(*words: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the files that contain one of these words."""
    for path in (path for room in ROOMS for path in files(room)):
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in words):
            yield path.relative_to(ROOT).as_posix(), ast.parse(text)


def test_a_comparison_with_a_format_is_found():
    assert names_a_format(ast.parse('settings.format == "ladder"'))
    assert names_a_format(ast.parse('name in ("ladder", "swiss")'))
    assert names_a_format(ast.parse('match name:\n    case "pods" | "swiss":\n        pass'))
    assert names_a_format(ast.parse("season.settings.format is LADDER"))
    assert not names_a_format(ast.parse("if season.settings.format.has_draw: pass"))


def test_a_question_for_a_flag_is_found():
    assert asks_for_a_flag(ast.parse("if table.options.league: pass"))
    assert asks_for_a_flag(ast.parse("x = 1 if not options.private else 2"))
    assert asks_for_a_flag(ast.parse("from data.preferences import DAILY\nx = table.kind is DAILY"))
    assert asks_for_a_flag(ast.parse("if table.options.daily is None: pass"))
    assert asks_for_a_flag(ast.parse("f(private=table.options.private)"))
    assert not asks_for_a_flag(ast.parse("texts(key, day=table.options.daily)"))
    assert not asks_for_a_flag(ast.parse("if table.kind.has_clocks: pass"))


def test_nothing_compares_a_league_with_the_name_of_a_format():
    assert {
        path for path, tree in trees(".format", *FORMATS) if path != FORMATS_LIVE_IN and names_a_format(tree)
    } == set()


def test_nothing_decides_by_the_flags_of_a_table():
    assert {
        path
        for path, tree in trees("options.", "data.preferences")
        if path != KINDS_LIVE_IN and asks_for_a_flag(tree)
    } == set()
