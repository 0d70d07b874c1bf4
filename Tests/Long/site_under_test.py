"""A site to put under strain: the real program on a data folder of its own, and visitors that are quick."""

import http.client
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a village of our own"


def program():
    """The program under test: VILLAGE_PROGRAM, or the newest that was built here."""
    if named := os.environ.get("VILLAGE_PROGRAM"):
        return Path(named).resolve()
    built = [ROOT / ".build" / kind / "village" for kind in ("release", "debug")]
    built = [path for path in built if path.is_file()]
    if not built:
        raise SystemExit("There is no program to test. Build it first: swift build -c release --product village")
    return max(built, key=lambda path: path.stat().st_mtime)


def home():
    """The folder the program is started in: the nearest above it that has a `Public`, which is its own; else this
    repository."""
    folders = program().resolve().parents
    return next((folder for folder in folders if (folder / "Public/css/tokens.css").is_file()), ROOT)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Site:
    """The program, on a folder of its own; `with Site() as site:` starts it and ends it.

    `data` names a folder that is there already and stays; `wrap` stands in front of the command (strace and its like);
    `settings` are further VILLAGE_ variables.
    """

    def __init__(self, data=None, wrap=(), **settings):
        self.scratch = tempfile.TemporaryDirectory(prefix="village-long-")
        self.data = Path(data or f"{self.scratch.name}/data")
        self.wrap = list(wrap)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("VILLAGE_")} | {
            "VILLAGE_DATA": str(self.data),
            "VILLAGE_SETTINGS": "/dev/null",
            "VILLAGE_PORT": str(self.port),
            "VILLAGE_PUBLIC_URL": self.url,
            "VILLAGE_LIMITS": "off",
            "VILLAGE_TIME_ZONE": "America/Los_Angeles",
            "VILLAGE_COUNTRY": "US",
            "VILLAGE_LOG_LEVEL": "warning",
        } | settings
        self.log_path = Path(self.scratch.name) / "log"
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.scratch.cleanup()

    def run(self, *command, check=True):
        """Runs another of the program's commands to its end, and gives what it printed."""
        done = subprocess.run(
            [program(), *map(str, command)], cwd=home(), env=self.environment, text=True, capture_output=True
        )
        if check and done.returncode != 0:
            raise AssertionError(f"village {' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def start(self, within=15):
        """Starts the server; gives the seconds until it answered `/readyz` with 200."""
        began = time.monotonic()
        self.log = open(self.log_path, "a")
        self.process = subprocess.Popen(
            [*self.wrap, program(), "serve"],
            cwd=home(), env=self.environment, stdout=self.log, stderr=self.log, start_new_session=True,
        )
        while time.monotonic() < began + within:
            if self.process.poll() is not None:
                raise AssertionError(f"The site ended at once:\n{self.logged()}")
            try:
                if Visitor(self).get("/readyz").status == 200:
                    return time.monotonic() - began
            except OSError:
                pass
            time.sleep(0.005)
        raise AssertionError(f"The site was not ready within {within} s:\n{self.logged()}")

    @property
    def pid(self):
        """The server's own process id, behind whatever wraps it."""
        pid = self.process.pid
        while self.wrap:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            if not children:
                break
            pid = int(children[0])
        return pid

    def kill(self):
        """Ends the server without a word, as a power cut would."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.log.close()

    def stop(self, within=40):
        """Asks the server to end; gives the seconds it took."""
        if not self.process or self.process.poll() is not None:
            return 0.0
        began = time.monotonic()
        os.kill(self.pid, signal.SIGTERM)
        try:
            self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"The site did not end within {within} s.") from None
        self.log.close()
        return time.monotonic() - began

    def logged(self):
        return self.log_path.read_text(errors="replace")

    def memory(self, peak=False):
        """Resident memory in MB: now, or the highest so far."""
        word = "VmHWM" if peak else "VmRSS"
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(rf"{word}:\s+(\d+)", status)[1]) / 1024


class Answer:
    """What came back: status, fields in lower case, text."""

    def __init__(self, response):
        self.status = response.status
        self.fields = {name.lower(): value for name, value in response.getheaders()}
        self.cookies = [value for name, value in response.getheaders() if name.lower() == "set-cookie"]
        self.text = response.read().decode(errors="replace")

    @property
    def location(self):
        return self.fields.get("location")


class Visitor:
    """Somebody with one connection that stays open, and a cookie jar."""

    def __init__(self, site, timeout=30):
        self.site = site
        self.connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=timeout)
        self.jar = {}
        self.csrf = ""

    def close(self):
        self.connection.close()

    def send(self, method, path, body=None, fields={}):
        """Sends a request; a page is asked for once more when the connection had rested too long, as browsers do."""
        rested = self.connection.sock is not None
        try:
            return self.send_once(method, path, body, fields)
        except OSError:
            if method != "GET" or not rested:
                raise
            return self.send_once(method, path, body, fields)

    def send_once(self, method, path, body, fields):
        fields = dict(fields)
        if self.jar:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        try:
            self.connection.request(method, path, body, fields)
            response = self.connection.getresponse()
        except (http.client.HTTPException, OSError) as error:
            self.connection.close()
            raise error if isinstance(error, OSError) else OSError(str(error)) from error
        answer = Answer(response)
        for cookie in answer.cookies:
            name, _, value = cookie.split(";")[0].partition("=")
            self.jar[name] = value
        return answer

    def get(self, path):
        return self.send("GET", path)

    def post(self, path, values):
        """Sends a form as this site's own page would; `values` is a dictionary or a list of pairs."""
        values = list(values.items() if isinstance(values, dict) else values)
        if self.csrf:
            values.append(("csrf", self.csrf))
        fields = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        return self.send("POST", path, urlencode(values), fields)

    def log_in(self, login, password=PASSWORD):
        """Signs in and takes the token that every form of this session carries."""
        answer = self.post("/login", {"login": login, "password": password})
        if answer.status != 303:
            raise AssertionError(f"{login} could not log in: {answer.status}")
        self.csrf = re.search(r'name="csrf" value="([^"]+)"', self.get("/me/settings").text)[1]
        return self
