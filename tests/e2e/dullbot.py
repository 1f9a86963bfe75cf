"""`python -m tests.e2e.dullbot`: the bot as a separate process, whose deals of two seats never end soon."""

import sys

from bot.__main__ import main
from bot.table.flow import seating
from tests.e2e.dealt import dull

DULL = "tests.e2e.dullbot"

if __name__ == "__main__":
    seating.start = dull()
    sys.exit(main())
