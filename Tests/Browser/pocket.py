"""What works without a signal, and what of it stays for whom: the worker of `Public/js/worker.js`."""

import re
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace

from playwright.sync_api import expect

from inspection import LOOKS, PHONE_LOOK, inspect
from suite import PHONE, Stage, check, test
from town import CLOCK, ROOT
from visitor import soon
from walks import until

PICTURE = ROOT / "Tests/AppTests/Pictures/photo.jpg"

# The bar of tabs stands at the bottom of a phone.
IS_STYLED = "getComputedStyle(document.querySelector('.tabs')).position === 'fixed'"
READY = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
# What the worker keeps, as paths.
KEPT = """async () => {
  const paths = []
  for (const name of await caches.keys()) {
    if (!name.startsWith("kept ")) continue
    const cache = await caches.open(name)
    for (const { url } of await cache.keys()) paths.push(new URL(url).pathname)
  }
  return paths.sort()
}"""


def pocket(visitor):
    """A page whose browser has the worker."""
    page = visitor.open("/about")
    until(page, READY)
    return page


def kept(page, *paths):
    """Waits until the worker keeps these pages, and no other."""
    until(page, KEPT, sorted(paths))


def family(stage):
    """A family with a place at an event, with the paths of both, at a page with the worker."""
    host = stage.visitor().become_provider()
    event = host.publish(title="Kites on the green", date=soon(0), start_time="22:00", end_time="23:00")
    visitor = stage.visitor(PHONE, worker=True).become_parent()
    registration = visitor.register(event)
    return visitor, pocket(visitor), event, registration


def family_with_week(stage):
    """The same, at My week once it and what it leads to are kept."""
    visitor, page, event, registration = family(stage)
    page.goto("/week")
    kept(page, registration, "/week")
    return visitor, page, event, registration


@test("without a signal My week and the registrations it leads to are there, as of then; other pages say that there is none")
def _(stage):
    visitor, page, event, registration = family_with_week(stage)
    visitor.context.set_offline(True)
    page.goto("/week")
    line = page.locator("[data-kept]")
    expect(line).to_be_visible()
    expect(line).to_contain_text(re.compile(rf"\b{CLOCK:%-I}(:\d\d)?\s{CLOCK:%p}"))
    page.goto(registration)
    expect(page.get_by_text("12 Elm Street").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("You are registered for the event")
    expect(line).to_be_visible()
    # The page is drawn as it was, with its sheet and its scripts.
    assert page.evaluate(IS_STYLED)
    check(inspect(page, [PHONE_LOOK]))
    page.goto(event)
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no signal")
    links = page.get_by_role("listitem").get_by_role("link")
    expect(links).to_have_text(["Registration: Kites on the green", "My week"])
    check(inspect(page))
    links.last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My week")
    # With a signal again the page is today's.
    visitor.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(line).to_be_hidden()


@test("log-out empties what was kept, with a signal and without")
def _(stage):
    visitor, page, event, registration = family_with_week(stage)
    visitor.context.set_offline(True)
    log_out = page.get_by_role("button", name="Log out")
    page.locator(".menu summary").click()
    log_out.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Not sent")
    kept(page)
    dialog.get_by_role("button", name="OK").click()
    page.goto(registration)
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no signal")
    expect(page.get_by_role("listitem")).to_have_count(0)

    visitor.context.set_offline(False)
    page.goto("/week")
    kept(page, registration, "/week")
    page.locator(".menu summary").click()
    log_out.click()
    expect(page.get_by_text("You are logged out.")).to_be_visible()
    kept(page)


@test("nobody sees what was kept for somebody else, nor whose session has ended elsewhere, nor after 14 days")
def _(stage):
    visitor, page, event, registration = family_with_week(stage)
    # The session ends elsewhere: the next page the browser opens empties it.
    visitor.context.clear_cookies()
    page.goto("/about")
    kept(page)

    visitor.log_in(visitor.username)
    page.goto("/week")
    kept(page, registration, "/week")
    # Somebody else logs in over it.
    other = stage.site.people["parent"]
    visitor.context.clear_cookies()
    visitor.log_in(other)
    page.goto("/me")
    kept(page)

    page.goto("/week")
    until(page, f"async () => (await ({KEPT})()).includes('/week')")
    old = """async () => {
      for (const name of await caches.keys()) {
        if (!name.startsWith("kept ")) continue
        const cache = await caches.open(name)
        for (const url of await cache.keys()) {
          const copy = await cache.match(url, { ignoreVary: true })
          const headers = new Headers(copy.headers)
          headers.set("Kept", Number(headers.get("Kept")) - 14 * 24 * 3_600_000)
          await cache.put(url, new Response(await copy.text(), { headers }))
        }
      }
    }"""
    page.wait_for_timeout(500)
    page.evaluate(old)
    visitor.context.set_offline(True)
    page.goto("/week")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no signal")
    kept(page)


@test("a form sent without a signal stays as it was typed and says so, and is there when its tab comes back")
def _(stage):
    visitor, page, event, registration = family(stage)
    page.goto("/timeline/new")
    text = page.get_by_label("Something kind happened?")
    text.fill("The swings are mended.")
    page.locator("[name=kind]").last.check()
    visitor.context.set_offline(True)
    preview = page.get_by_role("button", name="Preview")
    preview.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Not sent: there is no signal")
    check(inspect(page, [PHONE_LOOK]))
    dialog.get_by_role("button", name="OK").click()
    expect(text).to_have_value("The swings are mended.")
    # The tab goes elsewhere, and comes back.
    visitor.context.set_offline(False)
    page.goto("/about")
    page.goto("/timeline/new")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="OK").click()
    expect(text).to_have_value("The swings are mended.")
    expect(page.locator("[name=kind]").last).to_be_checked()
    preview.click()
    publish = page.locator("button[value=publish]")
    publish.wait_for()
    visitor.context.set_offline(True)
    publish.click()
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="OK").click()
    visitor.context.set_offline(False)
    publish.click()
    page.wait_for_url("**/posts/*")
    page.goto("/timeline/new")
    expect(dialog).to_be_hidden()
    expect(text).to_have_value("")


@test("what somebody typed without a signal who isn't logged in is stored nowhere, and nobody else's is kept")
def _(stage):
    visitor = stage.visitor(PHONE, worker=True)
    page = pocket(visitor)
    page.evaluate("sessionStorage.setItem('unsent 7 /me', '[]')")
    page.goto("/signup")
    page.get_by_label("E-mail").first.fill("ana@example.org")
    visitor.context.set_offline(True)
    page.locator("main form button[type=submit], main form button:not([type])").last.click()
    expect(page.get_by_role("dialog")).to_contain_text("Not sent: there is no signal")
    assert page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('unsent'))") == []


@test("a form that was sent outdates what is kept of its page and of My week")
def _(stage):
    visitor, page, event, registration = family_with_week(stage)
    page.goto(registration)
    page.get_by_role("button", name="Give").first.or_(page.get_by_role("link", name="Give").first).click()
    give = page.locator("main form[method=post] button").last
    give.click()
    page.wait_for_load_state()
    until(page, KEPT.replace("return paths.sort()", "return paths.includes('/week')"), False)


@test("the list at the door is there without a signal for those who opened it, without notes")
def _(stage):
    host = stage.visitor(PHONE, worker=True).become_provider()
    event = host.publish(title="Kites on the green", date=soon(2))
    stage.visitor().become_parent(["Robin"]).register(event)
    page = pocket(host)
    for path in ("/week", f"{event}/registrations?as=print", f"{event}/registrations"):
        page.goto(path)
    kept(page, "/week", f"{event}/registrations")
    host.context.set_offline(True)
    page.goto(f"{event}/registrations")
    expect(page.get_by_text("Robin").first).to_be_visible()
    expect(page.locator("[data-kept]")).to_be_visible()
    page.goto(f"{event}/registrations?as=print")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no signal")


class Front(BaseHTTPRequestHandler):
    """Stands before the site, and gives another worker than its own: one that `change` makes of it, or none."""

    protocol_version = "HTTP/1.1"
    site = change = None

    def answer(self):
        if self.path.startswith("/stream"):
            return self.give(204, [], b"")
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = HTTPConnection(self.site, timeout=10)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        text = answer.read()
        status = answer.status
        if self.path == "/worker.js" and self.change:
            text = type(self).change(text.decode()).encode()
            status = 200 if text else 404
        self.give(status, answer.getheaders(), text)

    do_GET = do_POST = answer

    def give(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def behind(stage, change=None):
    """A stage behind such a front, and the front."""
    front = type("AnotherFront", (Front,), {"site": stage.site.url.removeprefix("http://"), "change": change})
    server = ThreadingHTTPServer(("127.0.0.1", 0), front)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    site = SimpleNamespace(url=f"http://127.0.0.1:{server.server_port}", PASSWORD=stage.site.PASSWORD)
    beside = Stage(site, stage.browser)
    try:
        yield beside, front
        stage.noise += beside.noise
    finally:
        beside.close()
        server.shutdown()
        server.server_close()


@test("with a worker that forgets nothing, what was kept outlives its session: it is the worker that empties it")
def _(stage):
    def careless(script):
        assert script.count("forget()") == 2
        return script.replace("forget()", "Promise.resolve()")

    with behind(stage, careless) as (beside, _):
        visitor, page, _, registration = family(beside)
        page.goto("/week")
        kept(page, registration, "/week")
        visitor.context.clear_cookies()
        page.goto("/about")
        visitor.context.set_offline(True)
        page.goto(registration)
        expect(page.get_by_text("12 Elm Street").first).to_be_visible()


@test("a new release takes over calmly, and where the worker is gone again pages are as before")
def _(stage):
    with behind(stage) as (beside, front):
        visitor, page, _, registration = family(beside)
        page.goto("/week")
        kept(page, registration, "/week")
        front.change = lambda script: 'const release = "next"' + script[script.index("\n") :]
        page.evaluate("navigator.serviceWorker.ready.then(it => it.update()).then(() => true)")
        until(page, "caches.keys().then(names => names.includes('files next'))")
        until(page, "navigator.serviceWorker.ready.then(it => !it.installing && !it.waiting)")
        kept(page, registration, "/week")
        visitor.context.set_offline(True)
        page.goto(registration)
        expect(page.locator("[data-kept]")).to_be_visible()
        assert page.evaluate(IS_STYLED)
        visitor.context.set_offline(False)
        front.change = lambda script: ""
        page.goto("/week")
        expect(page.get_by_role("heading", level=1)).to_have_text("My week")
        expect(page.locator("[data-kept]")).to_be_hidden()


@test("the page about the home screen passes axe, and so does what a phone shares, which a form of a post then holds")
def _(stage):
    visitor = stage.visitor(PHONE).become_parent()
    page = visitor.open("/help/home-screen")
    check(inspect(page, LOOKS))
    # As the system sends it: from no page, with a picture.
    answer = visitor.context.request.post(
        "/share",
        multipart={
            "text": "Look at them fly.",
            "picture": {"name": "kite.jpg", "mimeType": "image/jpeg", "buffer": PICTURE.read_bytes()},
        },
        headers={"Sec-Fetch-Site": "none"},
    )
    assert answer.status == 200, answer.text()
    page.route("**/share", lambda route: route.fulfill(response=answer))
    page.goto("/share")
    check(inspect(page, LOOKS))
    page.get_by_role("button", name="Write a post").click()
    expect(page.get_by_label("Something kind happened?")).to_have_value("Look at them fly.")
    expect(page.get_by_role("img", name="Your photo")).to_be_visible()


# A subscription of the worker's, which says in a cache that it has ended.
SUBSCRIBED = """
registration.pushManager.getSubscription = async () => ({ unsubscribe: () => caches.open("push ended") })
"""
IS_SUBSCRIBED = "caches.has('push ended').then(it => !it)"


@test("logging out ends push in this browser: only once the site took it, and from no page of another website")
def _(stage):
    with behind(stage, lambda script: script + SUBSCRIBED) as (beside, _):
        visitor = beside.visitor(PHONE, worker=True).become_parent()
        page = pocket(visitor)
        log_out = page.get_by_role("button", name="Log out")
        visitor.context.set_offline(True)
        page.locator(".menu summary").click()
        log_out.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Not sent")
        assert page.evaluate(IS_SUBSCRIBED)
        dialog.get_by_role("button", name="OK").click()
        visitor.context.set_offline(False)
        # Of the same machine by another name: another website.
        home = page.url
        other = re.sub(r"//[^/:]+", "//elsewhere.localhost", home)
        form = f"<form method=post action='{home.replace('/about', '/logout')}'><button>Go</button></form>"
        page.route(other, lambda route: route.fulfill(content_type="text/html", body=form))
        page.goto(other)
        page.get_by_role("button", name="Go").click()
        page.wait_for_url("**/logout")
        page.goto("/about")
        assert page.evaluate(IS_SUBSCRIBED)
        # The other website is asked for on purpose.
        beside.noise = [line for line in beside.noise if "//elsewhere.localhost" not in line]
        page.locator(".menu summary").click()
        log_out.click()
        expect(page.get_by_text("You are logged out.")).to_be_visible()
        until(page, IS_SUBSCRIBED, False)


# What a push service of the browser's maker would give: the headless browser has none it could ask.
SUBSCRIBES = """() => {
  window.asked = []
  Notification.requestPermission = async () => "granted"
  const key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  PushManager.prototype.subscribe = async options => {
    if (!options.userVisibleOnly || options.applicationServerKey.length !== 87) throw new Error("not as a browser wants it")
    return { toJSON: () => ({ endpoint: "https://push.example/a1", keys: { p256dh: key, auth: "BTBZMqHH6r4Tts7J_aSIgg" } }) }
  }
}"""
# A browser that renews its address when it is told to.
RENEWS = """
const another = {
  unsubscribe: () => caches.open("push ended"),
  toJSON: () => ({ endpoint: "https://push.example/b2", keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg" } }),
}
addEventListener("message", ({ data, source }) => {
  if (data === "renew") renew({ endpoint: "https://push.example/a1" }, another).then(() => source.postMessage("renewed"))
})
"""
RENEW = """() => new Promise(done => {
  navigator.serviceWorker.addEventListener("message", () => done(), { once: true })
  navigator.serviceWorker.startMessages()
  navigator.serviceWorker.controller.postMessage("renew")
})"""
STATE = "Object.defineProperty(Notification, 'permission', { get: () => '%s' })"


@test("a browser that renews its address tells the site, and ends where the site knows of none that it replaces")
def _(stage):
    with behind(stage, lambda script: script + RENEWS) as (beside, _):
        visitor = beside.visitor(PHONE, worker=True).become_parent()
        visitor.context.add_init_script(STATE % "default")
        pocket(visitor)
        page = visitor.open("/me/notices")
        page.evaluate(SUBSCRIBES)
        page.get_by_role("button", name="Switch on for this browser").click()
        expect(page.get_by_text("Push messages come to this browser from now on.")).to_be_visible()
        page.evaluate(RENEW)
        assert page.evaluate(IS_SUBSCRIBED)
        # The address that it replaced is known no longer.
        page.evaluate(RENEW)
        until(page, IS_SUBSCRIBED, False)


@test("push messages are switched on and off for one browser; where it refuses, the page says what to do")
def _(stage):
    visitor = stage.visitor(PHONE, worker=True).become_parent()
    visitor.context.add_init_script(STATE % "default")
    pocket(visitor)
    page = visitor.open("/me/notices")
    button = page.get_by_role("button", name="Switch on for this browser")
    expect(button).to_be_visible()
    page.evaluate(SUBSCRIBES)
    button.click()
    expect(page.get_by_text("Push messages come to this browser from now on.")).to_be_visible()
    expect(page.locator("#push .rows")).to_contain_text("This device")
    check(inspect(page, [PHONE_LOOK]))
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_text("Push messages don’t come there anymore.")).to_be_visible()
    visitor.context.add_init_script(STATE % "denied")
    refused = visitor.open("/me/notices")
    expect(refused.get_by_text("This browser doesn’t let our site send you messages.")).to_be_visible()
    expect(refused.get_by_role("button", name="Switch on for this browser")).to_be_hidden()
    plain = stage.visitor(PHONE, javascript=False).become_parent().open("/me/notices")
    expect(plain.get_by_text("You need JavaScript and a browser that supports push messages")).to_be_visible()
    expect(plain.get_by_role("button", name="Switch on for this browser")).to_be_hidden()
