"""Custom ids: each built id is parsed by exactly one template, and any other text by none."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui import items
from bot.ui.items import Press

TEMPLATES = [re.compile(value) for name, value in vars(items).items() if name.endswith("_TEMPLATE")]
LONGEST = 100

verbs = st.from_regex(r"(pick-|form-)?[a-z]{1,6}(-[a-z]{1,6})?", fullmatch=True)
numbers = st.integers(0, 10**18 - 1)
presses = st.builds(Press, verbs, numbers, numbers, st.from_regex(r"[0-9A-Za-z_-]{0,40}", fullmatch=True))


def read(custom_id: str) -> list[Press]:
    found = [Press.parse(custom_id, template.pattern) for template in TEMPLATES]
    return [press for press in found if press]


@given(presses)
def test_an_id_is_read_back_by_one_template_alone(press: Press):
    assert read(str(press)) == [press]
    assert len(str(press)) <= LONGEST


@given(presses)
def test_dispatch_and_construction_agree(press: Press):
    """discord.py accepts an item by `match` and routes its press by `fullmatch`."""
    for template in TEMPLATES:
        assert bool(template.match(str(press))) == bool(template.fullmatch(str(press)))


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "join",
        "mr1:draw",
        "mr1:draw:1",
        "mr1:draw:1:",
        "mr1::1:2",
        "mr2:draw:1:2",
        "mr1:draw:-1:2",
        "mr1:draw:1:2:",
        "mr1:draw:1:2:a:b",
        "mr1:draw:1:2\n",
        "mr1:draw:1.0:2",
        "mr1:draw:१:2",
        "mr1:draw:１:2",
        "mr1:draw:1:2:♠",
        "mr1:DRAW:1:2",
        "mr1:draw:1234567890123456789:2",
        " mr1:draw:1:2",
        "mr1:pick-:1:2",
    ],
)
def test_anything_else_is_read_by_none(custom_id: str):
    assert read(custom_id) == []


@given(st.text(max_size=100))
def test_no_text_is_read_by_two(custom_id: str):
    assert len(read(custom_id)) <= 1
