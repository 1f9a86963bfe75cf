"""The hash of the standings, which anyone can compute from the exported table, and the points per deal."""

import csv
from dataclasses import replace
from hashlib import sha256
from io import StringIO

from league.events import ResultCorrected
from league.export import csv_text, standings_sheet
from league.pairing.drawing import draw_rounds
from league.standings import standings
from tests.league.seasons import SEED, Diary


def played(format_: str = "pods", rounds: int = 3, **options) -> Diary:
    diary = Diary(format_, **options)
    for _ in range(rounds):
        diary.round()
    return diary


def hashed(sheet: str) -> str:
    """Return the hash of an exported table's rows, as `docs/leagues.md` describes it."""
    lines = [
        f"{row['after_round']},{row['division']},{row['rank']},{row['player']},"
        f"{round(100 * float(row['points']))},{row['matches']},{row['deals']}\n"
        for row in csv.DictReader(StringIO(sheet))
    ]
    return sha256("".join(lines).encode()).hexdigest()


def test_the_hash_follows_from_the_export():
    table = standings(played().season)
    names = {row.player: f"P{row.player}" for row in table.rows}
    assert table.digest == hashed(csv_text(standings_sheet([table], names, {})))


def test_a_correction_changes_the_hash_and_its_inverse_brings_it_back():
    diary = played()
    before = standings(diary.season).digest
    result = diary.season.pods[1].result
    assert result is not None
    other = replace(result, deals=(tuple(reversed(result.deals[0])), *result.deals[1:]))
    diary.note(ResultCorrected(1, result, other))
    assert standings(diary.season).digest != before
    diary.note(ResultCorrected(1, other, result))
    assert standings(diary.season).digest == before


def test_points_a_deal_are_the_mean_of_what_was_won():
    season = played(rounds=2).season
    for row in standings(season).rows:
        results = [pod.result for pod in season.pods.values() if pod.result and row.player in pod.players]
        won = [deal[result.players.index(row.player)] for result in results for deal in result.deals]
        assert row.net == sum(won)
        assert abs(row.a_deal - 100 * sum(won) / len(won)) <= 0.5


def test_places_move_in_divisions_too():
    diary = Diary("divisions", players=8, rounds=3)
    for event in draw_rounds(diary.season, SEED, [0, 0, 0]):
        diary.note(event)
    for number in (1, 2, 3):
        for pod in diary.season.rounds[number].pods:
            diary.play(pod.id)
        table = standings(diary.season)
        assert table.through == number
        before = {row.player: row.rank for row in standings(diary.season, number - 1).rows}
        assert all(row.moved == before[row.player] - row.rank for row in table.rows) or number == 1
    assert any(row.moved for row in standings(diary.season).rows)
