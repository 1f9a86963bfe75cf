"""Reading cards from JSON."""

import pytest
from pydantic import TypeAdapter, ValidationError

from marriage.cards import Card

CARD: TypeAdapter[Card] = TypeAdapter(Card)


def test_a_card_is_written_as_text() -> None:
    ten = Card.parse("10C")
    assert CARD.validate_json('"10C"') == CARD.validate_python(ten) == ten
    assert CARD.dump_json(ten) == b'"10C"'


@pytest.mark.parametrize("value", ["3", "null", "[10]", '{"rank": 10}'])
def test_what_is_no_text_is_no_card(value: str) -> None:
    with pytest.raises(ValidationError, match="written as text, such as 10C"):
        CARD.validate_json(value)
