"""League points as people write them."""


def points(hundredths: int, *, sign: bool = False) -> str:
    """League points as people write them.

    >>> points(1234), points(-5, sign=True), points(0, sign=True)
    ('12.34', '−0.05', '0.00')
    """
    whole, rest = divmod(abs(hundredths), 100)
    plus = "+" if sign and hundredths > 0 else ""
    return f"{'−' if hundredths < 0 else plus}{whole}.{rest:02}"
