"""Tables and hands: opening, sitting down, playing, leaving."""
