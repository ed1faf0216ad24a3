"""A balancer before several daemons: each request goes to the next one, whoever sends it, on whatever connection."""

from __future__ import annotations

import http.client
import itertools
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from libravdb.wire.endpoint import Endpoint


@contextmanager
def balanced(daemons: Sequence[Endpoint]) -> Iterator[str]:
    """The URL of a balancer before these daemons."""
    turns, lock = itertools.cycle(daemons), threading.Lock()

    class Forward(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            with lock:
                daemon = next(turns)
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told = {name: self.headers[name] for name in ("Authorization", "Content-Type")}
            with closing(http.client.HTTPConnection(daemon.host, daemon.port, timeout=60)) as there:
                there.request("POST", self.path, body=body, headers=told)
                answer = there.getresponse()
                content = answer.read()
            self.send_response(answer.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing is to be told."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Forward)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
