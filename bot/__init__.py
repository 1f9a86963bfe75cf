"""Everything between Discord and the rules of the game."""
