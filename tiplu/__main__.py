"""`tiplu`, or `python -m tiplu`: the playground, the bot, and commands for its operators."""

import argparse
import sys
from collections.abc import Sequence

from bot.__main__ import add_commands
from marriage import __version__
from playground.__main__ import add_arguments, run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="tiplu", description="Tiplu hosts Marriage at tables in Discord.")
    parser.add_argument("--version", action="version", version=f"Tiplu {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    play = commands.add_parser(
        "play", help="try everything on this machine: the bot and a small Discord, no account needed"
    )
    add_arguments(play)
    play.set_defaults(act=run)
    add_commands(commands.add_parser)
    asked = parser.parse_args(arguments)
    return asked.act(asked)


if __name__ == "__main__":
    sys.exit(main())
