"""The rules of each action: what a seat may do, and what follows at the end of a turn and of a deal.

The checks are made from the seat's own view: `marriage.decide` calls them before it acts, and `marriage.legal` before it lists
actions. Shows are checked in the same way whether they are made, listed, or considered before taking the top discard, which
some rules allow only to show or to finish with it at once.

A turn ends with the discard; then the stock or the live hands may run out, and the deal ends with its score sheet. People can
also rule a foul, for an offence that the engine cannot see, such as revealing one's cards to others. It costs its penalty, but
the hand plays on.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.apply import apply
from marriage.cards import PACKS, Card, Cards, sort_cards, without
from marriage.errors import IllegalActionError, Refusal
from marriage.events import (
    Dismissed,
    Event,
    Finished,
    FinishedDublees,
    FoulLifted,
    FoulReason,
    FoulRuled,
    Reshuffled,
    Settled,
    TipluSeen,
    discarded,
)
from marriage.groups import is_group, is_primary, wilds_for
from marriage.maal import wild_faces
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.scoring.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.sheet import Ending, Sheet, Status
from marriage.solver import find_dublees, find_show, pairs
from marriage.state import CUT, DRAW, DUBLEES, GROUPS, OVER, PLAY, WINDOW, Phase, Seat, ShowKind, State
from marriage.view import AnyView


class Shower(NamedTuple):
    """The data on which a show by a seat that has not shown depends."""

    concealed: Cards
    """The 22 cards without the exposed tunnelas, sorted."""
    exposed: Cards
    """The face of each exposed tunnela."""
    must: Card | None
    """The face that has to be in the show, because it was taken from the pile for it."""
    rules: Rules
    players: int

    @property
    def cards(self) -> Cards:
        """All cards of the seat."""
        return (*self.concealed, *(self.exposed * PACKS))


def require_show(shower: Shower, action: Show | ShowDublees) -> None:
    """Raise IllegalActionError unless this seat may make this show."""
    left = _after_groups(shower, action.groups) if isinstance(action, Show) else _after_pairs(shower, action)
    if not left:
        raise IllegalActionError(Refusal.NOTHING_TO_DISCARD)


def may_show(shower: Shower, action: Show | ShowDublees) -> bool:
    """Return whether this seat may make this show."""
    try:
        require_show(shower, action)
    except IllegalActionError:
        return False
    return True


def _after_groups(shower: Shower, groups: tuple[Cards, ...]) -> Cards:
    """Return the cards left in hand after a show by groups; raises IllegalActionError."""
    from_hand = [sort_cards(group) for group in groups]
    for face in shower.exposed:
        if (face,) * PACKS in from_hand:
            from_hand.remove((face,) * PACKS)
    require_held(shower.cards, shower.concealed, from_hand)
    _require_taken(shower, from_hand)
    if len(groups) != PRIMARY_GROUPS:
        raise IllegalActionError(Refusal.NOT_THREE_GROUPS, count=len(groups))
    for group in from_hand:
        if not is_primary(group, rules := shower.rules):
            raise IllegalActionError(
                Refusal.NOT_PRIMARY,
                group=group,
                trial=rules.primary_trial,
                master=rules.master_in_sequences,
                tunnela=rules.master_in_tunnelas,
                any=rules.master_in_trials,
            )
    return _without(shower.concealed, from_hand)


def _after_pairs(shower: Shower, action: ShowDublees) -> Cards:
    """Return the cards left in hand after a show by dublees; raises IllegalActionError."""
    faces = action.faces
    if not shower.rules.dublees_allowed(shower.players):
        raise IllegalActionError(Refusal.NO_DUBLEES)
    missing = [face for face in faces if face not in shower.cards]
    if missing:
        raise IllegalActionError(Refusal.NOT_HELD, card=missing[0])
    from_hand = [(face, face) for face in sort_cards(faces) if face not in shower.exposed]
    _require_taken(shower, from_hand)
    different = len(faces) == SHOW_DUBLEES == len(set(faces))
    if not different or not set(faces).issubset(pairs(shower.cards, shower.rules)):
        raise IllegalActionError(Refusal.NOT_SEVEN_DUBLEES, faces=faces)
    return _without(shower.concealed, from_hand)


def require_held(cards: Cards, concealed: Cards, groups: Iterable[Cards]) -> None:
    """Raise IllegalActionError unless the concealed part of these cards contains all the groups together."""
    wanted = Counter(card for group in groups for card in group)
    missing = wanted - Counter(cards)
    if missing:
        raise IllegalActionError(Refusal.NOT_HELD, card=min(missing))
    locked = wanted - Counter(concealed)
    if locked:
        raise IllegalActionError(Refusal.CARD_LOCKED, card=min(locked))


def _require_taken(shower: Shower, from_hand: Sequence[Cards]) -> None:
    """Raise IllegalActionError if the show lacks the card that was taken for it."""
    if shower.must is not None and not any(shower.must in group for group in from_hand):
        raise IllegalActionError(Refusal.MUST_SHOW, card=shower.must)


def _without(concealed: Cards, groups: Sequence[Cards]) -> Cards:
    return without(concealed, [card for group in groups for card in group])


def eighth_pairs(cards: Cards, laid: tuple[Cards, ...], rules: Rules) -> Cards:
    """Return the faces of the dublees among all cards of a seat, except the seven shown."""
    shown = {pair[0] for pair in laid}
    return tuple(face for face in pairs(cards, rules) if face not in shown)


def free_beside(face: Card, concealed: Cards, exposed: Cards) -> Cards:
    """Return the concealed cards that can be the closing discard if this face is the eighth dublee."""
    return concealed if face in exposed else without(concealed, (face, face))


def finishes_with(
    card: Card, concealed: Cards, exposed: Cards, laid: tuple[Cards, ...], rules: Rules
) -> bool:
    """Return whether a seat that showed seven dublees could finish at once by adding this card to its 21."""
    hand = sort_cards((*concealed, card))
    return card in eighth_pairs(hand, laid, rules) and bool(free_beside(card, hand, exposed))


def shows_with(
    card: Card, concealed: Cards, exposed: Cards, rules: Rules, *, players: int
) -> tuple[Show | ShowDublees, ...]:
    """Return the ways to show that use this card in a group or pair; `concealed` are the other cards in hand."""
    shower = Shower(sort_cards((*concealed, card)), exposed, card, rules, players)
    groups = _groups_with(card, concealed, exposed, rules)
    faces = find_dublees(shower.cards, rules, exposed=exposed, must=card)
    found = [None if groups is None else Show(groups), None if faces is None else ShowDublees(faces)]
    return tuple(action for action in found if action is not None and may_show(shower, action))


def _groups_with(card: Card, concealed: Cards, exposed: Cards, rules: Rules) -> tuple[Cards, ...] | None:
    """Find three primary groups with this card in the first. Groups of three are enough: a longer run contains one."""
    others = exposed[: PRIMARY_GROUPS - 1]
    for pair in sorted(set(combinations(concealed, 2))):
        group = sort_cards((card, *pair))
        if is_primary(group, rules):
            # They are passed as an exposed tunnela, so that the rest has to provide one primary group less.
            found = find_show(without(concealed, pair), (card, *others), rules)
            if found is not None:
                return (group, *found[1:])
    return None


_TOO_EARLY: Final = {DRAW: Refusal.DRAW_FIRST, CUT: Refusal.CUT_FIRST}


def require(view: AnyView, action: Action) -> None:  # noqa: C901 - one plain case an action
    """Raise IllegalActionError, whose code names the broken rule, unless the viewer may do this now.

    Raises ValueError for a spectator's view. The place of a cut is not checked, because no seat knows the
    stock.
    """
    if view.phase is OVER:
        raise IllegalActionError(Refusal.DEAL_OVER)
    if view.own.out:
        raise IllegalActionError(Refusal.OUT_OF_DEAL)
    match action:  # the most frequent actions first, since the cases are tried in turn
        case Discard():
            _require_turn(view, PLAY)
            _require_no_promise(view)
            _require_discard(view, action.card, view.hand)
        case DrawStock():
            _require_turn(view, DRAW)
        case TakeDiscard():
            _require_turn(view, DRAW)
            refusal = take_refusal(view)
            if refusal is not None:
                raise IllegalActionError(refusal, **({"card": view.pile[-1]} if view.pile else {}))
        case ExposeTunnelas():
            _require_window(view)
            _require_tunnelas(view, action.faces)
        case DeclineTunnelas():
            _require_window(view)
        case Show() | ShowDublees():
            _require_turn(view, PLAY)
            if view.own.shown is not None:
                raise IllegalActionError(Refusal.ALREADY_SHOWN)
            require_show(shower(view), action)
        case CutTiplu():
            _require_turn(view, CUT)
        case Finish() | FinishDublees():
            _require_turn(view, PLAY)
            _require_finish(view, action)


def refusal_of(view: AnyView, action: Action) -> Refusal | None:
    """Return why the viewer may not do this now; None if they may."""
    try:
        require(view, action)
    except IllegalActionError as refused:
        return refused.code
    return None


def may_finish(view: AnyView, action: Finish | FinishDublees) -> bool:
    """Return whether the viewer could finish like this, assuming that it is their turn and they have drawn."""
    try:
        _require_finish(view, action)
    except IllegalActionError:
        return False
    return True


def take_refusal(view: AnyView) -> Refusal | None:
    """Return why the viewer, who is to draw, may not take the top of the pile; None if they may."""
    if not view.pile:
        return Refusal.PILE_EMPTY
    card, seat, rules = view.pile[-1], view.own, view.rules
    if seat.shown is DUBLEES:
        finishes = finishes_with(card, view.hand, seat.exposed, seat.laid, rules)
        return None if finishes else Refusal.DUBLEE_TAKES_TO_FINISH
    if seat.shown is GROUPS:
        barred = rules.seen_pickup_wild == "forbid" and card in wilds(view)
        return Refusal.SEEN_TAKES_NO_WILD if barred else None
    if rules.unseen_pickup == "free" or shows_with(
        card, view.hand, seat.exposed, rules, players=view.players
    ):
        return None
    return Refusal.TAKE_ONLY_TO_SHOW


def wilds(view: AnyView) -> frozenset[Card]:
    """Return the faces that are wild for the viewer; none before they have seen the tiplu."""
    if view.viewer is None or view.tiplu is None or not view.own.seen:
        return frozenset()
    return wild_faces(view.tiplu)


def shower(view: AnyView) -> Shower:
    """Return the data on which a show by the viewer depends."""
    must = view.taken if must_show(view) else None
    return Shower(view.hand, view.own.exposed, must, view.rules, view.players)


def must_finish(view: AnyView) -> bool:
    """Return whether the viewer must finish with the card that they took.

    This is so if they showed dublees in an earlier turn.
    """
    return view.own.shown is DUBLEES and view.taken is not None and not view.shown_now


def must_show(view: AnyView) -> bool:
    """Return whether the viewer must show with the card that they took, under `unseen_pickup="show_only"`."""
    return view.own.shown is None and view.taken is not None and view.rules.unseen_pickup == "show_only"


def barred(view: AnyView) -> Card | None:
    """Return the face that may not be discarded in this turn, since it was taken from the pile."""
    return view.taken if view.rules.same_face_discard == "forbid" else None


def free_discards(view: AnyView, pool: Cards) -> Cards:
    """Return the faces of the sorted `pool` that may be discarded.

    The face just taken is excluded, unless there is no other.
    """
    faces = dict.fromkeys(pool)  # keeps the order, and is faster than sorting a set
    face = barred(view)
    if face is not None and len(faces) > 1:
        faces.pop(face, None)
    return tuple(faces)


def _require_turn(view: AnyView, phase: Phase) -> None:
    """Raise IllegalActionError unless it is the viewer's turn and the deal is in this phase."""
    if view.phase is WINDOW:
        raise IllegalActionError(Refusal.WINDOW_OPEN)
    if view.viewer != view.turn:
        raise IllegalActionError(Refusal.NOT_YOUR_TURN, turn=view.turn)
    if view.phase is phase:
        return
    if phase is CUT:
        raise IllegalActionError(Refusal.NOTHING_TO_CUT)
    raise IllegalActionError(_TOO_EARLY.get(view.phase, Refusal.ALREADY_DRAWN))


def _require_window(view: AnyView) -> None:
    open_for_all = view.phase is WINDOW
    if view.rules.tunnela_window == "before_first_draw" and not open_for_all:
        raise IllegalActionError(Refusal.WINDOW_CLOSED)
    if view.own.answered:
        raise IllegalActionError(Refusal.ALREADY_ANSWERED if open_for_all else Refusal.WINDOW_CLOSED)


def _require_tunnelas(view: AnyView, faces: Cards) -> None:
    counts = Counter(view.hand)
    if not faces or len(set(faces)) < len(faces) or any(counts[face] < PACKS for face in faces):
        raise IllegalActionError(Refusal.NO_TUNNELA, faces=faces)


def _require_no_promise(view: AnyView) -> None:
    """Raise IllegalActionError for a discard if the card taken has to be used first."""
    if must_finish(view):
        raise IllegalActionError(Refusal.MUST_FINISH)
    if must_show(view):
        raise IllegalActionError(Refusal.MUST_SHOW, card=view.taken)


def _require_discard(view: AnyView, card: Card, pool: Cards) -> None:
    """Raise IllegalActionError if the card is not in the free cards `pool`, or has the face just taken."""
    if card not in pool:
        locked = card in (view.own.cards or ())
        raise IllegalActionError(Refusal.CARD_LOCKED if locked else Refusal.NOT_HELD, card=card)
    if card == barred(view) and card not in free_discards(view, pool):
        raise IllegalActionError(Refusal.SAME_FACE, card=card)


def _require_finish(view: AnyView, action: Finish | FinishDublees) -> None:
    shown, by_groups = view.own.shown, isinstance(action, Finish)
    if shown is None:
        raise IllegalActionError(Refusal.SHOW_FIRST)
    if (shown is GROUPS) is not by_groups:
        raise IllegalActionError(Refusal.SHOWED_DUBLEES if shown is DUBLEES else Refusal.SHOWED_GROUPS)
    if view.shown_now and not view.rules.same_turn_finish:
        raise IllegalActionError(Refusal.FINISH_NEXT_TURN)
    if isinstance(action, Finish):
        _require_groups(view, action)
    else:
        _require_eighth(view, action)


def _require_groups(view: AnyView, action: Finish) -> None:
    groups = tuple(map(sort_cards, action.groups))
    require_held(view.own.cards or (), view.hand, groups)
    left = without(view.hand, [card for group in groups for card in group])
    if len(left) != 1:
        raise IllegalActionError(Refusal.CARDS_LEFT_OVER, cards=left)
    wild = wilds_for(view.tiplu, view.rules)
    for group in groups:
        if not is_group(group, wild, view.rules):
            raise IllegalActionError(Refusal.NOT_A_GROUP, group=group)
    if left[0] != action.discard:
        raise IllegalActionError(Refusal.NOT_HELD, card=action.discard)
    _require_discard(view, action.discard, view.hand)


def _require_eighth(view: AnyView, action: FinishDublees) -> None:
    seat, face = view.own, action.face
    if face not in eighth_pairs(seat.cards or (), seat.laid, view.rules):
        raise IllegalActionError(Refusal.NO_EIGHTH_DUBLEE, face=face)
    if must_finish(view) and face != view.taken:
        raise IllegalActionError(Refusal.MUST_FINISH, card=view.taken)
    _require_discard(view, action.discard, free_beside(face, view.hand, seat.exposed))


def discard(state: State, seat: int, card: Card) -> list[Event]:
    """Return the events of a discard."""
    thrower = state.seats[seat]
    events: list[Event] = [discarded(seat, card, _throws(state, seat, card))]
    if state.cut_by_discard:
        return events
    if state.shown_now and not thrower.seen and state.tiplu is not None:
        events.append(TipluSeen(seat=seat, card=state.tiplu))
    # A discard uses up neither stock nor a live hand, so the deal cannot end here. In a duplicate deal it can, since the
    # next seat draws from another stock.
    return events if state.stock and not state.stocks else end_turn(state, events)


def _throws(state: State, seat: int, card: Card) -> bool:
    """Return whether this discard is a throw foul: a wild pack card, thrown after seeing to a seat that has seen."""
    if not state.rules.throw_foul or state.tiplu is None or not state.seats[seat].seen:
        return False
    following = state.next_live(seat)
    receives = following != seat and state.seats[following].seen
    return receives and card.is_pack and card in wild_faces(state.tiplu)


def end_turn(state: State, events: list[Event]) -> list[Event]:
    """Append a reshuffle or a dismissal to the events of a turn if the stock or the live hands have run out."""
    after = state
    for event in events:
        after = apply(after, event)
    rules = after.rules
    if sum(not seat.out for seat in after.seats) < (1 if rules.dead_hand == "pays" else 2):
        return [*events, *dismissed(after)]
    if after.stock:
        return events
    if not rules.may_reshuffle(after.reshuffles) or len(after.pile) <= 1:
        return [*events, *dismissed(after)]
    return [*events, _reshuffle(after)]


def refill_to_cut(state: State) -> list[Event]:
    """Return the events after a first show when no card in the stock can be the tiplu.

    The discards become a new stock if the rules allow that; otherwise the deal is dismissed.
    """
    may = state.rules.may_reshuffle(state.reshuffles) and any(card.is_pack for card in state.pile[:-1])
    return [_reshuffle(state)] if may else dismissed(state)


def _reshuffle(state: State) -> Reshuffled:
    """Shuffle all discards except the top one under the rest of the stock."""
    order = state.key.reshuffle(state.reshuffles + 1, state.pile[:-1])
    return Reshuffled(stock=(*state.stock, *order))


def ended(state: State, finished: Finished | FinishedDublees) -> list[Event]:
    """Return the finish, followed by its settlement."""
    after = apply(state, finished)
    if after.tiplu is None:
        raise RuntimeError("a finish implies a show, and so a tiplu")
    sheet = sheet_of(
        _final_seats(after),
        after.tiplu,
        finished.seat,
        Ending.GROUPS if isinstance(finished, Finished) else Ending.DUBLEES,
        after.rules,
        better=after.better,
        carry=after.carry,
        thrown=_thrown(after),
    )
    return [finished, _settled(after, sheet)]


def dismissed(state: State) -> list[Event]:
    """Return the events that end a deal without a winner."""
    sheet = dismissed_sheet(_final_seats(state), state.rules, carry=state.carry, thrown=_thrown(state))
    return [Dismissed(), _settled(state, sheet)]


def _final_seats(state: State) -> list[FinalSeat]:
    """Return the seats of the deal, followed by people without a seat who still owe for a foul."""
    absent = max(state.carry, default=-1) + 1 - len(state.seats)
    return [*map(_final_seat, state.seats), *(FinalSeat(status=Status.PAUSE) for _ in range(absent))]


def _final_seat(seat: Seat) -> FinalSeat:
    return FinalSeat(
        cards=seat.cards,
        exposed=seat.exposed,
        laid=seat.laid if seat.shown is ShowKind.GROUPS else (),
        status=_status(seat),
        dublees=seat.shown is ShowKind.DUBLEES,
    )


def _status(seat: Seat) -> Status:
    if seat.out:
        return Status.FOUL
    return Status.UNSEEN if seat.shown is None else Status.SEEN


def _thrown(state: State) -> tuple[int, ...]:
    """Return the seats with a throw foul or a ruled foul."""
    return tuple(index for index, seat in enumerate(state.seats) if seat.threw or seat.ruled is not None)


def _settled(state: State, sheet: Sheet) -> Settled:
    return Settled(
        hands=tuple(seat.cards for seat in state.seats), stock=state.stock, tiplu=state.tiplu, sheet=sheet
    )


def rule_foul(state: State, seat: int, why: FoulReason, by: int | None) -> list[Event]:
    """Return the events of ruling a foul against a seat; raises IllegalActionError.

    `by` is the seat that rules it, or None for a person without a seat. There is one penalty per seat and
    deal. The hand plays on, so `lift_foul` can withdraw the foul until the deal is over.
    """
    _require_open(state, seat)
    if state.rules.foul == "off":
        raise IllegalActionError(Refusal.NO_FOULS)
    if state.seats[seat].ruled is not None:
        raise IllegalActionError(Refusal.ALREADY_RULED)
    return [FoulRuled(seat=seat, why=why, by=by)]


def lift_foul(state: State, seat: int) -> list[Event]:
    """Return the events of withdrawing a ruled foul; raises IllegalActionError."""
    _require_open(state, seat)
    if state.seats[seat].ruled is None:
        raise IllegalActionError(Refusal.NOT_RULED)
    return [FoulLifted(seat=seat)]


def _require_open(state: State, seat: int) -> None:
    if state.phase is OVER:
        raise IllegalActionError(Refusal.DEAL_OVER)
    if not 0 <= seat < len(state.seats):
        raise IllegalActionError(Refusal.NO_SUCH_SEAT, seat=seat)
