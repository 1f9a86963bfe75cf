"""Every reader of text returns a value or raises a documented error, and reads back what is written.

`make fuzztext` goes through the same table for as long as asked, guided by the code that it reaches.
"""

import ast
import os
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.readers import READERS
from tests.fuzz.readers.reader import ODD, Misread, Reader, check
from tests.test_house import ROOMS, ROOT, files

EXAMPLES = int(os.environ.get("EXAMPLES", "12"))
"""The number of examples for each reader."""
NOT_IN_THE_TABLE = {
    "marriage.cli.command.read_request": "opens a file, and reads it by `parse`",
    "marriage.cli.command.read_text": "opens a file, and decodes it as `parse` does",
    "data.outbox_keys.OutboxKey.parse": "called by `parse_key`, as are the next four",
    "data.outbox_keys.SeasonAmendmentKey.parse": "",
    "data.outbox_keys.SeasonPostKey.parse": "",
    "data.outbox_keys.SeasonReminderKey.parse": "",
    "data.outbox_keys.CalendarEventKey.parse": "",
}
"""Functions whose name says that they read a text, and why they are not in the table."""


def mutilated(sample: str) -> st.SearchStrategy[str]:
    """Return a strategy for the sample with pieces removed, doubled, exchanged or replaced by odd ones."""

    @st.composite
    def draw_one(draw: st.DrawFn) -> str:
        text = sample
        for _ in range(draw(st.integers(1, 4))):
            begin = draw(st.integers(0, len(text)))
            end = min(len(text), begin + draw(st.integers(0, 6)))
            other = draw(st.sampled_from(ODD) | st.just(text[begin:end] * 2) | st.text(max_size=3))
            text = text[:begin] + other + text[end:]
        return text

    return draw_one()


def handed_in(reader: Reader) -> st.SearchStrategy[str]:
    """Return a strategy for anything that someone could supply, much of it close to what the reader takes."""
    some = st.lists(st.sampled_from(ODD), max_size=6).map("".join) | st.text(max_size=60)
    return st.one_of(*map(mutilated, reader.samples), some)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@settings(max_examples=EXAMPLES)
@given(data=st.data())
def test_whatever_is_handed_in_is_read_or_refused_as_it_says(reader: Reader, data: st.DataObject) -> None:
    check(reader, data.draw(handed_in(reader)))


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_its_samples_are_taken_and_with_something_odd_in_them_refused_as_it_says(reader: Reader) -> None:
    assert [sample for sample in reader.samples if not check(reader, sample)] == []
    for sample in reader.samples:
        for number, odd in enumerate(ODD):
            place = len(sample) * (number % 4) // 3
            check(reader, sample[:place] + odd + sample[place:])


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_the_longest_texts_take_no_longer_than_others(reader: Reader) -> None:
    """A reader with quadratic time would block everyone, and this test for minutes."""
    for text in longest(reader):
        check(reader, text)


def longest(reader: Reader) -> Iterator[str]:
    """Yield texts as long as the reader is ever given."""
    for piece in {
        *reader.samples,
        *'1 ,=\n:-[{"a\0',
        "9 ",
        "ab,",
        "क्",
        "\u0301",
        "a=1 ",
        "[[",
        '{"a":',
        "5H ",
    }:
        yield piece * (reader.longest // max(1, len(piece)) + 1)


# Completeness of the table


def readers_of_the_rooms() -> Iterator[str]:
    """Yield the functions and methods whose names say that they read and that take a text."""
    for room in ROOMS:
        for path in files(room):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            for outer, function in _functions(ast.parse(path.read_bytes())):
                if _reads_text(function):
                    yield ".".join(filter(None, (module, outer, function.name)))


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((node.name, part) for part in node.body if isinstance(part, ast.FunctionDef))


def _reads_text(function: ast.FunctionDef) -> bool:
    first = next((given for given in function.args.args if given.arg not in ("self", "cls")), None)
    kind = "" if first is None or first.annotation is None else ast.unparse(first.annotation)
    is_named_so = function.name.partition("_")[0] in ("read", "parse")
    return is_named_so and kind in ("str", "bytes", "Fields", "Press", "Typed", "StoredKey", "object")


def test_every_reader_is_in_the_table() -> None:
    named = {f"{reader.of.__module__}.{reader.of.__qualname__}" for reader in READERS}
    assert {name for name in readers_of_the_rooms() if name not in named} == set(NOT_IN_THE_TABLE)


def test_what_a_reader_must_not_do_is_noticed() -> None:
    wrong = Reader(int, int, ValueError, ("1",), write=lambda number: str(number + 1))
    with pytest.raises(Misread):
        check(wrong, "1")
    with pytest.raises(ValueError, match="invalid literal"):
        check(Reader(int, int, (), ()), "one")
