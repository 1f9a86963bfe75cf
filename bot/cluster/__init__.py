"""The division of work among several equal processes."""
