"""The kinds of tables. Each is a class that answers what the rest of the program asks about a table's kind.

A table is open to everybody, private, of a league, or of one person's deal of the day. `TableOptions.kind` says which.
That a table plays the boards of a set is no kind: tables of a league and of the deal of the day both do.
"""

from typing import ClassVar


class TableKind:
    """What differs from kind to kind. The answers here are those of an open table."""

    has_message: ClassVar[bool] = True
    """Whether the table stands in a channel, with a message for all and hands by direct message."""
    has_clocks: ClassVar[bool] = True
    """Whether a turn and the window have a time limit."""
    by_invitation: ClassVar[bool] = False
    """Whether only people who were invited may sit down, and nobody else watches its thread."""
    opened_by_command: ClassVar[bool] = True
    """Whether the answer to a command becomes the table's message."""
    is_hosted: ClassVar[bool] = True
    """Whether the host chooses rules and seats and rules fouls; where nobody hosts, the staff rule."""
    calls_players: ClassVar[bool] = False
    """Whether its first message calls those whose seats are kept; its own thread, if it has one, is there from then on."""
    is_of_season: ClassVar[bool] = False
    """Whether a match of a season is played at it, which gives its thread a name."""
    host_starts: ClassVar[bool] = True
    """Whether the host may begin the first deal before everybody is ready."""
    waits_for_invited: ClassVar[bool] = False
    """Whether the first deal waits until everybody who was invited has sat down."""
    closes_when_idle: ClassVar[bool] = True
    """Whether a lobby closes when it is empty, or when nothing happens for a while."""
    finds_first_dealer: ClassVar[bool] = True
    """Whether it has to be found who deals first."""
    may_come_and_go: ClassVar[bool] = True
    """Whether people may sit down and sit out between deals."""
    may_be_left: ClassVar[bool] = True
    """Whether a player may leave and come back."""
    has_fouls: ClassVar[bool] = True
    """Whether a foul may be ruled."""
    is_counted: ClassVar[bool] = True
    """Whether its deals go into matches, boards, ratings and histories when they end."""
    has_rematch: ClassVar[bool] = True
    """Whether another match may follow the first one."""
    shares_boards: ClassVar[bool] = True
    """Whether what is told of its boards depends on the other tables that still play them."""
    computers_pause: ClassVar[bool] = True
    """Whether computers take their time, so that people can follow their moves."""


class OpenTable(TableKind):
    """Everybody in the server may sit down."""


class PrivateTable(TableKind):
    """For invited people only."""

    by_invitation = True


class LeagueTable(TableKind):
    """A pod of a league plays here: seats, rules and the length of the match come from the season."""

    by_invitation = True
    opened_by_command = False
    calls_players = True
    is_of_season = True
    is_hosted = False
    host_starts = False
    waits_for_invited = True
    closes_when_idle = False
    finds_first_dealer = False
    may_come_and_go = False
    has_rematch = False


class DailyTable(TableKind):
    """One person plays the deal of the day against computers."""

    has_message = False
    has_clocks = False
    may_come_and_go = False
    may_be_left = False
    has_fouls = False
    is_counted = False
    shares_boards = False
    computers_pause = False


OPEN = OpenTable()
PRIVATE = PrivateTable()
LEAGUE = LeagueTable()
DAILY = DailyTable()
