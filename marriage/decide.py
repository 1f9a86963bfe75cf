"""From an action to the events it causes, or the refusal that names the rule it would break."""

from collections import Counter
from collections.abc import Iterable, Sequence

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
from marriage.cards import MAN, PACKS, Card, Cards, sort_cards, without
from marriage.errors import IllegalAction, Refusal
from marriage.events import (
    Dealt,
    Discarded,
    Dismissed,
    Drew,
    Event,
    Finished,
    FinishedDublees,
    Reshuffled,
    Settled,
    Showed,
    ShowedDublees,
    TipluCut,
    TipluSeen,
    TipluTurned,
    Took,
    TunnelasDeclined,
    TunnelasExposed,
    WindowClosed,
)
from marriage.groups import is_group, is_primary
from marriage.maal import wild_faces
from marriage.result import FinalSeat, dismissed_sheet, sheet_of
from marriage.rules import FINISH_DUBLEES, PRIMARY_GROUPS, SEATS_MAX, SEATS_MIN, SHOW_DUBLEES, Rules
from marriage.sheet import Ending, Sheet, Status
from marriage.shuffle import DealSeed, deal_cards
from marriage.state import Phase, Seat, ShowKind, State


def start(rules: Rules, players: int, dealer: int, key: DealSeed) -> list[Event]:
    """Deal: the first events of a deal of `players` seats. Raises ValueError for a number that is not 2 to 5."""
    if not SEATS_MIN <= players <= SEATS_MAX or not 0 <= dealer < players:
        raise ValueError(f"a deal has {SEATS_MIN} to {SEATS_MAX} seats and a dealer among them")
    step = 1 if rules.direction == "clockwise" else -1
    order = [(dealer + step * place) % players for place in range(1, players + 1)]
    hands, up_card, stock = deal_cards(key.deck(rules), order)
    dealt = Dealt(rules=rules, dealer=dealer, hands=hands, up_card=up_card, stock=stock, key=key)
    if not rules.open_tiplu:
        return [dealt]
    place = _pack_place(stock, key.cut(len(stock)))
    return [dealt, TipluTurned(place=place, card=stock[place])]


def decide(state: State, seat: int, action: Action) -> list[Event]:  # noqa: C901 - one plain case an action
    """The events that `action` by `seat` causes; raises IllegalAction, whose code names the rule it breaks."""
    if not 0 <= seat < len(state.seats):
        raise IllegalAction(Refusal.NO_SUCH_SEAT, seat=seat)
    if state.phase is Phase.OVER:
        raise IllegalAction(Refusal.DEAL_OVER)
    match action:
        case ExposeTunnelas():
            return _expose(state, seat, action.faces)
        case DeclineTunnelas():
            return _decline(state, seat)
        case DrawStock():
            _require(state, seat, Phase.DRAW)
            return [Drew(seat=seat, card=state.stock[0])]
        case TakeDiscard():
            return _take(state, seat)
        case Show():
            return _show(state, seat, action.groups)
        case ShowDublees():
            return _show_dublees(state, seat, action.faces)
        case CutTiplu():
            return _cut(state, seat, action.place)
        case Discard():
            return _discard(state, seat, action.card)
        case Finish():
            return _finish(state, seat, action)
        case FinishDublees():
            return _finish_dublees(state, seat, action)


# The tunnela window


def _expose(state: State, seat: int, faces: Cards) -> list[Event]:
    _require_window(state, seat)
    counts = Counter(state.seats[seat].cards)
    if not faces or len(set(faces)) < len(faces) or any(counts[face] < PACKS for face in faces):
        raise IllegalAction(Refusal.NO_TUNNELA, faces=faces)
    return _window_answer(state, TunnelasExposed(seat=seat, faces=faces))


def _decline(state: State, seat: int) -> list[Event]:
    _require_window(state, seat)
    return _window_answer(state, TunnelasDeclined(seat=seat))


def _require_window(state: State, seat: int) -> None:
    if state.rules.tunnela_window == "before_first_draw" and state.phase is not Phase.WINDOW:
        raise IllegalAction(Refusal.WINDOW_CLOSED)
    if state.seats[seat].answered:
        raise IllegalAction(
            Refusal.ALREADY_ANSWERED if state.phase is Phase.WINDOW else Refusal.WINDOW_CLOSED
        )


def _window_answer(state: State, answer: Event) -> list[Event]:
    after = apply(state, answer)
    done = state.phase is Phase.WINDOW and all(seat.answered for seat in after.seats)
    return [answer, WindowClosed()] if done else [answer]


# Whose turn, and for what

_TOO_EARLY = {Phase.DRAW: Refusal.DRAW_FIRST, Phase.CUT: Refusal.CUT_FIRST}


def _require(state: State, seat: int, phase: Phase) -> None:
    """Refuse unless it is this seat's turn and the deal waits for this kind of move."""
    if state.phase is Phase.WINDOW:
        raise IllegalAction(Refusal.WINDOW_OPEN)
    if seat != state.turn:
        raise IllegalAction(Refusal.NOT_YOUR_TURN, turn=state.turn)
    if state.phase is phase:
        return
    if phase is Phase.CUT:
        raise IllegalAction(Refusal.NOTHING_TO_CUT)
    raise IllegalAction(_TOO_EARLY.get(state.phase, Refusal.ALREADY_DRAWN))


# Drawing


def _take(state: State, seat: int) -> list[Event]:
    _require(state, seat, Phase.DRAW)
    if not state.pile:
        raise IllegalAction(Refusal.PILE_EMPTY)
    card, taker = state.pile[-1], state.seats[seat]
    if taker.shown is ShowKind.DUBLEES:
        if not _is_eighth_pair(state, taker, card, held=1):
            raise IllegalAction(Refusal.DUBLEE_TAKES_TO_FINISH, card=card)
    elif taker.seen and state.rules.seen_pickup_wild == "forbid" and card in _wilds(state, seat):
        raise IllegalAction(Refusal.SEEN_TAKES_NO_WILD, card=card)
    return [Took(seat=seat, card=card)]


def _wilds(state: State, seat: int) -> frozenset[Card]:
    """The faces that are wild for this seat."""
    if state.tiplu is None or not state.seats[seat].seen:
        return frozenset()
    return wild_faces(state.tiplu)


# Showing


def _show(state: State, seat: int, groups: tuple[Cards, ...]) -> list[Event]:
    _require(state, seat, Phase.PLAY)
    shower = state.seats[seat]
    _require_unshown(shower)
    if len(groups) != PRIMARY_GROUPS:
        raise IllegalAction(Refusal.NOT_THREE_GROUPS, count=len(groups))
    groups = tuple(map(sort_cards, groups))
    from_hand = list(groups)
    for tunnela in shower.spare_tunnelas():
        if tunnela in from_hand:
            from_hand.remove(tunnela)
    _require_held(shower, from_hand)
    for group in from_hand:
        if not is_primary(group, state.rules):
            raise IllegalAction(Refusal.NOT_PRIMARY, group=group)
    return _after_show(state, seat, Showed(seat=seat, groups=groups), from_hand)


def _show_dublees(state: State, seat: int, faces: Cards) -> list[Event]:
    _require(state, seat, Phase.PLAY)
    shower = state.seats[seat]
    _require_unshown(shower)
    if not state.rules.dublees_allowed(len(state.seats)):
        raise IllegalAction(Refusal.NO_DUBLEES)
    if len(faces) != SHOW_DUBLEES or len(set(faces)) < SHOW_DUBLEES:
        raise IllegalAction(Refusal.NOT_SEVEN_DUBLEES, faces=faces)
    for face in faces:
        if face not in shower.cards:
            raise IllegalAction(Refusal.NOT_HELD, card=face)
        if not _is_pair(state.rules, shower, face, needed=2):
            raise IllegalAction(Refusal.NOT_SEVEN_DUBLEES, faces=faces)
    pairs = tuple((face, face) for face in sort_cards(faces))
    from_hand = [pair for pair in pairs if pair[0] not in shower.exposed]
    return _after_show(state, seat, ShowedDublees(seat=seat, pairs=pairs), from_hand)


def _require_unshown(seat: Seat) -> None:
    if seat.shown is not None:
        raise IllegalAction(Refusal.ALREADY_SHOWN)


def _after_show(state: State, seat: int, showed: Event, from_hand: Sequence[Cards]) -> list[Event]:
    left = without(state.seats[seat].concealed(), [card for group in from_hand for card in group])
    if not left:
        raise IllegalAction(Refusal.NOTHING_TO_DISCARD)
    if state.tiplu is None:
        refill = not any(card.is_pack for card in state.stock)
        return [showed, _reshuffle(state)] if refill else [showed]
    looks = state.rules.same_turn_finish and not state.rules.open_tiplu
    return [showed, TipluSeen(seat=seat, card=state.tiplu)] if looks else [showed]


def _cut(state: State, seat: int, place: int | None) -> list[Event]:
    _require(state, seat, Phase.CUT)
    if place is None:
        place = state.key.cut(len(state.stock))
    elif not 0 <= place < len(state.stock):
        raise IllegalAction(Refusal.NO_SUCH_PLACE, places=len(state.stock))
    place = _pack_place(state.stock, place)
    events: list[Event] = [TipluCut(seat=seat, place=place, card=state.stock[place])]
    if state.rules.same_turn_finish:
        return events
    return _end_turn(state, events)


def _pack_place(stock: Cards, place: int) -> int:
    """The place of the card to cut: a man or master card there is passed over for the next card of the packs."""
    places = [*range(place, len(stock)), *range(place)]
    return next(index for index in places if stock[index].is_pack)


# Ending a turn


def _discard(state: State, seat: int, card: Card) -> list[Event]:
    _require(state, seat, Phase.PLAY)
    thrower = state.seats[seat]
    if thrower.shown is ShowKind.DUBLEES and state.taken is not None and not state.shown_now:
        raise IllegalAction(Refusal.MUST_FINISH)
    _require_discard(state, seat, card, thrower.concealed())
    events: list[Event] = [Discarded(seat=seat, card=card)]
    after = apply(state, events[0])
    if after.phase is Phase.CUT:
        return events
    if state.shown_now and not thrower.seen and state.tiplu is not None:
        events.append(TipluSeen(seat=seat, card=state.tiplu))
    return _end_turn(state, events)


def _require_discard(state: State, seat: int, card: Card, pool: Cards) -> None:
    """Refuse a card that is not among the free cards `pool`, or is of the face just taken from the pile."""
    if card not in pool:
        locked = card in state.seats[seat].cards
        raise IllegalAction(Refusal.CARD_LOCKED if locked else Refusal.NOT_HELD, card=card)
    if card == state.taken and any(other != card for other in pool):
        raise IllegalAction(Refusal.SAME_FACE, card=card)


def _end_turn(state: State, events: list[Event]) -> list[Event]:
    """The events of a turn, and what follows when they leave no stock for the next seat."""
    after = state
    for event in events:
        after = apply(after, event)
    if after.stock:
        return events
    rules = state.rules
    if rules.stock_out == "dismiss" or after.reshuffles >= rules.reshuffle_cap or len(after.pile) <= 1:
        return [
            *events,
            Dismissed(),
            _settled(after, dismissed_sheet([_final_seat(seat) for seat in after.seats], rules)),
        ]
    return [*events, _reshuffle(after)]


def _reshuffle(state: State) -> Reshuffled:
    order = state.key.reshuffle(state.reshuffles + 1, state.pile[:-1])
    return Reshuffled(stock=(*state.stock, *order))


# Finishing


def _finish(state: State, seat: int, action: Finish) -> list[Event]:
    _require(state, seat, Phase.PLAY)
    winner = state.seats[seat]
    _require_may_finish(state, winner, ShowKind.GROUPS)
    groups = tuple(map(sort_cards, action.groups))
    _require_held(winner, groups)
    left = without(winner.concealed(), [card for group in groups for card in group])
    if len(left) != 1:
        raise IllegalAction(Refusal.CARDS_LEFT_OVER, cards=left)
    wilds = _wilds(state, seat)
    for group in groups:
        if not is_group(group, wilds, state.rules):
            raise IllegalAction(Refusal.NOT_A_GROUP, group=group)
    if left[0] != action.discard:
        raise IllegalAction(Refusal.NOT_HELD, card=action.discard)
    _require_discard(state, seat, action.discard, winner.concealed())
    return _ended(state, Finished(seat=seat, groups=groups, discard=action.discard), Ending.GROUPS)


def _finish_dublees(state: State, seat: int, action: FinishDublees) -> list[Event]:
    _require(state, seat, Phase.PLAY)
    winner = state.seats[seat]
    _require_may_finish(state, winner, ShowKind.DUBLEES)
    face = action.face
    if not _is_eighth_pair(state, winner, face, held=2):
        raise IllegalAction(Refusal.NO_EIGHTH_DUBLEE, face=face)
    pool = winner.concealed()
    if face not in winner.exposed:
        pool = without(pool, (face, face))
    _require_discard(state, seat, action.discard, pool)
    event = FinishedDublees(seat=seat, pair=(face, face), discard=action.discard)
    return _ended(state, event, Ending.DUBLEES)


def _require_may_finish(state: State, seat: Seat, kind: ShowKind) -> None:
    if seat.shown is None:
        raise IllegalAction(Refusal.SHOW_FIRST)
    if seat.shown is not kind:
        raise IllegalAction(
            Refusal.SHOWED_DUBLEES if seat.shown is ShowKind.DUBLEES else Refusal.SHOWED_GROUPS
        )
    if state.shown_now and not state.rules.same_turn_finish:
        raise IllegalAction(Refusal.FINISH_NEXT_TURN)


def _ended(state: State, finished: Finished | FinishedDublees, ending: Ending) -> list[Event]:
    after = apply(state, finished)
    if after.tiplu is None:
        raise ValueError("a finish implies a show, and so a tiplu")
    seats = [_final_seat(seat) for seat in after.seats]
    sheet = sheet_of(seats, after.tiplu, finished.seat, ending, state.rules)
    return [finished, _settled(after, sheet)]


def _final_seat(seat: Seat) -> FinalSeat:
    return FinalSeat(
        cards=seat.cards,
        exposed=seat.exposed,
        laid=seat.laid if seat.shown is ShowKind.GROUPS else (),
        status=Status.UNSEEN if seat.shown is None else Status.SEEN,
        dublees=seat.shown is ShowKind.DUBLEES,
    )


def _settled(state: State, sheet: Sheet) -> Settled:
    return Settled(
        hands=tuple(seat.cards for seat in state.seats), stock=state.stock, tiplu=state.tiplu, sheet=sheet
    )


# What a seat holds


def _require_held(seat: Seat, groups: Iterable[Cards]) -> None:
    """Refuse groups that are not, all together, among the seat's concealed cards."""
    wanted = Counter(card for group in groups for card in group)
    missing = wanted - Counter(seat.cards)
    if missing:
        raise IllegalAction(Refusal.NOT_HELD, card=min(missing))
    locked = wanted - Counter(seat.concealed())
    if locked:
        raise IllegalAction(Refusal.CARD_LOCKED, card=min(locked))


def _is_pair(rules: Rules, seat: Seat, face: Card, *, needed: int) -> bool:
    """Whether the seat holds `needed` copies of a face that can be a dublee."""
    if not face.is_pack and not (face == MAN and rules.joker_dublee):
        return False
    return seat.cards.count(face) >= needed


def _is_eighth_pair(state: State, seat: Seat, face: Card, *, held: int) -> bool:
    """Whether this face, held so often, is or becomes the pair that finishes."""
    shown = {pair[0] for pair in seat.laid}
    eighth = len(shown) + 1 == FINISH_DUBLEES and face not in shown
    return eighth and _is_pair(state.rules, seat, face, needed=held)
