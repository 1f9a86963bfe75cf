"""How much one message holds: Discord counts the characters of all its texts, and fails on too many bytes of UTF-8."""

from typing import Final

ROOM: Final = 4_000
"""Characters of all texts of one message."""
BESIDES: Final = 5
"""What every text takes besides: Discord counts 12 bytes more for each."""
_BYTES: Final = 10_169
"""Bytes of UTF-8, the 12 of each text among them: of one more Discord makes an error of its own."""
_CUT: Final = "…"


def taken(content: str) -> int:
    """What a text takes of `ROOM`: its characters, or more where they have many bytes.

    >>> taken("a" * 100), taken("क" * 100)
    (100, 119)
    """
    return max(len(content), -(-len(content.encode()) * ROOM // _BYTES))


def cut(content: str, room: int) -> str:
    r"""As much of a text as fits, cut at the end of a line where one ends in the second half of it.

    >>> cut("one\ntwo\nthree", 12)
    'one\ntwo\n…'
    """
    if taken(content) <= room:
        return content
    low, high = 0, len(content)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if taken(content[:middle] + _CUT) <= room else (low, middle - 1)
    end = content.rfind("\n", low // 2, low)
    return content[: low if end < 0 else end + 1] + _CUT
