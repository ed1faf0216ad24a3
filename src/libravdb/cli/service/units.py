"""What the machine's own supervisor is told about the daemon: a systemd user unit, or a launchd agent.

Pure: a value in, the file's text out. `libravdb service` writes it and talks to the supervisor.
"""

from __future__ import annotations

import plistlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from libravdb.errors import DaemonError

SYSTEMD_NAME = "libravdbd.service"
LAUNCHD_LABEL = "libravdb.libravdbd"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UNWRITABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
    + "]"
)
"""Control characters but tab and line break, halves of surrogates, noncharacters: systemd or XML refuse them."""

_NOT_IN_FIRST_WORD = re.compile(r"[\"'\\\t\n]")
"""systemd refuses a program with one of these in its path, however it is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceUnit:
    """What is to be kept running: the `libravdbd` program, by its full path, and the environment it gets."""

    executable: str
    environment: Mapping[str, str]

    def __post_init__(self) -> None:
        if not self.executable.startswith("/"):
            raise DaemonError(f"{self.executable!r} is not a full path.", remedy="Name libravdbd by its full path.")
        _check_writable("the path of libravdbd", self.executable)
        for name, value in self.environment.items():
            if not _NAME.fullmatch(name):
                raise DaemonError(f"{name!r} is not the name of a variable.", remedy="Use letters, digits and _.")
            _check_writable(name, value)


def _check_writable(what: str, text: str) -> None:
    found = _UNWRITABLE.search(text)
    if found:
        raise DaemonError(
            f"{what} holds the character {found[0]!r}, which no service file can hold.", remedy="Use another path."
        )


# ── systemd ───────────────────────────────────────────────────────────────────────────────────────────────


def systemd_unit(unit: ServiceUnit) -> str:
    """The unit's file. It comes back after a failure, and gives up after five within half a minute.

    Only what a user's own systemd can enforce everywhere is asked for: folders of its own (ProtectHome, PrivateTmp)
    need user namespaces, which many machines forbid, and the unit would not start there.
    """
    environment = "".join(f"Environment={_quoted(f'{name}={unit.environment[name]}')}\n" for name in _names(unit))
    return f"""\
# Written by 'libravdb service install'. To change it, run that again, or 'systemctl --user edit {SYSTEMD_NAME}'.
[Unit]
Description=LibraVDB Memory daemon
StartLimitIntervalSec=30
StartLimitBurst=5

[Service]
Type=exec
ExecStart={_command(unit.executable)}
{environment}Restart=on-failure
RestartSec=200ms
TimeoutStopSec=20
StandardOutput=journal
StandardError=journal
SyslogIdentifier=libravdbd
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK

[Install]
WantedBy=default.target
"""


def _command(executable: str) -> str:
    """ExecStart. The program's own path never has its $ replaced, but its argv[0] would: a leading colon forbids it.

    A path that systemd refuses as a program is handed to the shell, which becomes the daemon.
    """
    if _NOT_IN_FIRST_WORD.search(executable):
        path = _quoted(executable).replace("$", "$$")
        return f"/bin/sh -c 'exec \"$$0\" serve' {path}"
    return f"{_quoted(':' + executable if '$' in executable else executable)} serve"


def _quoted(text: str) -> str:
    """One word of a unit's line: systemd undoes the backslashes first, then the percent signs."""
    for plain, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("%", "%%")):
        text = text.replace(plain, written)
    return f'"{text}"'


# ── launchd ───────────────────────────────────────────────────────────────────────────────────────────────


def launchd_agent(unit: ServiceUnit, *, log: str) -> str:
    """The agent's property list. It starts at login, comes back after a failure, and writes to the file `log`."""
    _check_writable("the path of the log", log)
    agent = {
        "Label": LAUNCHD_LABEL,
        "ProgramArguments": [unit.executable, "serve"],
        "EnvironmentVariables": {name: unit.environment[name] for name in _names(unit)},
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ExitTimeOut": 20,
        "Umask": 0o077,
        "StandardOutPath": log,
        "StandardErrorPath": log,
    }
    return plistlib.dumps(agent, sort_keys=False).decode()


def _names(unit: ServiceUnit) -> list[str]:
    return sorted(unit.environment)
