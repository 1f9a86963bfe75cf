"""Marriage, the three-pack rummy of Nepal: pure functions over frozen values.

No input or output, no clock, no global random state. `decide` turns an action into events, `apply` folds events
into a state, `view` shows a seat what it may know. Whoever draws, hints or plays for a seat receives a `View`.
"""
