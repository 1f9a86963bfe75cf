"""What a person can type or press; each command asks one service of `bot`."""
