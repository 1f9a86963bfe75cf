"""For newcomers: help, the rules as pages, a practice deal."""
