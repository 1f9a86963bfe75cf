"""Several bots on one PostgreSQL server, stopped and started at random while people play over the wire."""
