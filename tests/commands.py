"""`libravdb …` in a process of its own, without the second that every Python spends on loading the engine.

A process that has loaded it stands ready and forks for each command: its own environment, folder and streams, its own
exit. What only a real start shows (`python -m libravdb`, warnings, signals, terminals) is tested with a real start.
"""

from __future__ import annotations

import array
import atexit
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

Result = subprocess.CompletedProcess[str]


def run_command(
    *arguments: str, env: Mapping[str, str], stdin: str = "", cwd: Path | None = None, seconds: float = 300
) -> Result:
    """Run `libravdb …` to its end."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        request = {"arguments": arguments, "env": dict(env), "cwd": str(cwd or Path.cwd())}
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(seconds)
            line.connect(_server())
            descriptors = array.array("i", [given.fileno(), out.fileno(), err.fileno()])
            line.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptors)])
            line.sendall(json.dumps(request).encode() + b"\n")
            told = line.makefile("rb").readline()
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(int(told)) if told else -signal.SIGKILL
        return subprocess.CompletedProcess(["libravdb", *arguments], code, out.read().decode(), err.read().decode())


@functools.cache
def _server() -> str:
    """Where the process listens that forks for us; it ends with us."""
    folder = Path(tempfile.mkdtemp(prefix="lv-"))
    path = str(folder / "s")
    process = subprocess.Popen([sys.executable, "-W", "error", "-m", "tests.commands", path], stdout=subprocess.PIPE)

    def end() -> None:
        process.kill()
        process.wait()
        (folder / "s").unlink(missing_ok=True)
        folder.rmdir()

    atexit.register(end)
    assert process.stdout is not None
    with process.stdout as ready:
        assert ready.readline() == b"ready\n"
    return path


# ── the process that forks ────────────────────────────────────────────────────────────────────────────────


def _serve(path: str) -> NoReturn:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
    import libravdb.adapters.embedders.bundled  # noqa: PLC0415
    import libravdb.adapters.sqlite.store  # noqa: PLC0415
    import libravdb.cli  # noqa: PLC0415
    import libravdb.engine.engine  # noqa: F401, PLC0415

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        os.close(1)
        listening.settimeout(5)
        parent = os.getppid()
        while os.getppid() == parent:
            try:
                line, _ = listening.accept()
            except TimeoutError:
                continue
            line.setblocking(True)  # noqa: FBT003 - the socket's own word
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listening.close()
                _attend(line)
            line.close()
    sys.exit()


def _attend(line: socket.socket) -> NoReturn:
    """Fork once more for the command, and tell how it ended."""
    _, control, _, _ = line.recvmsg(1, socket.CMSG_SPACE(3 * 4))
    streams = array.array("i", control[0][2])
    request = json.loads(line.makefile("rb").readline())
    child = os.fork()
    if child == 0:
        line.close()
        _become(request, streams.tolist())
    _, status = os.waitpid(child, 0)
    line.sendall(b"%d\n" % status)
    os._exit(0)


def _become(request: Mapping[str, object], streams: list[int]) -> NoReturn:
    from libravdb.cli import main  # noqa: PLC0415

    for place, descriptor in enumerate(streams):
        os.dup2(descriptor, place)
    for descriptor in streams:
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    os.chdir(str(request["cwd"]))
    time.tzset()
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    sys.argv = ["libravdb", *request["arguments"]]  # type: ignore[misc]
    code: object = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    _serve(sys.argv[1])
