"""After a lost deal, the costliest throw, presented as a puzzle of the player's own."""

from typing import Any

from discord import ui

from bot.history.analyses import Analysed
from bot.history.replays import Place
from bot.panels.history.analysis import analyse_button, top_of_pile
from bot.panels.puzzles import option_button, option_shown, situation
from bot.table.core.snapshot import ShownHand
from bot.ui.items import Button, Press, row
from bot.ui.panel import Panel, panel, pictured, text
from bot.words.hands import explained
from bot.words.texts import Texts
from league.ids import TableId
from marriage.actions import Discard
from marriage.analysis.deal_analysis import Decision
from marriage.cards import Card
from marriage.puzzles import PuzzleOption
from marriage.view import View
from render.alt import seat_alt
from render.hand_layout import PLAIN


def lost_throw_button(table_id: TableId, deal_no: int, texts: Texts) -> Button:
    """A button that asks the person who presses it about their dearest throw in a finished deal, in a new message."""
    return Button(Press("lost-throw", table_id, deal_no), texts("button.lost_throw"))


def thrown_cards(decision: Decision) -> tuple[Card, ...]:
    """The cards that the question offers: the one that was thrown, the best one, and the next best."""
    options = (decision.chosen, decision.best, *decision.others)
    return tuple(sorted({option.action.card for option in options if isinstance(option.action, Discard)}))


def view_at(analysed: Analysed, decision: Decision) -> View:
    """Return what the player knew at this moment."""
    return analysed.replay.steps[decision.step].seen_by(analysed.analysis.seat).view


def lost_throw_panel(
    analysed: Analysed, decision: Decision, hand: ShownHand, texts: Texts, answer: Card | None = None
) -> Panel:
    """The moment with the cards to choose from; with an `answer`, what was best and why."""
    replay, view = analysed.replay, view_at(analysed, decision)
    shown, files = pictured(hand.pictures)
    table, deal = replay.table.id, replay.deal_no
    place = Place(table, deal, decision.step, analysed.analysis.seat)
    if answer is None:
        said, buttons = texts("lostthrow.ask"), _choices(table, deal, decision, texts)
    else:
        said = _told(analysed, decision, answer, texts)
        see = Button(place.press("replay"), texts("analysis.see", step=decision.step + 1))
        buttons = row(see, analyse_button(table, deal, texts))
    return panel(
        text(texts("lostthrow.title", table=table, deal=deal)),
        *(shown or [text(seat_alt(view, replay.names, PLAIN))]),
        text("\n".join(situation(view, texts))),
        text(said),
        buttons,
        files=files,
    )


def no_throw_panel(analysed: Analysed, texts: Texts) -> Panel:
    """The notice that no throw of the player was wrong."""
    table, deal = analysed.replay.table.id, analysed.replay.deal_no
    return panel(
        text(f"{texts('lostthrow.title', table=table, deal=deal)}\n{texts('lostthrow.none')}"),
        row(analyse_button(table, deal, texts)),
    )


def _choices(table: TableId, deal: int, decision: Decision, texts: Texts) -> ui.ActionRow[Any]:
    return row(
        *(
            option_button(
                Press("lost-throw-answer", table, deal, str(card)), PuzzleOption(card=card, missing=0), texts
            )
            for card in thrown_cards(decision)
        )
    )


def _told(analysed: Analysed, decision: Decision, answer: Card, texts: Texts) -> str:
    best = decision.best.action
    if not isinstance(best, Discard):
        raise TypeError("the best of throws is a throw")
    said = texts(
        "puzzle.right" if answer == best.card else "puzzle.wrong",
        best=option_shown(PuzzleOption(card=best.card, missing=0), texts),
        chosen=option_shown(PuzzleOption(card=answer, missing=0), texts),
    )
    return f"{said}\n{explained(decision, top_of_pile(analysed, decision), texts)}"
