"""The training commands: labels, a fit that finds what is there, and an evaluation on other deals."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from marriage.rules import PRESETS
from marriage.strategy.expert import Nets
from training import __main__ as commands
from training import fit, judge, labels
from training.simulator import GREEDY_OUTS, MASTER, Labels, SimulatedNet, Simulator, deals, has_compiler

needs_compiler = pytest.mark.skipif(
    not has_compiler(), reason="the simulator is compiled with gcc, which is not here"
)


def made_up(*, within: bool) -> Labels:
    """Return labels of a value that is linear but for one bend.

    If only differences count, each decision has a luck of its own.
    """
    chance = np.random.default_rng(1)
    decisions = np.repeat(np.arange(1500), 4 if within else 1).astype(np.int32)
    features = chance.normal(size=(len(decisions), 6)).astype(np.float32)
    features[:, 0] = 1
    values = 2 * features[:, 1] - features[:, 2] + 3 * np.maximum(0, features[:, 3]) - 0.5
    luck = chance.normal(0, 5, 1500)[decisions] if within else 0
    noise = chance.normal(0, 0.5, len(decisions))
    return Labels(features, (values + luck + noise).astype(np.float32), decisions, decisions)


@pytest.mark.parametrize("within", [True, False])
def test_a_fit_finds_what_made_the_labels(within: bool):
    net = fit.fit(
        made_up(within=within), fit.Recipe(hidden=8, within=within, epochs=30, rate=1e-2, l2=1e-4, batch=32)
    )
    features = made_up(within=within).features[:400]
    told = net.values(features)
    truth = 2 * features[:, 1] - features[:, 2] + 3 * np.maximum(0, features[:, 3]) - 0.5
    if within:
        told, truth = told - told.mean(), truth - truth.mean()
    assert np.sqrt(np.mean((told - truth) ** 2)) < 0.3


@pytest.mark.parametrize("within", [True, False])
def test_a_net_adapts_to_labels_that_differ_by_a_linear_part(within: bool):
    labels = made_up(within=within)
    recipe = fit.Recipe(hidden=8, within=within, epochs=30, rate=1e-2, l2=1e-4, batch=32)
    net = fit.fit(labels, recipe)
    other = labels._replace(values=labels.values + 2 * labels.features[:, 4])
    before, after = net.values(labels.features), fit.adapted(net, other, recipe).values(labels.features)
    changed = np.polyfit(labels.features[:, 4], after - before, 1)[0]
    assert 1 < changed < 2.1
    unchanged = fit.adapted(net, labels, recipe).values(labels.features)
    assert np.abs(unchanged - before).mean() < 0.2


def test_a_gain_is_what_the_choice_leads_the_first_option_by():
    shown = Labels(
        np.array([[0, 1], [1, 0], [0, 1], [5, 0]], np.float32),
        np.array([0, 3, 0, -1], np.float32),
        np.array([0, 0, 1, 1], np.int32),
        np.zeros(4, np.int32),
    )
    net = SimulatedNet(
        np.zeros((2, 1), np.float32),
        np.zeros(1, np.float32),
        np.zeros(1, np.float32),
        np.array([1, 0], np.float32),
    )
    assert fit.gain(net, shown)[0] == 1


@needs_compiler
def test_greedy_with_outs_gains_nothing_over_itself():
    dealt, simulator = deals("judge", 4), Simulator(PRESETS["pagat"])
    assert np.abs(simulator.leads(dealt, GREEDY_OUTS, 2)).max() == 0
    assert np.abs(simulator.duplicates(dealt, GREEDY_OUTS)).max() < 1e-9
    assert np.abs(simulator.duplicates(dealt, MASTER)).max() > 0


@needs_compiler
def test_the_commands_label_fit_and_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for module in (labels, commands):
        monkeypatch.setattr(module, "DEALS_A_FILE", 40)
    monkeypatch.setattr(judge, "DEALS_A_STEP", 2)
    monkeypatch.setattr(judge, "ROLLOUTS", 1)
    monkeypatch.setattr(labels, "ROLLOUTS", 1)
    monkeypatch.setattr(commands, "LABELS", tmp_path)
    nets = tmp_path / "nets.json"

    def run(arguments: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["training", *arguments.split()])
        commands.main()
        return capsys.readouterr().out.splitlines()

    assert len(run("generate --files 2")) == 2
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "pagat").iterdir()}
    assert run("generate --files 2")[-1].startswith("2 of 2")
    assert {path: path.stat().st_mtime_ns for path in made} == made
    assert run(f"fit --nets {nets}")[0].startswith("80 deals")
    assert json.loads(nets.read_text())["preset"] == "pagat"
    assert Nets.model_validate_json(nets.read_text()).takes > 80
    assert run(f"fit --nets {nets} --like pagat")[0].startswith("80 deals")
    assert Nets.model_validate_json(nets.read_text()).begun_from == "pagat"
    told = run(f"judge --nets {nets} --deals 4")
    assert [line.split(":")[0] for line in told] == ["2 deals", "4 deals"]


def test_without_labels_there_is_nothing_to_fit(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match="generate"):
        labels.read(tmp_path)
