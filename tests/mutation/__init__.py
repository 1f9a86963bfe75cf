"""Mutants: the code of the pure rooms with one small fault each, which the tests are to notice (docs/mutants.md)."""
