"""Interactions and their answers: reading what comes in, routing it, and replying."""
