"""Changed copies of frozen dataclasses, many times as fast as `dataclasses.replace`.

`replace` runs `__init__`, which in a frozen class sets each field through `object.__setattr__`. Here the copy is made
as a draft, an object of an open class with the same slots, which turns into the frozen class once it is complete.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Copies(Generic[T]):
    """Makes copies of `kind`, a frozen dataclass with slots and without `__post_init__`."""

    draft: Callable[[T], Any]
    """A copy whose fields may be set, and no others: AttributeError. It is not yet of the frozen class."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        names = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
        self.draft = _drafter(names, type("Draft", kind.__bases__, {"__slots__": tuple(names)}))

    def done(self, draft: Any) -> T:
        """The draft itself, from now on frozen."""
        draft.__class__ = self._kind
        return draft

    def changed(self, value: T, **changes: Any) -> T:
        """A copy with these fields changed; raises AttributeError for a field that there is not."""
        after = self.draft(value)
        for name, content in changes.items():
            setattr(after, name, content)
        return self.done(after)


def _drafter(names: list[str], draft: type) -> Callable[[Any], Any]:
    """Copies the fields of these names into a new `draft`. Written out, since a loop takes four times as long."""
    lines = [f"    after.{name} = value.{name}" for name in names]
    source = "\n".join(["def copy(value):", "    after = draft()", *lines, "    return after"])
    namespace: dict[str, Any] = {"draft": draft}
    exec(source, namespace)  # noqa: S102 - the text is made of field names alone
    return namespace["copy"]
