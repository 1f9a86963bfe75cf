"""`python -m tests.powercut.served`: the bot, which makes one copy of its file after the other."""

import sys

from bot import __main__ as program
from bot.operations import copying

copying.FIRST_LOOK_S = 0.2
copying.LOOK_S = 3.0
copying.newest_copy = lambda _settings, _now: None  # so that another copy is due at every check

if __name__ == "__main__":
    sys.exit(program.main([]))
