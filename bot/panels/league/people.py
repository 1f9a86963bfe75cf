"""Who plays in a season or in a round: in short for a message, and a line each for the whole list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.league.agenda import opens_at
from bot.league.season_view import SeasonView
from bot.panels.pages import listed, page_of
from bot.words.texts import Texts
from league.pairing.drawing import checked_in
from league.results import Player
from league.season import Member

_ROOM: Final = 1_000
"""What the names of one group take of a message at most."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Those who are in, or wait, or could stand in."""

    kind: str
    """The end of its keys in the catalogue."""
    names: Sequence[str]
    players: Sequence[Player]


def people_words(view: SeasonView, number: int, texts: Texts) -> tuple[list[str], bool]:
    """A paragraph for each group of a round, of the season for 0; and whether all of the names are there."""
    groups = list(_groups(view, number))
    said = [
        texts(f"league.{group.kind}", count=len(group.names), names=listed(group.names, texts, _ROOM))
        for group in groups
    ]
    return said, not any(page_of(group.names, 0, _ROOM).rest for group in groups)


def people_lines(
    view: SeasonView, number: int, viewer: Player | None, texts: Texts
) -> tuple[list[str], int | None]:
    """Everybody of these groups, a line each; and which line is the viewer's."""
    people = [
        (player, texts("league.person", name=name, what=texts(f"league.person_{group.kind}")))
        for group in _groups(view, number)
        for player, name in zip(group.players, group.names, strict=True)
    ]
    position = next((place for place, (player, _) in enumerate(people) if player == viewer), None)
    return [
        texts("league.mine", line=line) if player == viewer else line for player, line in people
    ], position


def people_title(view: SeasonView, number: int, texts: Texts) -> str:
    """The heading of the whole list."""
    return texts("league.people_of_round" if number else "league.people", league=view.title, round=number)


def confirming(view: SeasonView) -> bool:
    """Whether those who have signed up are asked to confirm it by now."""
    settings = view.season.settings
    return settings.checks_in(1) and view.now >= opens_at(view.row, settings, 1)


def _groups(view: SeasonView, number: int) -> Iterator[_Group]:
    """The first group is there even if nobody is in it."""
    season = view.season
    if number:
        coming = checked_in(season, number)
        yield _group(view, "coming", coming)
        ready = [member for member in _standing_by(view, number) if member not in coming]
        if ready:
            yield _group(view, "ready", ready)
        return
    members = sorted(
        (
            member
            for member in season.members.values()
            if member.status != "removed" and member.withdrawn is None
        ),
        key=lambda member: (member.signed_up, member.player),
    )
    confirmed = [member for member in members if member.status == "confirmed"]
    yield _group(view, "in" if view.row.closed_at is None else "played", confirmed)
    waiting = [member for member in members if member.status == "waiting"]
    if waiting:  # until sign-ups are confirmed nobody is on a waiting list
        yield _group(view, "waiting" if season.drawn or confirming(view) else "signed", waiting)


def _group(view: SeasonView, kind: str, members: Sequence[Member]) -> _Group:
    return _Group(
        kind, [view.name(member.player) for member in members], [member.player for member in members]
    )


def _standing_by(view: SeasonView, number: int) -> list[Member]:
    """Who is on the waiting list and has said that they could take a seat in this round."""
    season = view.season
    return [
        member for member in season.waiting() if number > 1 and (member.player, number) in season.check_ins
    ]
