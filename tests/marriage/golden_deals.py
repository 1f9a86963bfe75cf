"""Golden deals: whole deals kept as text in `golden/`, so that no change of the game goes unnoticed.

A deal is three files. `NAME.deal` has its seed and every move, in the project's notation. `NAME.events` has
the events that the moves caused, one per line as JSON. `NAME.sheet` has the score as the command line prints
it.

`test_golden` plays each `.deal` again and compares. After an intended change of the game, write the files
again from the same seeds, and read the difference line by line before committing it:

    python -m tests.marriage.golden_deals
"""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from marriage.apply import replay
from marriage.cli.score import Scored, to_text
from marriage.decide import start
from marriage.events import EVENT, Dealt, Event
from marriage.notation import deal_of, write_deal
from marriage.rules import PRESETS, Rules, preset
from marriage.strategy.players import GreedyPlayer
from tests.marriage.dealing import at_random, play, seed

GOLDEN: Final = Path(__file__).parent / "golden"


class Golden(NamedTuple):
    """The source of a golden deal."""

    rules: Rules
    seats: int
    number: int
    """The number of the seed and of the random choices."""
    sensible: bool = True
    """Whether computer players play it; otherwise it is played at random, false claims included."""
    stakes: Mapping[str, Any] = MappingProxyType({})


DEALS: Final = {
    **{name: Golden(rules, 2 + place % 4, place) for place, (name, rules) in enumerate(PRESETS.items())},
    "every-card": Golden(
        preset(
            "kathmandu",
            man_cards=3,
            master_card="always",
            alter=True,
            primary_trial=True,
            joker_dublee=True,
            group_size="three_plus",
            tunnela_window="own_first_draw",
        ),
        seats=3,
        number=11,
        stakes={"better": True},
    ),
    "fouls-and-chance": Golden(
        preset(
            "pagat",
            foul="next",
            foul_points=15,
            false_claim="foul",
            throw_foul=True,
            open_tiplu=True,
            seen_pickup_wild="allow",
        ),
        seats=4,
        number=68,
        sensible=False,
        stakes={"carry": (1,)},
    ),
}


def written(name: str) -> dict[str, str]:
    """Return the three texts of a golden deal, played from its seed, by file extension."""
    golden = DEALS[name]
    events = start(golden.rules, golden.seats, 0, seed(golden.number), **golden.stakes)
    chooser = (
        GreedyPlayer(count_outs=False).choose if golden.sensible else at_random(random.Random(golden.number))
    )
    for _, _, _, caused in play(replay(events), chooser):
        events += caused
    return {"deal": write_deal(deal_of(events)), "events": events_text(events), "sheet": sheet_text(events)}


def events_text(events: Sequence[Event]) -> str:
    """Return the events, one per line.

    Options with their default value are left out, so that a new option changes no golden deal. The options of
    every preset are listed in `docs/rules.md`, which is compared too.
    """
    return "".join(f"{_event_text(event)}\n" for event in events)


def _event_text(event: Event) -> str:
    fields = EVENT.dump_python(event, mode="json")
    if isinstance(event, Dealt):
        fields["rules"] = event.rules.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False)


def sheet_text(events: Sequence[Event]) -> str:
    sheet = replay(events).sheet
    assert sheet is not None
    names = tuple(f"Seat {seat}" for seat in range(len(sheet.lines)))
    return f"{to_text(Scored(names, sheet))}\n"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name in DEALS:
        for ending, text in written(name).items():
            (GOLDEN / f"{name}.{ending}").write_text(text, encoding="utf-8")
