import dataclasses
import os
import socket
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from discreet.datasets import adult, cod_rna, mushroom, published
from discreet.datasets.published import HOME, data_folder, obtain
from discreet.errors import DatasetError, DiscreetError

CONTENTS = b"one\ntwo\n" * 5000


@pytest.fixture
def file(publisher):
    return publisher.file("some.data", CONTENTS)


def refusal(file):
    """The error that obtaining the file raises; it must not carry another library's."""
    with pytest.raises(DatasetError) as caught:
        obtain(file)
    assert isinstance(caught.value, DiscreetError)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "During handling" not in "".join(traceback.format_exception(caught.value))
    return str(caught.value)


def assert_says_what_to_do(message, file, folder):
    for part in (file.url, repr(file.name), repr(str(folder)), HOME, file.sha256):
        assert part in message


class TestFolder:
    def test_the_variable_decides(self, folder):
        assert data_folder() == folder

    @pytest.mark.parametrize("unset", [None, ""])
    def test_else_the_users_cache(self, monkeypatch, tmp_path, unset):
        monkeypatch.delenv(HOME, raising=False)
        if unset is not None:
            monkeypatch.setenv(HOME, unset)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        assert data_folder() == tmp_path / "discreet"

    @pytest.mark.parametrize("xdg", [None, "", "relative/folder"])
    def test_else_the_usual_cache(self, monkeypatch, tmp_path, xdg):
        monkeypatch.delenv(HOME, raising=False)
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        if xdg is not None:
            monkeypatch.setenv("XDG_CACHE_HOME", xdg)
        monkeypatch.setenv("HOME", str(tmp_path))
        assert data_folder() == tmp_path / ".cache" / "discreet"

    def test_a_user_without_a_home_is_told(self, monkeypatch):
        for name in (HOME, "XDG_CACHE_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(os.path, "expanduser", lambda path: path)
        with pytest.raises(DatasetError, match=HOME):
            data_folder()


class TestPresent:
    def test_is_read_and_nobody_is_asked(self, publisher, file, folder):
        folder.mkdir()
        (folder / file.name).write_bytes(CONTENTS)
        assert obtain(file) == CONTENTS
        assert publisher.requests == []

    @pytest.mark.parametrize(
        ("contents", "says"),
        [
            (CONTENTS.replace(b"one", b"ONE", 1), "sha256"),
            (CONTENTS[:-1], f"{len(CONTENTS) - 1} bytes instead of {len(CONTENTS)}"),
            (CONTENTS + b"\n", f"longer than {len(CONTENTS)} bytes"),
            (b"", "0 bytes"),
        ],
    )
    def test_other_contents_are_refused_and_left_alone(self, publisher, file, folder, contents, says):
        folder.mkdir()
        path = folder / file.name
        path.write_bytes(contents)
        message = refusal(file)
        assert says in message
        assert repr(str(path)) in message
        assert file.url in message
        assert path.read_bytes() == contents
        assert publisher.requests == []

    def test_unreadable(self, publisher, file, folder):
        (folder / file.name).mkdir(parents=True)
        message = refusal(file)
        assert "Is a directory" in message
        assert repr(str(folder / file.name)) in message
        assert publisher.requests == []


class TestDownload:
    def test_is_kept_for_the_next_time(self, publisher, file, folder):
        assert obtain(file) == CONTENTS
        assert (folder / file.name).read_bytes() == CONTENTS
        assert os.listdir(folder) == [file.name]
        assert obtain(file) == CONTENTS
        assert publisher.requests == [file.name]

    def test_several_at_once(self, file, folder):
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(obtain, [file] * 16)) == {CONTENTS}
        assert os.listdir(folder) == [file.name]

    @pytest.mark.parametrize(
        ("contents", "says"),
        [
            (CONTENTS.replace(b"two", b"TWO", 1), "sha256"),
            (CONTENTS + b"more", "longer"),
            (CONTENTS[:-1], "instead of"),
        ],
    )
    def test_other_contents_are_refused_and_not_kept(self, publisher, file, folder, contents, says):
        publisher.files[file.name] = contents
        message = refusal(file)
        assert says in message
        assert_says_what_to_do(message, file, folder)
        assert not folder.exists()

    @pytest.mark.parametrize("length_first", [True, False])
    def test_truncated(self, publisher, file, folder, length_first):
        def answer(request):
            request.send_response(200)
            if length_first:
                request.send_header("Content-Length", str(len(CONTENTS)))
            request.end_headers()
            request.wfile.write(CONTENTS[:1000])

        publisher.answers[file.name] = answer
        assert_says_what_to_do(refusal(file), file, folder)
        assert not folder.exists()

    @pytest.mark.parametrize("status", [403, 404, 503])
    def test_http_error(self, publisher, file, folder, status):
        publisher.answers[file.name] = lambda request: request.send_error(status)
        message = refusal(file)
        assert f"the server answered {status}" in message
        assert_says_what_to_do(message, file, folder)

    @pytest.mark.parametrize("noise", [b"", b"no http at all\r\n\r\n"])
    def test_no_http(self, publisher, file, folder, noise):
        publisher.answers[file.name] = lambda request: request.wfile.write(noise)
        message = refusal(file)
        assert "connection" in message
        assert_says_what_to_do(message, file, folder)

    def test_offline(self, file, folder, monkeypatch):
        monkeypatch.setenv("no_proxy", "*")
        with socket.socket() as taken:
            # Bound and not listening: nobody answers there.
            taken.bind(("127.0.0.1", 0))
            file = dataclasses.replace(file, url=f"http://127.0.0.1:{taken.getsockname()[1]}/some.data")
            message = refusal(file)
        assert "no connection" in message
        assert_says_what_to_do(message, file, folder)

    def test_a_silent_publisher_is_not_waited_for_forever(self, publisher, file, folder, monkeypatch):
        monkeypatch.setattr(published, "TIMEOUT", 0.1)
        publisher.answers[file.name] = lambda request: time.sleep(0.5)
        started = time.monotonic()
        assert_says_what_to_do(refusal(file), file, folder)
        assert time.monotonic() - started < 0.4

    def test_a_folder_that_cannot_be_made(self, file, folder):
        folder.symlink_to("nowhere/at/all")
        message = refusal(file)
        assert message.startswith("cannot write some.data into the folder")
        assert HOME in message

    def test_a_disk_that_fills_leaves_nothing(self, file, folder, monkeypatch):
        def fill(self, contents):
            self.touch()
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", fill)
        message = refusal(file)
        assert "No space left on device" in message
        assert repr(str(folder)) in message
        assert os.listdir(folder) == []


@pytest.mark.parametrize("file", [adult.TRAIN, adult.TEST, mushroom.RECORDS, cod_rna.RECORDS])
def test_publishers_are_asked_by_https(file):
    assert file.url.startswith("https://")
    assert file.url.endswith("/" + file.name)
    assert len(bytes.fromhex(file.sha256)) == 32
