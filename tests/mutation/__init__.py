"""Mutants: the pure packages' code with one small fault each.

The tests should notice them (docs/mutants.md).
"""
