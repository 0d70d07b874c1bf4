"""nginx, HAProxy and Caddy in front of a site, each with its file of deploy/proxies.

Only what names this machine is replaced in that file: ports, the certificate, the user. A line that should be replaced
and isn't there is a failure, so the file that is shipped is the one that is tested.
"""

import os
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
from pathlib import Path

from raw import Line
from site_under_test import ROOT, free_port

HOST = "village.example"
NAMES = ("nginx", "haproxy", "caddy")


class Proxy:
    """One of NAMES, on a folder and ports of its own; `with Proxy("nginx", site) as proxy:` starts and ends it."""

    def __init__(self, name, site):
        self.name = name
        self.command = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if not self.command:
            raise AssertionError(f"{name} is missing: apt-get install {name}")
        self.scratch = tempfile.TemporaryDirectory(prefix=f"village-{name}-")
        self.folder = Path(self.scratch.name)
        self.upstream = f"127.0.0.1:{site.port}"
        self.port, self.plain_port = free_port(), free_port()
        self.certificate, self.key = self.folder / "cert.pem", self.folder / "key.pem"

    def __enter__(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
             "-subj", f"/CN={HOST}", "-keyout", self.key, "-out", self.certificate],
            check=True, capture_output=True,
        )
        (self.folder / "village.pem").write_bytes(self.certificate.read_bytes() + self.key.read_bytes())
        arguments = getattr(self, f"configure_{self.name}")()
        homes = {"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        environment = os.environ | homes | {"VILLAGE_UPSTREAM": self.upstream}
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(
                [self.command, *map(str, arguments)], cwd=self.folder, env=environment, stdout=log, stderr=log
            )
        began = time.monotonic()
        while time.monotonic() < began + 15:
            if self.process.poll() is not None:
                break
            try:
                with self.line():
                    return self
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"{self.name} did not start:\n{(self.folder / 'log').read_text()}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.scratch.cleanup()

    def line(self):
        """A connection as a browser makes it, over TLS, held to HTTP/1.1."""
        line = Line(self.port)
        context = ssl.create_default_context(cafile=self.certificate)
        context.check_hostname = False
        context.set_alpn_protocols(["http/1.1"])
        line.socket = context.wrap_socket(line.socket, server_hostname=HOST)
        return line

    def shipped(self, file, *changes):
        """The shipped file with each pattern replaced wherever it stands."""
        text = (ROOT / "deploy/proxies" / file).read_text()
        for pattern, replacement in changes:
            text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            assert count, f"deploy/proxies/{file} has no line like {pattern}"
        return text

    def write(self, file, text):
        path = self.folder / file
        path.write_text(text)
        return path

    def configure_nginx(self):
        site = self.shipped(
            "nginx.conf",
            (r"^    listen \[::\]:.*\n", ""),
            (r"listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            (r"listen 443 ", f"listen 127.0.0.1:{self.port} "),
            (r"server 127\.0\.0\.1:8080;", f"server {self.upstream};"),
            (r"ssl_certificate /.*;", f"ssl_certificate {self.certificate};"),
            (r"ssl_certificate_key /.*;", f"ssl_certificate_key {self.key};"),
        )
        folders = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        main = f"daemon off;\nuser root;\npid {self.folder}/pid;\nevents {{}}\n"
        around = f"{main}http {{\naccess_log off;\n{folders}{site}}}\n"
        return ["-p", self.folder, "-e", self.folder / "error.log", "-c", self.write("nginx.conf", around)]

    def configure_haproxy(self):
        text = self.shipped(
            "haproxy.cfg",
            (r"^    (user|group) .*\n", ""),
            (r"bind :80$", f"bind 127.0.0.1:{self.plain_port}"),
            (r"bind :443 ssl crt \S+", f"bind 127.0.0.1:{self.port} ssl crt {self.folder}/village.pem"),
            (r"server village 127\.0\.0\.1:8080", f"server village {self.upstream}"),
        )
        return ["-db", "-f", self.write("haproxy.cfg", text)]

    def configure_caddy(self):
        site = self.shipped(
            "Caddyfile", (rf"^{re.escape(HOST)} {{\n", f"{HOST} {{\n\ttls {self.certificate} {self.key}\n")
        )
        around = (
            f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\tstorage file_system {self.folder}\n"
            f"\thttp_port {self.plain_port}\n\thttps_port {self.port}\n}}\n"
        )
        return ["run", "--adapter", "caddyfile", "--config", self.write("Caddyfile", around + site)]
