"""Changed copies of frozen dataclasses, many times as fast as `dataclasses.replace`.

`replace` runs `__init__`, which sets each field of a frozen class through `object.__setattr__`. Here a copy starts as a
draft, an object of a mutable class with the same slots. Once it is complete, its class is switched to the frozen one.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Copies(Generic[T]):
    """Makes copies of `kind`, a frozen dataclass with slots and without `__post_init__`."""

    draft: Callable[[T], Any]
    """Makes a mutable copy. Setting an attribute that is not a field raises AttributeError."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        names = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
        self.draft = _drafter(names, type("Draft", kind.__bases__, {"__slots__": tuple(names)}))

    def done(self, draft: Any) -> T:
        """Freeze a draft and return it."""
        draft.__class__ = self._kind
        return draft

    def changed(self, value: T, **changes: Any) -> T:
        """A frozen copy with these fields changed; raises AttributeError for an unknown field."""
        after = self.draft(value)
        for name, content in changes.items():
            setattr(after, name, content)
        return self.done(after)


def _drafter(names: list[str], draft: type) -> Callable[[Any], Any]:
    """A function that copies these fields into a new `draft`. It is generated code, since a loop is four times slower."""
    lines = [f"    after.{name} = value.{name}" for name in names]
    source = "\n".join(["def copy(value):", "    after = draft()", *lines, "    return after"])
    namespace: dict[str, Any] = {"draft": draft}
    exec(source, namespace)  # noqa: S102 - the source consists of field names only
    return namespace["copy"]
