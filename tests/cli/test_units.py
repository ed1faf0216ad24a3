"""What is written for systemd and launchd is read back as it was meant, whatever the paths look like.

`read_unit` follows the manual (systemd.syntax, systemd.service) and shares nothing with the writer; where systemd is
installed, its own parser reads the same files too.
"""

from __future__ import annotations

import os
import plistlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from libravdb.cli.service.units import LAUNCHD_LABEL, ServiceUnit, launchd_agent, systemd_unit
from libravdb.errors import DaemonError

GOLDEN_UNIT = """\
# Written by 'libravdb service install'. To change it, run that again, or 'systemctl --user edit libravdbd.service'.
[Unit]
Description=LibraVDB Memory daemon
StartLimitIntervalSec=30
StartLimitBurst=5

[Service]
Type=exec
ExecStart="/home/ann/my tools/100%%/libravdbd" serve
Environment="LIBRAVDB_CONFIG=/home/ann/50%% \\"new\\".toml"
Environment="LIBRAVDB_DB_PATH=/srv/$memory\\\\data"
Restart=on-failure
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

GOLDEN_AGENT = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>libravdb.libravdbd</string>
	<key>ProgramArguments</key>
	<array>
		<string>/Users/ann/R&amp;D/libravdbd</string>
		<string>serve</string>
	</array>
	<key>EnvironmentVariables</key>
	<dict>
		<key>LIBRAVDB_DB_PATH</key>
		<string>/Users/ann/&lt;memory&gt;</string>
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ExitTimeOut</key>
	<integer>20</integer>
	<key>Umask</key>
	<integer>63</integer>
	<key>StandardOutPath</key>
	<string>/Users/ann/.clawdb/log/libravdbd.log</string>
	<key>StandardErrorPath</key>
	<string>/Users/ann/.clawdb/log/libravdbd.log</string>
</dict>
</plist>
"""

# ── a reader of units, after the manual ───────────────────────────────────────────────────────────────────

ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'", "s": " "}


def words(line: str) -> list[str]:
    """The words of a value: quotes around a word or a part of it, backslashes undone, inside quotes as well."""
    found: list[str] = []
    rest = iter(line)
    word, quote = None, ""
    for character in rest:
        if character == "\\":
            word = (word or "") + ESCAPES[next(rest)]
        elif quote:
            word, quote = (word, "") if character == quote else ((word or "") + character, quote)
        elif character in "\"'":
            word, quote = word or "", character
        elif character in " \t":
            found += [] if word is None else [word]
            word = None
        else:
            word = (word or "") + character
    assert not quote, f"a quote is not closed: {line}"
    return found + ([] if word is None else [word])


def specified(word: str) -> str:
    """Percent signs: only a doubled one stands for itself, any other would be replaced."""
    assert re.fullmatch(r"([^%]|%%)*", word, re.DOTALL), word
    return word.replace("%%", "%")


def read_unit(text: str) -> tuple[list[str], dict[str, str]]:
    """The command as it is run, the path of the program first, and the environment."""
    command: list[str] = []
    environment = {}
    for line in text.split("\n"):
        assert not line.endswith("\\"), "a line that goes on in the next one"
        key, _, value = line.partition("=")
        if key == "ExecStart":
            program, *arguments = (specified(word) for word in words(value))
            assert not re.search("[\"'\\\\\x00-\x1f\x7f]", program), "systemd refuses such a program"
            is_literal = program.startswith(":")
            if not is_literal:
                assert "$" not in program, "argv[0] would have its variables replaced"
                assert all(re.fullmatch(r"([^$]|\$\$)*", word, re.DOTALL) for word in arguments), arguments
                arguments = [word.replace("$$", "$") for word in arguments]
            command = [program.removeprefix(":"), *arguments]
        elif key == "Environment":
            for word in words(value):
                name, _, content = specified(word).partition("=")
                environment[name] = content
    return command, environment


def started(command: list[str]) -> list[str]:
    """What runs in the end: a shell that becomes the program is that program."""
    if command[:3] == ["/bin/sh", "-c", 'exec "$0" serve']:
        (program,) = command[3:]
        return [program, "serve"]
    return command


# ── what may come ─────────────────────────────────────────────────────────────────────────────────────────

awkward = st.text(alphabet=st.sampled_from("aZ9 \t\n\"'\\%$#;:=@-!+~{}<>&|*?`é漢\u2028\x85🜁"), max_size=24)
anything = st.text(
    alphabet=st.characters(
        exclude_categories=["Cs"],
        exclude_characters=[chr(code) for code in (*range(9), *range(11, 32), 127, *range(0xFDD0, 0xFDF0))],
    ).filter(lambda character: ord(character) & 0xFFFE != 0xFFFE),
    max_size=24,
)
values = awkward | anything
paths = values.map(lambda text: f"/{text}/libravdbd")
environments = st.dictionaries(st.from_regex(r"\ALIBRAVDB_[A-Z_]{1,12}\Z"), values, max_size=4)


@given(path=paths, environment=environments)
@example(path="/home/o'brien/libravdbd", environment={"LIBRAVDB_X": "trailing\\"})
@example(path="/opt/$HOME/%h/libravdbd", environment={"LIBRAVDB_X": "${HOME} %h %% $$ \\n \n"})
def test_a_unit_reads_back_as_it_was_meant(path: str, environment: dict[str, str]) -> None:
    command, read = read_unit(systemd_unit(ServiceUnit(executable=path, environment=environment)))
    assert started(command) == [path, "serve"]
    assert read == environment


@given(path=paths, environment=environments, log=paths)
def test_an_agent_reads_back_as_it_was_meant(path: str, environment: dict[str, str], log: str) -> None:
    agent = plistlib.loads(launchd_agent(ServiceUnit(executable=path, environment=environment), log=log).encode())
    assert agent["ProgramArguments"] == [path, "serve"]
    assert agent["EnvironmentVariables"] == environment
    assert agent["StandardErrorPath"] == agent["StandardOutPath"] == log
    assert agent["Label"] == LAUNCHD_LABEL


def test_the_unit_is_the_golden_one() -> None:
    environment = {"LIBRAVDB_DB_PATH": "/srv/$memory\\data", "LIBRAVDB_CONFIG": '/home/ann/50% "new".toml'}
    unit = ServiceUnit(executable="/home/ann/my tools/100%/libravdbd", environment=environment)
    assert systemd_unit(unit) == GOLDEN_UNIT


def test_the_agent_is_the_golden_one() -> None:
    unit = ServiceUnit(executable="/Users/ann/R&D/libravdbd", environment={"LIBRAVDB_DB_PATH": "/Users/ann/<memory>"})
    assert launchd_agent(unit, log="/Users/ann/.clawdb/log/libravdbd.log") == GOLDEN_AGENT


@pytest.mark.parametrize(
    ("executable", "written"),
    [
        ("/opt/$x/libravdbd", '":/opt/$x/libravdbd" serve'),
        ("/home/o'brien/$x/libravdbd", '/bin/sh -c \'exec "$$0" serve\' "/home/o\'brien/$$x/libravdbd"'),
    ],
)
def test_a_path_that_systemd_would_change_or_refuse_goes_another_way(executable: str, written: str) -> None:
    assert f"\nExecStart={written}\n" in systemd_unit(ServiceUnit(executable=executable, environment={}))


@pytest.mark.parametrize("character", ["\x00", "\r", "\x1b", "\x7f", "\ud800", "\ufdd0", "\uffff", "\U0001fffe"])
def test_what_no_file_can_hold_is_refused_by_name(character: str) -> None:
    with pytest.raises(DaemonError, match="LIBRAVDB_DB_PATH holds the character"):
        ServiceUnit(executable="/bin/libravdbd", environment={"LIBRAVDB_DB_PATH": f"/a{character}b"})
    with pytest.raises(DaemonError, match="path of libravdbd holds"):
        ServiceUnit(executable=f"/a{character}b", environment={})
    with pytest.raises(DaemonError, match="path of the log holds"):
        launchd_agent(ServiceUnit(executable="/bin/libravdbd", environment={}), log=f"/a{character}b")


def test_a_relative_program_and_a_name_that_is_none_are_refused() -> None:
    with pytest.raises(DaemonError, match="not a full path"):
        ServiceUnit(executable="libravdbd", environment={})
    with pytest.raises(DaemonError, match="not the name of a variable"):
        ServiceUnit(executable="/bin/libravdbd", environment={"A B": "x"})


# ── systemd's own opinion ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=values, value=values)
@example(name='o\'brien "$HOME" %h \\n', value="'\"\\ $HOME ${HOME} %h %%\n\tend\\")
@example(name=":$HOME", value="")
def test_systemd_itself_reads_the_same(name: str, value: str) -> None:
    assume(len(name.encode()) < 200)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(os.path.normpath(f"{folder}/{name.replace('/', '|')}_/libravdbd"))
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o700)
        file = Path(folder, "libravdbd.service")
        file.write_text(
            systemd_unit(ServiceUnit(executable=str(program), environment={"LIBRAVDB_X": value})),
            encoding="utf-8",
            newline="",
        )
        done = subprocess.run(
            ["systemd-analyze", "--user", "--man=no", "verify", str(file)],  # noqa: S607 - the machine's own
            env={**os.environ, "XDG_RUNTIME_DIR": folder, "HOME": folder, "SYSTEMD_LOG_LEVEL": "debug"},
            capture_output=True,
            check=False,
        )
    dump, complaints = done.stdout.decode(), done.stderr.decode()
    if "Failed to initialize manager" in complaints:
        pytest.skip("systemd-analyze cannot work here")
    assert done.returncode == 0, complaints  # among others: the program was found
    assert not re.search(r"libravdbd\.service:\d+: ", complaints), complaints  # no line was ignored
    assert f"\tEnvironment: LIBRAVDB_X={value}\n\t" in dump
    assert "\tUMask: 0077\n" in dump
