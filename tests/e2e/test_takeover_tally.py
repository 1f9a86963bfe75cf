"""The tally of takeovers: counts from former runs are added to those of the current one."""

import time
from pathlib import Path

from playground.cluster.fleet import Fleet
from playground.model import EPOCH_MS
from playground.server import Playground
from tests.crash.files import Files
from tests.games import FileOfGames
from tests.takeover.run import complains
from tests.takeover.tally import Entry, Tally
from tests.takeover.watching import Watching


def test_a_run_goes_on_where_another_ended(tmp_path: Path):
    path = tmp_path / "var" / "tally.jsonl"
    Tally(path).add(
        Entry("Killed.", 1, killed=2, started=2, moves=30, presses=40, unanswered=2, longest_gap_s=1.5)
    )
    again = Tally(path)
    again.add(Entry("Killed.", 2, killed=1, started=1, moves=12, presses=20, broken=["a move is lost"]))
    again.add(Entry("The server restarted.", 3, restarts=1, moves=5, longest_gap_s=0.5))
    killed, restarted, total = str(Tally(path)).splitlines()
    assert killed.startswith("   2  Killed. 6 kills, stops and starts (3, 0, 3), 0 restarts")
    assert "60 presses, 2 unanswered" in killed
    assert "longest without a server 1.5 s" in killed
    assert restarted.startswith("   1  The server restarted. 0 kills, stops and starts (0, 0, 0), 1 restarts")
    assert total.startswith("   3  in all: 6 kills")
    assert "47 moves by people" in total
    assert total.endswith("1 promises broken")
    assert Tally(path).broken == ["Killed.: a move is lost"]


def test_of_a_log_only_what_no_absent_server_explains_counts():
    told = '{"level": "error", "event": "outbox.failed", "exception": "Traceback\\n%s: why"}'
    assert complains(told % "builtins.KeyError")
    assert not complains(told % "data.errors.StoreUnreachable")
    assert complains(told % "ConnectionError")
    assert not complains(
        '{"level": "error", "exception": "ConnectionError: unexpected connection_lost() call"}'
    )
    assert not complains('{"level": "info", "event": "bot.ready"}')
    assert not complains('{"level": "error", "event": "cut o')
    assert complains("Traceback (most recent call last):")


def test_a_press_that_came_too_late_to_a_bot_is_late_and_not_lost(tmp_path: Path):
    discord = Playground()
    watching = Watching(discord, Fleet({}, lambda *_: None), Files(FileOfGames(tmp_path / "games")))
    told = '{"interaction": %d, "event": "interaction.late", "level": "info"}'
    now = int(time.time() * 1000) - EPOCH_MS
    old, young = (now - 3_000) << 22, (now - 500) << 22
    for number in (old, young):
        watching.read(told % number)
    watching.read('{"interaction": 7, "event": "interaction.again", "level": "info"}')
    assert watching.dropped == {old}
