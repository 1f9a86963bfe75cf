"""Ids as short as they have to be in a custom id."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number: int) -> str:
    """A number from 0 on; `int(text, 36)` reads it back.

    >>> base36(35), base36(36)
    ('z', '10')
    """
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = _DIGITS[rest] + text
    return text or "0"
