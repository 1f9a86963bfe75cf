"""How many presses the bot answers in a second, measured over the wire; see docs/load.md."""
