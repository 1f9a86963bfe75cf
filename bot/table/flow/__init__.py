"""The course of a table: who sits, how a deal begins, goes on and ends, and what comes next."""
