"""`python -m marriage`: the engine on the command line."""

from marriage.cli.main import main

raise SystemExit(main())
