"""Standings: lines, absences, rulings, withdrawals, corrections, tables of past rounds; tie-breaks, luck, and names."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from league.book import BookLine, book
from league.events import (
    EVENT,
    Adjudicated,
    AlwaysIn,
    DealVoided,
    Entry,
    MatchFinished,
    MatchStarted,
    NoShowBooked,
    PenaltyAdded,
    Result,
    ResultCorrected,
    RulingNoted,
    SeasonClosed,
    SignedUp,
    SubstituteSet,
    Withdrawn,
)
from league.finals import seeds
from league.points import match_points
from league.season import DAY, Season, fold
from league.standings import (
    Band,
    Merits,
    StandingsRow,
    bands,
    dropped,
    head_to_head,
    ranked,
    shown,
    spread,
    standings,
)
from league.undoing import inverse
from tests.league.deals import A, B, C, D
from tests.league.seasons import Diary


def row(season: Season, player: int, through: int | None = None, division: int = 0) -> StandingsRow:
    return next(row for row in standings(season, through, division).rows if row.player == player)


def kinds(season: Season, player: int) -> list[tuple[str, int]]:
    return [(line.kind, line.points) for line in book(season).lines.get(player, ())]


def test_a_round_is_worth_what_its_matches_are():
    diary = Diary(players=8)
    pods = diary.draw()
    results = [diary.play(pod) for pod in pods]
    table = standings(diary.season)
    assert sorted(row.player for row in table.rows) == list(range(1, 9))
    for result in results:
        expected = match_points(result.deals, diary.season.settings.match_rules(1900))
        assert [row(diary.season, player).points for player in result.players] == [
            points.points for points in expected
        ]
    assert [row.rank for row in table.rows] == list(range(1, 9))
    assert {row.matches for row in table.rows} == {1}
    assert {row.deals for row in table.rows} == {12}
    assert [row.points for row in table.rows] == sorted((row.points for row in table.rows), reverse=True)


def test_as_many_absences_are_free_as_the_season_says():
    diary = Diary(players=9, free_absences=2)
    for _ in range(4):
        diary.round(absent=(9,))
    assert kinds(diary.season, 9) == [("absence", 0), ("absence", 0), ("absence", -1500), ("absence", -1500)]
    assert row(diary.season, 9).points == -3000
    assert row(diary.season, 9, through=3).points == -1500


def test_an_older_season_counts_absences_as_it_always_did():
    diary = Diary(players=4, miss_from_mean=False, least_matches=0, free_absences=2, no_show_points=-1000)
    for _ in range(2):
        diary.round()
    [pod] = diary.draw()
    means = {player: row(diary.season, player).mean for player in range(1, 5)}
    diary.note(NoShowBooked(pod, 4))
    diary.note(Adjudicated(pod, dict.fromkeys((1, 2, 3), "average_plus")))
    assert kinds(diary.season, 4)[-1] == ("no_show", -1000)
    for player in (1, 2, 3):
        assert kinds(diary.season, player)[-1] == ("average_plus", max(300, means[player]))


def test_who_is_always_in_need_not_check_in():
    diary = Diary(players=5)
    diary.note(AlwaysIn(5))
    diary.draw(absent=(5,))
    assert diary.season.absences == frozenset()
    assert sorted(diary.season.pods[1].players) == [1, 2, 3, 4, 5]


def test_no_show_and_average_plus():
    diary = Diary(players=4)
    for _ in range(2):
        diary.round()
    [pod] = diary.draw()
    means = {player: row(diary.season, player).mean for player in range(1, 5)}
    diary.note(NoShowBooked(pod, 4))
    diary.note(Adjudicated(pod, dict.fromkeys((1, 2, 3), "average_plus")))
    assert kinds(diary.season, 4)[-1] == ("no_show", -2000 + min(0, means[4]))
    assert row(diary.season, 4).conduct == 1
    for player in (1, 2, 3):
        assert kinds(diary.season, player)[-1] == ("average_plus", 300)
        assert row(diary.season, player).matches == 2


def test_an_average_is_not_changed_by_later_rounds():
    diary = Diary(players=4)
    diary.round()
    [pod] = diary.draw()
    diary.note(Adjudicated(pod, dict.fromkeys((1, 2, 3, 4), "average")))
    before = standings(diary.season, through=2)
    diary.round()
    assert standings(diary.season, through=2) == before


def test_a_short_handed_pod_and_who_left():
    diary = Diary(players=4)
    [pod] = diary.draw()
    diary.note(NoShowBooked(pod, 2))
    present = tuple(player for player in diary.season.pods[pod].players if player != 2)
    diary.note(MatchFinished(pod, Result(present, tuple(diary.deal(present) for _ in range(9)), left=(3,))))
    assert kinds(diary.season, 2) == [("no_show", -2000)]
    assert row(diary.season, 3).last == (3,)
    assert row(diary.season, 3).points <= -1000
    assert row(diary.season, 1).deals == 9


def test_substitutes():
    diary = Diary(players=9)
    first, second = diary.draw(absent=(9,))
    out, away = diary.season.pods[first].players[0], diary.season.pods[second].players[0]
    diary.note(SubstituteSet(first, out, 9))
    diary.note(NoShowBooked(first, out))
    drawn_there = next(player for player in diary.season.pods[first].players if player not in (9, out))
    diary.note(SubstituteSet(second, away, drawn_there))
    for pod in (first, second):
        diary.play(pod)
    assert kinds(diary.season, out) == [("no_show", -2000)]
    assert [kind for kind, _ in kinds(diary.season, 9)] == ["match"], "who was absent has played after all"
    assert len(kinds(diary.season, drawn_there)) == 1, "the second match of a round counts for the others"
    assert kinds(diary.season, away) == []


def test_penalties_stand_beside_the_results():
    diary = Diary(players=4)
    diary.round()
    before = row(diary.season, 1)
    added = diary.note(PenaltyAdded(1, player=1, round=1, points=-250, conduct=2))
    found = row(diary.season, 1)
    assert (found.points, found.penalties, found.conduct) == (before.points - 250, -250, 2)
    assert found.lines == before.lines
    diary.note(inverse(added.event))
    assert replace(row(diary.season, 1), band=before.band) == before


def test_only_the_best_rounds_count_where_asked_for():
    points = (2390, -730, 730, -2390, 1000, 250, 0, -1390)
    lines = [BookLine(number, "match", seat) for number, seat in enumerate(points, 1)]
    assert dropped(lines, 6) == {4, 8}
    assert sum(line.points for line in lines if line.round not in {4, 8}) == 3640
    assert dropped(lines, 0) == dropped(lines, 8) == frozenset()
    diary = Diary(players=4, best_rounds=2, rounds=3)
    for _ in range(3):
        diary.round()
    for row in standings(diary.season).rows:
        [worst] = row.dropped
        assert row.points == sum(line.points for line in row.lines) - min(line.points for line in row.lines)
        assert worst in (1, 2, 3)


def test_a_withdrawal_moves_nobody_elses_points():
    diary = Diary(players=9)
    for _ in range(3):
        diary.round()
    before = {row.player: row.points for row in standings(diary.season).rows}
    past = standings(diary.season, through=2)
    diary.note(Withdrawn(5))
    table = standings(diary.season)
    assert {row.player: row.points for row in table.rows} == {
        p: points for p, points in before.items() if p != 5
    }
    assert standings(diary.season, through=2) == past, "the table of a past round stays as it was"
    diary.round()
    assert 5 not in diary.season.pods[max(diary.season.pods)].players
    diary.note(inverse(Withdrawn(5)))
    assert row(diary.season, 5).matches == 3


def test_who_withdraws_after_half_of_the_season_stays_in_the_table_and_is_absent_from_then_on():
    diary = Diary(players=8, rounds=6)
    for _ in range(3):
        diary.round()
    diary.note(Withdrawn(2))
    diary.round()
    assert row(diary.season, 2).matches == 3
    assert [kind for kind, _ in kinds(diary.season, 2)] == ["match", "match", "match", "absence"]


def test_a_correction_changes_its_round_and_the_later_ones_only():
    diary = Diary(players=8)
    for _ in range(3):
        diary.round()
    past = [standings(diary.season, through=number) for number in (1, 2, 3)]
    pod = diary.season.rounds[2].pods[0].id
    old = diary.season.pods[pod].result
    new = replace(old, deals=(tuple(reversed(old.deals[0])), *old.deals[1:]))
    event = ResultCorrected(pod, old, new)
    diary.note(event)
    now = [standings(diary.season, through=number) for number in (1, 2, 3)]
    assert now[0] == past[0]
    assert now[1] != past[1]
    points = [{row.player: row.points for row in table.rows} for table in (past[2], now[2])]
    moved = {player for player in points[0] if points[0][player] != points[1][player]}
    assert moved <= set(old.players)
    diary.note(inverse(event))
    assert [standings(diary.season, through=number) for number in (1, 2, 3)] == past


def test_a_void_deal_does_not_count():
    diary = Diary(players=4)
    [pod] = diary.draw()
    result = diary.play(pod)
    diary.note(DealVoided(pod, 0))
    shorter = match_points(result.deals[1:], diary.season.settings.match_rules(1900))
    assert [row(diary.season, player).points for player in result.players] == [
        seat.points for seat in shorter
    ]
    for deal in range(1, 12):
        diary.note(DealVoided(pod, deal))
    assert kinds(diary.season, 1) == []


def test_a_ladder_counts_two_matches_a_day_against_the_same():
    diary = Diary("ladder", players=6)
    for pod, players in enumerate([(1, 2, 3), (1, 2, 3), (1, 2, 4), (4, 5, 6), (1, 2, 3)], 1):
        at = diary.season.opened_at + (DAY if pod == 5 else pod)
        diary.note(MatchStarted(pod, pod, players), at)
        diary.note(MatchFinished(pod, Result(players, (diary.deal(players),) * 9)), at)
    assert [row(diary.season, player).matches for player in range(1, 7)] == [3, 3, 3, 1, 1, 1]
    assert [row(diary.season, player, through=1).matches for player in range(1, 7)] == [2, 2, 2, 1, 1, 1]


def test_movement_and_the_line_of_the_finals():
    diary = Diary(players=8, cut_to=4, rounds=2)
    for _ in range(2):
        diary.round()
    before = {row.player: row.rank for row in standings(diary.season, through=1).rows}
    table = standings(diary.season)
    assert {row.player: row.rank + row.moved for row in table.rows} == before
    assert [row.zone for row in table.rows] == ["final"] * 4 + [None] * 4
    diary.note(Withdrawn(table.rows[1].player))
    after = standings(diary.season).rows
    assert [row.player for row in after] == [row.player for row in table.rows]
    assert [row.zone for row in after] == ["final", None, "final", "final", "final", None, None, None]
    assert tuple(row.player for row in after if row.zone) == seeds(diary.season)[:4]


def test_lots_are_drawn_when_the_seed_is_known():
    diary = Diary(players=4)
    assert [row.rank for row in standings(diary.season).rows] == [1, 1, 1, 1]
    diary.note(SeasonClosed(bytes(range(32)).hex()))
    rows = standings(diary.season).rows
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert {row.by for row in rows} == {"lot"}
    assert not diary.season.open


@cache
def played_season(seed: int) -> Diary:
    """Return a season with a bit of everything."""
    diary = Diary(players=7 + seed % 4, seed=seed, rounds=6)
    diary.round(absent=(2,))
    diary.round()
    pods = diary.draw()
    diary.play(pods[0])
    victim = diary.season.pods[pods[1]].players[0]
    diary.note(NoShowBooked(pods[1], victim))
    others = diary.season.pods[pods[1]].players[1:]
    diary.note(Adjudicated(pods[1], dict.fromkeys(others, "average_plus")))
    diary.note(PenaltyAdded(1, 3, 2, points=-100, conduct=1))
    diary.note(RulingNoted("as agreed"))
    diary.note(Withdrawn(4))
    diary.note(SignedUp(99))
    old = diary.season.pods[1].result
    diary.note(ResultCorrected(1, old, replace(old, left=old.players[:1])))
    diary.note(DealVoided(2, 3))
    diary.round()
    return diary


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 4), st.randoms(use_true_random=False), st.data())
def test_folding_is_the_same_however_it_is_done(seed, chance, data):
    diary = played_season(seed)
    entries = diary.entries[:]
    chance.shuffle(entries)
    assert fold(entries) == diary.season, "entries are taken by their numbers"
    cut = data.draw(st.integers(0, len(entries)))
    assert fold(diary.entries[cut:], fold(diary.entries[:cut])) == diary.season
    read = [
        replace(entry, event=EVENT.validate_json(EVENT.dump_json(entry.event))) for entry in diary.entries
    ]
    assert standings(fold(read)) == standings(diary.season)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 4), st.data())
def test_neighbouring_entries_about_different_things_may_change_places(seed, data):
    diary = played_season(seed)
    free = ("match_finished", "checked_in", "penalty_added", "ruling_noted", "absence_booked")
    places = [
        place
        for place, (first, other) in enumerate(pairwise(diary.entries))
        if first.event.event in free and other.event.event in free
    ]
    place = data.draw(st.sampled_from(places))
    first, other = diary.entries[place], diary.entries[place + 1]
    swapped = [*diary.entries[:place], replace(first, event=other.event), replace(other, event=first.event)]
    swapped += diary.entries[place + 2 :]
    assert standings(fold(swapped)) == standings(diary.season)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 4), st.data())
def test_everything_that_can_be_undone_leaves_the_table_as_it_was(seed, data):
    diary = played_season(seed)
    place = data.draw(st.integers(1, len(diary.entries)))
    season, entry = fold(diary.entries[:place]), diary.entries[place - 1]
    back = inverse(entry.event)
    before = fold(diary.entries[: place - 1])
    assume(back is not None)
    undone = fold([Entry(10**6, entry.at, back)], season)
    assert standings(undone) == standings(before)


def test_a_cancelled_draw_leaves_nothing_but_its_numbers():
    diary = Diary(players=8)
    before = standings(diary.season)
    pods = diary.draw()
    back = inverse(diary.season.rounds[1])
    diary.note(back)
    assert diary.season.rounds == diary.season.pods == {}
    assert standings(diary.season) == before
    assert min(diary.draw()) > max(pods)
    assert inverse(back) == back.drawn


def test_what_cannot_be_undone():
    assert inverse(MatchStarted(1, 1)) is None
    assert inverse(RulingNoted("")) is None


def test_tables_of_past_rounds_are_those_published_then():
    diary = Diary(players=10)
    published = []
    for number in range(1, 6):
        diary.round(absent=(number,))
        published.append(standings(diary.season))
    assert [standings(diary.season, through=number) for number in range(1, 6)] == published


@pytest.mark.parametrize("players", [40])
def test_a_swiss_season(players):
    diary = Diary("swiss", players=players)
    for number in range(6):
        diary.round(absent=(number + 1,))
    assert diary.season.drawn == 6
    assert {row.matches for row in standings(diary.season).rows} <= {5, 6}
    assert standings(fold(diary.entries)) == standings(diary.season)


CIRCLE = [{A: 1, B: 2}, {B: 1, C: 2}, {C: 1, A: 2}]


def order(merits, matches=()) -> list[tuple[int, int, str]]:
    return [(rank.player, rank.rank, rank.by) for rank in ranked(merits, matches)]


def test_the_worked_example_of_ties():
    merits = {A: Merits(2400, gain=31), B: Merits(2400, gain=28), C: Merits(2400, gain=28)}
    assert head_to_head([A, B, C], CIRCLE) == {A: 2, B: 2, C: 2}
    assert order(merits, CIRCLE) == [(A, 1, "gain"), (B, 2, "head_to_head"), (C, 3, "head_to_head")]


def test_the_same_where_two_have_not_met():
    merits = {
        A: Merits(2400, gain=31),
        B: Merits(2400, gain=28, placings=(2, 3, 1)),
        C: Merits(2400, gain=28, placings=(2, 2, 2)),
    }
    matches = [{A: 1, B: 2}, {C: 1, A: 2}]
    assert head_to_head([A, B, C], matches) is None
    assert order(merits, matches) == [(A, 1, "gain"), (B, 2, "placings"), (C, 3, "placings")]


def test_points_come_before_meetings():
    assert order({A: Merits(1), B: Merits(2)}, [{A: 1, B: 2}]) == [(B, 1, "points"), (A, 2, "points")]


def test_head_to_head_counts_ties_as_half_and_asks_for_equal_meetings():
    assert head_to_head([A, B], [{A: 1, B: 1}, {A: 1, B: 3, C: 2}]) == {A: 3, B: 1}
    assert head_to_head([A, B, C], [*CIRCLE, {A: 1, B: 2}]) is None
    four = [{A: 1, B: 2, C: 3, D: 4}]
    assert order({player: Merits(0) for player in (A, B, C, D)}, four) == [
        (player, player, "head_to_head") for player in (A, B, C, D)
    ]


@pytest.mark.parametrize(
    ("better", "criterion"),
    [
        ({"gain": 1}, "gain"),
        ({"placings": (1, 0)}, "placings"),
        ({"opponents": 3}, "opponents"),
        ({"lot": -1}, "lot"),
    ],
)
def test_each_criterion_decides(better, criterion):
    plain = {"placings": (0, 0), "lot": 0}
    assert order({A: Merits(5, **plain), B: Merits(5, **(plain | better))}) == [
        (B, 1, criterion),
        (A, 2, criterion),
    ]


def test_fewer_conduct_points_are_better():
    assert order({A: Merits(5, conduct=2), B: Merits(5, conduct=1)})[0] == (B, 1, "conduct")


def test_equal_players_share_a_rank():
    merits = {A: Merits(9), B: Merits(5), C: Merits(5), D: Merits(1)}
    assert order(merits) == [(A, 1, "points"), (B, 2, "points"), (C, 2, "points"), (D, 4, "points")]


def test_what_parts_a_player_from_the_one_above_is_told():
    merits = {A: Merits(9), B: Merits(5, gain=1), C: Merits(5), D: Merits(5)}
    assert [rank.parted for rank in ranked(merits, ())] == ["points", "points", "gain", None]


def test_the_first_of_those_who_share_a_rank_is_parted_from_the_one_above_by_points():
    merits = {A: Merits(9), B: Merits(5), C: Merits(5)}
    assert [rank.parted for rank in ranked(merits, ())] == ["points", "points", None]


def test_meetings_count_for_the_second_named_as_for_the_first():
    assert head_to_head([A, B], [{A: 2, B: 1}, {A: 1, B: 1}]) == {A: 1, B: 3}


def test_those_whom_meetings_part_are_compared_among_themselves():
    """A and B beat C and D and drew with each other, so their gain decides. The same is true of C and D."""
    merits = {A: Merits(0, gain=1), B: Merits(0, gain=2), C: Merits(0, gain=3), D: Merits(0, gain=4)}
    matches = [{A: 1, B: 1, C: 3, D: 3}]
    assert order(merits, matches) == [(B, 1, "gain"), (A, 2, "gain"), (D, 3, "gain"), (C, 4, "gain")]


def test_an_earlier_criterion_is_not_asked_again():
    """B and C have the same gain. Among them, only the criteria below it decide."""
    merits = {
        A: Merits(0, gain=5, placings=(0, 9)),
        B: Merits(0, gain=3, placings=(3, 0)),
        C: Merits(0, gain=3, placings=(4, 0)),
    }
    assert order(merits) == [(A, 1, "gain"), (C, 2, "placings"), (B, 3, "placings")]


def test_the_worked_example_of_luck():
    points = [61, 44, 30, -5, -40, -95]
    found = bands({player: (total, 8) for player, total in enumerate(points)}, 16.7)
    assert list(found.values()) == [Band(1, 5), Band(1, 5), Band(1, 6), Band(1, 6), Band(1, 6), Band(3, 6)]


def test_without_luck_every_place_is_its_own():
    assert bands({1: (3, 2), 2: (2, 2), 3: (1, 2)}, 0.0) == {1: Band(1, 1), 2: Band(2, 2), 3: Band(3, 3)}


def test_more_matches_are_more_luck_in_a_total():
    assert bands({1: (100, 1), 2: (0, 1)}, 20.0) == {1: Band(1, 1), 2: Band(2, 2)}
    assert bands({1: (100, 20), 2: (0, 20)}, 20.0) == {1: Band(1, 2), 2: Band(1, 2)}


def test_players_with_other_numbers_of_matches_count_too():
    totals = {1: (300, 1), 2: (200, 2), 3: (100, 3), 4: (0, 4), 5: (-100, 1)}
    assert bands(totals, 1.0) == {player: Band(player, player) for player in totals}


def test_the_spread_is_pooled_over_players():
    assert spread([[10, 20], [-10, 0], [7]]) == pytest.approx(50**0.5)
    assert spread([[3], []]) == 0


def test_a_table_keeps_its_rows_and_gets_names():
    diary = Diary()
    diary.round()
    table = standings(diary.season)
    names = {player: f"player {player}" for player in diary.season.members}
    found = shown(table, names, "Autumn", rounds=7, final=False, at=5, left=frozenset({3}))
    assert found.table == table
    assert found.names == names
    assert [line.row.player for line in found.rows if line.missing] == [3]
    assert found.index_of(table.rows[2].player) == 2
    assert found.index_of(99) is None
    assert (found.title, found.rounds, found.final, found.at) == ("Autumn", 7, False, 5)
