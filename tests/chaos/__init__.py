"""An evening of many tables, a league's round and the deal of the day, while faults of all kinds come at random."""
