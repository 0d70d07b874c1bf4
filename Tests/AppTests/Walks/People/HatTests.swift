import Database
import Testing

@testable import App

/// `/welcome`, the switch in the header, and the pages that ask for one hat.
@Suite struct HatTests {
    @Test func `welcome explains both, leads to the profile’s form, and carries next along`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            var page = try await ana.visit("/welcome?next=/events/7")
            #expect(page.heading == "What brings you here?")
            #expect(page.link("Skip for now") == "/events/7")
            page = try await page.press("Continue", filling: ["hat": "provider"])
            #expect(page.path == "/me/provider?next=%2Fevents%2F7")
            #expect(page.value(of: "next") == "/events/7")
        }
    }

    @Test func `a neighbor is asked no more, has the doors of neighbors, and can take a hat later`() async throws {
        try await withTestSite { site in
            let landing = try await site.browser().visit("/")
            let door = try #require(landing.link("Join as a neighbor"))
            #expect(door == "/signup?next=%2Fwelcome%3Fhat%3Dneighbor")
            let ana = try await site.signIn(.ana)
            #expect(try await ana.visit("/").string.contains(#"class="switch""#))
            let question = try await ana.visit("/welcome?hat=neighbor")
            #expect(question.heading == "What brings you here?")
            #expect(!question.text.contains("Parent or Provider?"))
            let today = try await question.press("Continue")
            #expect(today.path == "/" && today.heading == "Today")
            #expect(!today.string.contains(#"class="switch""#))
            // The bell stays.
            for link in [
                "/inbox", "/needs", "/opportunities", "/kindness", "/playdates", "/events?audience=everyone",
                "/events/new?audience=everyone", "/me/profile",
            ] {
                #expect(today.links.contains { $0.href == link }, "\(link)")
            }
            // Another device and another day ask no more.
            let again = try await site.signIn(.ana)
            #expect(try await again.visit("/").heading == "Today")
            #expect(try await again.visit("/").link("Parent, Provider or Neighbor?") == "/welcome")
            _ = try await site.signIn(.ana, as: .provider)
            let page = try await again.visit("/welcome").press("Continue", filling: ["hat": "provider"])
            #expect(page.string.contains(#"class="switch""#))
        }
    }

    @Test func `a neighbor has a name, a town and a picture without a family, and what is near comes by the town`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/welcome?hat=neighbor").press("Continue")
            #expect(try await ana.visit("/needs").value(of: "near") == "")
            let page = try await ana.visit("/").follow("What you are called, and your town").press(
                "Save", filling: ["display_name": "Ana of the onions", "town": "Campbell"])
            #expect(page.heading == "Ana of the onions")
            let need: [String: Filling] = [
                "title": "A ladder", "kind": "things", "description": "For an afternoon.", "until": "2027-04-01",
                "address": "1 Main St", "city": "Campbell", "state": "CA", "zip": "95008",
            ]
            _ = try await site.signIn(.ben).visit("/needs/new").press("Preview", filling: need).press("Ask")
            #expect(try await ana.visit("/needs").value(of: "near")?.hasPrefix("Campbell") == true)
            #expect(try await ana.visit("/me").string.contains(#"action="/me/picture""#))
            let me = try await ana.visit("/me")
            #expect(me.text.contains("As a neighbor"))
            #expect(me.link("Announce an event for everybody") == "/events/new?audience=everyone")
            #expect(try site.count(of: "family") == 0)
        }
    }

    @Test func `the first page, signing up and Help speak of neighbors, whatever is switched off`() async throws {
        try await withTestSite { site in
            let visitor = site.browser()
            #expect(try await visitor.visit("/signup").text.contains("You need neither children nor an organization."))
            #expect(try await visitor.visit("/help").link("I’m a neighbor") == "/welcome?hat=neighbor")
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/modules").press("Save", filling: ["module": []])
            #expect(try await visitor.visit("/").link("Join as a neighbor") != nil)
        }
    }

    @Test func `a door of the landing page is what is ticked, and asked once`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            func ticked(_ path: String) async throws -> String? {
                try await ana.visit(path).html.all("input").first { $0["name"] == "hat" && $0["checked"] != nil }?[
                    "value"]
            }
            #expect(try await ticked("/welcome") == nil)
            #expect(try await ticked("/welcome?hat=neighbor") == "neighbor")
            #expect(try await ana.visit("/welcome").text.contains("announce a fair"))
            #expect(try await ticked("/welcome?next=/events/new") == "provider")
            #expect(try await ticked("/welcome?next=/events/new?audience%3Dkids") == "provider")
            #expect(try await ticked("/welcome?next=/events/7") == "parent")
            #expect(try await ticked("/welcome?hat=mayor") == nil)
            let door = try await ana.visit("/welcome?next=/welcome?hat%3Dneighbor")
            #expect(door.path == "/welcome?hat=neighbor")
            #expect(try await door.press("Continue").path == "/")
        }
    }

    @Test func `a parent who is here as a neighbor keeps the switch`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let today = try await ana.visit("/welcome?hat=neighbor").press("Continue")
            #expect(today.heading == "Today" && today.string.contains(#"class="switch""#))
            #expect(try await today.press("Parent").heading == "Hello Ana")
        }
    }

    @Test func `nothing chosen is a problem`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            let form = try await ana.visit("/welcome")
            #expect(form.link("Skip for now") == "/events")
            let token = try #require(form.value(of: "csrf"))
            for hat in ["", "mayor"] {
                let page = try await ana.post("/welcome", [("csrf", token), ("hat", hat)])
                #expect(page.status == 422)
                #expect(page.problems == ["Choose Parent, Provider or Neighbor, or skip this for now."])
            }
        }
    }

    @Test func `a visitor logs in first`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/welcome")
            #expect(page.redirects == ["/login?next=%2Fwelcome"])
        }
    }

    @Test func `without a hat, what is planned comes before the welcome`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben)
            let ana = try await site.signIn(.ana)
            _ = try await ana.visit("/opportunities/\(id)").press("Sign up", filling: ["shift": ["1"]])
            let page = try await ana.visit("/")
            #expect(page.heading == "Today")
            let headings = page.html.all("h2").map(\.text)
            let plans = try #require(headings.firstIndex(of: "Where you help"))
            #expect(try plans < #require(headings.firstIndex(of: "Welcome to the village")))
        }
    }

    @Test func `without a hat the start asks, and pages for a hat lead to its form and back`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana)
            #expect(try await ana.visit("/").heading == "Welcome to the village")
            #expect(try await ana.visit("/me/children").redirects == ["/me/family?next=%2Fme%2Fchildren"])
            var page = try await ana.visit("/events/new?audience=kids")
            #expect(page.redirects == ["/me/provider?next=%2Fevents%2Fnew%3Faudience%3Dkids"])
            page = try await page.press(
                "Save",
                filling: [
                    "organization": "Ana’s Kitchen", "first_name": "Ana", "last_name": "Ortiz", "designation": "cook",
                    "address": "1 Main St", "city": "San Jose", "state": "CA", "zip": "95112", "phone": "408 555 0100",
                ])
            #expect(page.path == "/events/new?audience=kids" && page.flash == "Saved.")
            // The new profile's hat is on at once.
            #expect(try await ana.visit("/").heading == "Ana’s Kitchen")
        }
    }

    @Test func `the switch stays where one is if both may be there, and else leads to the start`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            for path in ["/events?q=kite", "/me/settings", "/help"] {
                for hat in ["Provider", "Parent"] {
                    let page = try await ana.visit(path).press(hat)
                    #expect(page.status == 200 && page.path == path)
                }
            }
            #expect(try await ana.visit("/me/children").press("Provider").path == "/")
            #expect(try await ana.visit("/events/new").press("Parent").path == "/")
            let event = try await site.publish(by: .ana)
            #expect(try await ana.visit("/events/new?audience=kids").press("Switch to Provider").status == 200)
            let list = try await ana.visit("/events/\(event)/registrations")
            #expect(list.status == 200)
            #expect(try await list.press("Parent").path == "/")
            #expect(try await ana.visit("/nowhere").press("Provider").path == "/")
            // A page that answered to a form is no place to come back to.
            let page = try await ana.visit("/events/new").press("Preview")
            #expect(page.status == 422)
            #expect(try await page.press("Parent").path == "/")
        }
    }

    @Test func `who doesn't take a hat on goes on where they were`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            func from(_ path: String) -> [String: String] { ["Referer": ana.origin + path] }
            // By the switch, from a page that is for parents only, and by a link.
            let token = try #require(try await ana.visit("/me").value(of: "csrf"))
            var page = try await ana.post(
                "/hat", [("csrf", token), ("hat", "provider"), ("next", "/")], from("/me/children"))
            #expect(page.heading == "Your organization" && page.link("Stay a parent") == "/me/children")
            // Also after something was wrong with the form.
            page = try await page.press("Save")
            #expect(page.status == 422 && page.link("Stay a parent") == "/me/children")
            page = try await ana.visit("/events/new?audience=kids", from("/events?q=kite"))
            #expect(page.link("Stay a parent") == "/events?q=kite")
            // A visitor from elsewhere begins at the start.
            for elsewhere in ["https://elsewhere.example/a", "\(ana.origin)evil/a", "\(ana.origin)//evil.example"] {
                page = try await ana.visit("/me/provider", ["Referer": elsewhere])
                #expect(page.link("Stay a parent") == "/", "\(elsewhere)")
            }
            page = try await ana.visit("/me/provider?back=https://elsewhere.example")
            #expect(page.link("Stay a parent") == "/")
        }
    }

    @Test func `the server doesn’t follow a foreign next`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            let token = try #require(try await ana.visit("/me").value(of: "csrf"))
            for next in ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:x"] {
                let page = try await ana.post("/hat", [("csrf", token), ("hat", "provider"), ("next", next)])
                #expect(page.path == "/")
            }
        }
    }

    @Test func `a page of the other hat answers 403 with one button that switches and goes on`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/events/new?audience=kids")
            #expect(page.status == 403 && page.heading == "This page is for providers")
            #expect(page.html.first("main")?.all("button").map(\.text) == ["Switch to Provider"])
            page = try await page.press("Switch to Provider")
            #expect(page.status == 200 && page.path == "/events/new?audience=kids")
            page = try await ana.visit("/me/registrations?list=attended")
            #expect(page.status == 403 && page.heading == "This page is for parents")
            page = try await page.press("Switch to Parent")
            #expect(page.status == 200 && page.path == "/me/registrations?list=attended")
        }
    }

    @Test func `the switch in the header changes this session and the next log-in, not other devices`() async throws {
        try await withTestSite { site in
            _ = try await site.signIn(.ana, as: .provider)
            let ana = try await site.signIn(.ana, as: .parent)
            let phone = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/")
            #expect(page.heading.contains("Ana"))
            page = try await page.press("Provider")
            #expect(page.path == "/" && page.heading == "Ana’s Kitchen")
            #expect(try await phone.visit("/").heading.contains("Ana’s Kitchen") == false)
            page = try await site.browser().visit("/login").press(
                "Log in", filling: ["login": "ana-ortiz", "password": .text(Person.password)])
            #expect(page.heading == "Ana’s Kitchen")
        }
    }

    @Test func `the switch leads to the form of a hat without a profile, and never off the site`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/").press("Provider").redirects == ["/me/provider?next=%2F"])
            // Nobody has to take on a hat who only pressed the switch.
            let form = try await ana.visit("/").press("Provider")
            #expect(try await form.follow("Stay a parent").heading == "Hello Ana")
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/").press("Parent").follow("Stay a provider").heading == "King Library")
            let cleo = try await site.signIn(.cleo)
            let asked = try await cleo.visit("/welcome?next=/events").press("Continue", filling: ["hat": "provider"])
            #expect(asked.link("Stay a parent") == nil && asked.link("Back") == "/welcome?next=%2Fevents")
            let token = try #require(try await ana.visit("/").value(of: "csrf"))
            let page = try await ana.submit(
                "/hat", [("csrf", token), ("hat", "parent"), ("next", "//evil.example")])
            #expect(page.location == "/")
        }
    }
}
