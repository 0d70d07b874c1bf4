"""Bytes to a server and back, with no client library between that would mend or refuse them."""

import re
import socket
import time


class Line:
    """One TCP connection from an address of this machine (all of 127.0.0.0/8 is)."""

    def __init__(self, port, source="127.0.0.1", timeout=10):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout, (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends it all; False when the other side has gone."""
        try:
            self.socket.sendall(data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def read(self, quiet=10.0, enough=None):
        """What comes until the other side closes, is quiet for so many seconds, or `enough(bytes)` says so."""
        got = b""
        self.socket.settimeout(quiet)
        try:
            while piece := self.socket.recv(65536):
                got += piece
                if enough and enough(got):
                    break
        except (TimeoutError, ConnectionResetError):
            pass
        return got

    def closed_after(self, within):
        """The seconds until the other side closes or resets; fails when it hasn't within so many."""
        began = time.monotonic()
        while (left := began + within - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if not self.socket.recv(65536):
                    return time.monotonic() - began
            except ConnectionResetError:
                return time.monotonic() - began
            except TimeoutError:
                break
        raise AssertionError(f"The connection was still open after {within} s.")


class Reply:
    """One answer out of a stream of them."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def title(self):
        found = re.search(rb"<title>(.*?)</title>", self.body, re.DOTALL)
        return found[1].decode().strip() if found else ""


def replies(stream):
    """The answers in a stream, in order; interim ones (100 Continue) left out. Fails when it isn't a row of answers."""
    found = []
    while stream:
        head, separator, rest = stream.partition(b"\r\n\r\n")
        first = re.match(rb"HTTP/1\.[01] (\d{3})(?: [^\r\n]*)?(?:\r\n|$)", head)
        if not separator or not first:
            raise AssertionError(f"This is no answer: {stream[:200]!r}")
        fields = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.decode("latin-1").split("\r\n")[1:])
        }
        if first[1].startswith(b"1"):
            stream = rest
            continue
        if fields.get("transfer-encoding", "").lower() == "chunked":
            body, stream = unchunked(rest)
        elif "content-length" in fields:
            length = int(fields["content-length"])
            body, stream = rest[:length], rest[length:]
        else:
            body, stream = rest, b""
        found.append(Reply(int(first[1]), fields, body))
    return found


def unchunked(stream):
    """The body of an answer in chunks, and what comes after it."""
    body = b""
    while True:
        size, separator, stream = stream.partition(b"\r\n")
        if not separator:
            return body, b""
        size = int(size, 16)
        body, stream = body + stream[:size], stream[size + 2 :]
        if size == 0:
            return body, stream


def ask(port, data, source="127.0.0.1", quiet=10.0):
    """The answers to these bytes on a connection of their own, and the seconds until the first one was there."""
    with Line(port, source) as line:
        began = time.monotonic()
        line.send(data)
        first = line.read(quiet, enough=lambda got: b"\r\n\r\n" in got)
        took = time.monotonic() - began
        return replies(first + line.read(quiet)), took


def percentile(times, share):
    """The value that so many of a hundred stay under, in the unit of the list."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]
