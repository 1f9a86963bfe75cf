"""The people of a season or a round: paragraphs for a message, or one line each for the whole list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import UserError
from bot.league.agenda import opens_at
from bot.league.season_view import SeasonView
from bot.panels.pages import listed, page_of
from bot.people import NamedPerson
from bot.ui.items import RED, Button, Press, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.pairing.drawing import checked_in
from league.results import Player
from league.season import Member

_ROOM: Final = 1_000
"""The most characters that the names of one group take in a message."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of people: players, people who wait, or stand-ins."""

    kind: str
    """The last part of the group's message keys."""
    names: Sequence[str]
    players: Sequence[Player]


def leaving_panel(view: SeasonView, person: NamedPerson, texts: Texts) -> Panel:
    """What a member gives up by leaving the season, and the button for it; raises UserError for other people."""
    member, season = view.member(person.id), view.season
    if member is None or member.is_gone:
        raise UserError("league.not_in", league=view.title)
    press = Press("league-leave-now", view.row.id, 0)
    leave = row(Button(press, texts("league.leave"), style=RED))
    if not season.drawn and season.settings.format.has_draw:
        return panel(
            text(texts("league.leaving_signup", league=view.title, join=texts("league.join"))), leave
        )
    waiting = [
        pod
        for pod in season.pods.values()
        if not pod.over and pod.table is None and member.player in pod.players
    ]
    stays = season.settings.stays(season.drawn)
    back = season.settings.open_to_late(season.drawn)
    return panel(
        text(texts("league.leaving", league=view.title, drawn=season.drawn, rounds=season.settings.rounds)),
        text(texts("league.leaving_matches", count=len(waiting))) if waiting else None,
        text(texts("league.leaving_row_stays" if stays else "league.leaving_row_goes")),
        text(
            texts("league.leaving_back", join=texts("league.join"))
            if back
            else texts("league.leaving_for_good")
        ),
        leave,
    )


def people_words(view: SeasonView, number: int, texts: Texts) -> tuple[list[str], bool]:
    """A paragraph for each group of a round, or of the season for 0; and whether it has all the names."""
    groups = list(_groups(view, number))
    said = [
        texts(f"league.{group.kind}", count=len(group.names), names=listed(group.names, texts, _ROOM))
        for group in groups
    ]
    return said, not any(page_of(group.names, 0, _ROOM).rest for group in groups)


def people_lines(
    view: SeasonView, number: int, viewer: Player | None, texts: Texts
) -> tuple[list[str], int | None]:
    """A line for each person of these groups, and which line is the viewer's."""
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
    """Whether confirmation of sign-ups has opened."""
    settings = view.season.settings
    return settings.checks_in(1) and view.now >= opens_at(view.row, view.season, 1)


def _groups(view: SeasonView, number: int) -> Iterator[_Group]:
    """The groups to show; the first one is shown even if it is empty."""
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
    asking = [member for member in members if member.status == "asking"]
    confirmed = [member for member in members if member.status == "confirmed"]
    waiting = [member for member in members if member.status == "waiting"]
    if confirmed or not (waiting or asking):
        yield _group(view, "in" if view.row.closed_at is None else "played", confirmed)
    if waiting:  # before sign-ups are confirmed, there is no waiting list
        yield _group(view, "waiting" if season.drawn or confirming(view) else "signed", waiting)
    if asking:
        yield _group(view, "asking", asking)


def _group(view: SeasonView, kind: str, members: Sequence[Member]) -> _Group:
    return _Group(
        kind, [view.name(member.player) for member in members], [member.player for member in members]
    )


def _standing_by(view: SeasonView, number: int) -> list[Member]:
    """The members on the waiting list who have offered to take a seat in this round."""
    season = view.season
    return [
        member for member in season.waiting() if number > 1 and (member.player, number) in season.check_ins
    ]
