"""The conformance vectors: figures from the sources and from score calculators, each with its origin."""

import json
from pathlib import Path
from typing import Any

import pytest

from marriage.cards import Card, Cards
from marriage.rules import Rules, preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.scoring.result import FinalSeat, sheet_of
from marriage.sheet import Ending, Sheet, Status

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))["vectors"]


def of_kind(kind: str) -> Any:
    chosen = [vector for vector in VECTORS if vector["kind"] == kind]
    return pytest.mark.parametrize("vector", chosen, ids=[vector["id"] for vector in chosen])


def cards(names: list[str]) -> Cards:
    return tuple(map(Card.parse, names))


def rules_of(vector: dict[str, Any]) -> Rules:
    base = preset(vector["preset"]) if "preset" in vector else preset("pagat", foul="next")
    return base.with_options(**vector.get("options", {}))


def sheet_for(vector: dict[str, Any], seats: list[FinalSeat], tiplu: Card | None) -> Sheet:
    return sheet_of(
        seats,
        tiplu,
        vector["winner"],
        Ending.DUBLEES if vector.get("dublee_win") else Ending.GROUPS,
        rules_of(vector),
        better=vector.get("better", False),
        carry=vector.get("carry", ()),
        thrown=vector.get("thrown", ()),
    )


def nets(sheet: Sheet) -> list[int]:
    return [line.net for line in sheet.lines]


@of_kind("score")
def test_score(vector: dict[str, Any]) -> None:
    items = score_hand(
        cards(vector["hand"]),
        cards(vector.get("exposed", [])),
        vector.get("laid", 0),
        Card.parse(vector["tiplu"]),
        rules_of(vector),
        seen=vector.get("seen", True),
    )
    assert points_of(items) == vector["expect"], vector["why"]


@of_kind("settle")
def test_settle(vector: dict[str, Any]) -> None:
    losers = vector.get("dublee_losers", ())
    seats = [
        FinalSeat(status=Status(status), points=points, dublees=seat in losers)
        for seat, (points, status) in enumerate(zip(vector["points"], vector["status"], strict=True))
    ]
    assert nets(sheet_for(vector, seats, None)) == vector["expect"], vector["why"]


@of_kind("deal")
def test_deal(vector: dict[str, Any]) -> None:
    losers = vector.get("dublee_losers", ())
    exposed = vector.get("exposed", [[]] * len(vector["hands"]))
    seats = [
        FinalSeat(
            cards=cards(hand), exposed=cards(exposed[seat]), status=Status(status), dublees=seat in losers
        )
        for seat, (hand, status) in enumerate(zip(vector["hands"], vector["status"], strict=True))
    ]
    sheet = sheet_for(vector, seats, Card.parse(vector["tiplu"]))
    assert [line.points for line in sheet.lines] == vector["expect"]["points"], vector["why"]
    assert nets(sheet) == vector["expect"]["net"], vector["why"]


def test_every_vector_is_of_a_known_kind() -> None:
    assert {vector["kind"] for vector in VECTORS} == {"score", "settle", "deal"}
    assert len({vector["id"] for vector in VECTORS}) == len(VECTORS) == 53
