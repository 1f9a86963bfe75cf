"""Run pip-audit on a lock, and distinguish "no known vulnerabilities" from "could not check".

pip-audit itself succeeds if it received no data on a package, such as behind a proxy without vulnerability
data.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FOUND = 1
NOT_CHECKED = 69
"""The status of an unavailable service in `sysexits.h`."""
_HOW = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json")


def audit(lock: Path, *more: str) -> int:
    """Print what is known about a lock's packages.

    Return 0 if there is nothing, 1 if there is something, and 69 if it could not be checked.
    """
    ask = (Path(sys.executable).with_name("pip-audit"), *_HOW, *more, "-r", lock)
    done = subprocess.run(ask, check=False, capture_output=True, text=True)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError):
        print(f"{lock.name}: NOT CHECKED, the vulnerability data could not be had:\n{done.stderr.strip()}")
        return NOT_CHECKED
    return _verdict(lock.name, packages)


def _verdict(lock: str, packages: Sequence[dict]) -> int:
    for package in packages:
        for known in package.get("vulns", []):
            mended = ", ".join(known["fix_versions"]) or "no version"
            print(f"{lock}: {package['name']} {package['version']}: {known['id']}, mended in {mended}")
    skipped = [package["skip_reason"] for package in packages if "skip_reason" in package]
    if any(package.get("vulns") for package in packages):
        return FOUND
    if skipped or not packages:
        print(f"{lock}: NOT CHECKED, nothing is told of {len(skipped)} of {len(packages)} packages:")
        print(*skipped, sep="\n")
        return NOT_CHECKED
    print(f"{lock}: nothing is known of {len(packages)} packages")
    return 0
