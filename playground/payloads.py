"""JSON payloads: the type of an object, and type checks for unknown values."""

from typing import Any, TypeGuard

Json = dict[str, Any]
"""A JSON object."""


def is_object(value: object) -> TypeGuard[Json]:
    """Return whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Return whether a JSON value is an array."""
    return isinstance(value, list)


def object_in(data: Json, key: str) -> Json:
    """Return the object under a key; an empty one if the key is absent or null."""
    value: Json | None = data.get(key)
    return value or {}


def array_in(data: Json, key: str) -> list[Any]:
    """Return the array under a key; an empty one if the key is absent or null."""
    value: list[Any] | None = data.get(key)
    return value or []
