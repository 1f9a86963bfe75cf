"""The readers of the game: the notation, and the requests of the command line."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

from marriage.cards import Card, format_cards, parse_cards
from marriage.cli import analyse, arrange, match, score, simulate, verify
from marriage.cli.command import CliCommand, lines, option_value, parse, whole_number
from marriage.game import Game
from marriage.notation import (
    play,
    read_action,
    read_deal,
    read_groups,
    read_position,
    write_action,
    write_deal,
    write_groups,
    write_position,
)
from marriage.notation.lines import read_flag, read_number, read_numbers, write_flag, write_numbers
from tests.fuzz.readers.reader import COMMAND, FILE, Reader
from tests.marriage.test_notation import DEAL, POSITION

HAND = "3S 4S 5S 6H 6H 6H QS KS AS 9D 10D JD KS KC KH 6D QC 8D JH 2C 2H"
SCORED = (
    '{"tiplu": "5H", "winner": 0, "players": [{"name": "Asha", "status": "seen", "hand": "5H 4H 6H"}, '
    '{"status": "unseen", "points": 0}, {"status": "seen", "points": 3}], "options": {"alter": true}}'
)
RECORD = json.dumps(
    {
        "v": 1,
        "table": "T1",
        "deal": 1,
        "N": 156,
        "men": 0,
        "C": "51" * 32,
        "items": ["0:1:-"],
        "seed": "00" * 32,
    }
    | {"deck": "44" * 32}
)
REQUESTS: tuple[tuple[CliCommand[Any, Any], str], ...] = (
    (score.COMMAND, SCORED),
    (arrange.COMMAND, json.dumps({"hand": HAND, "tiplu": "JC"})),
    (verify.COMMAND, RECORD),
)
"""The requests that are fast enough to be answered here; of the others only the request is read."""
LONG_WORK: tuple[tuple[CliCommand[Any, Any], str], ...] = (
    (simulate.COMMAND, '{"deals": 5, "seats": 3, "seed": "a", "players": ["greedy"]}'),
    (match.COMMAND, '{"deals": 5, "seats": 3, "players": ["greedy", "casual"]}'),
    (analyse.COMMAND, json.dumps({"deal": DEAL, "seat": 0})),
)


def encoded(read: Callable[[bytes], Any]) -> Callable[[str], Any]:
    """Return a reader of bytes. Half a character becomes bytes that are not text."""
    return lambda text: read(text.encode("utf-8", "surrogatepass"))


def _every_line(data: bytes) -> list[bytes]:
    return list(lines(BytesIO(data)))


READERS = (
    Reader(Card.parse, Card.parse, ValueError, ("10C", "tc", "MAN", "??"), FILE, str),
    Reader(parse_cards, parse_cards, ValueError, (HAND, "10C tc man", ""), FILE, format_cards),
    Reader(read_groups, read_groups, ValueError, ("3S 4S 5S, 6H 6H 6H", "-", ""), FILE, write_groups),
    Reader(read_number, read_number, ValueError, ("0", "4294967295"), FILE, str),
    Reader(read_numbers, read_numbers, ValueError, ("3 8", ""), FILE, write_numbers),
    Reader(read_flag, read_flag, ValueError, ("yes", "no"), FILE, write_flag),
    Reader(
        read_action,
        read_action,
        ValueError,
        ("draw", "cut 3", "finish 3S 4S 5S, 6H 6H 6H discard 2H", "finish-dublees 5H discard 4C", "show -"),
        FILE,
        write_action,
    ),
    Reader(read_deal, read_deal, ValueError, (DEAL,), FILE, write_deal),
    Reader(play, lambda text: play(read_deal(text)), ValueError, (), FILE),
    Reader(Game.read, Game.read, ValueError, (), FILE),
    Reader(read_position, read_position, ValueError, (POSITION,), FILE, write_position),
    Reader(parse, encoded(parse), ValueError, (SCORED, RECORD), FILE, json.dumps),
    Reader(lines, encoded(_every_line), (), (SCORED,), FILE),
    Reader(option_value, option_value, (), ("yes", "12", "seen"), COMMAND),
    Reader(whole_number, lambda text: whole_number("seat", text), ValueError, ("12",), COMMAND, str),
    *(
        Reader(
            command.answer,
            encoded(lambda data, command=command: command.to_json(command.answer(parse(data)))),
            ValueError,
            (sample,),
            FILE,
            of_what=command.name,
        )
        for command, sample in REQUESTS
    ),
    *(
        Reader(
            command.request,
            encoded(lambda data, command=command: command.request.model_validate(parse(data))),
            ValueError,
            (sample,),
            FILE,
            of_what=command.name,
        )
        for command, sample in LONG_WORK
    ),
)
