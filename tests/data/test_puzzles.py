"""The store of puzzles: who is asked what, first answers, days, and what is forgotten."""

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from data.preferences import PersonSettings
from data.repositories.learning import KEPT_MS, AllowedDeal, AnswerRow, NewPuzzle
from data.transaction import WriteTransaction
from league.statistics.puzzle_ratings import NEWCOMER, after_answer
from marriage.cards import Card
from marriage.puzzles import Puzzle, PuzzleKind, PuzzleOption
from tests.data.conftest import RAM, SITA, first_deal
from tests.data.test_history import row_of
from tests.league.facts import seat


def card_puzzle(outs: int) -> Puzzle:
    options = (
        PuzzleOption(card=Card(1), missing=1, outs=20),
        PuzzleOption(card=Card(2), missing=1, outs=outs),
    )
    return Puzzle(PuzzleKind.CARD, options, 0)


def new(source: str, outs: int = 10, person_id=None) -> NewPuzzle:
    return NewPuzzle(source, 0, "marriage position 1\n", card_puzzle(outs), person_id)


class OneByOne:
    """Runs each call of a repository in its own transaction."""

    def __init__(self, store, repository=None):
        self._store, self._repository = store, repository

    def __getattr__(self, name):
        if self._repository is None:
            return OneByOne(self._store, name)
        return lambda *given: self._store.write(
            lambda db: getattr(getattr(db, self._repository), name)(*given)
        )


@pytest.fixture
async def db(store):
    db = OneByOne(store)
    await db.people.keep(RAM, "Ram", 1)
    await db.people.keep(SITA, "Sita", 1)
    return db


async def answered(db, person_id, row, correct=True, day=None):
    player, of_puzzle = after_answer(NEWCOMER, row.strength, right=correct)
    answer = AnswerRow(row.id, person_id, 0 if correct else 1, correct, player.shown - 1500, 5, day)
    await db.puzzles.add_answer(answer, player, of_puzzle)
    return answer


async def test_the_same_moment_is_stored_once(db):
    await db.puzzles.add([new("a"), new("b")], 1)
    await db.puzzles.add([new("a"), new("c")], 2)
    assert await db.puzzles.stock() == {(PuzzleKind.CARD, False): 3}


async def test_the_nearest_puzzle_that_was_not_answered_is_asked(db):
    await db.puzzles.add([new("easy", 2), new("hard", 16)], 1)
    hard = await db.puzzles.nearest(RAM, 40)
    assert hard.puzzle.options[1].outs == 16
    assert (await db.puzzles.nearest(RAM, 0)).puzzle.options[1].outs == 2
    answer = await answered(db, RAM, hard)
    assert await db.puzzles.answer_of(hard.id, RAM) == answer
    assert (await db.puzzles.nearest(RAM, 40)).id != hard.id
    assert (await db.puzzles.nearest(SITA, 40)).id == hard.id


@pytest.mark.file
async def test_an_answer_changes_both_strengths_once(db):
    await db.puzzles.add([new("a")], 1)
    row = await db.puzzles.nearest(RAM, 25)
    await db.puzzles.offer(RAM, row.id)
    assert (await db.puzzles.player(RAM)).offered == row.id
    assert await db.puzzles.offered_to(RAM) == row
    assert await db.puzzles.offered_to(SITA) is None
    await answered(db, RAM, row)
    player, after = await db.puzzles.player(RAM), await db.puzzles.get(row.id)
    assert (player.offered, player.answers, player.correct) == (None, 1, 1)
    assert player.mu > NEWCOMER.mu
    assert (after.answers, after.correct) == (1, 1)
    assert after.mu < row.mu
    with pytest.raises(IntegrityError):
        await answered(db, RAM, row)


async def test_a_deal_is_asked_about_while_its_player_allows_it_and_never_the_player(db):
    await db.puzzles.add([new("deal", person_id=RAM)], 1)
    assert await db.puzzles.nearest(SITA, 25) is None
    await db.people.set_settings(RAM, PersonSettings(puzzles=True))
    assert (await db.puzzles.nearest(SITA, 25)).seat == 0
    assert await db.puzzles.nearest(RAM, 25) is None
    await db.puzzles.offer(SITA, (await db.puzzles.nearest(SITA, 25)).id)
    await db.people.set_settings(RAM, PersonSettings())
    assert await db.puzzles.offered_to(SITA) is None
    assert await db.puzzles.nearest(SITA, 25) is None


async def test_the_puzzle_of_a_day_is_new_to_everybody_and_asked_on_no_other_way(db):
    await db.puzzles.add([new("a", 2), new("b", 16)], 1)
    easy = await db.puzzles.nearest(RAM, 0)
    await answered(db, RAM, easy)
    fresh = await db.puzzles.unasked(0)
    assert fresh.id != easy.id
    assert await db.puzzles.unasked(0, PuzzleKind.SETS) is None
    await db.puzzles.set_day(fresh.id, "2026-11-22")
    assert (await db.puzzles.of_day("2026-11-22")).id == fresh.id
    assert (await db.puzzles.nearest(SITA, 40)).id == easy.id
    await answered(db, SITA, fresh, day="2026-11-22")
    assert await db.puzzles.days_answered(SITA) == {"2026-11-22"}
    assert await db.puzzles.days_answered(RAM) == set()


async def test_old_puzzles_go_with_their_answers_but_those_of_days_stay(store, db):
    await db.puzzles.add([new("a", 2), new("b", 16)], 1)
    first = await db.puzzles.nearest(RAM, 0)
    other = await db.puzzles.nearest(RAM, 40)
    await db.puzzles.set_day(other.id, "2026-11-22")
    await answered(db, RAM, first)
    await db.puzzles.offer(SITA, first.id)
    await store.write(lambda db: db.forget_old(KEPT_MS))
    assert await db.puzzles.get(first.id) is not None
    await store.write(lambda db: db.forget_old(KEPT_MS + 2))
    assert await db.puzzles.get(first.id) is None
    assert await db.puzzles.answer_of(first.id, RAM) is None
    assert (await db.puzzles.player(SITA)).offered is None
    assert await db.puzzles.get(other.id) is not None


async def test_a_person_gets_their_answers_and_takes_them_along(store, db):
    await db.puzzles.add([new("a"), new("mine", person_id=RAM)], 1)
    row = await db.puzzles.nearest(SITA, 25)
    await answered(db, RAM, row)
    await answered(db, SITA, replace(row, mu=row.mu))
    found = await db.privacy.everything_of(RAM)
    assert [answer["choice"] for answer in found["puzzle_answer"]] == [0]
    assert found["puzzle_player"][0]["answers"] == 1
    assert [kept["source"] for kept in found["puzzle"]] == ["mine"]
    await db.privacy.forget(RAM, 10, "Player {number}")
    assert await db.privacy.everything_of(RAM) == {}
    assert await db.puzzles.player(RAM) is None
    assert await db.puzzles.answer_of(row.id, SITA) is not None
    assert await db.puzzles.nearest(SITA, 25) is None  # puzzles from their deals are asked no more


async def test_only_seats_of_people_who_allow_it_are_found_in_finished_deals(store, table):
    async def write(db: WriteTransaction):
        for number in (1, 2, 3):
            await db.deals.start(replace(first_deal(table), deal_no=number))
            await db.stats.enter(row_of(table, number), [seat(RAM, 5, winner=True), seat(SITA, -5)])
        assert await db.puzzles.last_deal() == 3
        assert await db.puzzles.allowed_deals(0, 4) == []
        await db.people.set_settings(SITA, PersonSettings(puzzles=True))
        return await db.puzzles.allowed_deals(1, 3)

    found = await store.write(write)
    assert found == [AllowedDeal(2, table.id, 2, 1, SITA)]
