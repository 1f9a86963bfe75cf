"""Commands that wait for a choice of their author."""

from bot.interactions.receiver import MOST_KEPT, MOST_OF_AUTHOR, KeptCommands


def keep(kept: KeptCommands, author: int, number: int) -> None:
    kept.keep(author, number, {"name": "league", "options": []})


def is_kept(kept: KeptCommands, author: int, number: int) -> bool:
    return kept.completed(author, number, "league", "7") is not None


def test_nobody_pushes_out_the_commands_of_others():
    kept = KeptCommands()
    keep(kept, 1, 1)
    for number in range(MOST_KEPT):
        keep(kept, 2, number)
    assert is_kept(kept, 1, 1)
    assert [number for number in range(MOST_KEPT) if is_kept(kept, 2, number)] == [
        *range(MOST_KEPT - MOST_OF_AUTHOR, MOST_KEPT)
    ]


def test_of_too_many_the_oldest_is_dropped():
    kept = KeptCommands()
    for author in range(MOST_KEPT + 1):
        keep(kept, author, 1)
    assert not is_kept(kept, 0, 1)
    assert is_kept(kept, 1, 1)
