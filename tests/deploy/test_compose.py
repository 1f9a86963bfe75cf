"""`deploy/compose.yaml` names only existing settings, files, volumes and services, and images by version."""

import re
from typing import Any

import pytest
import yaml

from bot.settings import Settings, server_url
from tests.test_house import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE: Any = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BOTS = ("bot", "bots")
OF_POSTGRES = {
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "PGHOST",
    "PGUSER",
    "PGDATABASE",
    "PGPASSWORD",
}
"""Variables of the image and of PostgreSQL's own programs."""
FILLED_IN = re.compile(r"\$\{(\w+):-(\w*)\}")
every_service = pytest.mark.parametrize("name", SERVICES)


def filled_in(value: str, **given: str) -> str:
    """Return a value with its variables from `.env`, or else with their defaults."""
    return FILLED_IN.sub(lambda found: given.get(found[1], found[2]), value)


def settings_of(name: str, **given: str) -> Settings:
    """Return the settings that a bot of that service reads; raises ValidationError if they are invalid."""
    told = {key.lower(): filled_in(value, **given) for key, value in SERVICES[name]["environment"].items()}
    return Settings(_env_file=None, discord_token="a-token", **told)


def test_each_profile_has_its_services():
    profiles = {name: " ".join(service["profiles"]) for name, service in SERVICES.items()}
    assert profiles == {
        "bot": "sqlite",
        **dict.fromkeys(("bots", "database", "copies"), "postgres"),
        **dict.fromkeys(("prometheus", "grafana"), "monitoring"),
    }


@every_service
def test_a_service_has_no_more_rights_than_it_needs(name: str):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not service.get("privileged")
    assert service.get("user", "somebody") not in ("root", "0")
    for port in service.get("ports", []):
        assert port.startswith("127.0.0.1:")


@every_service
def test_what_a_service_uses_is_there(name: str):
    service = SERVICES[name]
    for volume in service["volumes"]:
        source = volume.partition(":")[0]
        assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
    for other, wanted in service.get("depends_on", {}).items():
        assert set(SERVICES[other]["profiles"]) == set(service["profiles"])
        assert wanted["condition"] == "service_started" or "healthcheck" in SERVICES[other]


def test_no_volume_is_left_over():
    used = {volume.partition(":")[0] for service in SERVICES.values() for volume in service["volumes"]}
    assert {source for source in used if not source.startswith(".")} == set(COMPOSE["volumes"])


@every_service
def test_an_image_is_built_here_or_has_its_version(name: str):
    service = SERVICES[name]
    if "build" in service:
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
    else:
        assert re.search(r":v?\d+\.\d+", service["image"])


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_is_told_only_what_its_settings_know(name: str):
    assert SERVICES[name]["environment"].keys() <= {field.upper() for field in Settings.model_fields}
    assert SERVICES[name]["read_only"]
    assert settings_of(name).monitoring_port == 9464


def test_the_bots_share_the_database_that_the_server_makes():
    settings = settings_of("bots", POSTGRES_PASSWORD="secret")
    assert settings.is_shared
    assert SERVICES["bots"]["deploy"]["replicas"] <= (settings.shard_count or 0)
    assert settings.database_url is not None
    url = server_url(settings.database_url.get_secret_value())
    server, copies = SERVICES["database"]["environment"], SERVICES["copies"]["environment"]
    assert SERVICES[url.host or ""] is SERVICES["database"]
    assert (url.username, url.database) == (server["POSTGRES_USER"], server["POSTGRES_DB"])
    assert (copies["PGUSER"], copies["PGDATABASE"], copies["PGHOST"]) == (
        url.username,
        url.database,
        url.host,
    )
    assert url.password == filled_in(server["POSTGRES_PASSWORD"], POSTGRES_PASSWORD="secret") == "secret"
    assert SERVICES["database"]["image"] == SERVICES["copies"]["image"]
    checked = SERVICES["database"]["healthcheck"]["test"]
    assert checked[:2] == ["CMD", "pg_isready"]
    assert {f"--username={url.username}", f"--dbname={url.database}"} <= set(checked)


def test_the_copies_lie_where_the_bots_look_for_them():
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copies = SERVICES["copies"]
    assert f"BACKUP_PATH={copies['environment']['BACKUP_PATH']} " in image
    assert f"backups:{copies['environment']['BACKUP_PATH']}" in copies["volumes"]
    assert f"backups:{copies['environment']['BACKUP_PATH']}" in SERVICES["bots"]["volumes"]
    assert f"--uid {copies['user']} " in image
    unknown = copies["environment"].keys() - OF_POSTGRES
    assert unknown <= {field.upper() for field in Settings.model_fields}
    assert SERVICES["database"]["environment"].keys() <= OF_POSTGRES


def test_prometheus_asks_the_port_on_which_the_bots_listen():
    prometheus: Any = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))
    [job] = prometheus["scrape_configs"]
    [found] = job["dns_sd_configs"]
    assert (found["type"], found["names"]) == ("A", ["bot"])
    assert "bot" in SERVICES["bots"]["networks"]["default"]["aliases"]
    for name in BOTS:
        assert SERVICES[name]["environment"]["MONITORING_PORT"] == str(found["port"])
    assert prometheus["rule_files"] == ["alerts.yml"]
