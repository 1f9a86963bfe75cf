"""The description of the computers at a table: the level with its rating, and the temper."""

from bot.table.core.snapshot import Snapshot
from bot.table.flow.computers import level_of, rating_of, temper_of
from bot.words.texts import Texts
from data.preferences import Level
from data.values import SeatRow


def rated_level(level: Level, texts: Texts) -> str:
    """A level and its rating."""
    return texts("level.rated", level=texts(f"level.{level}"), rating=rating_of(level))


def computer_words(seat: SeatRow, texts: Texts) -> str:
    """The level of the computer at this seat with its rating, and its temper in a word if it has one."""
    temper = temper_of(seat)
    words = rated_level(level_of(seat), texts)
    return words if temper is None else texts("temper.beside", level=words, temper=texts(f"temper.{temper}"))


def computers_line(snapshot: Snapshot, texts: Texts) -> str | None:
    """Name the computers among the players with their kinds; None without computers."""
    computers = [
        texts("table.computer", name=name, how=computer_words(seat, texts))
        for seat, name in zip(snapshot.seats, snapshot.shown_names, strict=True)
        if seat.person_id is None
    ]
    return texts("table.computers", computers=" · ".join(computers)) if computers else None
