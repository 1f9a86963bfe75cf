"""The command line of the engine. Each module is one command: it validates a request and answers it."""
