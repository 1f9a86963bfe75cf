"""The whole pile in words: every discard, the oldest first, within what a message takes."""

from dataclasses import replace

from bot.panels.table.pile import pile_words
from bot.words.texts import texts
from marriage.cards import CARDS, parse_cards
from marriage.rules import preset
from marriage.view import view
from tests.marriage.dealing import Script, arranged


def test_every_discard_is_named_the_oldest_first():
    deal = Script(arranged("", "", up="2D", rules=preset("pagat"))).close_window()
    for _ in range(12):
        deal.pass_turn()
    seen = view(deal.state, 1)
    words = pile_words(seen, texts())
    names = [line for line in words.splitlines() if " · " in line]
    said = [name.translate(str.maketrans("♠♥♦♣", "SHDC")) for line in names for name in line.split(" · ")]
    assert parse_cards(" ".join(said)) == seen.pile
    assert len(seen.pile) == 13
    assert "13 cards" in words


def test_a_reshuffle_is_said_and_only_what_lies_there_is_named():
    deal = Script(arranged("", "", "", "", "", rules=preset("pagat"))).close_window()
    while not deal.state.reshuffles:
        deal.pass_turn()
    words = pile_words(view(deal.state, 0), texts())
    assert "1 card," in words
    assert "shuffled into the stock, 1 time" in words


def test_a_pile_of_all_cards_fits_into_a_message():
    deal = Script(arranged("", "", rules=preset("pagat"))).close_window()
    assert len(pile_words(replace(view(deal.state, 0), pile=CARDS[:52] * 3), texts())) < 2000
    assert pile_words(replace(view(deal.state, 0), pile=()), texts()) == texts()("pile.empty")
