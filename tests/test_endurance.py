"""What the samples of a long run show: growing memory is distinguished from caches that fill."""

import os

import pytest

from tests.endurance import Sample, measure, resident_kb


def samples(*memory_kb: int, file_bytes: int = 0) -> list[Sample]:
    """Return one sample for each value, one deal apart."""
    return [Sample(place, kb, place * file_bytes, place) for place, kb in enumerate(memory_kb)]


def test_memory_that_fills_at_first_does_not_grow():
    assert measure(samples(50, 90, 100, 101, 100, 99, 100, 101)).growth == pytest.approx(0, abs=0.01)


def test_memory_that_grows_on_and_on_is_noticed():
    assert measure(samples(*range(100, 180))).growth > 0.3


def test_one_sample_that_stands_out_says_nothing():
    assert measure(samples(*[100] * 19, 400)).growth == 0


def test_the_file_grows_by_so_much_a_deal():
    assert measure(samples(*[100] * 16, file_bytes=26_000)).bytes_a_deal == 26_000
    assert measure([Sample(0, 100, 0, 7)] * 16).bytes_a_deal is None


def test_too_few_samples_prove_nothing():
    with pytest.raises(ValueError, match="too few"):
        measure(samples(*[100] * 7))


def test_a_process_holds_some_memory():
    assert resident_kb(os.getpid()) > 1_000
