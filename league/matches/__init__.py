"""The match of a pod: its outcome, and how it is replayed."""
