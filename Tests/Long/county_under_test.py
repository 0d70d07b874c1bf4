"""Several nodes on one PostgreSQL server behind HAProxy, as `deploy/county` starts them."""

import os
import random
import socket
import subprocess
import time
from pathlib import Path

from site_under_test import ROOT, Site, Visitor, program

NODES = 3


class Node:
    """One node, asked past HAProxy."""

    def __init__(self, county, number):
        self.county, self.number, self.port = county, number, county.port + number

    @property
    def pid(self):
        return int((self.county.folder / f"node-{self.number}.pid").read_text())

    def signal(self, number):
        os.kill(self.pid, number)

    def is_ready(self):
        try:
            return Visitor(self, timeout=5).get("/readyz").status == 200
        except OSError:
            return False


class CountyUnderTest(Site):
    """The site of `deploy/county`, in a folder of its own; `with` starts it and ends it. As a `Site` it is what
    HAProxy shows, and `nodes` are what is behind.

    `folder` names one that stays; what `source` holds, a data folder, is moved into it when it is new.
    """

    def __init__(self, nodes=NODES, folder=None, source=None, **settings):
        super().__init__(**settings)
        self.folder = Path(folder or f"{self.scratch.name}/county")
        self.source = None if self.folder.exists() else source
        # The nodes' ports are the next ones.
        self.port = consecutive_ports(nodes + 1)
        self.url = f"http://127.0.0.1:{self.port}"
        self.nodes = [Node(self, number) for number in range(1, nodes + 1)]
        for name in ("VILLAGE_DATA", "VILLAGE_PORT"):
            del self.environment[name]
        self.environment |= {"VILLAGE_PUBLIC_URL": self.url, "VILLAGE_PROGRAM": str(program())}
        # The server's own user reaches its folder.
        os.chmod(self.scratch.name, 0o711)

    def __enter__(self):
        with open(self.log_path, "a") as log:
            self.process = subprocess.Popen(
                [
                    ROOT / "deploy" / "county", "--port", str(self.port), "--folder", self.folder,
                    "--nodes", str(len(self.nodes)), *(["--from", self.source] if self.source else []),
                ],
                cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True,
            )
        self.environment |= {
            "VILLAGE_DATA": str(self.folder / "node-1"),
            "VILLAGE_DATABASE_URL": f"postgresql://village@/village?host={self.folder}/postgresql",
        }
        self.start(600 if self.source else 90)
        return self

    def start(self, within=15):
        """Waits until each node is ready: `deploy/county` starts them."""
        return self.until("each node was ready", lambda: all(node.is_ready() for node in self.nodes), within)

    def stop(self, within=60):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(within)

    def until(self, words, fact, within):
        """Waits until something is so; gives the seconds it took."""
        began = time.monotonic()
        while not fact():
            if self.process.poll() is not None:
                raise AssertionError(f"The county ended:\n{self.logged()}")
            if time.monotonic() > began + within:
                raise AssertionError(f"It took more than {within} s until {words}.")
            time.sleep(0.02)
        return time.monotonic() - began

    def server(self, name, *arguments):
        """Runs one of the server's programs to its end; gives what it printed."""
        command = [max(Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), *map(str, arguments)]
        if os.geteuid() == 0:
            command = ["runuser", "--user", "postgres", "--", *command]
        return subprocess.run(command, cwd="/", check=True, text=True, stdout=subprocess.PIPE).stdout

    def restart(self, mode):
        """Restarts the server: `fast` ends its sessions, `immediate` is as a power cut."""
        folder = self.folder / "postgresql"
        self.server("pg_ctl", "-D", folder / "data", "-l", folder / "server.log", "-m", mode, "-w", "restart")

    def sql(self, statement):
        return self.server(
            "psql", "-h", self.folder / "postgresql", "-U", "village", "-d", "village", "-qtAXc", statement
        ).strip()

    def set(self, name, value=None):
        """Sets one of the server's settings; without a value, back to what it was."""
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'" if value else f"ALTER SYSTEM RESET {name}")
        self.sql("SELECT pg_reload_conf()")


def consecutive_ports(count):
    """The first of so many ports in a row that are free."""
    while True:
        first = random.randrange(20_000, 30_000)
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
