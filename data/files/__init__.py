"""The database's file: opening, checking, copying and locking it."""
