#!/usr/bin/env python3
"""How long a phone on a slow line waits for the largest thing on a page (LCP), page by page.

    .venv/bin/python Tests/Bench/paint.py [PATH …]

A demo town, served by the program as released; a window of 390 by 844, nothing kept from before, a line of 1.6 Mbit/s
and 150 ms there and back, a processor four times as slow: Lighthouse's "slow 4G" phone
(<https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md>). Medians of five. For figures that count, let
the machine do nothing else.
"""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Browser"))

from playwright.sync_api import sync_playwright  # noqa: E402

from suite import CHROMIUM, PHONE  # noqa: E402
from town import Site  # noqa: E402
from visitor import Visitor  # noqa: E402

VISITOR = ["/", "/events", "/events/1", "/events/map", "/opportunities", "/needs", "/kindness", "/timeline", "/signup"]
PARENT = ["/", "/events", "/week", "/events/for-you", "/opportunities", "/needs", "/kindness", "/playdates", "/inbox"]
ROUNDS = 5
LAST = """() => new Promise(done => {
  new PerformanceObserver(list => done(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true })
})"""


def paint(browser, site, path, cookies):
    """Milliseconds until the largest paint of a page that is opened for the first time."""
    context = browser.new_context(
        base_url=site.url, viewport={"width": PHONE[0], "height": PHONE[1]}, device_scale_factor=2, is_mobile=True)
    context.add_cookies(cookies)
    page = context.new_page()
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 150, "downloadThroughput": 1_638_400 / 8, "uploadThroughput": 750_000 / 8})
    tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(path, wait_until="networkidle" if path != "/inbox" else "load")
    last = page.evaluate(LAST)
    context.close()
    return last


def main(paths):
    site = Site()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(**CHROMIUM)
            parent = Visitor(browser.new_context(base_url=site.url), site).log_in(site.people["parent"])
            cookies_of_parent = parent.context.cookies()
            print("| page | LCP ms, median | slowest |\n|---|---|---|")
            for who, cookies, pages in (("", [], VISITOR), (", logged in", cookies_of_parent, PARENT)):
                for path in paths or pages:
                    times = sorted(paint(browser, site, path, cookies) for _ in range(ROUNDS))
                    print(f"| `{path}`{who} | {statistics.median(times):.0f} | {times[-1]:.0f} |", flush=True)
            browser.close()
    finally:
        site.close()


if __name__ == "__main__":
    main(sys.argv[1:])
