"""A minute of chaos at a few tables; `make chaos` has an hour at twenty."""

from tests.chaos.__main__ import play
from tests.crash.days import in_one_process


def test_a_minute_of_faults_breaks_no_promise():
    with in_one_process(7) as (runner, folder):
        chaos, faults = runner.run(play(folder, number=7, minutes=1, tables=6))
    assert chaos.broken == []
    assert faults > 0
    assert sum(company.moves for company in chaos.companies) > 0
