"""`analyse`: how well each seat played a finished deal, and how lucky it was."""

from argparse import ArgumentParser, Namespace
from collections.abc import Generator
from typing import Annotated, Any, Final, TypeVar

from pydantic import Field, StrictInt

from marriage.analysis.deal_analysis import Analysis, Decision, analyse
from marriage.analysis.verdicts import Verdict
from marriage.cli.command import LARGEST, CliCommand, Request, read_text, table, whole_number
from marriage.notation import play, read_deal, write_action
from marriage.rules import SEATS_MAX

_DESCRIPTION: Final = """\
Judge the decisions of a finished deal, one seat after the other: each against the best that was known then, from that seat's view.

The deal is text: what it was dealt from, then a line for each move, as docs/command-line.md describes it. All losses are points
that the seat could expect to gain by the deal. A loss is estimated; those of the dearest mistakes are also played out.

accuracy   from 0 to 100 %, as lichess reckons it
lost       what all decisions lost together
dealt, drawn, rest    luck: the dealt cards, the drawn ones, and what others did
"""

Result = TypeVar("Result")


class AnalyseRequest(Request):
    """The deal, and the seat to judge."""

    deal: Annotated[str, Field(max_length=LARGEST)]
    """The deal in the notation for whole deals."""
    seat: Annotated[StrictInt, Field(ge=0, lt=SEATS_MAX)] | None = None
    """The seat, counted from 0; None for every seat."""


def run(asked: AnalyseRequest) -> tuple[Analysis, ...]:
    """Return the analysis of each requested seat; raises ValueError for a deal that is not over or has no such seat."""
    deal = read_deal(asked.deal)
    events = play(deal)
    if asked.seat is not None and asked.seat >= deal.seats:
        raise ValueError(f"there is no seat {asked.seat}; seats count from 0 to {deal.seats - 1}")
    seats = range(deal.seats) if asked.seat is None else (asked.seat,)
    return tuple(_result(analyse(events, seat)) for seat in seats)


def _result(work: Generator[None, None, Result]) -> Result:
    """Run a generator to its end and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value


def to_json(found: tuple[Analysis, ...]) -> dict[str, Any]:
    """Return the answer for programs."""
    return {"seats": [_seat(analysis) for analysis in found]}


def _seat(analysis: Analysis) -> dict[str, Any]:
    accuracy = analysis.accuracy
    return {
        "seat": analysis.seat,
        "net": analysis.net,
        "accuracy": None if accuracy is None else round(accuracy, 1),
        "lost": round(analysis.lost, 2),
        "luck": {
            "dealt": round(analysis.dealt_luck, 2),
            "drawn": round(analysis.drawn_luck, 2),
            "rest": round(analysis.rest, 2),
        },
        "verdicts": {kind.value: analysis.count(kind) for kind in Verdict},
        "decisions": [_decision(decision) for decision in analysis.decisions],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "step": decision.step,
        "chosen": write_action(decision.chosen.action),
        "best": write_action(decision.best.action),
        "loss": round(decision.loss, 2),
        "verdict": decision.verdict.value,
        "accuracy": round(decision.accuracy, 1),
        "missed": "show" if decision.missed_show else "finish" if decision.missed_finish else None,
        "rollouts": decision.rollouts,
    }


def to_text(found: tuple[Analysis, ...]) -> str:
    """Return the answer for people: one line for each seat, then the decisions that lost most."""
    heads = ("seat", "net", "accuracy", "lost", "dealt", "drawn", "rest", *(kind.value for kind in Verdict))
    rows = [
        (
            analysis.seat,
            f"{analysis.net:+d}",
            "–" if analysis.accuracy is None else f"{analysis.accuracy:.0f} %",
            f"{analysis.lost:.1f}",
            *(f"{luck:+.1f}" for luck in (analysis.dealt_luck, analysis.drawn_luck, analysis.rest)),
            *(analysis.count(kind) for kind in Verdict),
        )
        for analysis in found
    ]
    worst = [
        (
            analysis.seat,
            decision.step,
            decision.verdict.value,
            f"-{decision.loss:.1f}",
            write_action(decision.chosen.action),
            write_action(decision.best.action),
        )
        for analysis in found
        for decision in analysis.worst
    ]
    parts = [table([heads, *rows], frozenset(range(1, len(heads))))]
    if worst:
        heads = ("seat", "step", "verdict", "points", "chosen", "best")
        parts.append(table([heads, *worst], frozenset({1, 3})))
    return "\n\n".join(parts)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "deal", nargs="?", metavar="FILE", help="a finished deal as text; - for standard input"
    )
    parser.add_argument(
        "--seat", metavar="N", help="only this seat, from 0; every seat where nothing is said"
    )


def _read(arguments: Namespace) -> dict[str, Any]:
    if arguments.deal is None:
        raise ValueError("analyse needs a FILE with a finished deal, or - for standard input")
    keys: dict[str, Any] = {"deal": read_text(arguments.deal)}
    return keys if arguments.seat is None else keys | {"seat": whole_number("seat", arguments.seat)}


COMMAND: Final = CliCommand(
    name="analyse",
    help="how well each seat played a finished deal, and what luck it had",
    description=_DESCRIPTION,
    request=AnalyseRequest,
    add_arguments=_arguments,
    read=_read,
    run=run,
    to_json=to_json,
    to_text=to_text,
)
