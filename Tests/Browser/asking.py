"""What a host asks of a family: the whole way on a phone without JavaScript, and how its pages look to axe."""

import re

from playwright.sync_api import expect

from inspection import LOOKS, inspect
from suite import DESKTOP, PHONE, Stage, check, test

QUESTIONS = {
    "question.0.kind": "photo",
    "question.0.text": "My child may be in photos and videos taken at this event.",
    "question.0.why": "So that nobody is photographed who doesn’t want to be. Either answer is fine.",
    "question.0.for": "child",
    "question.1.kind": "agree",
    "question.1.text": "We swim in the lake with two lifeguards.",
    "question.1.why": "It is two meters deep.",
    "question.1.for": "family",
    "question.1.required": "1",
    "question.2.kind": "choice",
    "question.2.text": "Which size of shirt?",
    "question.2.options": "small\nmedium\nlarge",
    "question.2.for": "child",
    "question.3.kind": "line",
    "question.3.text": "Who fetches the children?",
    "question.3.for": "family",
}


def asked(stage: Stage):
    """A host whose event asks four things, and its path."""
    host = stage.visitor(DESKTOP).become_provider()
    return host, host.publish(title="Lake day", **QUESTIONS)


@test("on a phone without JavaScript a family answers what a host asks, is told what is missing, and takes it back")
def answering(stage: Stage):
    host, path = asked(stage)
    page = stage.visitor(PHONE, javascript=False).become_parent(("Robin", "Kim")).open(path)
    # What is asked about a child is seen once it comes.
    expect(page.get_by_text("Which size of shirt?").first).to_be_hidden()
    page.get_by_role("checkbox", name="Robin").check()
    expect(page.get_by_role("group", name="About Robin").get_by_label("Which size of shirt?")).to_be_visible()
    page.get_by_role("group", name="About Robin").get_by_label("Which size of shirt?").select_option("medium")
    page.get_by_label("Who fetches the children?").fill("Grandma Rosa")
    page.locator("#register").get_by_role("button", name="Register").click()
    expect(page.locator(".problems")).to_contain_text("The host needs this consent to take you.")
    expect(page.get_by_label("Who fetches the children?")).to_have_value("Grandma Rosa")
    page.locator(".problems a").click()
    page.get_by_role("checkbox", name="We swim in the lake").check()
    page.get_by_role("group", name="About Robin").get_by_role("radio", name="Yes").check()
    page.locator("#register").get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Congratulations!")
    expect(page.locator("#answers")).to_contain_text("Grandma Rosa")
    page.get_by_role("link", name="Change the answers").click()
    page.get_by_label("Who fetches the children?").fill("Grandpa Leo")
    page.get_by_role("main").get_by_role("button", name="Save").click()
    expect(page.locator("#answers")).to_contain_text("Grandpa Leo")
    page.get_by_role("button", name=re.compile("Take it back.*Robin")).click()
    expect(page.locator("#answers")).to_contain_text("taken back")

    roster = host.open(f"{path}/registrations")
    expect(roster.locator("#who")).to_contain_text("No photos")
    expect(roster.locator("#who")).to_contain_text("Grandpa Leo")


@test("the pages of what a host asks pass axe and fit, on a phone and a desktop, in light and dark")
def looking(stage: Stage):
    host, path = asked(stage)
    visitor = stage.visitor(PHONE).become_parent(("Robin", "Kim"))
    page = visitor.open(path)
    page.get_by_role("checkbox", name="Robin").check()
    check(inspect(page, LOOKS))
    page.locator("#register").get_by_role("button", name="Register").click()
    expect(page.locator(".problems")).to_be_visible()
    check(inspect(page, LOOKS))
    page.get_by_role("checkbox", name="We swim in the lake").check()
    page.get_by_label("Who fetches the children?").fill("Grandma Rosa")
    page.locator("#register").get_by_role("button", name="Register").click()
    expect(page.locator("#answers")).to_be_visible()
    check(inspect(page, LOOKS))
    page.get_by_role("link", name="Answer", exact=True).or_(page.get_by_role("link", name="Change the answers")).click()
    page.wait_for_url("**/answers")
    check(inspect(page, LOOKS))
    for address in (f"{path}/registrations", f"{path}/registrations?as=print", f"{path}/edit", path):
        check(inspect(host.open(address), LOOKS))
