"""Asking puzzles without Discord: whose answer counts, what is rejected, and the puzzle of the day."""

import asyncio

import pytest

from bot.errors import UnexpectedInputError, UserError
from bot.people import NamedPerson
from bot.puzzles.asking import Puzzles
from bot.puzzles.mining import PuzzleMiner
from data.repositories.learning import NewPuzzle
from data.store import HAS_STORED
from data.transaction import ReadTransaction, WriteTransaction
from league.times import DAY
from marriage.puzzles import PuzzleKind
from tests.bot.house import Hand
from tests.bot.panels.puzzle_samples import samples

RAM, SITA = NamedPerson(11, "Ram"), NamedPerson(12, "Sita")


class NoSearch(PuzzleMiner):
    """A miner that finds nothing, and records each request."""

    def __init__(self) -> None:
        self.asked = []

    async def search_for(self, person_id):
        self.asked.append(person_id)


@pytest.fixture(scope="module")
def some():
    return tuple(samples())


@pytest.fixture
def clock():
    return Hand(20_000 * DAY + 1)


@pytest.fixture
async def puzzles(store, clock, some):
    async def write(db: WriteTransaction) -> None:
        new = [NewPuzzle(f"s{n}", made.seat, made.position, made.puzzle) for n, made in enumerate(some)]
        await db.puzzles.add(new, 1)

    await store.write(write)
    return Puzzles(store, clock, NoSearch())


def wrong(asked):
    return (asked.row.puzzle.best + 1) % len(asked.row.puzzle.options)


async def test_the_same_puzzle_waits_until_it_is_answered(puzzles):
    first = await puzzles.next(RAM)
    assert (await puzzles.next(RAM)).row.id == first.row.id
    assert first.answer is None
    done = await puzzles.answer(RAM, first.row.id, first.row.puzzle.best)
    assert done.answer.correct
    assert done.answer.gained == done.player.shown - first.player.shown > 0
    assert (await puzzles.next(RAM)).row.id != first.row.id


async def test_an_answer_counts_as_saved_for_its_person_and_a_question_does_not(puzzles):
    HAS_STORED.set(False)
    first = await puzzles.next(RAM)
    await puzzles.of_today(RAM)
    assert not HAS_STORED.get()
    await puzzles.answer(RAM, first.row.id, first.row.puzzle.best)
    assert HAS_STORED.get()


async def test_only_the_first_answer_counts(puzzles):
    first = await puzzles.next(RAM)
    done = await puzzles.answer(RAM, first.row.id, wrong(first))
    again = await puzzles.answer(RAM, first.row.id, first.row.puzzle.best)
    assert not again.answer.correct
    assert (again.answer, again.player, again.row) == (done.answer, done.player, done.row)
    assert done.player.shown < first.player.shown
    assert done.row.answers == 1


async def test_of_two_devices_at_once_one_answer_counts(puzzles, store):
    first = await puzzles.next(RAM)
    choices = first.row.puzzle.best, wrong(first)
    done = await asyncio.gather(*(puzzles.answer(RAM, first.row.id, choice) for choice in choices))
    assert done[0].answer == done[1].answer
    assert done[0].player == done[1].player

    async def read(db: ReadTransaction):
        player = await db.puzzles.player(RAM.id)
        row = await db.puzzles.get(first.row.id)
        return player, row

    player, row = await store.read(read)
    assert player.answers == row.answers == 1


async def test_of_two_people_at_once_both_get_the_same_puzzle_of_the_day(puzzles):
    both = await asyncio.gather(puzzles.of_today(RAM), puzzles.of_today(SITA))
    assert both[0].row.id == both[1].row.id


async def test_what_was_never_asked_is_refused(puzzles):
    mine = await puzzles.next(RAM)
    with pytest.raises(UserError) as refused:
        await puzzles.answer(SITA, mine.row.id, 0)
    assert refused.value.key == "puzzle.gone"
    with pytest.raises(UserError) as refused:
        await puzzles.answer(RAM, mine.row.id + 1, 0)
    assert refused.value.key == "puzzle.gone"
    with pytest.raises(UserError):
        await puzzles.answer(RAM, 999, 0)
    with pytest.raises(UnexpectedInputError):
        await puzzles.answer(RAM, mine.row.id, len(mine.row.puzzle.options))
    assert (await puzzles.next(RAM)).row == mine.row


async def test_everybody_gets_the_same_puzzle_of_the_day_and_a_new_one_tomorrow(puzzles, clock):
    ram, sita = await puzzles.of_today(RAM), await puzzles.of_today(SITA)
    assert ram.row.id == sita.row.id
    assert ram.is_of_today
    assert ram.today_open
    assert (await puzzles.next(RAM)).row.id != ram.row.id
    done = await puzzles.answer(RAM, ram.row.id, ram.row.puzzle.best)
    assert (done.streak, done.today_open, done.answer.day) == (1, False, ram.row.day)
    clock.at += DAY
    tomorrow = await puzzles.of_today(RAM)
    assert tomorrow.row.id != ram.row.id
    assert tomorrow.streak == 1  # the streak can still be kept today
    assert (await puzzles.answer(RAM, tomorrow.row.id, wrong(tomorrow))).streak == 2
    late = await puzzles.answer(SITA, ram.row.id, 0)
    assert late.answer.day is None  # that puzzle was yesterday's
    assert late.streak == 0


async def test_a_result_is_shared_once_and_only_after_the_answer(puzzles):
    today = await puzzles.of_today(RAM)
    with pytest.raises(UserError):
        await puzzles.share(RAM, today.row.id)
    await puzzles.answer(RAM, today.row.id, 0)
    assert (await puzzles.share(RAM, today.row.id)).answer.shared
    with pytest.raises(UserError) as refused:
        await puzzles.share(RAM, today.row.id)
    assert refused.value.key == "puzzle.shared_already"
    other = await puzzles.next(SITA)
    await puzzles.answer(SITA, other.row.id, 0)
    with pytest.raises(UserError):
        await puzzles.share(SITA, other.row.id)


async def test_more_are_searched_for_when_somebody_has_answered_all(puzzles, some):
    for _ in some:
        asked = await puzzles.next(RAM)
        await puzzles.answer(RAM, asked.row.id, 0)
    with pytest.raises(UserError) as refused:
        await puzzles.next(RAM)
    assert refused.value.key == "puzzle.none"
    assert puzzles._miner.asked == [RAM.id]


async def test_the_view_is_what_the_seat_knew(puzzles, some):
    asked = await puzzles.next(RAM)
    assert asked.row.puzzle.kind in PuzzleKind
    assert asked.view.viewer == asked.row.seat
    others = [seat for index, seat in enumerate(asked.view.seats) if index != asked.row.seat]
    assert {seat.cards for seat in others} == {None}


async def test_being_forgotten_gives_no_other_first_answer_to_the_puzzle_of_the_day(puzzles, store, clock):
    asked = await puzzles.of_today(RAM)
    await puzzles.answer(RAM, asked.row.id, wrong(asked))
    await store.write(lambda db: db.privacy.forget(RAM.id, 5, "Player {number}"))
    with pytest.raises(UserError, match="forgotten"):
        await puzzles.of_today(RAM)
    with pytest.raises(UserError, match="forgotten"):
        await puzzles.answer(RAM, asked.row.id, asked.row.puzzle.best)
    clock.at += DAY
    following = await puzzles.of_today(RAM)
    assert following.row.id != asked.row.id
    assert (await puzzles.answer(RAM, following.row.id, following.row.puzzle.best)).answer.correct
