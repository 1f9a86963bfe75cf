"""What is read from and written to the database, with one repository for each subject."""
