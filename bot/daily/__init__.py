"""The deal of the day: one deal for everybody in a server, alone against the same computers."""
