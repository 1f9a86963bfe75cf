"""The grammar of a typed day and time. Every word has to be known, and words may come in any order."""

import re
from collections.abc import Callable
from typing import Final, TypedDict

from bot.words.moment_words import (
    DAYS_AHEAD,
    DAYTIME,
    ENDINGS,
    FILLERS,
    MIDNIGHT,
    MONTHS,
    NEXT,
    OFFSETS,
    PARTS,
    TONIGHT,
    WEEKDAYS,
    plain,
)

_HALF_DAY: Final = 12
_DAY_HOURS: Final = 24
_HOUR_MINUTES: Final = 60
_FARTHEST_OFFSET: Final = 14 * _HOUR_MINUTES


class SaidMoment(TypedDict, total=False):
    """The meaning of the words. Each thing is said at most once."""

    hour: int
    minute: int
    is_exact: bool
    """The hour is one of 24, as that of `8 pm` is: no part of the day makes it another."""
    part: frozenset[int]
    days_ahead: int
    weekday: int
    date: tuple[int | None, int, int]
    """Year, month and day."""
    is_next: bool
    offset: int
    """Minutes east of Greenwich."""
    is_counted: bool
    """Written like a length of time, as `in 2 days` and `20h` are; together they would be one."""


class UnreadError(Exception):
    """The text does not say one day and time."""


def said(text: str) -> SaidMoment:
    """Parse a text normalised by `plain`; raises UnreadError for an unknown word or a repeated meaning."""
    everything: SaidMoment = {}
    place = 0
    while place < len(text):
        if text[place] in " ,":
            place += 1
            continue
        found, meaning = _first(text, place)
        more = meaning(found)
        if everything.keys() & more.keys():
            raise UnreadError
        everything.update(more)
        place = found.end()
    return everything


def hour_said(words: SaidMoment) -> int:
    """Return the hour from 0 to 23, stated alone or with a part of the day; raises UnreadError if there is none."""
    part = words.get("part")
    if "hour" not in words:
        if part is None or len(part) > 1:
            raise UnreadError
        return min(part)
    hour = words["hour"]
    if part is None:
        return hour
    either = {hour}
    if 1 <= hour <= _HALF_DAY and "is_exact" not in words:
        either = {hour % _HALF_DAY, hour % _HALF_DAY + _HALF_DAY}
    meant = either & part
    if len(meant) != 1:
        raise UnreadError
    return meant.pop()


def _first(text: str, place: int) -> "tuple[re.Match[str], _Meaning]":
    for form, meaning in _GRAMMAR:
        if found := form.match(text, place):
            return found, meaning
    raise UnreadError


def _clock(found: re.Match[str]) -> SaidMoment:
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour >= _DAY_HOURS or minute >= _HOUR_MINUTES:
        raise UnreadError
    return {"hour": hour, "minute": minute}


def _after_part(found: re.Match[str]) -> SaidMoment:
    return {**_meaning(found["part"]), **_clock(found)}


def _counted(found: re.Match[str]) -> SaidMoment:
    return {**_clock(found), "is_counted": True}


def _half_day(found: re.Match[str]) -> SaidMoment:
    hour = _of_twelve(found) % _HALF_DAY + (_HALF_DAY if found["half"] == "p" else 0)
    return {**_clock(found), "hour": hour, "is_exact": True}


def _quarters(found: re.Match[str]) -> SaidMoment:
    hour, minute = _of_twelve(found), _QUARTERS[found["quarter"]]
    if minute < 0:
        hour = hour - 1 or _HALF_DAY
    return {"hour": hour, "minute": minute % _HOUR_MINUTES}


def _of_twelve(found: re.Match[str]) -> int:
    hour = int(found["hour"])
    if not 1 <= hour <= _HALF_DAY:
        raise UnreadError
    return hour


def _date(found: re.Match[str]) -> SaidMoment:
    return {"date": (_year(found), int(found["month"]), int(found["day"]))}


def _named_date(found: re.Match[str]) -> SaidMoment:
    return {"date": (_year(found), MONTHS[found["month"]], int(found["day"]))}


def _year(found: re.Match[str]) -> int | None:
    return int(found["year"]) if found["year"] else None


def _days_on(found: re.Match[str]) -> SaidMoment:
    return {"days_ahead": int(found["days"]), "is_counted": True}


def _offset(found: re.Match[str]) -> SaidMoment:
    minutes = int(found["minute"] or 0)
    length = int(found["hour"]) * _HOUR_MINUTES + minutes
    if minutes >= _HOUR_MINUTES or length > _FARTHEST_OFFSET:
        raise UnreadError
    return {"offset": -length if found["sign"] == "-" else length}


def _words(found: re.Match[str]) -> SaidMoment:
    return _meaning(found[0])


def _meaning(word: str) -> SaidMoment:
    if word in _PHRASES:
        return _PHRASES[word]
    for root in (word, *(word.removesuffix(ending) for ending in ENDINGS)):
        if root in PARTS:
            return {"part": PARTS[root]}
        if root in DAYS_AHEAD:
            return {"days_ahead": DAYS_AHEAD[root]}
        if root in WEEKDAYS:
            return {"weekday": WEEKDAYS[root]}
    if word in NEXT:
        return {"is_next": True}
    if word in OFFSETS:
        return {"offset": OFFSETS[word]}
    if word in FILLERS:
        return {}
    raise UnreadError


_Meaning = Callable[[re.Match[str]], SaidMoment]

_PHRASES: Final[dict[str, SaidMoment]] = {
    plain(words): meaning
    for words, meaning in {
        "tonight": SaidMoment(days_ahead=0, part=TONIGHT),
        "this morning": SaidMoment(days_ahead=0, part=PARTS["morning"]),
        "this afternoon": SaidMoment(days_ahead=0, part=DAYTIME),
        "this evening": SaidMoment(days_ahead=0, part=PARTS["evening"]),
        "the day after tomorrow": SaidMoment(days_ahead=2),
        "day after tomorrow": SaidMoment(days_ahead=2),
        "in the": SaidMoment(),
        "दिन को": SaidMoment(part=DAYTIME),
        "दिन के": SaidMoment(part=DAYTIME),
        "दिन में": SaidMoment(part=DAYTIME),
        "आधी रात": SaidMoment(part=MIDNIGHT),
    }.items()
}
_QUARTERS: Final = {plain(word): minute for word, minute in (("साढे", 30), ("सवा", 15), ("पौने", -15))}

_END: Final = r"(?![a-z\d\u0900-\u0963\u0971-\u097f])"
"""The end of a word or number."""
_MONTH: Final = f"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_DAY: Final = r"(?P<day>\d{1,2})"
_NUMBERED: Final = _DAY + "(?:st|nd|rd|th)?"
_YEAR: Final = r"(?P<year>\d{4})"
_HOUR: Final = r"(?P<hour>\d{1,2})"
_MINUTE: Final = r"(?P<minute>\d\d)"
_HALF: Final = r" ?(?P<half>[ap])\.? ?m\.?"
_OCLOCK: Final = " ?" + plain("(?:बजे|baje|o'?clock)")
_AFTER: Final = " ?" + plain("(?:पछि|बाद|में)")
_DAYS: Final = plain("दिन")
_NO_CLOCK: Final = rf"(?![-:./]?\d|{_HALF.replace('?P<half>', '')}{_END}|{_OCLOCK})"
"""The number before it is not the hour of a longer time."""
_FILLED: Final = f" (?:(?:in the|{'|'.join(FILLERS)}) )?"
_PART: Final = f"(?:{'|'.join([*(phrase for phrase in _PHRASES if 'part' in _PHRASES[phrase]), *PARTS])})(?:{'|'.join(ENDINGS)})?"
_BARE: Final = rf"(?P<hour>[01]?\d|2[0-3])(?:\.{_MINUTE})?"
"""A plain number, which is an hour when it comes with a part of the day."""
_FORMS: Final[tuple[tuple[str, _Meaning], ...]] = (
    (f"(?P<part>{_PART}){_FILLED}{_BARE}{_NO_CLOCK}", _after_part),
    (_YEAR + r"(?P<mark>[-/])(?P<month>\d{1,2})(?P=mark)" + _DAY, _date),
    (_DAY + r"(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)" + _YEAR, _date),
    (_DAY + r"/(?P<month>\d{1,2})(?P<year>)(?!/)", _date),
    (f"{_NUMBERED} (?:of )?{_MONTH}(?:,? {_YEAR})?", _named_date),
    (f"{_MONTH} {_NUMBERED}{_NO_CLOCK}(?:,? {_YEAR})?", _named_date),
    (r"in (?P<days>\d{1,2}) ?d(?:ays?)?", _days_on),
    (rf"(?P<days>\d{{1,2}}) {_DAYS}{_AFTER}", _days_on),
    (f"{_HOUR}(?:[:.]{_MINUTE})?{_HALF}", _half_day),
    (f"(?P<quarter>{'|'.join(_QUARTERS)}) {_HOUR}{_OCLOCK}", _quarters),
    (f"{_HOUR}(?:[:.]{_MINUTE})?{_OCLOCK}", _clock),
    (f"{_HOUR}:{_MINUTE}(?!:)", _clock),
    (f"(?P<hour>1[3-9]|2[0-3])h{_MINUTE}?", _counted),
    (f"{_BARE}(?={_FILLED}{_PART}{_END})", _clock),
    (f"(?:utc|gmt) ?(?P<sign>[-+]){_HOUR}(?::?{_MINUTE})?(?!:)", _offset),
    (rf"(?P<sign>\+|(?<= )-){_HOUR}(?::?{_MINUTE})?(?!:)", _offset),
    (f"this(?= (?:{'|'.join(WEEKDAYS)}){_END})", lambda _: {}),
    ("|".join(_PHRASES), _words),
    (r"[a-z]+|[\u0900-\u0963\u0971-\u097f]+", _words),
)
_GRAMMAR: Final = tuple((re.compile(f"(?:{form}){_END}"), meaning) for form, meaning in _FORMS)
