"""`python -m marriage verify`: valid records, and everything that may be wrong with one."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest

from marriage.cards import parse_cards
from marriage.rules import Rules
from marriage.shuffle import DealSeed, record
from tests.marriage.cli_calls import ask, ask_lines, refusal, run

ITEMS = (
    "0:1300000000000000001:-",
    "1:1300000000000000002:ddb08d77c2d511947652161b35987022711aa216387b041dd459a03eb66a8304",
)
SECRET = DealSeed(bytes(range(32)), "T1", 1, ITEMS)


def record_of(secret: DealSeed, size: int, men: int = 0) -> dict[str, Any]:
    shown = record(secret, size, men)
    return {
        "v": shown.version,
        "table": shown.table,
        "deal": shown.deal,
        "N": shown.deck_size,
        "men": shown.man_cards,
        "C": shown.commitment,
        "items": list(shown.items),
        "seed": shown.seed.hex(),
        "deck": shown.deck_hash,
    }


RECORD = record_of(SECRET, 156)
DECK = "441a4bf1d70f126e98f1df02a07d05fb2e7a2847b0d1e1348f8a3d0a5857fbd4"


def test_the_record_of_the_pinned_deal() -> None:
    assert RECORD["deck"] == DECK
    assert RECORD["C"] == "510cf4a376e5d6c1350f18438a3a858b3e02811aad712778b209b52d50cffd34"


def test_a_record_that_holds(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(RECORD), encoding="utf-8")
    answer = run("verify", str(file), "--json").answer
    assert (answer["verified"], answer["why"]) == (True, None)
    assert parse_cards(answer["cards"]) == SECRET.deck(Rules())
    status, out, err = run("verify", str(file))
    assert (status, err) == (0, "")
    first, second, *rows = out.splitlines()
    lots = [f"lot         among {seats} seats number 1 deals first" for seats in range(2, 6)]
    assert rows[-4:] == lots
    assert answer["first_dealer"] == {"2": 0, "3": 0, "4": 0, "5": 0}
    rows = rows[:-4]
    assert first == f"commitment  {RECORD['C']}  holds"
    assert second == f"deck        {DECK}  follows"
    assert [row.split()[0] for row in rows] == [
        "1-21",
        "22-42",
        "43-63",
        "64-84",
        "85-105",
        "106-126",
        "127-147",
        "148-156",
    ]
    assert " ".join(" ".join(row.split()[1:]) for row in rows) == answer["cards"]


@pytest.mark.parametrize("master", ["off", "always"])
@pytest.mark.parametrize("men", range(7))
def test_man_and_master_cards(men: int, master: Literal["off", "always"]) -> None:
    rules = Rules(man_cards=men, master_card=master)
    asked = record_of(SECRET, rules.deck_size, men)
    assert parse_cards(ask("verify", asked).answer["cards"]) == SECRET.deck(rules)


@pytest.mark.parametrize(
    "rules",
    [*(Rules(man_cards=men) for men in range(4)), Rules(man_cards=3, master_card="always")],
    ids=lambda rules: rules.deck_size,
)
def test_older_records_do_not_say_how_many_man_cards_there_are(rules: Rules) -> None:
    asked = record_of(SECRET, rules.deck_size, rules.man_cards)
    del asked["men"]
    assert parse_cards(ask("verify", asked).answer["cards"]) == SECRET.deck(rules)


def test_the_items_of_many_tables() -> None:
    items = tuple(f"{table}/{seat}:auto:-" for table in range(1, 2_501) for seat in range(4))
    asked = record_of(DealSeed(bytes(range(32)), "set:7", 1, items), 156)
    assert ask("verify", asked).answer["verified"]


def test_only_the_first_deal_of_a_table_has_a_lot_for_its_dealer() -> None:
    lots = {str(seats): SECRET.first_dealer(Rules(first_dealer=0), seats) for seats in range(2, 6)}
    assert ask("verify", RECORD).answer["first_dealer"] == lots
    second = record_of(DealSeed(bytes(range(32)), "T1", 2, ITEMS), 156)
    assert ask("verify", second).answer["first_dealer"] == {}
    assert "lot" not in run("verify", "-", given=json.dumps(second)).out


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"seed": "00" * 32}, "the seed is not the one that was committed to"),
        ({"deal": 2}, "the seed is not the one that was committed to"),
        ({"table": "T2"}, "the seed is not the one that was committed to"),
        ({"N": 157}, "the seed is not the one that was committed to"),
        ({"men": 1}, "156 cards are not the packs, 1 man cards and a master card or none"),
        ({"N": 158}, "158 cards are not the packs, 0 man cards and a master card or none"),
        ({"N": 161, "men": None}, "161 cards are not the packs, 3 man cards and a master card or none"),
        ({"N": 163, "men": 6}, "the seed is not the one that was committed to"),
        ({"C": "0" * 64}, "the seed is not the one that was committed to"),
        ({"items": ITEMS[:1]}, "the deck does not follow from the seed and the contributions"),
        ({"deck": "0" * 64}, "the deck does not follow from the seed and the contributions"),
        ({"v": 2}, "the record is of shuffle version 2, not 1"),
    ],
)
def test_a_record_that_contradicts_itself(changed: dict[str, Any], why: str) -> None:
    asked = RECORD | changed
    status, out, err = run("verify", "-", given=json.dumps(asked))
    assert (status, out, err) == (1, f"NOT VERIFIED: {why}\n", f"python -m marriage verify: {why}\n")
    [answer] = ask_lines("verify", [asked])
    assert (answer["verified"], answer["why"], answer["cards"]) == (False, why, "")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"more": 1}, "there is no key 'more'"),
        ({"v": True}, "v: "),
        ({"table": 1}, "table: "),
        ({"table": "x" * 201}, "table: "),
        ({"deal": -1}, "deal: "),
        ({"deal": 1 << 32}, "deal: "),
        ({"N": 155}, "N: "),
        ({"N": 164}, "N: "),
        ({"men": -1}, "men: "),
        ({"men": 7}, "men: "),
        ({"C": "xyz"}, "C: "),
        ({"seed": "00" * 31}, "seed: "),
        ({"seed": "00" * 32 + "\n"}, "seed: "),
        ({"items": [1]}, "items[0]: "),
        ({"items": ["x"] * 10_001}, "items: "),
    ],
)
def test_what_is_no_record(changed: dict[str, Any], said: str) -> None:
    """Where only the place is said, pydantic tells what is wrong there."""
    told = refusal("verify", RECORD | changed)
    assert told.startswith(said) if said.endswith(": ") else told == said


def test_without_a_file_it_says_what_it_needs() -> None:
    said = "verify needs a RECORD of a finished deal, or - for standard input"
    assert run("verify") == (2, "", f"python -m marriage verify: {said}\n")
