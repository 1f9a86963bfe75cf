"""The panel of a practice deal: what this step is about, what to do and why, the cards, every legal move."""

from collections.abc import Sequence

from bot.learning.practice import Lesson
from bot.panels.table.choosing_cards import CardChoice, card_rows, discardable
from bot.table.core.snapshot import ShownHand
from bot.ui.items import GREEN, GREY, Button, Press, Rows, in_rows, play_now_button, row
from bot.ui.panel import Panel, panel, pictured, text
from bot.words.hands import describe, hint_words
from bot.words.names import Mentions
from bot.words.texts import Texts, card_name, cards_name, shown_card, shown_cards
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
from marriage.analysis.hint import Hint
from marriage.legal import tunnelas
from marriage.strategy.practice import LEARNER
from marriage.view import mask
from render.alt import hand_alt
from render.drawing.deck import ace_high
from render.picture import Picture
from render.words import signed

_LATEST = 3
_VERBS: dict[type[Action], str] = {
    DrawStock: "draw",
    TakeDiscard: "take",
    Show: "show",
    ShowDublees: "dublees",
    CutTiplu: "cut",
    Finish: "finish",
    FinishDublees: "finish",
    DeclineTunnelas: "decline",
    ExposeTunnelas: "expose",
}


def practice_panel(
    lesson: Lesson, hand: ShownHand, hint: Hint, names: Sequence[str], texts: Texts, note: str | None = None
) -> Panel:
    """Show one step of a practice deal, with the hint for the learner's view."""
    shown, files = pictured(hand.pictures)
    moves = [move for event in lesson.events if (move := describe(mask(event, None), names, texts))]
    return panel(
        text(f"> {note}") if note else None,
        text(f"{texts('practice.title')}\n{_explained(lesson, texts)}"),
        *(shown or [text(hand_alt(lesson.view))]),
        text("\n".join(f"-# {move}" for move in moves[-_LATEST:])) if moves else None,
        text(_why(lesson, hint, texts)),
        *_controls(lesson, hand, texts),
        files=files,
    )


def lesson_end(
    lesson: Lesson, picture: Picture | None, names: Sequence[str], mentions: Mentions, texts: Texts
) -> Panel:
    """Show the end of the deal: its settlement, and what to do next."""
    shown, files = pictured([picture] if picture else [])
    sheet = lesson.view.sheet
    if sheet is None:
        raise ValueError("a deal that is over has a sheet")
    how = "dismissed" if sheet.winner is None else "won" if sheet.winner == LEARNER else "lost"
    lines = [
        texts(
            "practice.line",
            name=name,
            points=line.points,
            maal=signed(line.maal),
            payment=signed(line.payment),
            net=signed(line.net),
        )
        for name, line in zip(names, sheet.lines, strict=True)
    ]
    return panel(
        text(f"{texts('practice.title')}\n{texts(f'practice.{how}')}"),
        *shown,
        text("\n".join(lines)),
        text(texts("practice.onwards", play=mentions["marriage play"])),
        row(
            play_now_button(texts),
            Button(Press("learn-again", 0, lesson.revision), texts("button.learn_again")),
            Button(Press("rules", 0, 0), texts("button.rules")),
        ),
        files=files,
    )


def _explained(lesson: Lesson, texts: Texts) -> str:
    """Explain this step."""
    tiplu = lesson.view.tiplu
    said = "" if tiplu is None else shown_card(tiplu, texts)
    return texts(f"practice.{situation(lesson)}", tiplu=said)


def _why(lesson: Lesson, hint: Hint, texts: Texts) -> str:
    """Say what to do now and why, as the Hint button would."""
    if isinstance(lesson.advised, Show):
        groups = " · ".join(shown_cards(ace_high(group), texts) for group in lesson.advised.groups)
        return texts("hint.show", groups=groups)
    return hint_words(lesson.view, hint, texts)


def situation(lesson: Lesson) -> str:
    """Return the last part of the message key that explains this step."""
    match lesson.advised:
        case ExposeTunnelas():
            return "expose"
        case DrawStock() if not lesson.has_discarded:
            return "first_draw"
        case DrawStock():
            return "draw"
        case TakeDiscard():
            return "take"
        case Show() | ShowDublees():
            return "show"
        case CutTiplu():
            return "cut"
        case Finish() | FinishDublees():
            return "finish"
        case _ if lesson.view.own.seen:
            return "discard_seen"
        case _:
            return "discard" if lesson.has_discarded else "first_discard"


def _controls(lesson: Lesson, hand: ShownHand, texts: Texts) -> Rows:
    """Return every legal move, the advised one in green; if that is not a discard, it comes first."""
    verbs = {
        _VERBS[type(action)]: action for action in reversed(hand.actions) if not isinstance(action, Discard)
    }
    wanted = _VERBS.get(type(lesson.advised)) if lesson.advised else None
    ordered = sorted(verbs, key=lambda verb: verb != wanted)
    buttons = [
        Button(
            Press("try", 0, lesson.revision, verb),
            _label(verb, lesson, texts),
            style=GREEN if verb == wanted else GREY,
        )
        for verb in ordered[:4]
    ]
    buttons.append(Button(Press("learn-again", 0, lesson.revision), texts("button.learn_again")))
    if not discardable(hand):
        return in_rows(buttons)
    choice = CardChoice(
        hand=hand,
        settings=lesson.holder.settings,
        cards=discardable(hand),
        press=lambda card: Press("try-card", 0, lesson.revision, str(card)),
        pick=Press("pick-try", 0, lesson.revision),
        advised=lesson.advised.card if isinstance(lesson.advised, Discard) else None,
    )
    return card_rows(choice, buttons, texts)


def _label(verb: str, lesson: Lesson, texts: Texts) -> str:
    if verb == "take":
        return texts("button.take", card=card_name(lesson.view.pile[-1], texts))
    if verb == "expose":
        faces = [face for face in tunnelas(lesson.view) for _ in range(3)]
        return texts("button.expose", cards=cards_name(faces, texts))
    return texts("button.keep" if verb == "decline" else f"button.{verb}")
