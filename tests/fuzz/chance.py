"""Odd values, and odd changes to valid ones. The random generator decides all of them."""

import copy
from random import Random
from typing import Any

Json = Any

TEXTS = (
    "",
    " ",
    "ne",
    "null",
    "-1",
    "0",
    "1",
    "१२",
    "٣",
    "1.5",
    "1e9",
    "NaN",
    "5H",
    "??",
    "MASTER",
    "on",
    "all",
    "mr0:join:1:1",
    "mr9:draw:1:5",
    "mr1:draw:1",
    "mr1:nonsense:1:1",
    "9" * 19,
    "9" * 90,
    "9" * 5_000,
    "क" * 90,
    "नमस्ते दुनिया",
    "\u202eevitsoh\u202d\u200f\u2066",
    "\u0000",
    "\ud800",
    "🂡" * 40,
    "a\u0300" * 50,
    "'; DROP TABLE seat; --",
    "{0.__class__}",
    "%s%n",
    "@everyone <@1> <#1> `**_~",
    "x" * 4_001,
    "\n" * 50,
    "A" * 100_000,
)
NUMBERS = (0, -1, 1, 2, 7, 2**31, 2**53 + 1, 2**63, 2**64, 10**30, -(10**18), 0.5, -1.5, 1e300)
OTHERS = (None, True, False, [], {}, [None], {"": None}, [[]], ["ne"], {"id": "1"}, [{}] * 30)
DEEP: Json = None
for _ in range(40):
    DEEP = {"components": [DEEP], "options": []}


def odd(rng: Random) -> Json:
    """Return a value that fits nowhere, or only by luck."""
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(TEXTS)
    if kind < 0.75:
        return rng.choice(NUMBERS)
    return copy.deepcopy(DEEP if kind > 0.98 else rng.choice(OTHERS))


def mutated(rng: Random, value: Json, times: int, spared: frozenset[str] = frozenset()) -> Json:
    """Return a copy with `times` places changed, removed, doubled or wrapped.

    Keys in `spared` and their values stay.
    """
    changed = copy.deepcopy(value)
    for _ in range(times):
        places = list(_places(changed, spared))
        if not places:
            return odd(rng)
        _change(rng, *rng.choice(places))
    return changed


def _places(value: Json, spared: frozenset[str]) -> Any:
    """Yield every container with each of its keys."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in spared:
                yield value, key
                yield from _places(inner, spared)
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield value, key
            yield from _places(inner, spared)


def _change(rng: Random, holder: Json, key: Any) -> None:
    kind = rng.random()
    if kind < 0.55:
        holder[key] = odd(rng)
    elif kind < 0.75:
        del holder[key]
    elif kind < 0.85:
        holder[key] = [holder[key]]
    elif kind < 0.95:
        holder[key] = _other_type(holder[key])
    elif isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder[rng.choice(("values", "options", "name"))] = copy.deepcopy(holder[key])


def _other_type(value: Json) -> Json:
    """Return the value as another JSON type: `5` for `"5"`, an object for a list."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdigit() and len(value) < 30 else [value]
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list):
        return {str(number): item for number, item in enumerate(value)}
    return list(value.values()) if isinstance(value, dict) else ""
