"""An evening of many tables, a league's round and the deal of the day, under random faults of all kinds."""
