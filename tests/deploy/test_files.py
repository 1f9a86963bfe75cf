"""The files in deploy/ are parsed as their users parse them, and name only existing things."""

import configparser
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

from bot.__main__ import Exit
from bot.monitoring import server
from bot.settings import Settings
from tests.test_house import INSTALLED, ROOT

DEPLOY = ROOT / "deploy"
OTHERS = {"up"}
"""Metrics that Prometheus itself adds."""
MADE_ELSEWHERE = {"process_cpu_seconds_total", "process_resident_memory_bytes"}
"""Metrics made by prometheus-client on Linux."""
METRIC = re.compile(r"\b((?:tiplu|process|up)(?:_\w+)?)(?:\{([^}]*)\})?")
LABEL = re.compile(r'(\w+)(?:=~|!~|!=|=)"')


def read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))


ALERTS = [rule for group in read("alerts.yml")["groups"] for rule in group["rules"]]
DASHBOARD = json.loads((DEPLOY / "grafana/dashboards/tiplu.json").read_text(encoding="utf-8"))
EXPRESSIONS = [
    *(pytest.param(rule["expr"], id=rule["alert"]) for rule in ALERTS),
    *(
        pytest.param(target["expr"], id=f"{panel['title']} {target['refId']}")
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    ),
]


def metrics() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every existing metric with the names of its labels, even if it has no values yet."""
    assert server.Monitoring  # it and its imports create them
    for collector, names in REGISTRY._collector_to_names.items():
        for name in names:
            yield name, tuple(getattr(collector, "_labelnames", ()))


EXISTING = dict(metrics())


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_names_figures_and_labels_that_exist(expression: str):
    found = METRIC.findall(expression)
    assert found
    for name, conditions in found:
        assert name in {*EXISTING, *OTHERS, *MADE_ELSEWHERE}, name
        known = {"job", "instance", *EXISTING.get(name, ())}
        assert set(LABEL.findall(conditions)) <= known
    for grouped in re.findall(r"\bby \(([^)]*)\)", expression):
        labels = {label for name, _ in found for label in EXISTING.get(name, ())}
        assert set(grouped.split(", ")) <= labels | {"le"}


def test_every_figure_is_on_the_dashboard():
    shown = {
        name
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
        for name, _ in METRIC.findall(target["expr"])
    }
    ending = re.compile(r"_(total|bucket|count|sum|info|created)$")
    told = {ending.sub("", name) for name in EXISTING if name.startswith("tiplu_")}
    assert told <= {ending.sub("", name) for name in shown}


def test_panels_do_not_overlap_and_ask_the_source_that_is_provided():
    [source] = read("grafana/provisioning/datasources/prometheus.yml")["datasources"]
    places: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & places
        places |= cells
        assert at["x"] + at["w"] <= 24
        assert panel["datasource"]["uid"] == source["uid"]


def test_every_alert_says_what_it_means_and_is_explained():
    hosting = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    for rule in ALERTS:
        assert rule["labels"]["severity"] in ("page", "warn")
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["description"].endswith(".")
        assert f"`{rule['alert']}`" in hosting


def test_the_unit_restarts_only_what_may_go_better_the_next_time():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read_string((DEPLOY / "tiplu.service").read_text(encoding="utf-8"))
    service = unit["Service"]
    assert (service["Type"], service["Restart"]) == ("notify", "on-failure")
    usage = 64
    assert {int(code) for code in service["RestartPreventExitStatus"].split()} == {
        usage,
        Exit.DATA,
        Exit.LOCKED,
        Exit.CONFIG,
    }
    assert service["ExecStart"].split()[-1] == "run"
    assert unit["Unit"]["StartLimitIntervalSec"] == "0", (
        "while Discord is away, it is tried again without end"
    )


def test_settings_that_are_named_exist():
    image = re.findall(r"^ +([A-Z_]+)=", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    unit = re.findall(
        r"^Environment=([A-Z_]+)=", (DEPLOY / "tiplu.service").read_text(encoding="utf-8"), re.MULTILINE
    )
    python = {"PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}
    named = {*image, *unit} - python
    assert named <= {name.upper() for name in Settings.model_fields}
    assert {"DATABASE_PATH", "BACKUP_PATH", "MONITORING_PORT"} <= named


def test_the_image_holds_every_room_and_nobody_is_root_in_it():
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    kept = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert {f"!{room}" for room in (*INSTALLED, "pyproject.toml", "requirements-postgres.lock")} <= set(kept)
    assert "*" in kept
    assert "--require-hashes --only-binary :all: -r requirements-postgres.lock" in dockerfile
    assert re.findall(r"^USER (\d+)$", dockerfile, re.MULTILINE)[-1] != "0"
    for instruction in ("ENTRYPOINT", "CMD"):
        for form in re.findall(rf"^ *{instruction} (.*)$", dockerfile, re.MULTILINE):
            assert json.loads(form)
    assert "HEALTHCHECK" in dockerfile
