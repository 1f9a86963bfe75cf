"""The bot: everything between Discord and the rules of the game."""
