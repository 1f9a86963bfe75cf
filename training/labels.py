"""Labels: the worth of a decision's options, by rollouts from the true hands with a redealt unseen stock."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from training.simulator import Labels, Simulator, deals

DEALS_A_FILE: Final = 100
ROLLOUTS: Final = 4
TAKES: Final = 0.4
DISCARDS: Final = 0.5
"""The labelled shares of the decisions before a show."""


def generate(simulator: Simulator, folder: Path, first: int, count: int, seed: str = "0") -> Iterator[Path]:
    """Label deals for fitting, and yield each file; existing files are kept.

    `first` and `count` number files of `DEALS_A_FILE` deals, so that processes can share the work.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        path = folder / f"labels-{seed}-{number:05}.npz"
        if not path.exists():
            dealt = deals("fit", DEALS_A_FILE, seed=seed, first=number * DEALS_A_FILE)
            takes, discards = simulator.labels(dealt, rollouts=ROLLOUTS, takes=TAKES, discards=DISCARDS)
            fresh = path.with_suffix(".new.npz")
            np.savez(
                fresh,
                **{f"takes_{name}": array for name, array in takes._asdict().items()},
                **{f"discards_{name}": array for name, array in discards._asdict().items()},
            )
            fresh.replace(path)
        yield path


def read(folder: Path) -> tuple[Labels, Labels, int]:
    """Return all labels of a folder, takes and discards, and the number of their deals.

    Decisions are renumbered.
    """
    files = sorted(path for path in folder.glob("labels-*.npz") if not path.stem.endswith(".new"))
    if not files:
        raise FileNotFoundError(f"no labels in {folder}; `python -m training generate` makes some")
    loaded = [np.load(path) for path in files]
    return _joined(loaded, "takes"), _joined(loaded, "discards"), DEALS_A_FILE * len(files)


def _joined(loaded: list[np.lib.npyio.NpzFile], kind: str) -> Labels:
    columns = {
        name: np.concatenate([part[f"{kind}_{name}"] for part in loaded])
        for name in ("features", "values", "faces")
    }
    decisions = [part[f"{kind}_decisions"] for part in loaded]
    starts = np.cumsum([0, *(int(part.max(initial=-1)) + 1 for part in decisions)])
    numbered = np.concatenate([part + start for part, start in zip(decisions, starts, strict=False)])
    return Labels(columns["features"], columns["values"], numbered.astype(np.int32), columns["faces"])
