import Database
import Testing

@testable import App

/// `/me/children`: the children of a family, and nobody else's.
@Suite struct ChildrenTests {
    @Test func `a child is added, changed and removed`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/me/children").follow("Add a child").press(
                "Save", filling: ["nickname": "Mo", "birth_month": "3", "birth_year": "2020"])
            #expect(page.path == "/me/children")
            #expect(page.text.contains("Mo 6 or 7 years · born March 2020"))
            page = try await page.follow("Edit Mo").press("Save", filling: ["nickname": "Momo", "birth_month": "2"])
            #expect(page.flash == "Saved." && page.text.contains("Momo 7 years · born February 2020"))
            page = try await page.follow("Edit Momo")
            #expect(!page.text.contains("These places are given back"))
            page = try await page.press("Remove")
            #expect(page.path == "/me/children" && !page.text.contains("Momo 7"))
            #expect(try site.count(of: "child") == 0)
        }
    }

    @Test func `a mother about to register adds one child after the other, and finds where to add another`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            _ = try await site.family(of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let first = try await ana.visit("/events/\(event)")
            // The next step is in reach on a phone, as registering is.
            #expect(first.html.all(ofClass: "reach").contains { $0.text.contains("Add a child to register") })
            let form = try await first.follow("Add a child to register")
            let next = try await form.press(
                "Save, and add another child", filling: ["nickname": "Mo", "birth_month": "3", "birth_year": "2020"])
            #expect(next.path.hasPrefix("/me/children/new?") && next.value(of: "next") == "/events/\(event)")
            #expect(next.value(of: "nickname")?.isEmpty != false)
            var page = try await next.press(
                "Save", filling: ["nickname": "Lu", "birth_month": "3", "birth_year": "2021"])
            #expect(page.path == "/events/\(event)" && page.text.contains("Mo") && page.text.contains("Lu"))
            #expect(page.link("Add another child") == nil)
            #expect(try site.count(of: "child") == 2)

            // With one child on the list, another is a press away.
            let pia = try await site.child("Pia", of: .noor)
            page = try await site.signIn(.noor, as: .parent).visit("/events/\(event)").press("Add another child")
            #expect(page.path == "/me/children/new" && page.heading == "Add a child")

            // Once that child has a place, too, unless registration has closed.
            try await site.register([pia], of: .noor, at: event)
            let noor = try await site.signIn(.noor, as: .parent)
            page = try await noor.visit("/events/\(event)")
            #expect(page.text.contains("is registered"))
            #expect(try await page.follow("Add another child").value(of: "next") == "/events/\(event)")
            try await site.execute(
                "UPDATE event SET closes_at = \(site.clock.now - .minutes(30)) WHERE id = \(event)")
            #expect(try await noor.visit("/events/\(event)").link("Add another child") == nil)
            // Where none of the listed children fits, another one may.
            let older = try await site.publish(by: .ben) { ($0.ageFrom, $0.ageTo) = (15, 17) }
            page = try await site.signIn(.noor, as: .parent).visit("/events/\(older)")
            #expect(page.text.contains("This event is for 15 to 17 years."))
            #expect(try await page.follow("Add another child").value(of: "next") == "/events/\(older)")
        }
    }

    @Test func `a registration that is half filled comes back as it was typed, with the child that was added`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let line = Ask(content: .init(kind: .line, text: "Who fetches them?", why: "So that we know."))
            try await site.write { db in try Ask.save([line], of: event, in: db) }
            let mo = try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/events/\(event)").press(
                "Add another child", filling: ["child": .texts(["\(mo)"]), "answer.0.line": "Grandma"])
            #expect(form.status == 200 && form.path == "/me/children/new" && form.problems.isEmpty)
            #expect(!form.buttons.contains("Save, and add another child"))
            // A mistake doesn't lose it, and nobody has to add a child to go on.
            let wrong = try await form.press("Save", filling: ["nickname": "Zoe"])
            #expect(wrong.status == 422)
            var page = try await wrong.press("Go back without adding a child")
            #expect(page.status == 200 && page.problems.isEmpty && page.values(of: "child") == ["\(mo)"])
            #expect(page.value(of: "answer.0.line") == "Grandma")
            #expect(try site.count(of: "child") == 1)
            page = try await wrong.press("Save", filling: ["birth_month": "3", "birth_year": "2021"])
            #expect(page.status == 200 && page.problems.isEmpty && page.flash != nil)
            #expect(page.path == "/events/\(event)/registrations" && page.text.contains("Zoe"))
            #expect(page.values(of: "child") == ["\(mo)"] && page.value(of: "answer.0.line") == "Grandma")
            #expect(try site.count(of: "child") == 2 && site.count(of: "registration") == 0)
            let zoe: Int64? = try site.read { db in try db.value("SELECT max(id) FROM child") }
            let children = ["\(mo)", "\(try #require(zoe))"]
            let done = try await page.press("Register", filling: ["child": .texts(children)])
            #expect(done.path.hasPrefix("/registrations/"), "\(done.problems)")
            #expect(try site.count(of: "registration_person WHERE cancelled_at IS NULL") == 2)
            #expect(try site.count(of: "reply WHERE answer = 'Grandma'") > 0)
        }
    }

    @Test func `the entry that is there already opens with the notes just typed, and leads back to the sheet`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            // The other parent added the child.
            let mo = try await site.child("Mo", of: .ana)
            try await site.guardian(.cleo, of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            // With two or more children, too, another is a press away.
            try await site.child("Lu", of: .ana)
            let form = try await ana.visit("/events/\(event)").press(
                "Add another child", filling: ["child": .texts(["\(mo)"])])
            let twice = try await form.press(
                "Save",
                filling: ["nickname": "Mo", "birth_month": "1", "birth_year": "2021", "allergies": "Nuts"])
            #expect(twice.status == 422)
            let entry = try await twice.press("Open the entry that is there")
            #expect(entry.status == 200 && entry.path == "/me/children/\(mo)/edit" && entry.problems.isEmpty)
            #expect(entry.value(of: "nickname") == "Mo" && entry.value(of: "allergies") == "Nuts")
            // Nothing is stored yet, and what would end the way isn't offered on it.
            #expect(try site.count(of: "child WHERE allergies <> ''") == 0 && !entry.buttons.contains("Remove"))
            let page = try await entry.press("Save")
            #expect(page.status == 200 && page.path == "/events/\(event)/registrations")
            #expect(page.values(of: "child") == ["\(mo)"])
            #expect(try site.count(of: "child WHERE allergies = 'Nuts'") == 1 && site.count(of: "child") == 2)
        }
    }

    @Test func `a problem keeps the input`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/me/children/new?next=/events").press(
                "Save", filling: ["nickname": "Mo", "birth_month": "4", "birth_year": "2027"])
            #expect(page.status == 422 && page.title == "Error: Add a child · Village")
            #expect(page.problems == ["Choose a month that has begun. You can add the child once it is born."])
            #expect(page.value(of: "nickname") == "Mo" && page.value(of: "birth_month") == "4")
            page = try await page.press("Save", filling: ["birth_month": "2", "birth_year": "2009"])
            #expect(page.problems == ["Children here are younger than 18. Adults have an account of their own."])
            page = try await page.press("Save", filling: ["birth_year": "20"])
            #expect(page.problems == ["Write the year with all four digits."])
            page = try await page.press("Save", filling: ["nickname": "", "birth_year": "soon"])
            #expect(page.problems.count == 2 && page.value(of: "birth_year") == "soon")
            page = try await page.press("Save", filling: ["nickname": "Mo", "birth_year": "2010"])
            #expect(page.path == "/events")
        }
    }

    @Test func `a stranger’s child is not found, whatever is done to it`() async throws {
        try await withTestSite { site in
            let mo = try await site.child("Mo", of: .ana)
            let cleo = try await site.signIn(.cleo, as: .parent)
            let token = try #require(try await cleo.visit("/me/children/new").value(of: "csrf"))
            for action in ["edit", "delete"] {
                #expect(try await cleo.visit("/me/children/\(mo)/\(action)").status == 404)
                let page = try await cleo.post(
                    "/me/children/\(mo)/\(action)",
                    [("csrf", token), ("nickname", "Stolen"), ("birth_month", "1"), ("birth_year", "2020")])
                #expect(page.status == 404)
            }
            #expect(try site.count(of: "child WHERE nickname = 'Mo'") == 1)
            // The twin: the same form for one's own child is carried out.
            let lu = try await site.child("Lu", of: .cleo)
            let page = try await cleo.post(
                "/me/children/\(lu)/edit",
                [("csrf", token), ("nickname", "Lulu"), ("birth_month", "1"), ("birth_year", "2020")])
            #expect(page.path == "/me/children")
        }
    }

    @Test(arguments: ["0", "-1", "999", "abc", "1.0", "%31x", "99999999999999999999", "1%00"])
    func `a child that isn’t there is not found`(id: String) async throws {
        try await withTestSite { site in
            try await site.child("Mo", of: .ana)
            let ana = try await site.signIn(.ana, as: .parent)
            #expect(try await ana.visit("/me/children/\(id)/edit").status == 404)
        }
    }

    @Test func `visitors log in first, and providers change hats`() async throws {
        try await withTestSite { site in
            for path in ["/me/children", "/me/children/new", "/me/children/1/edit", "/me/children/1/delete"] {
                #expect(try await site.browser().visit(path).path.hasPrefix("/login?next="))
            }
            try await site.family(of: .ben)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/me/children").status == 403)
        }
    }

    @Test func `a family has room for twenty children, and the form of one more is kept`() async throws {
        try await withTestSite { site in
            for number in 1...Child.limit { _ = try await site.child("Child \(number)", of: .ana) }
            let page = try await site.signIn(.ana, as: .parent).visit("/me/children/new").press(
                "Save", filling: ["nickname": "Mo", "birth_month": "3", "birth_year": "2020"])
            #expect(page.status == 422 && page.value(of: "nickname") == "Mo")
            #expect(page.problems == ["A family can have 20 children here. Nobody was added."])
            #expect(try site.count(of: "child") == Child.limit)
        }
    }

    @Test func `removing a child gives its future places back, and past ones lose the name`() async throws {
        try await withTestSite { site in
            let past = try await site.publish(by: .ben) {
                $0.title = "Past"
                $0.date = Day(iso: "2027-03-21")!
            }
            let future = try await site.publish(by: .ben) { $0.title = "Future" }
            let mo = try await site.child("Bix", of: .ana)
            let lu = try await site.child("Lu", of: .ana)
            try await site.register([mo, lu], of: .ana, at: past)
            try await site.register([mo, lu], of: .ana, at: future)
            site.clock.advance(by: .days(2))
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/me/children/\(mo)/delete")
            #expect(page.text.contains("These places are given back: Future Saturday, March 27, 2027"))
            #expect(page.html.first("main")?.all("li").count == 1)
            let again = page
            page = try await page.press("Remove")
            #expect(page.text.contains("Bix was removed, and the places given back."))
            #expect(try site.count(of: "event WHERE title = 'Future' AND taken = 1") == 1)
            #expect(try site.count(of: "event WHERE title = 'Past' AND taken = 2") == 1)
            #expect(try site.count(of: "registration WHERE state = 'confirmed'") == 2)
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(!(try await ben.visit("/events/\(future)/registrations").text.contains("Bix")))
            page = try await ben.visit("/events/\(past)/registrations")
            #expect(page.text.contains("a child") && page.text.contains("Lu") && !page.text.contains("Bix "))
            // Pressed twice, there is nothing left to remove.
            #expect(try await again.press("Remove").status == 404)
        }
    }
    @Test func `the page names every place that is given back, on now too, and also when it is shown again`()
        async throws
    {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) {
                $0.title = "Open till noon"
                $0.takesLate = true
            }
            let mo = try await site.child("Mo", of: .ana)
            try await site.register([mo], of: .ana, at: event)
            site.clock.advance(by: .days(7) + .hours(8))
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/me/children/\(mo)/edit")
            #expect(page.text.contains("These places are given back: Open till noon"))
            page = try await page.press("Save", filling: ["nickname": ""])
            #expect(page.status == 422 && page.text.contains("These places are given back: Open till noon"))
            _ = try await page.press("Remove")
            #expect(try site.count(of: "event WHERE taken = 0") == 1)
        }
    }
}
