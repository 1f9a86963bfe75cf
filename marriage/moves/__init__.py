"""How each action is decided: drawing, showing, finishing, fouls, and the end of a deal."""
