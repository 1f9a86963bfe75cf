import ctypes
import subprocess
import sys

import pytest

from bot import upkeep

SCRIPT = """
import sys, threading
from pathlib import Path
from bot.upkeep import share_pools
if sys.argv[1] == "shared":
    share_pools()
gate = threading.Barrier(9)
def fill():
    kept = [bytes(1000) + bytes([n % 256]) for n in range(2000)]
    gate.wait()
    gate.wait()
threads = [threading.Thread(target=fill) for _ in range(8)]
for thread in threads:
    thread.start()
gate.wait()
# A pool of a thread is a mapping of 64 MB, of which only the beginning can be written.
print(sum(1 for line in Path("/proc/self/maps").read_text().splitlines() if line.split("-")[0].endswith("000000") and "rw-p 00000000 00:00 0" in line and len(line.split()) == 5))
gate.wait()
"""


def pools(how: str) -> int:
    found = subprocess.run([sys.executable, "-c", SCRIPT, how], capture_output=True, text=True, check=True)
    return int(found.stdout)


@pytest.mark.skipif(upkeep._glibc() is None, reason="only glibc has pools")
def test_threads_share_their_pools_of_memory():
    assert pools("shared") < pools("own")


def test_memory_can_be_given_back_anywhere(monkeypatch: pytest.MonkeyPatch):
    upkeep.give_back()
    monkeypatch.setattr(upkeep.sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", None)  # is not asked
    upkeep.share_pools()
    upkeep.give_back()
