"""Train the nets of the expert player and judge them, and check the verdicts of the analysis.

python -m training generate [--preset pagat] [--first 0] [--files 60]    label deals to fit, 100 a file, into var/training
python -m training fit [--preset pagat] [--nets FILE] [--like PRESET]    fit the nets to all labels of the preset; with --like,
                                                                         adapt the packaged nets of another one to them
python -m training judge [--preset pagat] [--deals 1000] [--nets FILE]   judge nets on deals that are never fitted
python -m training verdicts [--preset pagat] [--deals 1000] [--pairs 2000] [--purpose judge]
                                                                         check what the analysis says of deals

`generate` does not repeat a file that is there, so it can be stopped and shared among processes. See docs/players.md.
"""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from marriage.rules import PRESETS
from marriage.strategy import expert
from marriage.strategy.net_features import IS_BASE
from training import fit as fitting
from training.judge import KINDS, judge
from training.labels import DEALS_A_FILE, ROLLOUTS, generate, read
from training.simulator import COMPILED as LABELS
from training.simulator import Labels, SimulatedNet, SimulatedPlayer, Simulator, digest
from training.verdicts import CheckedVerdict, check, summary

WIDER = 0.12
"""How much wider a wait must become for the expert to take a card, as for the master."""


def main() -> None:
    """Run the requested command."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("generate", "fit", "judge", "verdicts"))
    parser.add_argument("--preset", choices=PRESETS, default="pagat")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0, help="the first file, or the first deal to judge")
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--purpose", choices=("judge", "fit"), default="judge")
    parser.add_argument("--like", choices=set(expert.NETS.values()), help="the preset whose nets are adapted")
    parser.add_argument("--nets", type=Path, help="the file that fit writes and judge reads")
    asked = parser.parse_args()
    if asked.nets is None:
        trained = expert.NETS.get(asked.preset, "pagat") if asked.command == "judge" else asked.preset
        asked.nets = Path(expert.__file__).with_name(f"expert-{trained}.json")
    {"generate": _generate, "fit": _fit, "judge": _judge, "verdicts": _verdicts}[asked.command](asked)


def _generate(asked: argparse.Namespace) -> None:
    simulator = Simulator(PRESETS[asked.preset])
    made = generate(simulator, LABELS / asked.preset, asked.first, asked.files, asked.seed)
    for count, path in enumerate(made, 1):
        print(f"{count} of {asked.files}: {DEALS_A_FILE} deals in {path}", flush=True)


def _fit(asked: argparse.Namespace) -> None:
    takes, discards, deals = read(LABELS / asked.preset)
    print(f"{deals} deals: {len(takes.values)} takes, {_decisions(discards)} discards", flush=True)
    held_out = discards.decisions >= 0.9 * _decisions(discards)
    like = expert.nets(asked.like) if asked.like else None
    tried = _discard_net(_rows(discards, ~held_out), like)
    mean, error = fitting.gain(tried, _rows(discards, held_out))
    print(f"a tenth held out: {mean:+.3f} ± {error:.3f} points a discard over greedy+outs", flush=True)
    found = {"take": _take_net(takes, like), "discard": _discard_net(discards, like)}
    nets = expert.Nets(
        version=1,
        preset=asked.preset,
        made=datetime.now(UTC).date().isoformat(),
        seed=asked.seed,
        deals=deals,
        rollouts=ROLLOUTS,
        takes=len(takes.values),
        discards=_decisions(discards),
        caution=fitting.CAUTION,
        simulator=digest(),
        numpy=np.__version__,
        begun_from=asked.like,
        **{name: _packed(net) for name, net in found.items()},
    )
    asked.nets.write_text(nets.model_dump_json() + "\n")
    print(f"wrote {asked.nets}")


def _take_net(takes: Labels, like: expert.Nets | None) -> SimulatedNet:
    if like is None:
        return fitting.fit(takes, fitting.TAKES)
    return fitting.adapted(_unpacked(like.take), takes, fitting.TAKES)


def _discard_net(discards: Labels, like: expert.Nets | None) -> SimulatedNet:
    if like is None:
        net = fitting.fit(discards, fitting.DISCARDS)
    else:
        before = fitting.cautious(_unpacked(like.discard), IS_BASE, -like.caution)
        net = fitting.adapted(before, discards, fitting.DISCARDS)
    return fitting.cautious(net, IS_BASE, fitting.CAUTION)


def _judge(asked: argparse.Namespace) -> None:
    nets = expert.Nets.model_validate_json(asked.nets.read_text())
    player = SimulatedPlayer(wider=WIDER, discard=_unpacked(nets.discard), take=_unpacked(nets.take))
    simulator = Simulator(PRESETS[asked.preset])
    for known in judge(simulator, player, asked.deals, seed=asked.seed, first=asked.first):
        parts = ", ".join(f"{kind} {part}" for kind, part in zip(KINDS, known.kinds, strict=True))
        print(
            f"{known.deals} deals: over greedy+outs {known.paired} paired ({parts}), {known.duplicate} from all seats; "
            f"over the simulator's master {known.over_master}",
            flush=True,
        )


def _verdicts(asked: argparse.Namespace) -> None:
    numbers = range(asked.first, asked.first + asked.deals)
    checked: list[CheckedVerdict] = []
    for each in check(asked.preset, asked.purpose, numbers, asked.pairs):
        checked.append(each)
        print(each, flush=True)
    print(*summary(checked), sep="\n")


def _decisions(labels: Labels) -> int:
    return int(labels.decisions[-1]) + 1


def _rows(labels: Labels, chosen: Any) -> Labels:
    return Labels(
        labels.features[chosen], labels.values[chosen], labels.decisions[chosen], labels.faces[chosen]
    )


def _packed(net: SimulatedNet) -> expert.Net:
    """Return a net for the player, with its weights rounded to five digits."""

    def rounded(values: Any) -> tuple[float, ...]:
        return tuple(float(f"{value:.5g}") for value in values)

    units = tuple(rounded(unit) for unit in net.first.T)
    return expert.Net(units=units, bias=rounded(net.bias), out=rounded(net.second), linear=rounded(net.skip))


def _unpacked(net: expert.Net) -> SimulatedNet:
    parts = (np.array(net.units).T, np.array(net.bias), np.array(net.out), np.array(net.linear))
    return SimulatedNet(*(np.ascontiguousarray(part, np.float32) for part in parts))


if __name__ == "__main__":
    sys.exit(main())
