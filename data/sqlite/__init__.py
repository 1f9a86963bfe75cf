"""One SQLite file: the database that needs nothing but a disk, and the default."""
