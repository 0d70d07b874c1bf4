"""The twins of a strict server: a proxy and a server that read a request as leniently as old ones did.

They agree on plain requests. Where a request can be read in two ways, the proxy believes the length and the server the
chunks, and the proxy sends everybody's requests over one connection: together they are what smuggling needs.
"""

import re
import socket
import threading

from raw import Line, replies

HEAD_END = re.compile(rb"\r?\n\r?\n")


class Careless:
    """Accepts connections on a port of its own and hands each to `serve`, until the block ends."""

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.guard, args=(client,), daemon=True).start()

    def guard(self, client):
        client.settimeout(2)
        with client:
            try:
                self.serve(client)
            except (OSError, EOFError, AssertionError):
                pass


class Reader:
    """Takes requests off a connection, as leniently as can be."""

    def __init__(self, connection, believes_chunks):
        self.connection, self.believes_chunks, self.pending = connection, believes_chunks, b""

    def more(self):
        piece = self.connection.recv(65536)
        if not piece:
            raise EOFError
        self.pending += piece

    def take(self, count):
        while len(self.pending) < count:
            self.more()
        taken, self.pending = self.pending[:count], self.pending[count:]
        return taken

    def line(self):
        while b"\n" not in self.pending:
            self.more()
        return self.take(self.pending.index(b"\n") + 1)

    def request(self):
        """The head and body of the next request, as they came."""
        while not (end := HEAD_END.search(self.pending)):
            self.more()
        head = self.take(end.end())
        length = re.search(rb"\ncontent-length\s*:\s*\+?(\d+)", head, re.IGNORECASE)
        is_chunked = re.search(rb"\ntransfer-encoding\s*:.*\s*.*chunked", head, re.IGNORECASE)
        if is_chunked and (self.believes_chunks or not length):
            return head, self.chunks()
        return head, self.take(int(length[1])) if length else b""

    def chunks(self):
        body = b""
        while True:
            line = self.line()
            size = int(re.match(rb"\s*(?:0x)?([0-9a-fA-F]*)", line)[1] or b"0", 16)
            body += line + self.take(size)
            if size == 0:
                while (line := self.line()).strip():
                    body += line
                return body + line
            body += self.line()


class CarelessServer(Careless):
    """Answers each request with its target as the title, and believes chunks before a length."""

    def serve(self, client):
        reader = Reader(client, believes_chunks=True)
        while True:
            target = (reader.request()[0].split() + [b"", b""])[1]
            body = b"<title>%s</title>" % target
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))


class CarelessProxy(Careless):
    """Sends every visitor's requests over one connection, and believes a length before chunks."""

    def __init__(self, upstream):
        self.upstream, self.line, self.turn = upstream, None, threading.Lock()

    def serve(self, client):
        reader = Reader(client, believes_chunks=False)
        head = b""
        while b"connection: close" not in head.lower():
            head, body = reader.request()
            with self.turn:
                answer = self.forward(head + body)
            client.sendall(answer)

    def forward(self, request):
        if not self.line:
            self.line, self.surplus = Line(self.upstream), b""
        answer = self.surplus
        if self.line.send(request):
            while not self.is_whole(answer) and (piece := self.line.read(0.5, enough=bool)):
                answer += piece
        if answer:
            return self.split(answer)
        self.hang_up()
        raise EOFError

    def hang_up(self):
        self.line.socket.close()
        self.line = None

    @staticmethod
    def is_whole(stream):
        head, _, rest = stream.partition(b"\r\n\r\n")
        length = re.search(rb"\ncontent-length: (\d+)", head, re.IGNORECASE)
        return bool(length) and len(rest) >= int(length[1])

    def split(self, stream):
        """The first answer; what comes behind it stays for whoever asks next, which is the damage."""
        first = replies(stream)[0]
        end = stream.index(b"\r\n\r\n") + 4 + len(first.body)
        self.surplus = stream[end:]
        if first.fields.get("connection", "").lower() == "close":
            self.hang_up()
        return stream[:end]
