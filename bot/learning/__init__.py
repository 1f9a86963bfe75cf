"""Learning the game: the rules as pages, help by situation, hints and a practice deal."""
