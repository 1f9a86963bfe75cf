"""Texts that people read: message catalogues, languages, names, cards and refusals as text."""
