"""Several processes on one database: what is whose, and what they tell each other."""
