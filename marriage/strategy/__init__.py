"""Good play: computer players, advice, and the practice deal."""
