"""The analysis of the viewer's own play in a finished deal: its figures, the decisions, and the costliest throw as a puzzle."""

from collections.abc import Iterator
from typing import Any

from discord import ui

from bot.history.replays import PARTS, Analysed, PlaceInReplay
from bot.panels.pages import page_of, page_words, turning
from bot.panels.puzzles import option_button, option_shown, situation
from bot.table.core.snapshot import ShownHand
from bot.ui.items import Button, Press, row
from bot.ui.panel import Panel, gallery, panel, picture_file, pictured, text
from bot.words.hands import SIGNS, decision_words, explained
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.ids import TableId
from marriage.actions import Discard
from marriage.analysis.deal_analysis import Analysis, Decision
from marriage.analysis.verdicts import Verdict
from marriage.cards import Card
from marriage.puzzles import PuzzleOption
from marriage.view import View
from render.alt import seat_alt
from render.hand_layout import PLAIN
from render.picture import Picture
from render.words import decimal, signed

_TAGS = ("worst", "second", "third")
"""Tags that keep the buttons apart if two of the worst decisions belong to one step."""
_WRONG = (Verdict.BLUNDER, Verdict.MISTAKE, Verdict.INACCURACY)


def analyse_button(table_id: TableId, deal_no: int, texts: Texts) -> Button:
    """Return a button that shows the user, in a new message, how they played a finished deal."""
    return Button(Press("analyse", table_id, deal_no), texts("button.analyse"))


def analysis_button(place: PlaceInReplay, texts: Texts) -> Button:
    """Return the button for the analysis in a private message that already shows this deal."""
    return Button(Press("analysis", place.table, place.deal), texts("button.analyse"))


def progress_panel(table_id: TableId, deal_no: int, done: int, texts: Texts) -> Panel:
    """Show the progress of an analysis."""
    bar = "▰" * (done + 1) + "▱" * (PARTS - done - 1)
    said = texts("analysis.working", bar=bar, what=texts(f"analysis.part_{done}"))
    return panel(text(_title(table_id, deal_no, texts)), text(said))


def analysis_panel(analysed: Analysed, picture: Picture | None, texts: Texts) -> Panel:
    """Show the figures of a deal and its worst decisions, with buttons to see those moments."""
    file = picture_file(picture) if picture else None
    replay, analysis = analysed.replay, analysed.analysis
    table, deal = replay.table.id, replay.deal_no
    worst = analysis.worst
    places = [PlaceInReplay(table, deal, decision.step, analysis.seat) for decision in worst]
    return panel(
        text(_title(table, deal, texts)),
        text(_summary(analysis, texts)),
        gallery(file) if file else None,
        text(_luck(analysis, texts)),
        *(text(explained(decision, top_of_pile(analysed, decision), texts)) for decision in worst),
        text(texts("analysis.note_computer")) if analysed.by_computer else None,
        text(texts("analysis.note")),
        row(
            *(
                Button(place.press("replay", tag), texts("analysis.see", step=place.step + 1))
                for tag, place in zip(_TAGS, places, strict=False)
            )
        ),
        row(
            *([Button(_page(table, deal, 0), texts("analysis.all"))] if analysis.decisions else []),
            Button(PlaceInReplay(table, deal, 0, analysis.seat).press("replay"), texts("button.replay")),
        ),
        files=[file] if file else [],
    )


def decisions_panel(analysed: Analysed, number: int, texts: Texts) -> Panel:
    """Show a page of all decisions in the order of play."""
    analysis, replay = analysed.analysis, analysed.replay
    table, deal = replay.table.id, replay.deal_no
    lines = [decision_words(each, top_of_pile(analysed, each), texts) for each in analysis.decisions]
    page = page_of(lines, number)
    return panel(
        text(_title(table, deal, texts)),
        text("\n".join(page.lines) or texts("analysis.no_decision")),
        text(page_words(page, texts)),
        row(
            *turning(page.number, page.count, lambda _, to: _page(table, deal, to), texts),
            Button(Press("analysis", table, deal), texts("analysis.back")),
        ),
    )


def top_of_pile(analysed: Analysed, decision: Decision) -> Card | None:
    """Return the top card of the pile at the time of a decision; None for an empty pile."""
    pile = analysed.replay.steps[decision.step].seen_by(analysed.analysis.seat).view.pile
    return pile[-1] if pile else None


def _page(table: TableId, deal: int, number: int) -> Press:
    return Press("analysis-page", table, deal, str(number))


def _title(table_id: TableId, deal_no: int, texts: Texts) -> str:
    return texts("analysis.title", table=table_id, deal=deal_no)


def _summary(analysis: Analysis, texts: Texts) -> str:
    """State the accuracy, what was lost, and how often."""
    if analysis.accuracy is None:
        return texts("analysis.no_decision")
    head = texts(
        "analysis.summary",
        accuracy=round(analysis.accuracy),
        loss=decimal(analysis.lost),
        count=len(analysis.decisions),
    )
    return "\n".join((head, " · ".join(_counts(analysis, texts))))


def _counts(analysis: Analysis, texts: Texts) -> Iterator[str]:
    for verdict in _WRONG:
        lost = sum(decision.loss for decision in analysis.decisions if decision.verdict is verdict)
        count = analysis.count(verdict)
        name = texts(f"analysis.{verdict}_many", count=count)
        yield f"{SIGNS[verdict]} {name}" + (f" (−{decimal(lost)})" if count else "")
    for key, count in (
        ("missed_shows", sum(decision.missed_show for decision in analysis.decisions)),
        ("missed_finishes", sum(decision.missed_finish for decision in analysis.decisions)),
    ):
        if count:
            yield texts(f"analysis.{key}", count=count)


def _luck(analysis: Analysis, texts: Texts) -> str:
    return texts(
        "analysis.luck",
        dealt=_points(analysis.dealt_luck),
        drawn=_points(analysis.drawn_luck),
        lost=_points(-analysis.lost),
        rest=_points(analysis.rest),
        net=signed(analysis.net),
    )


def _points(points: float) -> str:
    return decimal(points, sign=True)


def lost_throw_button(table_id: TableId, deal_no: int, texts: Texts) -> Button:
    """Return a button that asks the user in a new message about their costliest throw of a finished deal."""
    return Button(Press("lost-throw", table_id, deal_no), texts("button.lost_throw"))


def thrown_cards(decision: Decision) -> tuple[Card, ...]:
    """Return the cards that the question offers: the one thrown, the best one, and the next best."""
    options = (decision.chosen, decision.best, *decision.others)
    return tuple(sorted({option.action.card for option in options if isinstance(option.action, Discard)}))


def view_at(analysed: Analysed, decision: Decision) -> View:
    """Return what the player knew at this moment."""
    return analysed.replay.steps[decision.step].seen_by(analysed.analysis.seat).view


def lost_throw_panel(
    analysed: Analysed, decision: Decision, hand: ShownHand, texts: Texts, answer: Card | None = None
) -> Panel:
    """Show the moment with the cards to choose from; with an `answer`, say what was best and why."""
    replay, view = analysed.replay, view_at(analysed, decision)
    shown, files = pictured(hand.pictures)
    table, deal = replay.table.id, replay.deal_no
    place = PlaceInReplay(table, deal, decision.step, analysed.analysis.seat)
    if answer is None:
        said, buttons = texts("lostthrow.ask"), _choices(table, deal, decision, texts)
    else:
        said = _told(analysed, decision, answer, texts)
        see = Button(place.press("replay"), texts("analysis.see", step=decision.step + 1))
        buttons = row(see, analyse_button(table, deal, texts))
    return panel(
        text(texts("lostthrow.title", table=table, deal=deal)),
        *(shown or [text(seat_alt(view, [*map(shown_name, replay.names)], PLAIN))]),
        text("\n".join(situation(view, texts))),
        text(said),
        buttons,
        files=files,
    )


def no_throw_panel(analysed: Analysed, texts: Texts) -> Panel:
    """Say that no throw of the player was wrong."""
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
