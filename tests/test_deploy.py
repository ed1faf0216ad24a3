"""The examples in deploy/ fit the program: settings it knows, paths it serves, ports that agree, no secret in them."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.pages import ROOT

from libravdb import __version__
from libravdb.config import load
from libravdb.config.schema import settings
from libravdb.http.door import OPEN_PATHS

DEPLOY = ROOT / "deploy"
MANIFESTS = sorted(DEPLOY.glob("kubernetes/*.yaml"))
TEMPLATE = DEPLOY / "kubernetes" / "secret.yaml.example"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
OURS = f"libravdb-memory:{__version__}"
VARIABLES = {name for setting in settings() for name in setting.env_names}
LABEL = "app.kubernetes.io/name"


def compose() -> dict[str, Any]:
    """The compose file, its merges carried out."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return found


def daemons() -> dict[str, dict[str, Any]]:
    """The services of the compose file that are ours."""
    return {name: each for name, each in compose()["services"].items() if each["image"].startswith("libravdb")}


def manifests(kind: str) -> list[dict[str, Any]]:
    """The objects of a kind that the Kubernetes example has."""
    return [each for path in (*MANIFESTS, TEMPLATE) for each in documents(path) if each["kind"] == kind]


def documents(path: Path) -> Iterator[dict[str, Any]]:
    yield from yaml.safe_load_all(path.read_text(encoding="utf-8"))


def only(kind: str) -> dict[str, Any]:
    (found,) = manifests(kind)
    return found


def pod() -> dict[str, Any]:
    found: dict[str, Any] = only("Deployment")["spec"]["template"]["spec"]
    return found


def container() -> dict[str, Any]:
    (found,) = pod()["containers"]
    return dict(found)


def probes() -> dict[str, dict[str, Any]]:
    return {name: each for name, each in container().items() if name.endswith("Probe")}


def environments() -> dict[str, dict[str, str]]:
    """What daemons are told by their surroundings, by where that is written."""
    return {"kubernetes": only("ConfigMap")["data"]} | {
        name: service["environment"] for name, service in daemons().items()
    }


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("place", sorted(environments()))
def test_every_setting_exists_and_takes_its_value(place: str) -> None:
    environment = environments()[place]
    ours = {name for name in environment if name.startswith("LIBRAVDB_")}
    assert len(ours) > 5
    assert ours - VARIABLES == set()
    config = load(environ={"HOME": "/nowhere", **environment}).config
    assert config.daemon.http == "0.0.0.0:8420"
    assert config.store.url.startswith("postgresql://")


def test_both_daemons_are_told_the_same() -> None:
    told = [service["environment"] for service in daemons().values()]
    assert len(told) == 2
    assert told[0] == told[1]


def test_no_variable_of_the_platform_looks_like_a_setting() -> None:
    """Kubernetes would tell of the service `libravdb` in LIBRAVDB_PORT, and the daemon refuse to start."""
    assert only("Service")["metadata"]["name"] == "libravdb"
    assert pod()["enableServiceLinks"] is False


# ── ports and paths ───────────────────────────────────────────────────────────────────────────────────────


def test_ports_agree_from_the_daemon_to_the_service() -> None:
    (port,) = container()["ports"]
    (served,) = only("Service")["spec"]["ports"]
    assert port["containerPort"] == port_of(only("ConfigMap")["data"]["LIBRAVDB_DAEMON_HTTP"])
    assert served["targetPort"] == port["name"]
    exposed = re.search(r"^EXPOSE (\d+)$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert exposed is not None
    assert int(exposed[1]) == port["containerPort"]


def test_each_daemon_of_compose_is_reached_from_this_machine_alone_and_under_its_own_port() -> None:
    published = [port.split(":") for service in daemons().values() for port in service["ports"]]
    inside = {port_of(service["environment"]["LIBRAVDB_DAEMON_HTTP"]) for service in daemons().values()}
    assert {host for host, _, _ in published} == {"127.0.0.1"}
    assert len({outside for _, outside, _ in published}) == len(published)
    assert {int(port) for _, _, port in published} == inside
    assert "ports" not in compose()["services"]["database"]


def test_probes_ask_what_the_door_serves_without_a_token() -> None:
    assert set(probes()) == {"startupProbe", "livenessProbe", "readinessProbe"}
    assert {each["httpGet"]["path"] for each in probes().values()} <= set(OPEN_PATHS)
    assert probes()["livenessProbe"]["httpGet"]["path"] == "/health"
    assert probes()["readinessProbe"]["httpGet"]["path"] == "/ready"
    for probe in probes().values():
        assert probe["httpGet"]["port"] == container()["ports"][0]["name"]
        assert probe["httpGet"]["scheme"] == "HTTPS"
        assert probe["httpGet"]["httpHeaders"] == [{"name": "Host", "value": "localhost"}]


def test_health_checks_of_compose_ask_what_the_daemons_serve() -> None:
    for service in daemons().values():
        asked = re.findall(r"https://localhost:(\d+)(/\w+)", " ".join(service["healthcheck"]["test"]))
        assert [(int(port), path) for port, path in asked] == [
            (port_of(service["environment"]["LIBRAVDB_DAEMON_HTTP"]), "/ready")
        ]
        assert service["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "healthcheck" in compose()["services"]["database"]


# ── versions and secrets ──────────────────────────────────────────────────────────────────────────────────


def images() -> Iterator[str]:
    yield from (service["image"] for service in compose()["services"].values())
    yield container()["image"]
    yield from re.findall(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_image_has_a_version_and_ours_is_that_of_the_package() -> None:
    named = list(images())
    assert len(named) == 5
    assert [name for name in named if not re.fullmatch(r"[a-z/-]+:\d[\w.-]+", name)] == []
    assert {name for name in named if name.startswith("libravdb")} == {OURS}
    assert set(re.findall(r"libravdb-memory:\S+", README)) == {OURS}


def test_no_password_stands_anywhere() -> None:
    for secret in manifests("Secret"):
        assert set(secret["stringData"].values()) == {""}
    for environment in environments().values():
        assert not re.search(r"//[^/@]*:[^/@]*@", environment["LIBRAVDB_STORE_URL"])
        assert not [name for name in environment if re.search("PASSWORD|TOKEN$|API_KEY", name)]
    told = compose()["services"]["database"]["environment"]
    assert all(name.endswith("_FILE") and value.startswith("/run/secrets/") for name, value in told.items())


def test_secrets_are_files_outside_of_the_repository() -> None:
    declared = compose()["secrets"]
    used = {name for service in compose()["services"].values() for name in service["secrets"]}
    assert used == set(declared)
    assert {Path(each["file"]).parent.name for each in declared.values()} == {"secrets"}
    assert "deploy/secrets/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "deploy/secrets" in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()


def test_secrets_of_kubernetes_are_where_the_daemon_looks() -> None:
    mounts = {mount["name"]: mount["mountPath"] for mount in container()["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in pod()["volumes"]}
    assert set(mounts) == set(volumes)
    kept = {secret["metadata"]["name"]: set(secret["stringData"]) for secret in manifests("Secret")}
    config = only("ConfigMap")["data"]
    assert kept[volumes["secrets"]["secret"]["secretName"]] == {"database_password", "tokens"}
    assert mounts["secrets"] == "/run/secrets"
    tls = {f"{mounts['tls']}/{name}" for name in kept[volumes["tls"]["secret"]["secretName"]]}
    assert tls == {config["LIBRAVDB_DAEMON_TLS_CERT"], config["LIBRAVDB_DAEMON_TLS_KEY"]}


@pytest.mark.parametrize("script", ["start-daemon", "postgres/make-database.sh"])
def test_scripts_are_shell_and_can_be_run(script: str) -> None:
    path = DEPLOY / script
    assert os.access(path, os.X_OK)
    subprocess.run(["sh", "-n", str(path)], check=True)  # noqa: S607 - the shell that the system has


@pytest.fixture
def started(tmp_path: Path) -> dict[str, str]:
    """What the start script needs: secrets, and a daemon that only says what it was given."""
    secrets, programs = tmp_path / "secrets", tmp_path / "bin"
    secrets.mkdir()
    programs.mkdir()
    (secrets / "tokens").write_text("{}")
    (secrets / "tokens").chmod(0o644)
    (programs / "libravdbd").write_text('#!/bin/sh\necho "$PGPASSWORD"\n')
    (programs / "libravdbd").chmod(0o755)
    return {
        "PATH": f"{programs}:/usr/bin:/bin",
        "SECRETS": str(secrets),
        "LIBRAVDB_DAEMON_TOKENS_FILE": str(tmp_path / "tokens"),
    }


def start(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    script = str(DEPLOY / "start-daemon")
    return subprocess.run([script], env=environment, capture_output=True, text=True, check=False)


def test_a_daemon_gets_the_password_and_tokens_that_nobody_else_can_read(started: dict[str, str]) -> None:
    (Path(started["SECRETS"]) / "database_password").write_text("from a file\n")
    assert start(started).stdout == "from a file\n"
    tokens = Path(started["LIBRAVDB_DAEMON_TOKENS_FILE"])
    assert tokens.read_text() == "{}"
    assert tokens.stat().st_mode & 0o777 == 0o600


def test_without_a_password_no_daemon_starts(started: dict[str, str]) -> None:
    (Path(started["SECRETS"]) / "database_password").write_text("")
    done = start(started)
    assert (done.returncode, done.stdout) == (1, "")
    assert "database_password is missing or empty" in done.stderr


# ── the commands of the page ──────────────────────────────────────────────────────────────────────────────


FILES = ("-f", "--file", "--from-file", "--cert", "--key", "--cacert", "-keyout", "-out")
"""Options whose value is a file or a folder."""

MADE = re.compile(r"(?:> |-keyout |-out |TOKENS_FILE=\S+/)(\w+)")
"""The files that a command writes into the folder in which it runs."""


def commands() -> Iterator[tuple[Path, list[str]]]:
    """Every command of the page with the folder it runs in, from the root of the repository on."""
    here = ROOT
    for block in re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        for line in re.split(r"\n|&&", block):
            words = shlex.split(line, comments=True)
            if words[:1] == ["cd"]:
                here = Path(os.path.normpath(here / words[1]))
            elif words:
                yield here, words


def test_every_file_that_the_page_names_is_there_from_the_folder_of_its_command() -> None:
    secrets = DEPLOY / "secrets"
    made, named = {secrets}, set[Path]()
    for here, words in commands():
        if here == secrets:
            made |= {here / word for word in MADE.findall(" ".join(words))}
        for option, value in (*itertools.pairwise(words), *(word.partition("=")[::2] for word in words)):
            if option in FILES and value:
                named.add(here / value)
    assert len(named) >= 7
    assert [path for path in named if not path.exists() and path not in made] == []
    assert {secrets / Path(each["file"]).name for each in compose()["secrets"].values()} <= made
    assert [here for here, _ in commands()][-1] == ROOT


def test_applying_the_folder_overwrites_no_secret() -> None:
    kinds = {each["kind"] for path in MANIFESTS for each in documents(path)}
    assert kinds == {"ConfigMap", "Deployment", "Service", "PodDisruptionBudget"}
    assert TEMPLATE.suffix not in {".yaml", ".yml", ".json"}, "kubectl takes these, in folders below too"


# ── what may go wrong ─────────────────────────────────────────────────────────────────────────────────────


def test_containers_have_no_rights_that_they_do_not_need() -> None:
    rights = container()["securityContext"]
    assert rights["readOnlyRootFilesystem"] is True
    assert rights["allowPrivilegeEscalation"] is False
    assert rights["capabilities"] == {"drop": ["ALL"]}
    assert pod()["securityContext"]["runAsNonRoot"] is True
    assert pod()["automountServiceAccountToken"] is False
    for service in daemons().values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["user"] == "10001:10001"


def test_everything_that_selects_daemons_selects_these() -> None:
    labels = only("Deployment")["spec"]["template"]["metadata"]["labels"]
    assert only("Service")["spec"]["selector"] == labels
    assert only("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert only("Deployment")["spec"]["selector"]["matchLabels"] == labels
    assert set(labels) == {LABEL}


def test_a_pod_that_ends_answers_until_nobody_asks_it_any_more() -> None:
    command = container()["lifecycle"]["preStop"]["exec"]["command"]
    assert command[0] == "sleep", "which every Debian has"
    assert "-slim-" in next(name for name in images() if name.startswith("python"))
    graces = {int(service["stop_grace_period"].removesuffix("s")) for service in daemons().values()}
    assert pod()["terminationGracePeriodSeconds"] >= int(command[1]) + max(graces)
    assert int(command[1]) >= 5


def test_one_daemon_can_always_go_and_one_always_stays() -> None:
    deployment = only("Deployment")["spec"]
    assert deployment["replicas"] > only("PodDisruptionBudget")["spec"]["maxUnavailable"] >= 1
    assert deployment["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    resources = container()["resources"]
    assert set(resources["requests"]) == {"cpu", "memory"}
    assert "memory" in resources["limits"]
