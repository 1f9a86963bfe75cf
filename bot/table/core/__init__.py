"""A table as a value, the changes that a command makes to it, and how it is stored and loaded."""
