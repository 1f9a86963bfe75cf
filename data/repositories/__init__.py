"""Reading from and writing to the database, with one repository for each subject."""
