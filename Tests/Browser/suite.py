"""What a test is, how it sees the site, and how all of them are run.

A test is a function with a sentence for a name. It gets a `Stage`, and fails by raising. Whatever it does, the browser
must stay quiet meanwhile: no error in the console, nothing that the content security policy had to stop, no dialog, no
request elsewhere.
"""

import queue
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect, sync_playwright

import markup
from town import CLOCK, ZONE
from visitor import Visitor

# The shell is the same engine without the browser's own windows around it, where a page costs a third.
SHELL = Path("/usr/bin/chromium-headless-shell")
# All pages of a visitor share a process, as long as one of them is open: to start one takes as long as to draw a page.
# No script is compiled a third time: on each page they are new, run for a tenth of a second, and are gone.
CHROMIUM = {
    "executable_path": SHELL if SHELL.exists() else "/usr/bin/chromium",
    "args": ["--no-sandbox", "--process-per-site", "--js-flags=--no-opt,--no-maglev"],
}
PHONE, DESKTOP = (390, 844), (1280, 800)

# As long as a click or a page may take: uploads and letters wait for processes of their own.
expect.set_options(timeout=10_000)

# Sets the date of each page to the site's when it opens. Only the date: timers, frames and the history go on as usual,
# which Playwright's own clock would replace too.
PAGE_CLOCK = """{
  const ahead = %d - Date.now()
  Date = new Proxy(Date, {
    construct: (real, parts, self) => Reflect.construct(real, parts.length ? parts : [real.now() + ahead], self),
    apply: real => new real(real.now() + ahead).toString(),
    get: (real, name) => name === "now" ? () => real.now() + ahead : Reflect.get(real, name),
  })
}""" % (CLOCK.timestamp() * 1_000)


@dataclass(frozen=True)
class Test:
    sentence: str
    play: Callable


TESTS: list[Test] = []


def test(sentence):
    """Makes a function a test with this sentence for a name."""

    def add(function):
        TESTS.append(Test(sentence, function))
        return function

    return add


class Stage:
    """A browser and the site, for one test."""

    def __init__(self, site, browser):
        self.site = site
        self.browser = browser
        self.visitors: list[Visitor] = []
        # What the browser complained about.
        self.noise: list[str] = []
        # What each page was made of, as the server sent it.
        self.answers = {}

    def visitor(self, size=DESKTOP, javascript=True, scheme="light", touch=False, worker=False):
        """Somebody with a browser of their own, not signed in; with `worker` it keeps what is needed without a signal."""
        context = self.browser.new_context(
            base_url=self.site.url,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            java_script_enabled=javascript,
            reduced_motion="reduce",
            has_touch=touch,
            locale="en-US",
            timezone_id=ZONE,
            service_workers="allow" if worker else "block",
        )
        context.set_default_timeout(10_000)
        context.add_init_script(PAGE_CLOCK)
        context.add_init_script(
            "document.addEventListener('securitypolicyviolation', event => console.error("
            "`Stopped by the content security policy: ${event.violatedDirective} ${event.blockedURI}`))"
        )
        context.on("page", self.listen)
        visitor = Visitor(context, self.site, javascript)
        self.visitors.append(visitor)
        return visitor

    def listen(self, page: Page):
        """Writes down what goes wrong in a page besides what it shows."""
        page.on("pageerror", lambda error: self.noise.append(f"{page.url}: {error}"))
        page.on("dialog", lambda dialog: (self.noise.append(f"{page.url}: dialog {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: self.hear(page, message))
        page.on("request", lambda request: self.see(page, request.url))
        page.on("response", lambda response: self.judge(page, response))

    def hear(self, page, message):
        # A page that is refused is an answer; a file of a page that is refused is heard of in `judge`.
        expected = ("Failed to load resource", "Service Worker registration blocked by Playwright")
        if message.type in ("error", "warning") and not message.text.startswith(expected):
            self.noise.append(f"{page.url}: {message.text}")

    def see(self, page, url):
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and not url.startswith(self.site.url + "/"):
            self.noise.append(f"{page.url}: asks {url}")

    def judge(self, page, response):
        if response.request.resource_type == "document":
            self.answers[page] = response
        if response.status >= 500 or (response.status >= 400 and response.request.resource_type != "document"):
            self.noise.append(f"{page.url}: {response.status} for {response.url}")

    def pictures(self, folder, name):
        """Takes a picture of every open page; gives back the files."""
        files = []
        for visitor in self.visitors:
            for page in visitor.context.pages:
                file = folder / f"{name}-{len(files) + 1}.png"
                try:
                    page.screenshot(path=file, full_page=True, timeout=5_000)
                    files.append(file)
                except Exception:
                    pass  # A page that can't be drawn anymore is no news beside the failure itself.
        return files

    def close(self):
        for visitor in self.visitors:
            visitor.context.close()


# One more than the cores of a small machine: a page that waits for its next frame leaves them to another.
WORKERS = 3

# If at most three tests fail, they are played again, one at a time: a machine that stalled for ten seconds proves
# nothing. A real defect fails again; a flaky test is printed as such.
MOST_REPLAYED = 3


def run(site, tests, workers=WORKERS):
    """Plays the tests, several at a time, and prints each; gives back how many passed and how many failed."""
    folder = Path(tempfile.mkdtemp(prefix="village-failures-"))
    failed = play(site, tests, workers, folder)
    if 0 < len(failed) <= MOST_REPLAYED:
        print("Once more, alone:")
        again = play(site, list(failed), 1, folder)
        for each in failed.keys() - again.keys():
            print(f"↻ good the second time: {each.sentence}")
        failed = again
    for each, words in failed.items():
        print(f"✘ {each.sentence}\n{words}")
    if any(folder.iterdir()):
        print(f"Pictures of the failures are in {folder}")
    else:
        folder.rmdir()
    closing = {"meanwhile the site's log told of no failure, in lines that can be read": site.complaints()}
    if markup.PAGES:
        closing["the HTML of the pages that were looked at passes the W3C's checker"] = markup.invalid()
    for sentence, complaints in closing.items():
        print(f"{'✘' if complaints else '✔'} {sentence}")
        for line in complaints[:40]:
            print(f"    {line[:600]}")
    wrong = sum(bool(complaints) for complaints in closing.values())
    return len(tests) - len(failed) + len(closing) - wrong, len(failed) + wrong


def play(site, tests, workers, folder):
    """Plays each test once, several at a time, and prints each; gives back those that failed, and with what words."""
    waiting = queue.SimpleQueue()
    for each in enumerate(tests, 1):
        waiting.put(each)
    talk = threading.Lock()
    failed = dict.fromkeys(tests, "    Not played: the browser did not start, or ended.")

    def play_one(browser, number, each):
        stage = Stage(site, browser)
        began = time.monotonic()
        try:
            each.play(stage)
            assert not stage.noise, "The browser complained:\n" + "\n".join(dict.fromkeys(stage.noise))
            problem = None
        except Exception as error:
            problem = error
        files = stage.pictures(folder, f"{number:02}") if problem else []
        stage.close()
        with talk:
            print(f"{'…' if problem else '✔'} {each.sentence} ({time.monotonic() - began:.1f} s)")
            if problem:
                failed[each] = "\n".join([explain(problem), *(f"    {file}" for file in files)])
                print(failed[each])
            else:
                del failed[each]

    def work():
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**CHROMIUM)
            while True:
                try:
                    number, each = waiting.get_nowait()
                except queue.Empty:
                    break
                play_one(browser, number, each)
            browser.close()

    crew = [threading.Thread(target=work) for _ in range(workers)]
    for worker in crew:
        worker.start()
    for worker in crew:
        worker.join()
    return failed


def explain(problem):
    """The failure's own words, and the lines of the suite that led to it."""
    here = str(Path(__file__).parent)
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename.startswith(here)]
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.line}" for frame in frames if frame.name != "play_one"]
    lines = [*places, *(str(problem) or type(problem).__name__).splitlines()]
    return "\n".join("    " + line for line in lines)


def check(problems):
    """Fails with all the problems at once, or with the first forty of very many."""
    lines = list(dict.fromkeys(str(problem)[:600] for problem in problems))
    assert not lines, f"{len(lines)} problems:\n" + "\n".join(lines[:40])
