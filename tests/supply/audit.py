"""Ask pip-audit about a lock, and tell "nothing is known" from "nothing could be asked".

pip-audit itself ends well when it was told nothing of a package, as behind a proxy that knows no vulnerabilities.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FOUND = 1
NOT_CHECKED = 69
"""As `sysexits.h` calls a service that cannot be had."""
_HOW = ("--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json")


def audit(lock: Path, *more: str) -> int:
    """Print what is known of the packages of a lock; 0 if there is nothing, 1 if there is, 69 if it could not be asked."""
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
