"""A host of the web on loopback, with documents of all kinds. It prints its port, and ends with its input.

    host.py [CERTIFICATE KEY]
"""
import gzip
import http.server
import os
import ssl
import sys
import threading
import time
import urllib.parse

CALENDAR = b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
CHANGED = "Sun, 29 Nov 2026 12:00:00 GMT"


class Host(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        name, _, number = path[1:].partition("/")
        try:
            getattr(self, name)(int(number or 0), urllib.parse.unquote(query))
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def do_POST(self):
        self.sent = self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def form(self, *_):
        """What was sent, and how."""
        lines = [self.command, self.headers["Content-Type"], self.headers["Authorization"], self.sent.decode()]
        self.answer(200, "\n".join(map(str, lines)).encode())

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def unmeasured(self):
        """A document of which nobody says how long it will be."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()

    def calendar(self, *_):
        if self.headers["If-None-Match"] == '"one"' or self.headers["If-Modified-Since"] == CHANGED:
            return self.answer(304)
        kind = "text/calendar; charset=utf-8"
        self.answer(200, CALENDAR, ETag='"one"', Last_Modified=CHANGED, Content_Type=kind)

    def plain(self, *_):
        self.answer(200, CALENDAR)

    def status(self, number, _):
        self.answer(number, b"no calendar")

    def to(self, number, query):
        self.answer(number, b"elsewhere", Location=query, Set_Cookie="seen=1; Path=/")

    def hops(self, number, _):
        self.answer(302, Location=f"/hops/{number - 1}") if number else self.answer(200, CALENDAR)

    def loop(self, *_):
        self.answer(302, Location="/loop")

    def asked(self, *_):
        self.answer(200, "".join(f"{key}: {value}\n" for key, value in self.headers.items()).encode())

    def measured(self, number, _):
        self.answer(200, b"x" * number)

    def endless(self, *_):
        self.unmeasured()
        while True:
            self.wfile.write(b"x" * 1024)

    def packed(self, number, _):
        self.answer(200, gzip.compress(b"x" * number), Content_Encoding="gzip")

    def heads(self, number, _):
        self.answer(200, CALENDAR, **{f"X_{count}": "x" * 1000 for count in range(number)})

    def cut(self, *_):
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(CALENDAR)

    def trickle(self, *_):
        self.unmeasured()
        while True:
            self.wfile.write(b"x")
            time.sleep(0.02)

    def silent(self, *_):
        threading.Event().wait()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that doesn't believe the certificate


def leave():
    sys.stdin.read()
    os._exit(0)


server = Server(("127.0.0.1", 0), Host)
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[1:3])
    # The handshake is made on the thread of the connection, so that nobody else waits for it.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=leave, daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
