"""Several bots that share one playground and one PostgreSQL server, all on this machine, with a page to end and start them."""
