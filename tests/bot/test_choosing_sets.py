"""Choosing the sets of a show: every show that the rules allow can be put together, within what a message takes."""

from dataclasses import replace
from itertools import combinations

from bot.panels.table.arranging import chosen_sets, may_join, offered_sets, set_rows
from bot.table.core.hands import Hand
from bot.words.texts import texts
from marriage.cards import parse_cards, sort_cards
from marriage.decide import decide
from marriage.legal import legal_actions
from marriage.rules import preset
from marriage.strategy.showable_sets import showable_sets
from marriage.view import view
from render.hand_layout import Order, lay_out
from tests.marriage.dealing import Script, arranged, show

LONG = "AS 2S 3S 4S 5S 6S 7S 8S 9S AH 2H 3H 4H 5H 6H 7H 8H 9C 9C 9C KD"


def holding(cards: str, preset_name: str = "wikipedia", **options: object) -> Hand:
    rules = preset(preset_name, direction="clockwise", **options)
    deal = Script(arranged(cards, "", "", "", up="2D", stock="4D", rules=rules)).close_window()
    deal.draw()
    seen = view(deal.state, 0)
    return Hand(seen, legal_actions(seen), lay_out(seen, Order()), (), None, None)


def test_long_runs_are_offered_where_the_rules_know_them():
    four = sort_cards(parse_cards("AS 2S 3S 4S"))
    assert four in offered_sets(holding(LONG))
    assert four not in offered_sets(holding(LONG, "pagat"))
    assert all(len(group) == 3 for group in offered_sets(holding(LONG, "pagat")))


def test_every_run_trial_and_tunnela_of_a_hand_is_offered():
    hand = holding(LONG, primary_trial=True)
    nine, eight = sum(range(1, 8)), sum(range(1, 7))  # runs of three and more in nine cards, and in eight
    offered = offered_sets(hand)
    assert len(offered) == nine + eight + 2  # and the tunnela, and the fours
    assert set(offered) == set(showable_sets(hand.view))


def test_the_ace_ends_a_long_run_high_and_no_run_goes_round():
    hand = holding("10D JD QD KD AD 2S 3S 4S 9C 9C 9C 4H 7H 6C 8H 2C")
    offered = offered_sets(hand)
    assert sort_cards(parse_cards("10D JD QD KD AD")) in offered
    assert sort_cards(parse_cards("QD KD AD 2D")) not in offered


class Table:
    class table:  # noqa: N801 - stands for the attribute of a snapshot
        id = 7
        revision = 3


def selects(hand: Hand):
    rows = [row.to_component_dict()["components"][0] for row in set_rows(Table, hand, texts())]
    assert len(rows) <= 5
    found = [row for row in rows if row["type"] == 3]
    assert all(
        1 <= select["min_values"] <= select["max_values"] <= len(select["options"]) <= 25 for select in found
    )
    assert len({select["custom_id"] for select in found}) == len(found)
    assert all(len(select["custom_id"]) <= 100 for select in found)
    return found


def test_more_sets_than_one_select_takes_are_chosen_one_after_the_other():
    hand = holding(LONG)
    first = selects(hand)
    assert len(first) > 1
    assert [select["min_values"] for select in first] == [1] * len(first)
    chosen = (sort_cards(parse_cards("AS 2S 3S 4S 5S 6S")),)
    assert may_join(hand.view, chosen)
    then = selects(replace(hand, chosen=chosen))
    argument = then[0]["custom_id"].rsplit(":", 1)[1]
    assert chosen_sets(hand.view, argument) == chosen
    offered = offered_sets(replace(hand, chosen=chosen))
    assert sort_cards(parse_cards("7S 8S 9S")) in offered
    assert sort_cards(parse_cards("6S 7S 8S")) not in offered


def test_whatever_is_offered_step_by_step_can_be_shown():
    rules = preset("wikipedia", direction="clockwise")
    deal = Script(arranged("AS 2S 3S 4S 6H 7H 8H 9H 9C 9C 9C", "", "", "", stock="KD", rules=rules))
    deal.close_window().draw()
    seen = view(deal.state, 0)
    hand = Hand(seen, legal_actions(seen), lay_out(seen, Order()), (), None, None)
    shows = 0
    for group in offered_sets(hand):
        for two in offered_sets(replace(hand, chosen=(group,))):
            for three in offered_sets(replace(hand, chosen=(group, two))):
                assert decide(
                    deal.state, 0, show(" | ".join(" ".join(map(str, g)) for g in (group, two, three)))
                )
                shows += 1
    assert shows >= 6 * 3 * 3


def test_sets_that_share_a_card_do_not_go_together():
    seen = holding(LONG).view
    groups = [sort_cards(parse_cards(cards)) for cards in ("AS 2S 3S", "3S 4S 5S", "6S 7S 8S")]
    apart = {pair for pair in combinations(groups, 2) if may_join(seen, pair)}
    assert apart == {(groups[0], groups[2]), (groups[1], groups[2])}
    assert not may_join(seen, (sort_cards(parse_cards("KD QD JD")),))
