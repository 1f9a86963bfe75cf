"""Several bots sharing one playground and one PostgreSQL server, with a page to stop and start them.

All of it runs on this machine.
"""
