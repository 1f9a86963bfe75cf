"""The rules engine of Marriage, the three-pack rummy of Nepal: pure functions over frozen values.

The engine has no input or output, no clock and no global random state. `decide` turns an action into events, `apply`
folds events into a state, and `view` reduces a state to what one seat may know. Code that draws, advises or plays for a
seat receives only that `View`.
"""

from typing import Final

__version__: Final = "0.1.0"
"""The version of the package, as `pyproject.toml` states it (a test compares them)."""
