"""The parts of every message: panels, buttons, selects, forms, custom ids."""
