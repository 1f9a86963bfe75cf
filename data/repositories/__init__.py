"""What is read from and written to the database, a repository a subject."""
