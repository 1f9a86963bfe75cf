"""Interactions and their answers: parsing, routing and replying."""
