# ruff: noqa: INP001, T201, SIM905 - one script that stands alone and prints, as readable as can be
"""Verify the deck of a finished deal of Marriage: python verify_deal.py RECORD (a JSON file, or - for standard input).

Needs nothing but Python. The rules of the shuffle, version 1:
  LP(x)   = the length of x in 4 bytes, big-endian, then x; text is UTF-8, a number has 4 bytes, big-endian
  C       = SHA-256(LP("tiplu/commit/v1") LP(seed) LP(table) LP(deal) LP(N)), published before anyone contributed
  key     = SHA-256(LP("tiplu/shuffle/v1") LP(seed) LP(table) LP(deal) LP(number of items) LP(item) ...)
  bytes   = SHA-256(key 0), SHA-256(key 1), ...: the counter in 8 bytes, big-endian
  below n = the first byte that is less than 256 - 256 % n, modulo n
  shuffle = from the last card to the second: swap it with the one at below(its place + 1), places from 0
Piece c < 156 is face c % 52 of the packs: suits S H D C, ranks A to K. Then come the man cards, then the master card.
Older records do not say how many man cards ("men") there are. Their decks have at most three.
"""

import hashlib
import json
import sys
from itertools import count
from pathlib import Path


def hashed(*values):
    """Return the SHA-256 of the values, each preceded by its length."""
    data = b""
    for value in values:
        part = value.to_bytes(4, "big") if isinstance(value, int) else value
        part = part.encode() if isinstance(part, str) else part
        data += len(part).to_bytes(4, "big") + part
    return hashlib.sha256(data).digest()


def shuffled(key, size):
    """Return the pieces 0 to size-1 in the order of the deck."""
    stream = (byte for block in count() for byte in hashlib.sha256(key + block.to_bytes(8, "big")).digest())
    deck = list(range(size))
    for last in range(size - 1, 0, -1):
        n = last + 1
        other = next(byte for byte in stream if byte < 256 - 256 % n) % n
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def name(piece, men):
    """Return the card of a piece: rank and suit, MAN or MASTER."""
    if piece >= 156:
        return "MAN" if piece < 156 + men else "MASTER"
    rank, suit = piece % 13, piece % 52 // 13
    return "A 2 3 4 5 6 7 8 9 10 J Q K".split()[rank] + "SHDC"[suit]


def verify(record):
    """Print the deck; exit with a sentence if the record contradicts itself."""
    seed, table, deal, size = bytes.fromhex(record["seed"]), record["table"], record["deal"], record["N"]
    men = record.get("men", min(size - 156, 3))
    if record["v"] != 1:
        raise SystemExit(f"the record is of shuffle version {record['v']}, not 1")
    if not 0 <= men <= 6 or size - 156 - men not in (0, 1):
        raise SystemExit(f"{size} cards are not the packs, {men} man cards and a master card or none")
    if hashed("tiplu/commit/v1", seed, table, deal, size).hex() != record["C"]:
        raise SystemExit("the seed is not the one that was committed to")
    items = record["items"]
    deck = shuffled(hashed("tiplu/shuffle/v1", seed, table, deal, len(items), *items), size)
    if hashlib.sha256(bytes(deck)).hexdigest() != record["deck"]:
        raise SystemExit("the deck does not follow from the seed and the contributions")
    print(f"commitment  {record['C']}  holds")
    print(f"deck        {record['deck']}  follows")
    for start in range(0, size, 21):
        row = " ".join(name(piece, men) for piece in deck[start : start + 21])
        print(f"{start + 1:3}-{min(start + 21, size):<3}  {row}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    verify(json.loads(sys.stdin.read() if sys.argv[1] == "-" else Path(sys.argv[1]).read_text("utf-8")))
