"""The words of days and times in English, Nepali and Hindi, also as people write them in Latin letters."""

import unicodedata
from collections.abc import Mapping
from typing import Final, TypeVar

T = TypeVar("T")

_SAME_SOUND: Final = str.maketrans(
    {
        **{0x0966 + digit: str(digit) for digit in range(10)},  # ०१२३४५६७८९
        "ँ": "ं",
        "ी": "ि",
        "ू": "ु",
        "व": "ब",
        "़": "",
        "\u200c": "",
        "\u200d": "",
        "−": "-",
    }
)
"""Letters that spellings of one word differ in. No two words below are the same without the difference."""


def plain(text: str) -> str:
    """The text in small letters and Western digits, with the spellings of a word made one.

    >>> plain("भोली  ८ बजे") == plain("भोलि ८ बजे") == plain("भोलि 8 बजे")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text.casefold()).translate(_SAME_SOUND).split())


def _meanings(words: Mapping[str, T]) -> dict[str, T]:
    return {plain(word): meaning for line, meaning in words.items() for word in line.split()}


MORNING: Final = frozenset(range(1, 12))
DAYTIME: Final = frozenset(range(10, 18))
EVENING: Final = frozenset(range(16, 24))
NIGHT: Final = frozenset({*range(19, 24), *range(5)})
TONIGHT: Final = frozenset({*range(17, 24), *range(5)})
NOON: Final = frozenset({12})
MIDNIGHT: Final = frozenset({0})

PARTS: Final = _meanings(
    {
        "morning बिहान बिहानै सबेर सबेरै सुबह सवेरे bihan bihana subah": MORNING,
        "afternoon दिउँसो दिउसो दिनको दोपहर diuso diunso dopahar": DAYTIME,
        "evening बेलुका बेलुकी बेलुकि साँझ शाम साम beluka sanjh saanjh sham shaam": EVENING,
        "night राति रात रात्रि rati raati raat": NIGHT,
        "noon midday": NOON,
        "midnight मध्यरात": MIDNIGHT,
    }
)
"""The full hours that belong to a part of the day. Of an hour and the same twelve later at most one is in each."""

DAYS_AHEAD: Final = _meanings(
    {
        "today आज aja aaja aaj": 0,
        "tomorrow tmrw भोलि कल bholi kal": 1,
        "पर्सि परसों परसो parsi parso parson": 2,
    }
)
"""Words for days. Hindi has one word for yesterday and tomorrow: here it is always the day that comes."""

WEEKDAYS: Final = _meanings(
    {
        "monday mon सोमबार सोम sombar somvar": 0,
        "tuesday tue tues मङ्गलबार मंगलबार मङ्गल मंगल mangalbar mangalvar": 1,
        "wednesday wed बुधबार बुध budhabar budhbar budhvar": 2,
        "thursday thu thur thurs बिहीबार बिही गुरुवार बृहस्पतिवार वीरवार bihibar guruvar": 3,
        "friday fri शुक्रबार शुक्र sukrabar shukrabar shukravar": 4,
        "saturday sat शनिबार शनि sanibar shanibar shanivar": 5,
        "sunday sun आइतबार आईतबार आइत रविवार रवि इतवार aitabar aaitabar ravivar": 6,
    }
)

MONTHS: Final = _meanings(
    {
        "january jan जनवरी": 1,
        "february feb फेब्रुअरी फेब्रुवरी फ़रवरी": 2,
        "march mar मार्च": 3,
        "april apr अप्रिल अप्रैल": 4,
        "may मे मई": 5,
        "june jun जुन जून": 6,
        "july jul जुलाई": 7,
        "august aug अगस्ट अगस्त": 8,
        "september sep sept सेप्टेम्बर सितंबर सितम्बर": 9,
        "october oct अक्टोबर अक्टूबर अक्तूबर": 10,
        "november nov नोभेम्बर नवंबर नवम्बर": 11,
        "december dec डिसेम्बर दिसंबर दिसम्बर": 12,
    }
)

NEXT: Final = frozenset(_meanings({"next अर्को अगले अगला arko agle": True}))
OFFSETS: Final = {"utc": 0, "gmt": 0, "npt": 345}
"""Names of time zones that mean one thing, in minutes. `IST` is that of India, of Ireland and of Israel."""
FILLERS: Final = frozenset(_meanings({"at on the को का के की मा में ko ka ke": True}))
ENDINGS: Final = tuple(map(plain, ("को", "का", "मा")))
"""Suffixes that Nepali writes without a blank, as in `बिहानको`."""
