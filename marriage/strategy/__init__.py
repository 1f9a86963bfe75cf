"""Playing well: computer players, advice, and the practice deal."""
