"""Two scanners that look for holes by themselves: wapiti and sqlmap, on the demo town, and on a twin full of holes.

They are installed from PyPI into a virtual environment of their own, in .build, when they aren't there yet.
"""

import html
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from site_under_test import ROOT, Site, Visitor

TOOLS = ROOT / ".build/scanners"
PACKAGES = ["wapiti3==3.2.3", "sqlmap==1.10.10"]
# What needs no helper on the Internet; the rest looks for software that isn't here.
MODULES = "crlf,csp,cookieflags,csrf,exec,file,htaccess,http_headers,permanentxss,redirect,sql,xss"
MEDIUM = 2
# The forms of visitors without a session carry no token, because there is nothing to tie it to: the browser's own word
# about where a form comes from guards them. wapiti knows only tokens, so `forged` tries what it is afraid of.
GUARDED_BY_ORIGIN = ["/login", "/signup"]


def tools():
    """Installs the scanners where they are missing."""
    done = TOOLS / "packages"
    if not done.is_file() or done.read_text() != repr(PACKAGES):
        subprocess.run([sys.executable, "-m", "venv", "--clear", TOOLS], check=True)
        pip = [TOOLS / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        subprocess.run(pip, check=True)
        done.write_text(repr(PACKAGES))
    return TOOLS / "bin"


def wapiti(url, seconds, cookie=None, modules=MODULES):
    """What wapiti finds: level (1 to 4), kind, where. It crawls for `seconds` at most, and each module as long."""
    with tempfile.TemporaryDirectory(prefix="village-wapiti-") as folder:
        report = Path(folder) / "report.json"
        # Logging out and ending sessions would end the scan; the page of components is long and takes no input.
        left_out = ["/logout", "/me/sessions", "/help/components"]
        command = [
            tools() / "wapiti", "-u", f"{url}/", "--scope", "folder", "-m", modules, "--flush-session", "-f", "json",
            "-o", report, "-v", "0", "--max-scan-time", str(seconds), "--max-attack-time", str(seconds / 3), "-d", "5",
            "--max-files-per-dir", "8", "--store-session", folder, "--store-config", folder, "--no-bugreport",
            *[part for path in left_out for part in ("-x", url + path)],
            *(["-H", f"Cookie: {cookie}"] if cookie else []),
        ]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True, timeout=seconds * 8)
        found = json.loads(report.read_text())
    return [
        (finding["level"], kind, f"{finding['method']} {finding['path']} {finding['parameter']}: {finding['info']}")
        for part in ("vulnerabilities", "anomalies")
        for kind, findings in found[part].items()
        for finding in findings
    ]


def sqlmap(url, *options):
    """Whether sqlmap finds a place where SQL can be injected; fails when it didn't look."""
    with tempfile.TemporaryDirectory(prefix="village-sqlmap-") as folder:
        command = [
            tools() / "sqlmap", "-u", url, "--batch", "--disable-coloring", "--flush-session", "--output-dir", folder,
            "--dbms", "sqlite", "--technique", "BEU", "--threads", "4", *options,
        ]  # fmt: skip
        said = subprocess.run(command, capture_output=True, text=True, timeout=240).stdout
    if "identified the following injection point" in said:
        return True
    assert "do not appear to be injectable" in said, said[-2000:]
    return False


class Holes(BaseHTTPRequestHandler):
    """The twin: it puts what is asked for into SQL and into the page as it stands."""

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        words = query.get("q", [""])[0]
        try:
            with sqlite3.connect(":memory:") as db:
                db.execute("CREATE TABLE event (title TEXT)")
                db.execute("INSERT INTO event VALUES ('Kites')")
                rows = db.execute(f"SELECT title FROM event WHERE title LIKE '%{words}%'").fetchall()
            status, text = 200, "".join(f"<li>{html.escape(str(row[0]))}</li>" for row in rows)
        except sqlite3.Error as error:
            status, text = 500, f"sqlite3.OperationalError: {error}"
        form = "<a href='/?q=k'>k</a><form><input name=q></form>"
        page = f"<html><body>{form}<p>{words}</p>{text}</body></html>".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


def twin_findings():
    """What both scanners find where there is something to find."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Holes)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        severe = [finding for finding in wapiti(url, 20, modules="sql,xss") if finding[0] >= MEDIUM]
        return severe, sqlmap(f"{url}/?q=k")
    finally:
        server.shutdown()


def served_people(site):
    """The demo town, started; the user names of a parent and of a provider."""
    printed = site.run("seed", "--demo")
    site.start()
    return [re.search(rf"^\s+(\S+)\s+.*{words}", printed, re.MULTILINE)[1] for words in ("a parent", "a provider")]


def forged(site, path):
    """The answers to that form when another site sends it: by a browser of today, of yesterday, by one that hides."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    elsewhere = {"Origin": "https://elsewhere.example"}
    return [
        Visitor(site).send("POST", path, "login=ana", form | fields).status
        for fields in ({"Sec-Fetch-Site": "cross-site"} | elsewhere, elsewhere, {"Host": "village.example"})
    ]


def no_findings():
    """Neither wapiti nor sqlmap finds anything of medium weight or above, signed in or not."""
    severe, has_hole = twin_findings()
    assert severe and has_hole, f"the scanners miss the holes of the twin: {severe}, {has_hole}"
    began = time.monotonic()
    with Site(VILLAGE_LOG_LEVEL="info") as site:
        parent, provider = served_people(site)
        found = wapiti(site.url, 20)
        for name in (parent, provider):
            visitor = Visitor(site).log_in(name)
            found += wapiti(site.url, 25, "; ".join(f"{key}={value}" for key, value in visitor.jar.items()))
        places = [
            sqlmap(f"{site.url}/events?q=k&city=San+Jose&age=4&when=week&tag=crafts&free_places=1&after=1_1"),
            sqlmap(f"{site.url}/login", "--data", "login=ana&password=k&next=/", "-H", "Sec-Fetch-Site: same-origin"),
        ]
        requests = len(re.findall(r" (?:GET|POST) \S+ \d{3}$", site.logged(), re.MULTILINE))
        failures = re.findall(r"^\S+ error .*", site.logged(), re.MULTILINE)
        forgeries = {path: forged(site, path) for path in GUARDED_BY_ORIGIN}
    assert all(statuses == [403] * 3 for statuses in forgeries.values()), forgeries
    alarms = [("Cross Site Request Forgery", f"POST {path} ") for path in GUARDED_BY_ORIGIN]
    severe = [
        (level, kind, where)
        for level, kind, where in found
        if level >= MEDIUM and not any(kind == known and where.startswith(start) for known, start in alarms)
    ]
    assert not severe, "\n".join(map(str, severe[:20]))
    assert not any(places), f"sqlmap got in: {places}"
    assert not failures, "\n".join(failures[:10])
    kinds = sorted({kind for level, kind, _ in found if level < MEDIUM})
    return f"{requests} requests in {time.monotonic() - began:.0f} s, no 5xx; low: {', '.join(kinds) or 'none'}"


PROOFS = [no_findings]
