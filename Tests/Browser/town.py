"""A demo town of one's own: a fresh data folder, filled and served on a free port of this machine, on one fixed day."""

import os
import re
import signal
import socket
import subprocess
import tempfile
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[2]
ZONE = "America/Los_Angeles"
# The moment at which the town's and the site's clock stand, and each page's begins when it opens. A Saturday morning,
# with an event of the town going on, unless VILLAGE_CLOCK says otherwise.
CLOCK = datetime.fromisoformat(os.environ.get("VILLAGE_CLOCK") or "2027-03-20T10:00-07:00").astimezone(ZoneInfo(ZONE))
TODAY = CLOCK.date()
IS_OTHER_DAY = bool(os.environ.get("VILLAGE_CLOCK"))


class Site:
    """The program, serving a demo town until `close`."""

    PASSWORD = "a village of our own"

    def __init__(self):
        self.program = Path(os.environ.get("VILLAGE_PROGRAM") or ROOT / ".build/debug/village")
        if not self.program.is_file():
            raise SystemExit(f"{self.program} is missing. Build it first: swift build --product village")
        self.folder = tempfile.TemporaryDirectory(prefix="village-browser-")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("VILLAGE_")} | {
            "VILLAGE_DATA": f"{self.folder.name}/data",
            "VILLAGE_SETTINGS": "/dev/null",
            "VILLAGE_PORT": str(self.port),
            "VILLAGE_PUBLIC_URL": self.url,
            "VILLAGE_LIMITS": "off",
            "VILLAGE_TIME_ZONE": ZONE,
            "VILLAGE_CLOCK": CLOCK.isoformat(),
            "VILLAGE_COUNTRY": "US",
        }
        # The user names of somebody of each kind, as the town itself names them.
        self.people = people(self.run("seed", "--demo"))
        self.log = open(f"{self.folder.name}/log", "w+")
        self.process = subprocess.Popen(
            [self.program, "serve"], cwd=ROOT, env=self.environment, text=True, stdout=subprocess.PIPE, stderr=self.log
        )
        first = self.process.stdout.readline()
        if "Village is open" not in first:
            self.close()
            raise SystemExit(f"The site did not open: {first}{self.logged()}")

    def run(self, *command):
        """What one of the program's other commands prints."""
        done = subprocess.run([self.program, *command], cwd=ROOT, env=self.environment, text=True, capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"village {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def logged(self):
        """What the server has written so far."""
        self.log.flush()
        self.log.seek(0)
        return self.log.read()

    def complaints(self):
        """The lines of the log that shouldn't be there: failures, such as any answer of 500, and lines without end."""
        lines = self.logged().splitlines()
        return [line[:300] for line in lines if re.search(r" (error|critical) ", line[:60]) or len(line) > 1_000]

    def close(self):
        """Ends the process that was started here, and nothing else."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        self.folder.cleanup()


def people(words):
    """Who can log in, out of what `village seed --demo` prints: a line each, the user name and who that is."""
    found = {}
    kinds = {"parent": "a parent", "provider": "a provider", "staff": "runs the site", "moderator": "looks after"}
    for kind, sign in kinds.items():
        line = re.search(rf"^\s+(\S+)\s+.*{sign}", words, re.MULTILINE)
        if not line:
            raise SystemExit(f"The demo town names nobody who is “{sign}”:\n{words}")
        found[kind] = line[1]
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pattern(path):
    """What kind of page a path is: numbers and names in it aside."""
    path = path.split("?")[0]
    return re.sub(r"^/(providers|people|kindness/themes)/[^/]+", r"/\1/:name", re.sub(r"/\d+", "/:id", path))
