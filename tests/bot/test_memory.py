import ctypes
import os
import subprocess
import sys

import pytest

from bot import memory

SCRIPT = """
import sys, threading
from pathlib import Path
from bot.memory import share_pools
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
maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
print(sum(where.split("-")[0].endswith("000000") for where, mode, *_, last in maps if mode == "rw-p" and last == "0"))
gate.wait()
"""


def pools(how: str) -> int:
    usual = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    command = [sys.executable, "-c", SCRIPT, how]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, env=usual).stdout)


@pytest.mark.skipif(memory._glibc() is None, reason="only glibc has pools")
def test_threads_share_their_pools_of_memory():
    assert pools("shared") < pools("own")


def test_memory_can_be_given_back_anywhere(monkeypatch: pytest.MonkeyPatch):
    memory.give_back()
    monkeypatch.setattr(memory.sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", None)  # it is not called
    memory.share_pools()
    memory.give_back()
