"""The disk of the power cuts: it keeps what it must, and some cut loses what it may lose."""

from random import Random

import pytest

from tests.powercut.disk import SECTOR, Disk
from tests.powercut.record import Kind, Note

FOLDER, THREAD = 1, 100
CUTS = 400
GAMES = "games-wal"


def note(
    kind: Kind, file: int = 0, at: int = 0, name: str = "", data: bytes = b"", thread: int = THREAD
) -> Note:
    return Note(kind, thread, file, at, name, data)


def synced(file: int) -> list[Note]:
    return [note(Kind.SYNCING, file), note(Kind.SYNCED, file)]


def written(data: bytes, at: int = 0, file: int = 2) -> Note:
    return note(Kind.WRITTEN, file, at, data=data)


OPENED = note(Kind.OPENED, 2, name=GAMES)
BEGIN = [OPENED, *synced(FOLDER)]


def left(*notes: Note, ignored: str | None = None) -> list[dict[str, bytes]]:
    """Return what many cuts after these notes leave."""
    disk = Disk(FOLDER, {}, ignored)
    for one in notes:
        disk.take(one)
    return [disk.after_a_cut(Random(number)) for number in range(CUTS)]


def contents(*notes: Note, ignored: str | None = None) -> set[bytes]:
    return {files[GAMES] for files in left(*BEGIN, *notes, ignored=ignored)}


def test_what_was_synchronised_is_there_after_every_cut():
    assert contents(written(b"old"), written(b"new", 3), *synced(2)) == {b"oldnew"}


def test_what_was_not_may_be_there_or_not_and_in_any_order():
    found = contents(written(b"....", 0), *synced(2), written(b"A", 0), written(b"B", 3))
    assert found == {b"....", b"A...", b"...B", b"A..B"}


def test_a_synchronisation_brings_only_what_was_written_before_it_began():
    kept = contents(written(b"A"), note(Kind.SYNCING, 2), written(b"B", 1), note(Kind.SYNCED, 2))
    assert {content[:1] for content in kept} == {b"A"}
    assert {b"A", b"AB"} <= kept
    assert b"" in contents(written(b"A"), note(Kind.SYNCING, 2))  # it has not ended, or has failed


def test_each_of_two_synchronisations_at_once_brings_its_part():
    first, second = (
        [note(kind, 2, thread=thread) for kind in (Kind.SYNCING, Kind.SYNCED)] for thread in (1, 2)
    )
    kept = contents(
        written(b"A"), first[0], written(b"B", 1), second[0], written(b"C", 2), first[1], second[1]
    )
    assert {content[:2] for content in kept} == {b"AB"}


def test_a_write_may_be_torn_between_sectors_and_nowhere_else():
    found = contents(written(bytes(4 * SECTOR)), *synced(2), written(b"x" * 2 * SECTOR, SECTOR // 2))
    pieces = (
        slice(SECTOR // 2, SECTOR),
        slice(SECTOR, 2 * SECTOR),
        slice(2 * SECTOR, 2 * SECTOR + SECTOR // 2),
    )
    torn = {tuple(content[piece][:1] for piece in pieces) for content in found}
    assert len(torn) == 8
    for content in found:
        assert all(len(set(content[piece])) == 1 for piece in pieces)
        assert not any(content[: SECTOR // 2] + content[2 * SECTOR + SECTOR // 2 :])


def test_a_hole_holds_zeros_or_rubbish():
    found = contents(written(b"A" * SECTOR), written(b"B" * SECTOR, SECTOR))
    holes = {content[:SECTOR] for content in found if content[SECTOR:] == b"B" * SECTOR}
    assert bytes(SECTOR) in holes
    assert len(holes) > 3


def test_a_file_that_was_cut_short_may_still_be_long():
    found = contents(written(b"long"), *synced(2), note(Kind.CUT, 2, 0))
    assert found == {b"long", b""}


def test_a_name_lasts_only_once_its_folder_is_synchronised():
    assert {GAMES in files for files in left(OPENED, written(b"A"), *synced(2))} == {True, False}
    assert left(OPENED, written(b"A"), *synced(2), *synced(FOLDER)) == [{GAMES: b"A"}] * CUTS


def test_a_renaming_may_be_there_by_halves_until_then():
    begin = [
        *BEGIN,
        written(b"old"),
        *synced(2),
        note(Kind.OPENED, 3, name="new"),
        written(b"new", file=3),
        *synced(3),
    ]
    renamed = [*begin, *synced(FOLDER), note(Kind.RENAMED, name="new", data=GAMES.encode())]
    halves = {(files[GAMES], "new" in files) for files in left(*renamed)}
    assert halves == {(b"old", True), (b"old", False), (b"new", True), (b"new", False)}
    assert left(*renamed, *synced(FOLDER)) == [{GAMES: b"new"}] * CUTS


def test_what_was_removed_may_come_back():
    removed = [*BEGIN, written(b"A"), *synced(2), note(Kind.REMOVED, name=GAMES)]
    assert {files.get(GAMES) for files in left(*removed)} == {b"A", None}
    again = [*removed, note(Kind.OPENED, 2, name=GAMES), *synced(FOLDER)]  # another file with the same number
    assert {files[GAMES] for files in left(*again)} == {b""}


def test_barriers_that_are_ignored_bring_nothing():
    assert contents(written(b"A"), *synced(2), ignored="-wal") == {b"A", b"", b"\0"} | contents(written(b"A"))
    assert contents(written(b"A"), *synced(2), ignored=".mark") == {b"A"}


def test_a_file_that_came_about_elsewhere_is_noticed():
    disk = Disk(FOLDER, {GAMES: (2, b"")})
    with pytest.raises(ValueError, match="not recorded"):
        disk.take(note(Kind.OPENED, 3, name=GAMES))
