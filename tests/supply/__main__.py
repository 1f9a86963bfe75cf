"""`python -m tests.supply`: what the bot is made of. `make sbom`, `make audit` and `make licences` run it."""

import argparse
import sys
from pathlib import Path

from tests.supply.audit import audit
from tests.supply.licences import DOCUMENT, refused, told, write
from tests.supply.lock import PLAYING
from tests.supply.materials import missing


def main() -> int:
    """Run the given command, and return the worst exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("licences", help="write docs/licences.md, and refuse licences that are not accepted")
    commands.add_parser("materials", help="check a bill of materials").add_argument("bill", type=Path)
    audited = commands.add_parser("audit", help="check for known vulnerabilities")
    audited.add_argument("locks", type=Path, nargs="+")
    asked = parser.parse_args()
    match asked.command:
        case "licences":
            write()
            others = [f"{name}: {licence}" for name, _, licence in told() if refused(licence)]
            print(*others or [f"every package in {DOCUMENT.name} has an accepted licence"], sep="\n")
            return 1 if others else 0
        case "materials":
            lacking = list(missing(asked.bill, PLAYING))
            print(*lacking or [f"{asked.bill} has all of {PLAYING.name}"], sep="\n")
            return 1 if lacking else 0
        case _:
            return max(audit(lock) for lock in asked.locks)


if __name__ == "__main__":
    sys.exit(main())
