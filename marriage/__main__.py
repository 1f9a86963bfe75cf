"""`python -m marriage`: the engine as a tool of its own, for people and for programs."""

from marriage.cli.main import main

raise SystemExit(main())
