"""The course of a table: its seating, the course of a deal, and what comes next."""
