"""deploy/dev, the way to work on the site: an open page shows each save, and none of this ships."""

import os
import signal
import subprocess
import tempfile
import threading
import urllib.request
from types import SimpleNamespace

from suite import test
from town import IS_OTHER_DAY, ROOT, free_port
from weight import assets


class Dev:
    """deploy/dev with a town of its own, until the end of the block."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="village-dev-")
        port = str(free_port())
        self.url = f"http://localhost:{port}"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("VILLAGE_")}
        # In a session of its own: all that it started ends with it.
        self.process = subprocess.Popen(
            [ROOT / "deploy/dev", "--port", port], env=environment | {"VILLAGE_DATA": f"{self.folder.name}/data"},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )
        # deploy/test has built the program by now, so five minutes are plenty.
        patience = threading.Timer(300, self.end)
        patience.start()
        said = []
        for line in self.process.stdout:
            said.append(line)
            if "Village is open" in line:
                break
        patience.cancel()
        if "Village is open" not in "".join(said):
            self.__exit__()
            raise AssertionError(f"deploy/dev opened nothing: {''.join(said)}")
        return self

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)

    def __exit__(self, *_):
        self.end()
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.folder.cleanup()


@test("what deploy/dev adds to the pages is no part of what is released")
def _(stage):
    with urllib.request.urlopen(f"{stage.site.url}{assets(stage)}/js/app.js") as answer:
        assert answer.read() == (ROOT / "Public/js/app.js").read_bytes()


# It looks at no day.
if not IS_OTHER_DAY:

    @test("deploy/dev reloads the open page when a style sheet is saved, and the town stays")
    def _(stage):
        with Dev() as dev:
            stage.site = SimpleNamespace(url=dev.url)
            page = stage.visitor().open("/events")
            sheet, first = assets(stage), page.locator(".card a").first.get_attribute("href")
            with page.expect_event("load", timeout=20_000):
                (ROOT / "Public/css/base.css").touch()
            assert assets(stage) != sheet, "the files have the same address as before"
            assert page.locator(".card a").first.get_attribute("href") == first
