"""Features: the commands and components that people use. Each command calls one service of `bot`."""
