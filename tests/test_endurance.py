"""What the samples of a long run show: growing memory is distinguished from caches that fill."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from data.store import Store
from tests.endurance import WAITING, Sample, measure, resident_kb
from tests.games import FileOfGames


def samples(*memory_kb: int, file_bytes: int = 0) -> list[Sample]:
    """Return one sample for each value, one deal apart."""
    return [Sample(place, kb, place * file_bytes, place) for place, kb in enumerate(memory_kb)]


def test_memory_that_fills_at_first_does_not_grow():
    assert measure(samples(50, 90, 100, 101, 100, 99, 100, 101)).growth == pytest.approx(0, abs=0.01)


def test_memory_that_grows_on_and_on_is_noticed():
    assert measure(samples(*range(100, 180))).growth > 0.3


def test_child_processes_that_grow_on_and_on_are_noticed():
    grown = [Sample(place, 100, 0, place, children_kb=place) for place in range(80)]
    assert measure(grown).growth > 0.2


def test_one_sample_that_stands_out_says_nothing():
    assert measure(samples(*[100] * 19, 400)).growth == 0


def test_the_file_grows_by_so_much_a_deal():
    assert measure(samples(*[100] * 16, file_bytes=26_000)).bytes_a_deal == 26_000
    assert measure([Sample(0, 100, 0, 7)] * 16).bytes_a_deal is None


def test_too_few_samples_prove_nothing():
    with pytest.raises(ValueError, match="too few"):
        measure(samples(*[100] * 7))


def test_a_process_holds_some_memory():
    assert resident_kb(os.getpid())[0] > 1_000


def test_the_memory_of_child_processes_is_told_apart():
    _, before = resident_kb(os.getpid())
    holding = "held = b'1' * 100_000_000; print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        own, below = resident_kb(os.getpid())
        child.communicate(b"\n")
    assert below > before + 100_000
    assert own > 1_000


async def test_a_message_waits_from_when_it_was_asked_for_however_often_it_is_tried(path: Path):
    games = FileOfGames(path)
    store = await Store.open(path)
    now = 1_000_000
    await store.close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(
            "INSERT INTO outbox VALUES (1, 'table', 1, 'table', 'table', NULL, 1, 9, ?, ?, NULL, NULL)",
            (now - 600_000, now - 1_000),
        )
    assert await games.rows(WAITING, now=now) == [(now - 600_000,)]
