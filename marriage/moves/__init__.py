"""The rules of each action: drawing, showing, finishing, fouls, and the end of a deal."""
