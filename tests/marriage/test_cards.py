"""Reading cards from JSON, and taking cards out of others."""

import pytest
from pydantic import TypeAdapter, ValidationError

from marriage.cards import Card, parse_cards, without


@pytest.fixture
def json_card() -> TypeAdapter[Card]:
    return TypeAdapter(Card)


def test_a_card_is_written_as_text(json_card: TypeAdapter[Card]) -> None:
    ten = Card.parse("10C")
    assert json_card.validate_json('"10C"') == json_card.validate_python(ten) == ten
    assert json_card.dump_json(ten) == b'"10C"'


@pytest.mark.parametrize("value", ["3", "null", "[10]", '{"rank": 10}'])
def test_what_is_no_text_is_no_card(json_card: TypeAdapter[Card], value: str) -> None:
    with pytest.raises(ValidationError) as caught:
        json_card.validate_json(value)
    assert caught.value.errors()[0]["msg"] == "Value error, a card is written as text, such as 10C"


def test_cards_that_cannot_be_taken_out_are_named_in_order() -> None:
    with pytest.raises(ValueError, match=r"^not among the cards: 6H KC$"):
        without(parse_cards("6H 2S 3D"), parse_cards("KC 6H 2S 6H"))
