"""What a seat may do now, from what it knows: what the buttons offer and a computer player chooses from."""

from collections import Counter
from itertools import combinations

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
from marriage.cards import MAN, PACKS, Card, Cards
from marriage.maal import scoring_faces, wild_faces
from marriage.rules import FINISH_DUBLEES, FINISH_GROUPS, PRIMARY_GROUPS, SHOW_DUBLEES
from marriage.solver import find_finish, find_show, pairs
from marriage.state import Phase, ShowKind
from marriage.view import View


def legal_actions(view: View) -> tuple[Action, ...]:
    """Everything the viewer may do now, empty when it is not his turn or he has no seat.

    A show and a finish can be laid in many ways: each is represented by one of them. `decide` accepts them all.
    """
    if view.viewer is None or view.phase is Phase.OVER:
        return ()
    window: tuple[Action, ...] = _window(view)
    if view.phase is Phase.WINDOW or view.viewer != view.turn:
        return window
    match view.phase:
        case Phase.DRAW:
            return (*window, DrawStock(), *([TakeDiscard()] if may_take(view) else []))
        case Phase.CUT:
            return (*window, CutTiplu())
        case Phase.PLAY:
            return (*window, *shows(view), *finishes(view), *map(Discard, discards(view)))


def _window(view: View) -> tuple[Action, ...]:
    seat = view.own
    lenient = view.rules.tunnela_window == "own_first_draw"
    if seat.answered or not (lenient or view.phase is Phase.WINDOW):
        return ()
    faces = tunnelas(view)
    choices = (
        ExposeTunnelas(chosen) for size in range(len(faces)) for chosen in combinations(faces, size + 1)
    )
    return (*choices, DeclineTunnelas())


def tunnelas(view: View) -> Cards:
    """The faces the viewer holds three times in hand."""
    counts = Counter(view.own.concealed or ())
    return tuple(card for card, count in counts.items() if count == PACKS)


def wilds(view: View) -> frozenset[Card]:
    """The faces that are wild for the viewer; none before he has seen the tiplu."""
    if view.viewer is None or view.tiplu is None or not view.own.seen:
        return frozenset()
    return wild_faces(view.tiplu)


def may_take(view: View) -> bool:
    """Whether the viewer, to draw, may take the top of the pile."""
    if not view.pile:
        return False
    card, seat = view.pile[-1], view.own
    if seat.shown is ShowKind.DUBLEES:
        return _eighth(view, card, held=1)
    return view.rules.seen_pickup_wild == "allow" or card not in wilds(view)


def discards(view: View) -> Cards:
    """The faces the viewer, holding 22 cards, may discard to end his turn; sorted, each once."""
    seat = view.own
    if seat.shown is ShowKind.DUBLEES and view.taken is not None and not view.shown_now:
        return ()  # taken to finish with
    return free_discards(view, seat.concealed or ())


def free_discards(view: View, pool: Cards) -> Cards:
    """The faces of `pool` that may be thrown: not the face just taken, unless there is no other."""
    faces = tuple(sorted(set(pool)))
    others = tuple(card for card in faces if card != view.taken)
    return others or faces


def shows(view: View) -> tuple[Action, ...]:
    """One show by groups and one by dublees, where the viewer has them."""
    seat = view.own
    if seat.shown is not None:
        return ()
    found: list[Action] = []
    groups = find_show(seat.concealed or (), seat.exposed, view.rules)
    if groups is not None:
        found.append(Show(groups))
    faces = pairs(seat.cards or (), view.rules)
    if len(faces) >= SHOW_DUBLEES and view.rules.dublees_allowed(len(view.seats)):
        found.append(ShowDublees(faces[:SHOW_DUBLEES]))
    return tuple(found)


def finishes(view: View) -> tuple[Action, ...]:
    """One way to finish, where the viewer has one."""
    seat = view.own
    if seat.shown is None or (view.shown_now and not view.rules.same_turn_finish):
        return ()
    action = _finish_dublees(view) if seat.shown is ShowKind.DUBLEES else _finish_groups(view)
    return () if action is None else (action,)


def _finish_groups(view: View) -> Finish | None:
    seat = view.own
    spare = sum((card,) * PACKS not in seat.laid for card in seat.exposed)
    needed = FINISH_GROUPS - PRIMARY_GROUPS - spare
    keep: frozenset[Card] = frozenset() if view.tiplu is None else scoring_faces(view.tiplu, view.rules)
    plan = find_finish(seat.concealed or (), needed, wilds(view), view.rules, barred=view.taken, keep=keep)
    return None if plan is None else Finish(groups=plan.groups, discard=plan.discard)


def _finish_dublees(view: View) -> FinishDublees | None:
    seat = view.own
    for face in pairs(seat.cards or (), view.rules):
        if not _eighth(view, face, held=2):
            continue
        pool = list(seat.concealed or ())
        if face not in seat.exposed:
            pool.remove(face)
            pool.remove(face)
        if pool:
            return FinishDublees(face=face, discard=free_discards(view, tuple(pool))[0])
    return None


def _eighth(view: View, face: Card, *, held: int) -> bool:
    shown = {pair[0] for pair in view.own.laid}
    can_pair = face.is_pack or (face == MAN and view.rules.joker_dublee)
    eighth = len(shown) + 1 == FINISH_DUBLEES and face not in shown
    return can_pair and eighth and (view.own.cards or ()).count(face) >= held
