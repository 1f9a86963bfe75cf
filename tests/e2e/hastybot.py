"""`python -m tests.e2e.hastybot`: the bot as a separate process, without a pause between sessions.

It does not leave five seconds between two sessions of a bucket.
"""

import sys

from bot.__main__ import main
from bot.cluster import identifying

HASTY = "tests.e2e.hastybot"

if __name__ == "__main__":
    identifying.IDENTIFY_S = identifying.MARGIN_S = 0.0
    sys.exit(main())
