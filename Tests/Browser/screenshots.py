#!/usr/bin/env python3
"""Takes pictures of the main pages of the demo town, for phone and desktop, in light and dark.

.venv/bin/python Tests/Browser/screenshots.py FOLDER
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from suite import CHROMIUM, DESKTOP, PHONE, Stage
from town import Site

PAGES = {
    "visitor": {"landing": "/", "feed": "/events", "sign-up": "/signup", "components": "/help/components"},
    "parent": {"today": "/", "town": "/events", "week": "/week", "me": "/me", "children": "/me/children"},
    "provider": {"provider-today": "/", "post": "/events/new", "events": "/me/events", "provider-me": "/me"},
    "staff": {"staff": "/admin", "people": "/admin/people"},
}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    site = Site()
    try:
        with sync_playwright() as playwright:
            stage = Stage(site, playwright.chromium.launch(**CHROMIUM))
            for person, pages in PAGES.items():
                visitor = stage.visitor()
                if person != "visitor":
                    visitor.log_in(site.people[person])
                page = visitor.open("/")
                for name, path in (pages | found(person, page)).items():
                    take(page, path, folder, name)
            stage.close()
    finally:
        site.close()


def found(person, page):
    """Pages whose address only the town knows."""
    if person == "parent":
        page.goto("/events?free_places=2&city=")
        event = page.locator(".card h3 a").first.get_attribute("href")
        page.goto("/")
        return {"event": event, "registration": page.locator(".card h3 a").first.get_attribute("href")}
    if person == "provider":
        page.goto("/")
        return {"roster": page.get_by_role("link", name="Who comes").first.get_attribute("href")}
    return {}


def take(page, path, folder, name):
    page.goto(path)
    for width, height in (PHONE, DESKTOP):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]))
