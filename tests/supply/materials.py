"""Whether a bill of materials has everything that a lock names."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.supply.lock import pins, plain


def missing(bill: Path, lock: Path) -> Iterator[str]:
    """Yield what a CycloneDX file in JSON lacks of a lock: packages, versions, hashes."""
    listed: dict[tuple[str, str], set[str]] = {}
    for part in json.loads(bill.read_text())["components"]:
        listed[plain(part["name"]), part["version"]] = {
            hashed["content"]
            for reference in part.get("externalReferences", [])
            for hashed in reference.get("hashes", [])
        }
    for pin in pins(lock):
        found = listed.get((plain(pin.name), pin.version))
        if found is None:
            yield f"{pin.name} {pin.version}"
        elif pin.hashes - found:
            yield f"{len(pin.hashes - found)} hashes of {pin.name} {pin.version}"
