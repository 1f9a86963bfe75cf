"""A puzzle before and after its answer, and the public message about the puzzle of the day."""

from collections.abc import Iterator
from typing import Any

from discord import ui

from bot.puzzles.asking import AskedPuzzle
from bot.table.core.snapshot import ShownHand
from bot.ui.items import GREEN, Button, Press, row
from bot.ui.panel import Panel, panel, pictured, text
from bot.words.names import Mentions, shown_name
from bot.words.rules import preset_name
from bot.words.texts import Texts, card_emoji, card_name, cards_name, shown_card
from data.repositories.learning import AnswerRow
from league.statistics.puzzle_ratings import Strength
from marriage.puzzles import Puzzle, PuzzleKind, PuzzleOption, Waiting
from marriage.rules import nearest_preset
from marriage.view import View
from render.alt import seat_alt
from render.drawing.deck import ace_high
from render.hand_layout import PLAIN
from render.words import decimal, signed

_A_ROW = 5
_FEWEST_ANSWERS = 5
"""The fewest answers for which a share of right answers is meaningful."""


def puzzle_panel(asked: AskedPuzzle, hand: ShownHand, texts: Texts) -> Panel:
    """Show the question with its options or, once the person has answered, the answer and why it is right."""
    shown, files = pictured(hand.pictures)
    answer = asked.answer
    return panel(
        text(f"{_title(asked, texts)}\n{_question(asked, texts)}"),
        *(shown or [text(seat_alt(asked.view, nameless(asked.view), PLAIN))]),
        text("\n".join(situation(asked.view, texts))),
        *(_asking(asked, texts) if answer is None else _answered(asked, answer, texts)),
        files=files,
    )


def nameless(view: View) -> tuple[str, ...]:
    """Return empty names for the seats of a puzzle, so that they are called by their numbers."""
    return ("",) * view.players


def shared_panel(asked: AskedPuzzle, name: str, mentions: Mentions, texts: Texts) -> Panel:
    """Show everyone the result of the day's puzzle of the person of this name, without any of its cards."""
    answer, share = asked.answer, _share_of_right(asked, texts)
    if answer is None or answer.day is None:
        raise ValueError("only the answer to a puzzle of the day is shared")
    parts = [
        texts(
            "puzzle.told_right" if answer.correct else "puzzle.told_wrong",
            name=shown_name(name),
            day=answer.day,
        ),
        *([texts("puzzle.streak", days=asked.streak)] if asked.streak > 1 else []),
        *([share] if share else []),
    ]
    return panel(text(f"{' · '.join(parts)}\n-# {texts('puzzle.try', puzzle=mentions['puzzle'])}"))


def _title(asked: AskedPuzzle, texts: Texts) -> str:
    if asked.row.day is None:
        return texts("puzzle.title")
    return texts("puzzle.title_day", day=asked.row.day)


def _question(asked: AskedPuzzle, texts: Texts) -> str:
    kind, view = asked.row.puzzle.kind, asked.view
    match kind:
        case PuzzleKind.CARD:
            return texts("puzzle.ask_card_show" if view.own.shown is None else "puzzle.ask_card_finish")
        case PuzzleKind.SETS:
            return texts("puzzle.ask_sets")
        case PuzzleKind.FINISH:
            return texts("puzzle.ask_finish")


def situation(view: View, texts: Texts) -> Iterator[str]:
    """Yield what the picture does not show: the rules, and the whole pile."""
    yield texts("puzzle.table", players=view.players, rules=_rules(view, texts), stock=view.stock_count)
    if view.pile:
        yield texts("puzzle.pile", cards=cards_name(view.pile, texts))
    if view.taken is not None and view.rules.same_face_discard == "forbid":
        yield texts("puzzle.taken", card=card_name(view.taken, texts))


def _rules(view: View, texts: Texts) -> str:
    preset, differences = nearest_preset(view.rules)
    name = preset_name(preset, texts)
    return texts("lobby.rules_short", preset=name, count=len(differences)) if differences else name


def _asking(asked: AskedPuzzle, texts: Texts) -> Iterator[ui.ActionRow[Any]]:
    puzzle = asked.row.puzzle
    buttons = [
        option_button(Press("puzzle-answer", asked.row.id, index), option, texts)
        for index, option in enumerate(puzzle.options)
    ]
    a_row = 1 if puzzle.kind is PuzzleKind.SETS else _A_ROW
    for start in range(0, len(buttons), a_row):
        yield row(*buttons[start : start + a_row])


def option_button(press: Press, option: PuzzleOption, texts: Texts) -> Button:
    """Return the button of one option; a card is shown as a card."""
    if option.card is not None and (emoji := card_emoji(option.card, texts)) is not None:
        return Button(press, "", emoji=emoji)
    return Button(press, _option_name(option, texts))


def _option_name(option: PuzzleOption, texts: Texts) -> str:
    """Return a card, the sets of a show, or "Not now"."""
    if option.card is not None:
        return card_name(option.card, texts)
    if option.sets:
        return " · ".join(cards_name(ace_high(group), texts) for group in option.sets)
    return texts("puzzle.not_now")


def option_shown(option: PuzzleOption, texts: Texts) -> str:
    """Format an option within a text, with cards as on their buttons."""
    return _option_name(option, texts) if option.card is None else shown_card(option.card, texts)


def _answered(asked: AskedPuzzle, answer: AnswerRow, texts: Texts) -> Iterator[ui.Item[Any]]:
    puzzle = asked.row.puzzle
    said = texts(
        "puzzle.right" if answer.correct else "puzzle.wrong",
        best=option_shown(puzzle.answer, texts),
        chosen=option_shown(puzzle.options[answer.choice], texts),
    )
    yield text("\n".join([said, *_why(puzzle, texts)]))
    yield text("\n".join(_figures(puzzle, answer, texts)))
    yield text("\n".join(f"-# {line}" for line in _standing(asked, answer, texts)))
    buttons = [Button(Press("puzzle-next", 0, 0), texts("puzzle.next"), style=GREEN)]
    if asked.today_open:
        buttons.append(Button(Press("puzzle-day", 0, 0), texts("puzzle.to_day")))
    if answer.day is not None and not answer.shared:
        buttons.append(Button(Press("puzzle-share", asked.row.id, 0), texts("puzzle.share")))
    yield row(*buttons)


def _why(puzzle: Puzzle, texts: Texts) -> Iterator[str]:
    """Explain in a sentence or two why the best answer is the best."""
    best = puzzle.answer
    others = [option for option in puzzle.options if option is not best]
    match puzzle.kind:
        case PuzzleKind.CARD:
            yield texts("puzzle.why_card", missing=int(best.missing), outs=best.outs or 0)
        case PuzzleKind.SETS:
            nearest = min(option.missing for option in others)
            yield texts("puzzle.why_sets", missing=decimal(best.missing, 2), other=decimal(nearest, 2))
        case PuzzleKind.FINISH if best.card is None:
            yield texts("puzzle.why_not_now")
        case PuzzleKind.FINISH:
            yield texts(
                "puzzle.why_finish",
                sets=" · ".join(cards_name(ace_high(group), texts) for group in best.sets),
                points=int(best.points or 0),
            )
            yield from _why_that_card([option for option in others if option.sets], texts)
            if puzzle.waiting is not None:
                yield _why_now(puzzle.waiting, texts)


def _why_that_card(others: list[PuzzleOption], texts: Texts) -> Iterator[str]:
    if others:
        most = max(others, key=lambda option: option.points or 0)
        yield texts("puzzle.why_that_card", card=option_shown(most, texts), points=int(most.points or 0))


def _why_now(waiting: Waiting, texts: Texts) -> str:
    return texts(
        "puzzle.why_now",
        gain=decimal(waiting.gain),
        cost=waiting.cost,
        percent=decimal(100 * waiting.break_even),
    )


def _figures(puzzle: Puzzle, answer: AnswerRow, texts: Texts) -> Iterator[str]:
    """Yield a line for each option that has figures of its own."""
    for index, option in enumerate(puzzle.options):
        mark = "✅" if index == puzzle.best else "❌" if index == answer.choice else "▫️"
        name = option_shown(option, texts)
        match puzzle.kind:
            case PuzzleKind.CARD if option.outs is None:
                yield f"{mark} {texts('puzzle.line_far', name=name, missing=int(option.missing))}"
            case PuzzleKind.CARD:
                yield f"{mark} {texts('puzzle.line_card', name=name, missing=int(option.missing), outs=option.outs)}"
            case PuzzleKind.SETS:
                percent = f"{option.at_once or 0:.0%}"
                missing = decimal(option.missing, 2)
                yield f"{mark} {texts('puzzle.line_sets', name=name, missing=missing, percent=percent)}"
            case PuzzleKind.FINISH:
                return


def _standing(asked: AskedPuzzle, answer: AnswerRow, texts: Texts) -> Iterator[str]:
    yield texts(
        "puzzle.rating",
        rating=_rating(asked.player),
        gained=signed(answer.gained),
        puzzle=_rating(asked.row.strength),
    )
    if asked.row.day is None:
        return
    if share := _share_of_right(asked, texts):
        yield share
    if asked.streak > 1:
        yield texts("puzzle.streak", days=asked.streak)


def _share_of_right(asked: AskedPuzzle, texts: Texts) -> str:
    puzzle = asked.row
    if puzzle.answers < _FEWEST_ANSWERS:
        return ""
    return texts(
        "puzzle.share_of_right", percent=f"{puzzle.correct / puzzle.answers:.0%}", answers=puzzle.answers
    )


def _rating(strength: Strength) -> str:
    return f"{strength.shown}?" if strength.provisional else str(strength.shown)
