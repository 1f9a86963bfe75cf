"""A PostgreSQL server: the database for more than one process."""
