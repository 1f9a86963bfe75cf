"""A table with names: the lines know who they are of."""

from league.standings import shown, standings
from tests.league.seasons import Diary


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
