"""Several equal processes: which of them does what."""
