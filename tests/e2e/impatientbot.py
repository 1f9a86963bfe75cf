"""`python -m tests.e2e.impatientbot`: a separate bot process that soon gives up on a missing gateway."""

import sys

from bot.__main__ import main
from bot.monitoring import supervisor

IMPATIENT = "tests.e2e.impatientbot"

if __name__ == "__main__":
    supervisor.PATIENCE_S = 2.0
    sys.exit(main())
