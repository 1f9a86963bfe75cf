"""The script of an evening, drawn from one number: who comes, who sits where, what goes wrong and when."""

from dataclasses import dataclass, field
from random import Random

from data.preferences import Pace

HOMES = ("marriage", "general", "league")
NAMES = (
    "Asha *the* _quick_",
    "\u202eevil\u202c",
    "`code` ||quiet||",
    "@everyone",
    "देवी",
    "[link](https://x.y)",
)
"""Some names that people give themselves."""


@dataclass(frozen=True)
class Scale:
    """The size of an evening."""

    tables: int
    people: int
    deals: tuple[int, ...]
    """The number of deals agreed at each table in turn; 0 for none."""
    enough: int
    """The number of deals after which people go home if none was agreed."""
    rounds: int
    """The number of rounds after which everyone who is awake leaves. What is left must end by itself."""


SMALL = Scale(tables=5, people=14, deals=(1, 1, 0), enough=1, rounds=26)
WHOLE = Scale(tables=20, people=60, deals=(1, 2, 0), enough=2, rounds=160)


@dataclass
class Seat:
    """A person who will come."""

    name: str
    shown: str | None = None
    types: bool = False
    shuns_dms: bool = False
    dms_closed: bool = False
    naps: range = range(0)
    leaves: int | None = None
    gives_up: int | None = None
    agreeable: bool = True


@dataclass
class Plan:
    """A table that will be opened."""

    home: str
    seats: list[Seat]
    computers: int
    deals: int
    pace: Pace
    thread: bool
    rematch: bool
    all_ready: bool
    """Whether the table starts when everyone is ready, and not when the host starts it."""


@dataclass
class Mishaps:
    """The rounds in which things go wrong, and what goes wrong."""

    restart: int
    lost: range
    """The rounds in which the bot may not see the last home channel."""
    deleted_messages: dict[int, int] = field(default_factory=dict)
    """By round: the table's index in the plan."""
    deleted_threads: dict[int, int] = field(default_factory=dict)
    failing: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By round: the number of edits that fail, and the status that they are answered with."""
    talk: dict[int, str] = field(default_factory=dict)
    """By round: where people chat for a while."""
    staff: tuple[int, int] | None = None
    """The round in which the staff end a table, and that table."""


@dataclass
class Script:
    """The whole evening."""

    scale: Scale
    plans: list[Plan]
    mishaps: Mishaps


def write(scale: Scale, number: int) -> Script:
    """Return the script for a number: the same number always gives the same evening."""
    chance = Random(number)
    people = [scale.people // scale.tables] * scale.tables
    for extra in range(scale.people % scale.tables):
        people[extra] += 1
    seats = iter([_seat(place, chance) for place in range(scale.people)])
    plans = [
        _plan(place, [next(seats) for _ in range(count)], scale, chance) for place, count in enumerate(people)
    ]
    _cast(plans, chance)
    return Script(scale, plans, _mishaps(plans, chance))


def _seat(place: int, chance: Random) -> Seat:
    seat = Seat(f"guest{place}")
    if place % 7 == 3:
        seat.shown = NAMES[(place // 7) % len(NAMES)]
    elif place % 7 == 5:
        seat.types = True
    elif place % 7 == 6:
        seat.shuns_dms = seat.dms_closed = True
    if chance.random() < 1 / 4:
        start = chance.randrange(4, 20)
        seat.naps = range(start, start + chance.randrange(3, 14))
    seat.agreeable = chance.random() < 3 / 4
    return seat


def _plan(place: int, seats: list[Seat], scale: Scale, chance: Random) -> Plan:
    return Plan(
        home=HOMES[place % len(HOMES)],
        seats=seats,
        computers=chance.randrange(1, 3) if len(seats) < 4 else 0,
        deals=scale.deals[place % len(scale.deals)],
        pace=(Pace.FAST, Pace.NORMAL, Pace.FAST, Pace.SLOW)[place % 4],
        thread=place % 3 == 1,
        rematch=place % 5 == 3,
        all_ready=chance.random() < 1 / 2,
    )


def _cast(plans: list[Plan], chance: Random) -> None:
    """Choose who leaves and who gives up. At one table no one ever comes back."""
    for place, plan in enumerate(plans):
        if place % 4 == 2:
            plan.seats[-1].leaves = chance.randrange(5, 16)
        if place % 5 == 4:
            plan.seats[0].gives_up = chance.randrange(8, 20)
        if place % 10 == 9:
            for seat in plan.seats:
                seat.naps = range(chance.randrange(8, 14), 10_000)


def _mishaps(plans: list[Plan], chance: Random) -> Mishaps:
    threads = [place for place, plan in enumerate(plans) if plan.thread]
    mishaps = Mishaps(restart=chance.randrange(12, 18), lost=range(18, 22))
    for place in range(0, len(plans), 4):
        mishaps.deleted_messages[5 + place] = place
    for count, place in enumerate(threads[::2]):
        mishaps.deleted_threads[10 + 3 * count] = place
    mishaps.failing = {7: (429, 1), 9: (503, 2), 15: (429, 1), 17: (500, 1)}
    mishaps.talk = {number: chance.choice(HOMES) for number in range(8, 60, 9)}
    if len(plans) > 9:
        mishaps.staff = (22, 7)
    return mishaps
