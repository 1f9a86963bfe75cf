"""The match of a pod: what becomes of it, and how it is played again."""
