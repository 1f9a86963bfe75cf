"""Features: what people can type or press. Each command calls one service of `bot`."""
