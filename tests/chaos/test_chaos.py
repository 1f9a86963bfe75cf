"""Two minutes of chaos at a few tables; `make chaos` has an hour at twenty."""

from tests.chaos.__main__ import play
from tests.crash.days import in_one_process


def test_two_minutes_of_faults_break_no_promise():
    with in_one_process(12) as (runner, folder):
        chaos, faults = runner.run(play(folder, number=12, minutes=2, tables=6))
    assert chaos.broken == []
    assert faults > 0
    moves = {company.home: company.moves for company in chaos.companies}
    assert moves["pair"] > 0
    assert moves["league"] > 0, "the people of a league find the table of their match"
