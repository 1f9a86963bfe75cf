"""The list of mutants is complete, and the document matches the tally. `make mutate` tries the mutants."""

import ast

import pytest

from tests.mutation import document, tally
from tests.mutation.workshop import ROOMS, ROOT, function_of, workshops
from tests.test_house import files


def has_mutants(tree: ast.Module) -> bool:
    """Return whether there is a function without a decorator: mutmut makes no mutants of others."""
    return any(isinstance(node, ast.FunctionDef) and not node.decorator_list for node in ast.walk(tree))


def test_every_module_with_a_function_has_tests_that_are_to_notice_its_mutants():
    modules = {
        str(path.relative_to(ROOT).with_suffix(""))
        for room in ROOMS
        for path in files(room)
        if has_mutants(ast.parse(path.read_bytes()))
    }
    assert modules - set(workshops()) == set()


def test_every_module_and_every_test_that_is_listed_exists():
    listed = {name for shop in workshops().values() for name in (f"{shop.module}.py", *shop.tests)}
    assert sorted(name for name in listed if not (ROOT / name).is_file()) == []
    assert all(shop.tests for shop in workshops().values())


def test_the_document_is_written_anew_from_the_tally():
    text = document.DOCUMENT.read_text()
    assert document.written(text) == text, "run python -m tests.mutation --write"


def test_every_reason_is_of_a_survivor():
    survivors = {(module, change) for module, entry in tally.read().items() for change in entry["survivors"]}
    assert set(document.reasons()) - survivors == set()


def test_the_tally_adds_up():
    for module, entry in tally.read().items():
        assert entry["killed"] + len(entry["survivors"]) == entry["mutants"], module


def test_enough_mutants_of_every_module_are_noticed_and_every_survivor_has_a_reason():
    assert document.shortcomings(tally.read()) == []


def test_a_module_below_the_others_and_a_survivor_without_a_reason_are_told():
    found = tally.read()
    (strong, good), (weak, poor) = list(found.items())[:2]
    poor = poor | {"mutants": 100, "killed": 89, "survivors": ["f: a + b -> a - b"]}
    assert document.shortcomings({strong: good, weak: poor}) == [
        f"{weak}: 89.0 %, which is less than 90 %",
        f"{weak}: no reason for f: a + b -> a - b",
    ]


@pytest.mark.parametrize(
    ("mutant", "function"),
    [
        ("league.points.x_settled__mutmut_12", "settled"),
        ("league.points.x__shares__mutmut_1", "_shares"),
        ("league.season.xǁSeasonǁ_fold__mutmut_3", "Season._fold"),
    ],
)
def test_a_mutant_is_named_by_its_function(mutant: str, function: str):
    assert function_of(mutant) == function
