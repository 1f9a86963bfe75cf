"""The command line of the engine: one module a command, each a request that is checked and then answered."""
