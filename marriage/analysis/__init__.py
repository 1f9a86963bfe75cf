"""Judge a finished deal: what each decision of a seat was worth, given what that seat knew then.

See docs/analysis.md.
"""
