"""Who comes, who sits where, and what goes wrong in which round: all of it by chance from one number."""

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
"""Some of what people call themselves."""


@dataclass(frozen=True)
class Scale:
    """How large an evening is."""

    tables: int
    people: int
    deals: tuple[int, ...]
    """How many are agreed at one table after the other; 0 for none."""
    enough: int
    """After so many people go home where none are agreed."""
    rounds: int
    """After so many everybody who is awake leaves, and what is left must end by itself."""


SMALL = Scale(tables=5, people=14, deals=(1, 1, 0), enough=1, rounds=26)
WHOLE = Scale(tables=20, people=60, deals=(1, 2, 0), enough=2, rounds=160)


@dataclass
class Seat:
    """A person to come."""

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
    """A table to come."""

    home: str
    seats: list[Seat]
    computers: int
    deals: int
    pace: Pace
    thread: bool
    rematch: bool
    all_ready: bool
    """Started by everybody's Ready instead of the host."""


@dataclass
class Mishaps:
    """In which round what happens."""

    restart: int
    lost: range
    """The rounds in which the bot may not see the last home."""
    deleted_messages: dict[int, int] = field(default_factory=dict)
    """By round: the place of the table in the plan."""
    deleted_threads: dict[int, int] = field(default_factory=dict)
    failing: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By round: how many edits are answered by which status."""
    talk: dict[int, str] = field(default_factory=dict)
    """By round: where people chat for a while."""
    staff: tuple[int, int] | None = None
    """Round and table that those who look after the server end."""


@dataclass
class Script:
    """The whole evening."""

    scale: Scale
    plans: list[Plan]
    mishaps: Mishaps


def write(scale: Scale, number: int) -> Script:
    """The evening of this number: always the same one."""
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
    """Some leave, some give up; at one table nobody ever comes back."""
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
