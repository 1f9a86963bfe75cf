"""For newcomers: practice deals and the rules as pages."""
