"""`python -m tests.e2e.impatientbot`: the bot as a process of its own that soon gives up a gateway that is away."""

import sys

from bot.__main__ import main
from bot.monitoring import supervisor

IMPATIENT = "tests.e2e.impatientbot"

if __name__ == "__main__":
    supervisor.PATIENCE_S = 2.0
    sys.exit(main())
