"""A table as a value, what a command changes of it, and the way to the file and back."""
