"""Whatever people write stays text: no page has another shape for it, and nothing in it runs."""

import secrets

from playwright.sync_api import expect

from suite import PHONE, Stage, check, test
from visitor import ENLIVENED, event, provider, soon

ATTACK = """</title></textarea></option><script>window.hacked=1</script>"'><img src=x onerror=window.hacked=1>"""
HOSTILE = {
    "title": """<script>window.hacked=1</script>"'`{{title}}{% end %}<!--&amp;&lt; 🎈 مرحبا""",
    "description": f"{ATTACK} {{{{ event }}}} {{% t %}} 👨‍👩‍👧 שלום\n\njavascript:hacked=1 data:text/html,x ]]>",
    "tags": """<b>"'{{x}}, javascript:alert(1), ülk🎈&lt;""",
    "organization": """"'><svg onload=window.hacked=1> {{x}} & Söhne 🎈 ليلى""",
    "designation": """</dd><script>window.hacked=1</script>""",
    "scope": f"{ATTACK} ${{7*7}} #{{7*7}}",
    "city": """<i onclick="x()">'Ville' {{c}}""",
    "address": """12 "Elm" <br> Street""",
    "phone": """<b>555</b> "0101\"""",
    "first_name": """<b>Ma"ria'{{n}}""",
    "last_name": """&lt;Lind&gt; דוד""",
    "nickname": """<b>"'{{x}}&amp;😀נעם</b>""",
    "reason": f"{ATTACK} 🎈",
}
HARMLESS = {
    "title": "Kites on the green",
    "description": "We build kites.\n\nBring string.",
    "tags": "crafts, outdoors, string",
    "organization": "Kite Club",
    "designation": "Chair",
    "scope": "Kites.",
    "city": "Plainville",
    "address": "12 Elm Street",
    "phone": "the desk, 0101",
    "first_name": "Maria",
    "last_name": "Lind",
    "nickname": "Robin",
    "reason": "Because.",
}

# The elements of a page with the names of their attributes, without any text. What a map is made of depends on how far
# its script has come, and so has the bell its figure.
# The moving map's sheet comes when its script does, sooner or later. What runs from right to left is isolated.
SHAPE = """element => {
  const late = it => it.matches("link[href$='livemap.css']")
  const parts = it => [...it.children].flatMap(it => it.localName === "bdi" ? parts(it) : late(it) ? [] : [it])
  const inside = it => it.matches(".map, .bell") ? [] : parts(it).map(shape)
  const shape = it => [it.localName, ...[...it.attributes].map(it => it.name).sort(), ...inside(it)]
  return JSON.stringify(shape(element))
}"""


def shapes(stage: Stage, words):
    """The shape of each page that shows what these people wrote, by a name for the page."""
    found = {}
    mark = secrets.token_hex(4)
    title = f"{words['title']} {mark}"
    town = {key: words[key] for key in ("city", "address", "phone")}
    person = {key: words[key] for key in ("first_name", "last_name")}

    def look(name, page, *texts, part="html"):
        """Notes the shape of the page or of a part of it, and that it shows these texts as they were written."""
        page.wait_for_load_state()
        page.evaluate(ENLIVENED)
        shown = page.locator("body").evaluate(
            "it => [it.innerText, ...[...it.querySelectorAll('input, textarea')].map(it => it.value)].join(' ')"
        )
        for text in texts:
            assert squeezed(text) in squeezed(shown), f"{name} doesn't show {text!r}: {shown!r}"
        assert page.evaluate("window.hacked") is None, f"{name}: something ran"
        found[name] = page.locator(part).first.evaluate(SHAPE)
        page.close()

    host = stage.visitor(PHONE).become_provider(
        **town, **person, **{key: words[key] for key in ("organization", "designation", "scope")}
    )
    typed = event(title=title, **{key: words[key] for key in ("description", "tags", "city", "address")})
    page = host.open("/events/new")
    for name in ("title", "description", "date", "start_time", "end_time", "tags", "address", "city"):
        field = page.locator(f"main [name='{name}']")
        if (folded := field.locator("xpath=ancestor::details[not(@open)]/summary")).count():
            folded.click()
        field.fill(typed[name])
    page.locator("main [name='spots']").select_option("9")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").wait_for()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert page.title() == f"Preview: {title} · Village", page.title()
    page.get_by_role("button", name="Back to editing").click()
    page.get_by_role("button", name="Preview").wait_for()
    look("back to editing", page, title, words["description"], words["tags"])
    path = host.publish(**typed)

    parent = stage.visitor(PHONE).become_parent([words["nickname"]], **person, city=words["city"])
    look(
        "the event", parent.open(path), title, *(words[key] for key in ("organization", "nickname", "city", "address"))
    )
    party = parent.register(path)
    public = stage.visitor(PHONE)
    for name, who, where, *texts in (
        ("published", host, f"{path}/published", title, words["city"]),
        ("the provider's Today", host, "/", title, words["organization"]),
        ("the provider's week", host, f"/week?from={soon()}", title),
        ("the provider's events", host, "/me/events", title),
        ("the roster", host, f"{path}/registrations", title, words["nickname"], words["last_name"]),
        ("the provider's Me", host, "/me", words["organization"], words["designation"]),
        ("the provider's form", host, "/me/provider", words["organization"], words["scope"], words["phone"]),
        ("the provider's page", public, f"/providers/{host.username}", words["organization"], words["scope"]),
        ("the event, to a visitor", public, path, title, words["description"].split("\n")[0], words["organization"]),
        ("the feed", public, f"/events?q={mark}", title, words["organization"]),
        ("the registration", parent, party, title, words["nickname"]),
        ("the event, registered", parent, path, title, words["nickname"]),
        ("the parent's Today", parent, "/", title, words["first_name"], words["city"]),
        ("the parent's feed", parent, "/events", title, words["city"]),
        ("the parent's week", parent, f"/week?from={soon()}", title, words["nickname"]),
        ("the parent's Me", parent, "/me", words["nickname"], words["first_name"], words["last_name"]),
        ("the parent's form", parent, "/me/family", words["first_name"], words["city"]),
        ("the children", parent, "/me/children", words["nickname"]),
        ("a child", parent, f"/me/children/{parent.children()[0]}/edit", words["nickname"]),
        ("a child to remove", parent, f"/me/children/{parent.children()[0]}/delete", words["nickname"], title),
    ):
        look(name, who.open(where), *texts)
    page = public.open("/events")
    # After a word that nobody wrote: it finds nothing.
    search = f"{secrets.token_hex(4)} {words['scope']}"
    page.locator("main [name='q']").fill(search)
    page.locator("main [name='q']").press("Enter")
    page.wait_for_url("**/events?q=*")
    look("a search for it", page, search)
    page = public.open("/signup")
    page.locator("main [name='email']").fill(words["scope"])
    page.locator("main [name='username']").fill(words["nickname"])
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.locator(".problems").wait_for()
    look("a sign-up refused", page, words["scope"], words["nickname"])

    staff = stage.visitor(PHONE).log_in(stage.site.people["staff"])
    look("staff's events", staff.open(f"/admin/events?q={mark}"), title, part=".rows")
    look("staff's search", staff.open("/admin/people?q=" + words["nickname"].replace("&", "%26")), words["nickname"])
    staff.done(f"/admin{path}/hide", reason=words["reason"])
    look("a hidden event", staff.open(f"/admin{path}"), title)
    look("the log", staff.open("/admin/log"), words["reason"], part="tbody tr")
    return found


def difference(one, other):
    """Where two shapes part."""
    at = next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"has another shape: …{one[max(0, at - 80) : at + 120]} instead of …{other[max(0, at - 20) : at + 120]}"


def squeezed(text):
    return "".join(text.split())


@test("hostile text shows as text everywhere: every page has the shape it has for harmless words")
def _(stage):
    assert HOSTILE.keys() == HARMLESS.keys()
    hostile, harmless = shapes(stage, HOSTILE), shapes(stage, HARMLESS)
    assert hostile.keys() == harmless.keys()
    check(f"{name}: {difference(hostile[name], harmless[name])}" for name in hostile if hostile[name] != harmless[name])


@test("a website can't be a script")
def _(stage):
    visitor = stage.visitor().sign_up()
    for website in (
        "javascript:alert(1)",
        "data:text/html,<b>x</b>",
        "javascript://x.org/%0Aalert(1)",
        "https://x y.com",
    ):
        answer = visitor.send("/me/provider", provider(website=website))
        assert answer.status == 422, f"{website}: {answer.status}"
    visitor.done("/me/provider", provider(website="www.example.org"))
    page = visitor.open(f"/providers/{visitor.username}")
    assert page.get_by_role("link", name="example.org").get_attribute("href") == "https://www.example.org"


@test("links in a description lead only to web pages, and tell the other site little")
def _(stage):
    there = 'See https://example.org/a?b=1&c="2 and http://example.org.'
    nowhere = "Not javascript:alert(1), data:text/html,x or ftp://x.org"
    path = stage.visitor().become_provider().publish(description=f"{there} {nowhere}")
    page = stage.visitor().open(path)
    links = page.locator(".prose a")
    targets = [link.get_attribute("href") for link in links.all()]
    assert all(target.startswith(("https://", "http://")) for target in targets), targets
    assert "http://example.org" in targets and len(targets) == 2, targets
    for link in links.all():
        assert "nofollow" in link.get_attribute("rel") and "noopener" in link.get_attribute("rel")


@test("the comparison of shapes notices one element more")
def _(stage):
    page = stage.visitor().open("/about").locator("html")
    before = page.evaluate(SHAPE)
    assert before == page.evaluate(SHAPE) and '"footer"' in before
    page.evaluate("it => it.querySelector('main').append(document.createElement('b'))")
    assert page.evaluate(SHAPE) != before
