"""`python -m marriage verify`: the answer's other keys, and the lots that tell who deals first."""

import json

import pytest

from marriage.rules import preset
from marriage.shuffle import DealSeed
from tests.marriage.cli_calls import ask, run
from tests.marriage.test_cli_verify import ITEMS, RECORD, record_of


def test_the_answer_repeats_what_it_was_compared_with() -> None:
    answer = ask("verify", RECORD).answer
    assert (answer["commitment"], answer["deck"]) == (RECORD["C"], RECORD["deck"])


@pytest.mark.lot
def test_the_lots_are_those_of_the_deal() -> None:
    by_lot = preset("pagat", first_dealer=0)
    drawn: set[tuple[int, ...]] = set()
    for number in range(6):
        secret = DealSeed(bytes([number] * 32), "T1", 1, ITEMS)
        asked = record_of(secret, 156)
        lots = [secret.first_dealer(by_lot, seats) for seats in range(2, 6)]
        assert list(ask("verify", asked).answer["first_dealer"].items()) == [
            (str(seats), lot) for seats, lot in enumerate(lots, 2)
        ]
        assert run("verify", "-", given=json.dumps(asked)).out.splitlines()[-4:] == [
            f"lot         among {seats} seats number {lot + 1} deals first"
            for seats, lot in enumerate(lots, 2)
        ]
        drawn.add(tuple(lots))
    assert len(drawn) > 2
