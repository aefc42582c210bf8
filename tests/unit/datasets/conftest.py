"""A publisher on this machine, and a folder that nobody else uses."""

import hashlib
import http.server
import threading

import pytest

from discreet.datasets import published
from discreet.datasets.published import PublishedFile


class Publisher(http.server.ThreadingHTTPServer):
    """Serves `files`; `answers` maps a name to a function that answers in another way."""

    # Waiting for the threads of hung requests would hang the test.
    block_on_close = False
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = {}
        self.answers = {}
        self.requests = []

    def file(self, name, contents):
        """Publish a file, and describe it."""
        self.files[name] = contents
        digest = hashlib.sha256(contents).hexdigest()
        return PublishedFile(name, f"http://127.0.0.1:{self.server_port}/{name}", len(contents), digest)


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.removeprefix("/")
        self.server.requests.append(name)
        if name in self.server.answers:
            self.server.answers[name](self)
            return
        contents = self.server.files[name]
        self.send_response(200)
        self.send_header("Content-Length", str(len(contents)))
        self.end_headers()
        self.wfile.write(contents)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def publisher(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(published, "TIMEOUT", 5.0)
    with Publisher() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that DISCREET_DATA_HOME names; it does not exist yet."""
    chosen = tmp_path / "data"
    monkeypatch.setenv(published.HOME, str(chosen))
    return chosen
