"""Better deals, carried fouls, throw fouls and dead hands, by examples."""

import pytest

from marriage.actions import Discard
from marriage.decide import start
from marriage.errors import Refusal
from marriage.events import (
    EVENT,
    ClaimFailed,
    Dealt,
    Discarded,
    Dismissed,
    Settled,
)
from marriage.legal import throw_fouls
from marriage.moves import dismissed
from marriage.notation.deals import moves_of
from marriage.rules import Rules, preset
from marriage.sheet import Status
from marriage.state import Phase
from marriage.strategy.advice import cards_missing
from marriage.strategy.discards import discards
from marriage.strategy.players import BeginnerPlayer
from marriage.view import mask
from tests.marriage.dealing import (
    Script,
    arranged,
    deal,
    finish,
    finish_dublees,
    seed,
    show,
    show_dublees,
)
from tests.marriage.example_hands import (
    FOUR,
    LAID,
    OTHER,
    OTHER_LAID,
    PAIRS,
    PRIMARY,
    REST,
    SEVEN,
    begun,
    card,
    sheet_of,
)

# Better deals and fouls of earlier ones


def test_a_better_deal_counts_more() -> None:
    rules = preset("pagat", better_factor=4, dublee_game="double")
    events = start(rules, 2, 0, seed(1), better=True)
    assert isinstance(events[0], Dealt)
    assert events[0].better
    assert Script(*events).view(None).factor == 4
    plain, better = (
        Script(finished(better=better, rules=rules))
        .close_window()
        .draw()
        .do(LAID)
        .cut_to("QD")
        .do(finish(FOUR, "6C"))
        for better in (False, True)
    )
    assert sheet_of(better).factor == 4
    assert [line.net for line in sheet_of(better).lines] == [4 * line.net for line in sheet_of(plain).lines]


def finished(*, rules: Rules, better: bool = False, carry: tuple[int, ...] = ()) -> Dealt:
    """Return a deal in which seat 0 of three can finish in its first turn with 6C drawn and the tiplu QD."""
    dealt = arranged(f"{PRIMARY} {REST}", "", "", stock="6C QD", rules=rules)
    return Dealt(
        rules=rules,
        dealer=dealt.dealer,
        hands=dealt.hands,
        up_card=dealt.up_card,
        stock=dealt.stock,
        key=dealt.key,
        better=better,
        carry=carry,
    )


@pytest.mark.parametrize(
    ("carry", "fouls"),
    [((), [0, 0, 0]), ((1,), [15, -15, 0]), ((1, 1, 2), [45, -30, -15]), ((0,), [0, 0, 0])],
)
def test_a_carried_foul_goes_to_the_winner(carry: tuple[int, ...], fouls: list[int]) -> None:
    deal = Script(finished(rules=preset("kathmandu", direction="clockwise"), carry=carry)).close_window()
    assert deal.view(None).carry == carry
    deal.draw().do(LAID).cut_to("QD").do(finish(FOUR, "6C"))
    assert [line.foul for line in sheet_of(deal).lines] == fouls
    assert sheet_of(deal).owing == ()


def test_a_player_who_has_left_still_owes_a_foul() -> None:
    deal = Script(finished(rules=preset("kathmandu", direction="clockwise"), carry=(4,))).close_window()
    deal.draw().do(LAID).cut_to("QD").do(finish(FOUR, "6C"))
    lines = sheet_of(deal).lines
    assert [line.status for line in lines[3:]] == [Status.PAUSE, Status.PAUSE]
    assert [line.foul for line in lines] == [15, 0, 0, 0, -15]
    assert len(deal.view(0).seats) == 3


def test_a_dismissed_deal_leaves_a_carried_foul_open() -> None:
    deal = Script(
        finished(rules=preset("kathmandu", direction="clockwise", stock_out="dismiss"), carry=(2, 1))
    )
    deal.close_window()
    while deal.state.phase is not Phase.OVER:
        deal.pass_turn()
    assert sheet_of(deal).owing == (2, 1)
    assert [line.net for line in sheet_of(deal).lines] == [0, 0, 0]


def test_a_debtor_has_a_number() -> None:
    with pytest.raises(ValueError, match=r"^a player who owes a foul has a number of at least 0$"):
        start(Rules(), 3, 0, seed(1), carry=(-1,))


def test_stored_deals_without_the_newer_fields_still_load() -> None:
    _, (dealt,) = deal(1, 2)
    stored = EVENT.dump_python(dealt, mode="json")
    del stored["better"], stored["carry"]
    assert EVENT.validate_python(stored) == dealt
    thrown = {"event": "discarded", "seat": 1, "card": "4S"}
    assert EVENT.validate_python(thrown) == Discarded(seat=1, card=card("4S"), threw=False)


# Throw fouls


def both_seen(stock: str = "6C 4S", hand: str = "", **options: object) -> Script:
    """Return a deal in which seats 0 and 1 of three have seen the tiplu QD.

    Seat 1 is to discard; seat 2 has not seen.
    """
    options = {"foul": "each", "throw_foul": True} | options
    deal = begun(PRIMARY, f"{OTHER} {hand}", "", stock=f"{stock} QD", **options)
    return deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID)


@pytest.mark.parametrize("thrown", ["QD", "KD", "JD", "QH", "QC", "QS"])
def test_throwing_maal_or_a_joker_to_a_seen_player_is_a_foul(thrown: str) -> None:
    options = {"foul": "each", "throw_foul": True}
    deal = begun(PRIMARY, f"{OTHER} {thrown}", stock="6C 4S QD", **options)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID)
    deal.throw(thrown)
    event = deal.events[-1]
    assert event == Discarded(seat=1, card=card(thrown), threw=True)
    assert deal.state.seats[1].threw
    for viewer in (None, 0, 1):
        assert mask(event, viewer) == Discarded(seat=1, card=card(thrown))
    assert "threw" not in repr(deal.view(1))


@pytest.mark.parametrize("thrown", ["MAN", "MASTER", "10D", "QD"])
def test_what_may_be_thrown(thrown: str) -> None:
    """Printed jokers and plain cards may go to anyone, and any card if throwing is no foul."""
    throw_foul = thrown != "QD"
    options = {"foul": "each", "throw_foul": throw_foul, "man_cards": 1, "master_card": "after_seeing"}
    deal = begun(PRIMARY, f"{OTHER} {thrown}", stock="6C 4S QD", **options)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID).throw(thrown)
    assert deal.events[-1] == Discarded(seat=1, card=card(thrown), threw=False)


def test_throwing_to_an_unseen_player_is_free() -> None:
    deal = both_seen(hand="QH").throw("QH")
    assert deal.state.turn == 2
    assert not deal.state.seats[1].threw


def test_one_who_has_not_seen_cannot_throw_foully() -> None:
    options = {"foul": "each", "throw_foul": True}
    deal = begun(PRIMARY, "QH", stock="6C 4S QD", **options).draw().do(LAID).cut_to("QD").throw("6C")
    deal.draw().throw("QH")
    assert not deal.state.seats[1].threw


def test_the_receiver_of_a_throw_is_the_next_live_hand() -> None:
    options = {"foul": "each", "throw_foul": True, "false_claim": "foul"}
    deal = begun(PRIMARY, f"{OTHER} QH", "", stock="6C 4S 3C 7D QD", **options)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID).throw("4S")
    deal.draw().do(show(""))
    assert deal.state.turn == 0
    deal.pass_turn().draw()
    assert deal.view().next_live(1) == 0
    deal.throw("QH")
    assert deal.state.seats[1].threw


def test_a_throw_foul_is_paid_at_the_end() -> None:
    options = {"foul": "each", "throw_foul": True}
    deal = begun(f"{PRIMARY} {REST}", f"{OTHER} QH", stock="6C 4S QD KS", **options)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID).throw("QH")
    deal.draw().do(finish(FOUR, "KS"))
    lines = sheet_of(deal).lines
    assert [line.foul for line in lines] == [15, -15]
    assert lines[1].status is Status.SEEN


def test_a_throw_foul_is_paid_in_a_dismissed_deal_too() -> None:
    deal = begun(PRIMARY, f"{OTHER} QH", stock="6C 4S QD", foul="each", throw_foul=True)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID).throw("QH")
    [_, settled] = dismissed(deal.state)
    assert isinstance(settled, Settled)
    assert [line.foul for line in settled.sheet.lines] == [15, -15]


# False claims


def claiming(*hands: str, stock: str = "6C 4S QD", **options: object) -> Script:
    return begun(*hands, stock=stock, **({"foul": "next", "false_claim": "foul"} | options))


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (show("AS 2S 3S | 5H 5H 5H"), Refusal.NOT_THREE_GROUPS),
        (show("AS 2S 3S | 5H 5H 5H | 9H 9S 9C"), Refusal.NOT_PRIMARY),
        (show_dublees("5H AS"), Refusal.NOT_SEVEN_DUBLEES),
    ],
)
def test_a_false_show_kills_the_hand(claim: object, reason: Refusal) -> None:
    deal = claiming(f"{PRIMARY} {REST}", "", "").draw()
    hand = deal.state.seats[0].cards
    deal.do(claim)  # type: ignore[arg-type]
    assert deal.events[-1] == ClaimFailed(seat=0, claim=claim, reason=reason)  # type: ignore[arg-type]
    assert deal.state.seats[0].out
    assert deal.state.seats[0].cards == hand
    assert deal.state.turn == 1
    assert deal.legal(0) == ()
    assert cards_missing(deal.view(0)) is None
    for viewer in (None, 1, 2):
        assert deal.view(viewer).seats[0].out
        assert mask(deal.events[-1], viewer) == ClaimFailed(seat=0, claim=None, reason=None)
    assert mask(deal.events[-1], 0) == deal.events[-1]
    deal.pass_turn().pass_turn()
    assert deal.state.turn == 1


def test_a_false_finish_kills_the_hand() -> None:
    deal = claiming(f"{PRIMARY} {REST}", "", "").draw().do(LAID).cut_to("QD")
    deal.do(finish("2D 3D 4D | JS QS KS | 9H 9S 9C | AH 2H 6C", "3H"))
    assert deal.state.seats[0].out
    assert deal.view(0).tiplu == card("QD")
    assert deal.view(1).seats[0].laid == LAID.groups


def test_a_false_eighth_dublee_kills_the_hand() -> None:
    deal = claiming(f"{PAIRS} 3C 5D 7S 9H JD KC 3H", "", "").draw().do(SEVEN).cut_to("QD")
    deal.do(finish_dublees("5D", "KC"))
    assert deal.state.seats[0].out


def test_what_cannot_be_meant_is_only_refused() -> None:
    deal = claiming(f"{PRIMARY} {REST}", "", "")
    assert deal.refusal(LAID) is Refusal.DRAW_FIRST
    assert deal.refusal(LAID, 1) is Refusal.NOT_YOUR_TURN
    deal.draw()
    assert deal.refusal(show("AS 2S 3S | 5H 5H 5H | KH KH KH")) is Refusal.NOT_HELD
    assert deal.refusal(show_dublees("AS 2S 3S 5H 7C 8C KH")) is Refusal.NOT_HELD
    assert deal.refusal(finish(FOUR, "6C")) is Refusal.SHOW_FIRST
    deal.do(LAID)
    assert deal.refusal(finish("", "6C")) is Refusal.CUT_FIRST
    deal.cut_to("QD")
    assert deal.refusal(LAID) is Refusal.ALREADY_SHOWN
    assert deal.refusal(finish_dublees("2D", "6C")) is Refusal.SHOWED_GROUPS


def test_where_a_dead_hand_is_spared_one_live_hand_dismisses_the_deal() -> None:
    deal = claiming("", "", "", foul="each", dead_hand="spared").draw().do(show("")).draw().do(show(""))
    assert [type(event) for event in deal.events[-3:]] == [ClaimFailed, Dismissed, Settled]
    sheet = sheet_of(deal)
    assert [line.status for line in sheet.lines] == [Status.FOUL, Status.FOUL, Status.UNSEEN]
    assert [line.net for line in sheet.lines] == [-15, -15, 30]


def test_a_dead_hand_counts_nothing_and_pays_the_others() -> None:
    deal = claiming(f"{PRIMARY} {REST}", f"{OTHER} KD", "", stock="6C 4S QD 5S 7D KS 8D", foul="next")
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID).do(finish("", "4S"))
    assert deal.state.seats[1].out
    deal.pass_turn()
    assert deal.state.turn == 0
    deal.draw().do(finish(FOUR, str(deal.state.drawn)))
    sheet = sheet_of(deal)
    dead = sheet.lines[1]
    assert (dead.status, dead.points, dead.payment, dead.items) == (Status.FOUL, 0, 0, ())
    assert sheet.owing == (1,)


def test_the_last_live_hand_plays_on_so_that_nobody_escapes_from_a_deal_by_a_foul() -> None:
    deal = claiming(f"{PRIMARY} {REST}", "QD", stock="6C 4S QD KS", foul="total").draw().do(LAID)
    deal.cut_to("QD").throw("6C").draw().do(show(""))
    assert (deal.state.turn, deal.state.phase) == (0, Phase.DRAW)
    assert deal.view(0).next_live(0) == 0
    deal.draw().do(finish(FOUR, "KS"))
    sheet = sheet_of(deal)
    assert (sheet.winner, sheet.lines[1].status) == (0, Status.FOUL)
    assert [line.net for line in sheet.lines] == [10, -10]


def test_the_deal_is_dismissed_once_no_hand_is_alive() -> None:
    deal = claiming("", "", foul="each").draw().do(show("")).draw().do(show(""))
    assert [type(event) for event in deal.events[-3:]] == [ClaimFailed, Dismissed, Settled]
    assert [line.net for line in sheet_of(deal).lines] == [0, 0]


def test_nobody_throws_foully_to_their_own_dead_opponents() -> None:
    options = {"foul": "each", "throw_foul": True, "stock": "6C 4S KH QD"}
    deal = claiming(f"{PRIMARY} QH", "", **options).draw().do(LAID).cut_to("QD").throw("6C").draw()  # type: ignore[arg-type]
    deal.do(show("")).draw().throw("QH")
    assert not deal.state.seats[0].threw


def test_computers_and_hints_throw_foully_last() -> None:
    options = {"foul": "each", "throw_foul": True, "group_size": "three"}
    deal = begun(PRIMARY, f"{OTHER} QH 2D 2D", stock="6C 4S KH QD", **options)
    deal.draw().do(LAID).cut_to("QD").throw("6C").draw().do(OTHER_LAID)
    seen = deal.view(1)
    fouls = throw_fouls(seen)
    assert card("QH") in fouls
    ordered = [option.card in fouls for option in discards(seen)]
    assert ordered == sorted(ordered)
    assert True in ordered
    assert BeginnerPlayer().choose(seen) != Discard(card("QH"))


def test_a_dead_hand_may_leave_an_empty_stock() -> None:
    deal = claiming("", "", "", "", "", stock="")
    while len(deal.state.stock) > 1:
        deal.pass_turn()
    deal.draw().do(show(""))
    assert deal.state.reshuffles == 1
    assert deal.state.stock


def test_a_failed_claim_that_was_hidden_cannot_be_written() -> None:
    """Everyone sees that a hand is dead, but not what was claimed."""
    table = begun(PRIMARY, "", false_claim="foul", foul="next").draw().do(show(""))
    failed = next(event for event in table.events if isinstance(event, ClaimFailed))
    assert list(moves_of(failed)) == list(moves_of(mask(failed, 0))) == [(0, show(""))]
    with pytest.raises(ValueError, match="cannot be written"):
        list(moves_of(mask(failed, 1)))
