"""A short life of the bot, its power cut in some tens of places; `make powercut` cuts it in a thousand."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from playground.server import Playground
from tests.memory import fastest
from tests.powercut.lives import SHORT, Lives
from tests.powercut.record import MISSING, Kind, Note
from tests.powercut.tally import Entry, Tally
from tests.powercut.told import Told
from tests.waiting import SLOW_DEADLINE


@pytest.mark.by_name
@pytest.mark.skipif(MISSING is not None, reason=MISSING or "")
async def test_what_was_told_is_there_after_every_cut(tmp_path: Path, migrated_anew):
    tally = Tally(tmp_path / "tally.jsonl")
    with TemporaryDirectory(dir=fastest()) as folder:
        async with Playground(deadline=SLOW_DEADLINE) as discord:
            await Lives(discord, Path(folder), 7, tally, SHORT).run(SHORT.cuts or 0)
    assert tally.broken == []
    (entry,) = tally.entries
    assert entry.cuts == SHORT.cuts
    assert entry.told > entry.moves >= SHORT.moves[0]
    assert entry.most_uncertain > 0
    assert entry.events > 0
    assert not tally.is_blind()  # without the barriers of the log something is lost


def sent(data: bytes, socket: int = 5, kind: Kind = Kind.SENT, at: int = 0) -> Note:
    return Note(kind, 1, socket, at, "", data)


def test_what_is_told_counts_when_all_of_it_is_sent():
    told = Told()
    assert not told.take(sent(b'{"custom_id": "mr1:draw:3:1'))
    assert not told.take(sent(b"mr1:draw:4:", socket=6))
    assert told.take(sent(b'7"}'))
    assert told.revisions == {3: 17}
    assert not told.take(sent(b'"mr1:draw:3:16"'))


def test_what_has_not_left_is_sent_once_more():
    told = Told()
    told.take(sent(b'"mr1:draw:3:17"'))
    told.take(sent(b"", kind=Kind.NOT_SENT, at=len(b'"mr1:draw:3:1')))
    told.take(sent(b'7"'))
    assert told.revisions == {3: 17}


def test_an_answer_counts_unless_it_only_acknowledges():
    told = Told()
    callback = b"POST /api/v10/interactions/%d/token/callback HTTP/1.1\r\n\r\n"
    assert told.take(sent(callback % 11 + b'{"type": 7, "data": {}}'))
    told.take(sent(callback % 12 + b'{"type": 6}', socket=6))
    told.take(sent(callback % 13, socket=7))
    told.take(sent(b'{"type":4}', socket=7))
    assert told.answered == {11, 13}


def test_the_next_process_knows_what_was_told_before():
    told = Told()
    told.take(sent(b'"mr1:draw:3:17"'))
    after = told.after()
    assert after.revisions == {3: 17}
    assert not after.take(sent(b'"mr1:draw:3:17"'))
    assert after.moments == 0


def test_a_tally_adds_up_and_knows_when_it_proves_nothing(tmp_path: Path):
    path = tmp_path / "tally.jsonl"
    Tally(path).add(Entry("killed", 1, moves=20, cuts=300, barriers=100, uncertain=600, control_cuts=20))
    assert Tally(path).is_blind()
    Tally(path).add(
        Entry("killed", 2, moves=10, cuts=100, uncertain=200, control_cuts=20, control_losses=9, broken=["a"])
    )
    tally = Tally(path)
    assert not tally.is_blind()
    tally.add(Entry("killed", 3, cuts=9, control_cuts=20))
    assert tally.is_blind(since=2)
    assert "409 cuts in 3 lives" in str(tally)
    assert "2 changes on average" in str(tally)
    assert "30 moves by people" in str(tally)
    assert "9 of 60 cuts lost something" in str(tally)
    assert tally.broken == ["killed: a"]
