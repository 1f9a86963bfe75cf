"""The deal of the day: everyone in a server plays the same deal alone against the same computers."""
