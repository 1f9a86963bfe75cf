"""For those who learn the game: the rules as pages, help for a situation, hints and a practice deal."""
