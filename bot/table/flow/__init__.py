"""The course of a table: who sits where, how a deal begins, goes on and ends, and what comes next."""
