"""`python -m tests.mutation`: try the mutants of modules that changed or whose tests did.

    python -m tests.mutation [marriage/scoring] [--processes 1] [--survivors]

`make mutate` runs it. It can be stopped at any time and continues where it stopped. The exit status is 1 if
the score of a requested module is below 90 percent, or a survivor lacks a reason.
"""

import argparse
import sys

from tests.mutation.document import score, shortcomings, write
from tests.mutation.tally import enter, read
from tests.mutation.workshop import workshops


def main() -> int:
    """Try the mutants, report, and rewrite the document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("below", nargs="?", default="", help="a module, or the common prefix of several")
    parser.add_argument("--processes", type=int, default=1, help="how many mutants to test at a time")
    parser.add_argument(
        "--survivors", action="store_true", help="test only the survivors again, after adding tests"
    )
    parser.add_argument("--write", action="store_true", help="only rewrite the document from the tally")
    asked = parser.parse_args()
    chosen = {module: shop for module, shop in workshops().items() if module.startswith(asked.below)}
    if not chosen:
        parser.error(f"no module begins with {asked.below!r}; an example is marriage/scoring")
    for module, workshop in chosen.items() if not asked.write else ():
        if read().get(module, {}).get("digest") != workshop.digest():
            (workshop.again if asked.survivors else workshop.run)(asked.processes)
            entry = enter(workshop)
            write()
            print(f"{module}: {entry['killed']} of {entry['mutants']}", flush=True)
            print(*(f"    {change}" for change in entry["survivors"]), sep="\n", flush=True)
    write()
    tried = {module: entry for module, entry in read().items() if module in chosen}
    print(f"{score(tried.values()):.1f} % of the mutants were noticed")
    lacking = shortcomings(tried)
    print(*lacking, sep="\n", end="\n" if lacking else "")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
