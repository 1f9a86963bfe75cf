"""Read the command line and write answers."""

import json
import os
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, Final

from marriage.cli import analyse, arrange, match, score, simulate, verify
from marriage.cli.command import CliCommand, lines, opened, parse, sentence

COMMANDS: Final[tuple[CliCommand[Any, Any], ...]] = (
    score.COMMAND,
    arrange.COMMAND,
    simulate.COMMAND,
    match.COMMAND,
    analyse.COMMAND,
    verify.COMMAND,
)

_USAGE: Final = 2
_INTERRUPTED: Final = 130
_DESCRIPTION: Final = "The engine of Marriage, the three-pack rummy of Nepal, as a tool of its own."
_CARDS: Final = "Cards are written rank then suit: 10C, JC, AH; MAN is a printed joker, MASTER the superman."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 for success, 1 for a negative answer, 2 for an invalid request."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        status = _run(_parser().parse_args(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader is gone. Redirect the output, so that Python does not fail again when it closes its
        # streams.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def _parser() -> ArgumentParser:
    shared = ArgumentParser(add_help=False)
    shared.add_argument(
        "--json", action="store_true", default=SUPPRESS, help="answer as JSON instead of a table"
    )
    shared.add_argument(
        "--jsonl",
        metavar="FILE",
        default=SUPPRESS,
        help="read requests from FILE (- for standard input), one JSON object a line, and write one answer a "
        'line; for a wrong request that is {"error": "..."}',
    )
    parser = ArgumentParser(
        prog="python -m marriage", description=_DESCRIPTION, epilog=_CARDS, parents=[shared]
    )
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    for command in COMMANDS:
        part = commands.add_parser(
            command.name,
            help=command.help,
            description=command.description,
            epilog=_CARDS,
            formatter_class=RawDescriptionHelpFormatter,
            parents=[shared],
        )
        command.add_arguments(part)
        part.set_defaults(chosen=command)
    parser.set_defaults(chosen=None, usage=parser.format_help())
    return parser


def _run(arguments: Namespace) -> int:
    if arguments.chosen is None:
        sys.stderr.write(arguments.usage)
        return _USAGE
    try:
        if "jsonl" in arguments:
            _require_nothing_else(arguments)
            return _answer_lines(arguments.chosen, arguments.jsonl)
        return _answer_one(arguments.chosen, arguments)
    except ValueError as error:
        sys.stderr.write(f"python -m marriage {arguments.chosen.name}: {sentence(error)}\n")
        return _USAGE


def _require_nothing_else(arguments: Namespace) -> None:
    """Raise ValueError if a request is given on the command line together with --jsonl."""
    shared = ("command", "chosen", "usage", "json", "jsonl")
    if any(value for name, value in vars(arguments).items() if name not in shared):
        raise ValueError("with --jsonl every request stands in its line, and none on the command line")


def _answer_one(command: CliCommand[Any, Any], arguments: Namespace) -> int:
    found = command.answer(command.read(arguments))
    text = _line(command.to_json(found)) if "json" in arguments else command.to_text(found)
    sys.stdout.write(f"{text}\n")
    failure = command.failed(found)
    if failure is None:
        return 0
    sys.stdout.flush()
    sys.stderr.write(f"python -m marriage {command.name}: {failure}\n")
    return 1


def _answer_lines(command: CliCommand[Any, Any], name: str) -> int:
    """Answer every line. An invalid request gets an error as its answer, so the exit status is always 0."""
    with opened(name) as file:
        for line in lines(file):
            sys.stdout.write(f"{_line_answer(command, line)}\n")
            sys.stdout.flush()
    return 0


def _line_answer(command: CliCommand[Any, Any], line: bytes) -> str:
    try:
        return _line(command.to_json(command.answer(parse(line))))
    except ValueError as error:
        return _line({"error": sentence(error)})


def _line(answer: dict[str, Any]) -> str:
    return json.dumps(answer, ensure_ascii=False)
