"""Several bots on one PostgreSQL server, ended and started at random while people play, over the wire."""
