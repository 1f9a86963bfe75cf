"""Read a JSON object field by field and record every invalid field."""

from typing import Any

from playground.payloads import Json, is_object
from playground.refusals import Errors, Path

INT32 = 2**31 - 1


class Form:
    """One JSON object of a request, with its path. Null counts as absent, as at Discord."""

    def __init__(self, data: Json, errors: Errors, path: Path = ()) -> None:
        self.data = data
        self.errors = errors
        self.path = path

    def wrong(self, key: str, message: str, code: str = "INVALID") -> None:
        """Record that a field is invalid, or, for an empty key, this object."""
        self.errors.add((*self.path, key) if key else self.path, message, code)

    def has(self, key: str) -> bool:
        """Return whether the field is present."""
        return self.data.get(key) is not None

    def _given(self, key: str, kind: type | tuple[type, ...], word: str, *, required: bool) -> Any:
        value = self.data.get(key)
        if value is None:
            if required:
                self.wrong(key, "This field is required", "BASE_TYPE_REQUIRED")
            return None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.wrong(key, f"Must be {word}.", "BASE_TYPE_BAD")
            return None
        return value

    def text(self, key: str, low: int, high: int, *, required: bool = False) -> str | None:
        """Read a string of low to high characters. Spaces alone do not count: Discord trims first."""
        value = self._given(key, str, "a string", required=required)
        if value is not None and low > 0 and not value.strip():
            self.wrong(key, "This field is required", "BASE_TYPE_REQUIRED")
        elif value is not None and not low <= len(value) <= high:
            self.wrong(key, f"Must be between {low} and {high} in length.", "BASE_TYPE_BAD_LENGTH")
        return value

    def number(self, key: str, low: int, high: int, *, required: bool = False) -> int | None:
        """Read an integer from low to high."""
        value = self._given(key, int, "an integer", required=required)
        if value is not None and not low <= value <= high:
            self.wrong(key, f"Must be between {low} and {high}.", "NUMBER_TYPE_RANGE")
            return None
        return value

    def one_of(self, key: str, values: set[int], *, required: bool = False) -> int | None:
        """Read an integer out of a set."""
        value = self._given(key, int, "an integer", required=required)
        if value is not None and value not in values:
            self.wrong(key, f"Value must be one of {sorted(values)}.", "BASE_TYPE_CHOICES")
            return None
        return value

    def boolean(self, key: str, *, default: bool = False) -> bool:
        """Read a boolean."""
        value = self._given(key, bool, "a boolean", required=False)
        return default if value is None else value

    def snowflake(self, key: str, *, required: bool = False) -> int | None:
        """Read an id, written as a string or as an integer."""
        value = self._given(key, (str, int), "a snowflake", required=required)
        if value is None:
            return None
        if not str(value).isdecimal():
            self.wrong(key, f'Value "{value}" is not snowflake.', "NUMBER_TYPE_COERCE")
            return None
        return int(value)

    def form(self, key: str, *, required: bool = False) -> "Form | None":
        """Read an object."""
        value = self._given(key, dict, "an object", required=required)
        return None if value is None else Form(value, self.errors, (*self.path, key))

    def forms(self, key: str, low: int, high: int, *, required: bool = False) -> "list[Form]":
        """Read an array of low to high objects."""
        value = self.values(key, low, high, required=required)
        found: list[Form] = []
        for index, item in enumerate(value):
            path = (*self.path, key, index)
            if is_object(item):
                found.append(Form(item, self.errors, path))
            else:
                self.errors.add(path, "Must be an object.", "BASE_TYPE_BAD")
        return found

    def values(self, key: str, low: int, high: int, *, required: bool = False) -> list[Any]:
        """Read an array of low to high values."""
        value = self._given(key, list, "an array", required=required)
        if value is None:
            return []
        if not low <= len(value) <= high:
            self.wrong(key, f"Must be between {low} and {high} in length.", "BASE_TYPE_BAD_LENGTH")
        return value
