import Database
import SMTP
import Testing

@testable import App

/// What an organization does with those who help it: words to them, times, hours, the sheet.
@Suite struct CoordinatingTests {
    /// *Serve Saturday lunch* of Ben’s with two shifts: Ana is in the first, Cleo in the second.
    private func helped(_ site: TestSite) async throws -> (path: String, ben: Browser, ana: Browser, cleo: Browser) {
        let id = try await site.ask(by: .ben) { form in
            form.shifts[1] = form.shifts[0]
            form.shifts[1].date = Day(iso: "2027-04-03")
        }
        let path = "/opportunities/\(id)"
        let ana = try await site.signIn(.ana, as: .parent)
        let cleo = try await site.signIn(.cleo, as: .parent)
        _ = try await ana.visit(path).press("Sign up", filling: ["shift": ["1"]])
        _ = try await cleo.visit(path).press("Sign up", filling: ["shift": ["2"]])
        return (path, try await site.signIn(.ben, as: .provider), ana, cleo)
    }

    // MARK: Messages

    @Test func `an organization writes to all or some who come, sees first whom it reaches, and how many opened it`()
        async throws
    {
        let office = try PostOffice()
        try await withTestSite { site in
            let (path, ben, ana, cleo) = try await helped(site)
            try await site.execute("DELETE FROM letter")
            let form = try await ben.visit(path + "/signups").follow("Write to those who help")
            #expect(form.path == path + "/messages" && form.text.contains("Saturday, March 27, 11 AM to 2 PM"))
            let none = try await form.press(
                "Preview", filling: ["to": [], "subject": "Boots", "body": "It is wet there."])
            #expect(none.status == 422 && none.text.contains("Choose who is to read it."))
            #expect(none.value(of: "subject") == "Boots")
            // Those who have still to come are chosen.
            let all = try await form.press("Preview", filling: ["subject": "Boots", "body": "It is wet there."])
            #expect(all.text.contains("2 people will be told: Saturday, March 27, 11 AM to 2 PM"))
            let some = try await form.press(
                "Preview", filling: ["to": ["shift-1"], "subject": "Boots", "body": "It is wet there."])
            #expect(some.text.contains("1 person will be told: Saturday, March 27, 11 AM to 2 PM"))
            #expect(try site.count(of: "announcement") == 0)
            for answer in ["Sent. Everybody finds it in the inbox.", "You already sent this. It went out once."] {
                let page = try await some.press("Send it")
                #expect(page.path == path + "/messages" && page.flash == answer)
            }
            // It is among what the organization looks after, not among what one finds.
            for page in [form, some] {
                let tabs = page.html.all("a").filter { $0["aria-current"] == "page" }.map { $0["href"] }
                #expect(Set(tabs) == ["/me"])
            }
            #expect(try site.count(of: "announcement WHERE families = 1") == 1)
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 1)
            #expect(try await ben.visit(path + "/messages").text.contains("Opened by 0 of 1 person."))
            let read = try await ana.visit("/inbox").follow("Unread: A message about Serve Saturday lunch")
            #expect(read.path == path + "/messages" && read.text.contains("It is wet there."))
            #expect(!read.buttons.contains("Preview") && !read.text.contains("Opened by"))
            #expect(try await ben.visit(path + "/messages").text.contains("Opened by 1 of 1 person."))
            // It stands on their pages, and on nobody else's.
            for page in [path, "/signups/1"] {
                let found = try await ana.visit(page).links.contains { $0.href.hasSuffix(path + "/messages") }
                #expect(found, "\(page)")
            }
            #expect(try await !cleo.visit("/signups/2").links.contains { $0.href.hasSuffix(path + "/messages") })
            // Nobody else reads it: another helper, another organization, which can't write there, either.
            #expect(try await cleo.visit(path + "/messages").status == 404)
            let other = try await site.signIn(.cleo, as: .provider)
            #expect(try await other.visit(path + "/messages").status == 404)
            let token = try await other.visit("/help").value(of: "csrf") ?? ""
            let foreign = [
                (name: "csrf", value: token), (name: "subject", value: "Hello"), (name: "body", value: "Hello all"),
                (name: "to", value: "shift-1"), (name: "step", value: "publish"),
            ]
            #expect(try await other.submit(path + "/messages", foreign).status == 404)
            // An address that nobody confirmed gets the letter, as that of a held place does.
            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
            #expect(await Postman(site: site.site).deliverAll(by: client))
            let letter = try #require(try office.letters.first)
            #expect(try office.letters.count == 1 && letter.subject == "A message about Serve Saturday lunch")
            #expect(letter.text.contains("It is wet there.") && letter.text.contains("Boots"))
        }
    }

    @Test func `those who wait and those who were there are told, each where they are chosen`() async throws {
        try await withTestSite { site in
            let (path, ben, ana, cleo) = try await helped(site)
            try await site.execute("UPDATE shift SET taken = spots WHERE id = 2")
            let (account, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                try Shift.wait(for: ID(2), message: "", of: account, at: ID(1), in: tx)
            }
            var form = try await ben.visit(path + "/messages")
            #expect(form.text.contains("Those who wait for a place or an answer"))
            _ = try await form.press(
                "Preview", filling: ["to": ["waiting"], "subject": "Soon", "body": "A place may become free."]
            ).press("Send it")
            #expect(try await ana.visit(path + "/messages").text.contains("A place may become free."))
            #expect(try await cleo.visit(path + "/messages").status == 404)
            // After the first shift those who were there can be thanked, and aren't chosen without a word.
            site.clock.advance(by: .days(8))
            form = try await ben.visit(path + "/messages")
            #expect(form.html.all("input").filter { $0["value"] == "shift-1" }.allSatisfy { $0["checked"] == nil })
            _ = try await form.press(
                "Preview", filling: ["to": ["shift-1"], "subject": "Thanks", "body": "It was good to have you."]
            ).press("Send it")
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 2)
            // Twin: 90 days after it nobody is written to anymore.
            site.clock.advance(by: .days(120))
            let late = try await site.signIn(.ben, as: .provider).visit(path + "/messages")
            #expect(late.text.contains("It was good to have you.") && !late.text.contains("Saturday, March 27, 11 AM"))
        }
    }

    @Test func `what was said again isn't sent again, three within a day are enough, and a hidden one tells nobody`()
        async throws
    {
        try await withTestSite { site in
            let (path, ben, ana, _) = try await helped(site)
            func send(_ subject: String) async throws -> Page {
                try await ben.visit(path + "/messages").press(
                    "Preview", filling: ["to": ["shift-1"], "subject": .text(subject), "body": "Something to know."]
                ).press("Send it")
            }
            for subject in ["One more", "One more", "Two more", "Three more"] { _ = try await send(subject) }
            #expect(try site.count(of: "announcement") == 3)
            let fourth = try await send("Four more")
            #expect(fourth.status == 422 && fourth.text.contains("3 messages within a day are enough."))
            #expect(fourth.value(of: "subject") == "Four more")
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 3)
            site.clock.advance(by: .hours(25))
            try await site.execute("UPDATE opportunity SET hidden_at = 1")
            #expect(
                try await ben.visit(path + "/messages").press(
                    "Preview", filling: ["to": ["shift-1"], "subject": "Again", "body": "Something to know."]
                ).text.contains("Nobody is written to about it."))
            // Ana reads what she was told before, and goes back to where it can be reached.
            let told = try await ana.visit(path + "/messages")
            #expect(told.text.contains("Three more") && !told.string.contains("class=\"back\" href=\"\(path)\""))
        }
    }

    @Test func `a helper who leaves takes what they were told along, an organization its words`() async throws {
        try await withTestSite { site in
            let (path, ben, _, _) = try await helped(site)
            _ = try await ben.visit(path + "/messages").press(
                "Preview", filling: ["to": ["shift-1", "shift-2"], "subject": "Boots", "body": "It is wet there."]
            ).press("Send it")
            let (host, helper, now) = (
                try await site.account(of: .ben), try await site.account(of: .ana), site.clock.now
            )
            try await site.write(at: now) { tx in try Account.leave(helper, in: tx) }
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 1)
            #expect(try await ben.visit(path + "/messages").status == 200)
            try await site.write(at: now) { tx in try Account.leave(host, in: tx) }
            #expect(try site.count(of: "announcement") == 0)
            // A notice would lead nowhere.
            #expect(try site.count(of: "notice WHERE kind = 'announced'") == 0)
        }
    }

    // MARK: Hours

    /// The first shift is over, and Cleo was in it, too.
    private func over(_ site: TestSite) async throws -> (path: String, ben: Browser, ana: Browser, cleo: Browser) {
        let (path, _, ana, cleo) = try await helped(site)
        _ = try await cleo.visit(path).press("Sign up", filling: ["shift": ["1"]])
        site.clock.advance(by: .days(8))
        return (path, try await site.signIn(.ben, as: .provider), ana, cleo)
    }

    @Test func `times are noted, the hours follow, and all who came are confirmed at once`() async throws {
        try await withTestSite { site in
            let (path, ben, ana, _) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            #expect(list.text.contains("with your name. If you change only the times, the hours follow from"))
            #expect(list.text.contains("follow from them. That somebody did not come"))
            #expect(list.value(of: "in-1-2027-03-27") == "11:00" && list.value(of: "out-1-2027-03-27") == "14:00")
            func type(of name: String, on page: Page) -> String? {
                page.html.all("input").first { $0["name"] == name }?["type"]
            }
            // A browser shows it as clocks of its country do.
            for name in ["in-1-2027-03-27", "out-1-2027-03-27"] { #expect(type(of: name, on: list) == "time") }
            // Signup 3 is Cleo's of the first shift; the second hasn't begun.
            #expect(list.value(of: "in-3-2027-03-27") == "11:00" && list.value(of: "in-2-2027-04-03") == nil)
            let much = try await list.press(
                "Confirm hours for all who came",
                filling: ["out-1-2027-03-27": "12:00", "hours-1-2027-03-27": "2", "out-3-2027-03-27": "1 pm"])
            #expect(much.status == 422 && much.problems.first?.contains("1 hour") == true)
            // All that is wrong is said at once, and each line leads to its field.
            let both = try await list.press(
                "Confirm hours for all who came",
                filling: ["in-1-2027-03-27": "early", "hours-3-2027-03-27": "4"])
            #expect(both.problems.count == 2 && both.problemsLead && both.title.hasPrefix("Error: "))
            #expect(both.link(both.problems[0]) == "#in-1-2027-03-27")
            // It says which helper is meant, and what is wrong.
            let swapped = try await list.press(
                "Confirm hours for all who came", filling: ["in-1-2027-03-27": "12:00", "out-1-2027-03-27": "9:00"])
            #expect(
                swapped.problems.first?.contains("Check the times of Ana Ortiz: the end is before the beginning.")
                    == true)
            let long = try await list.press(
                "Confirm hours for all who came", filling: ["hours-3-2027-03-27": "4"])
            #expect(
                long.problems.first?.contains("the hours of Cleo Park: more than 3 hours can’t be confirmed.") == true)
            // What was typed stands there again.
            #expect(much.value(of: "out-3-2027-03-27") == "1 pm")
            #expect(type(of: "out-3-2027-03-27", on: much) == "text")
            let unread = try await list.press(
                "Confirm hours for all who came", filling: ["in-1-2027-03-27": "early"])
            #expect(unread.problems.first?.contains("like 9:00") == true)
            let half = try await list.press("Confirm hours for all who came", filling: ["in-1-2027-03-27": ""])
            #expect(half.problems.first?.contains("both times") == true)
            #expect(try site.count(of: "contribution") == 0)
            let changed: [String: Filling] = ["out-1-2027-03-27": "12:30", "hours-3-2027-03-27": "2"]
            // Pressed twice, it counts once, and is no mistake.
            for answer in ["Confirmed. They are told.", "These were confirmed meanwhile."] {
                let done = try await list.press("Confirm hours for all who came", filling: changed)
                #expect(done.status == 200 && done.path == path + "/signups" && done.text.contains(answer))
            }
            #expect(
                try site.count(of: "contribution WHERE confirmed = 90 AND in_minute = 660 AND out_minute = 750") == 1)
            #expect(try site.count(of: "contribution WHERE confirmed = 120 AND out_minute = 780") == 1)
            #expect(try site.count(of: "contribution") == 2)
            // A helper can't note a gift with it before: otherwise nobody's hours could be confirmed.
            #expect(try site.count(of: "contribution WHERE once LIKE 'signup.%'") == 2)
            #expect(try site.count(of: "organization_total WHERE minutes = 210 AND helpers = 2") == 1)
            #expect(try await ana.visit("/impact").text.contains("1.5 hours"))
        }
    }

    @Test func `what was said since the page was drawn waits, and a stay beyond the shift counts as the shift`()
        async throws
    {
        try await withTestSite { site in
            let (path, ben, ana, cleo) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            // Only Ana stands in the form of a page that is older than Cleo's sign-up.
            let form = try list.form(with: "Confirm hours for all who came")
            _ = try await cleo.visit("/signups/3").press("Note my hours", filling: ["hours": "2"])
            var pairs = form.pairs.filter { !$0.name.hasSuffix("-3-2027-03-27") && $0.name != "out-1-2027-03-27" }
            pairs.append((name: "out-1-2027-03-27", value: "15:30"))
            #expect(try await ben.submit(path + "/hours", pairs).status == 303)
            #expect(
                try site.count(of: "contribution WHERE signup_id = 1 AND confirmed = 180 AND out_minute = 930") == 1)
            #expect(try site.count(of: "contribution WHERE signup_id = 3 AND confirmed IS NULL") == 1)
            #expect(try await ana.visit("/impact").text.contains("3 hours"))
            // Nothing chosen is still asked back.
            let none = try await ben.submit(path + "/hours", pairs.filter { $0.name == "csrf" })
            #expect(none.status == 422 && none.problems == ["Choose whose hours you confirm."] && none.problemsLead)
        }
    }

    @Test func `confirmed hours stand beside the name and are corrected, with sums and certificates; told once`()
        async throws
    {
        try await withTestSite { site in
            let (path, ben, ana, _) = try await over(site)
            _ = try await ben.visit(path + "/signups").press("Confirm hours for all who came")
            let sheet = try await ana.visit("/impact").press(
                "Make my certificate", filling: ["name": "Ana Ortiz", "year": "2027"])
            #expect(sheet.text.contains("3 hours"))
            let list = try await ben.visit(path + "/signups")
            #expect(list.text.contains("11 AM to 2 PM · 3 hours") && list.value(of: "out-1-2027-03-27") == "14:00")
            let wrong = try await list.press(
                "Change these hours: Ana Ortiz", filling: ["hours-1-2027-03-27": "many"])
            #expect(wrong.status == 422 && wrong.value(of: "hours-1-2027-03-27") == "many")
            let changed: [String: Filling] = ["out-1-2027-03-27": "12:30"]
            for _ in 0..<2 { _ = try await list.press("Change these hours: Ana Ortiz", filling: changed) }
            #expect(
                try site.count(of: "contribution WHERE signup_id = 1 AND confirmed = 90 AND out_minute = 750") == 1)
            #expect(try site.count(of: "notice WHERE detail LIKE 'corrected%'") == 1)
            // Another change on the page from before is shown what holds now, and changes nothing.
            let old = try await list.press("Change these hours: Ana Ortiz", filling: ["hours-1-2027-03-27": "2"])
            #expect(old.text.contains("meanwhile"))
            #expect(try site.count(of: "organization_total WHERE minutes = 270 AND helpers = 2") == 1)
            #expect(try site.count(of: "organization_year WHERE minutes = 270 AND helpers = 2") == 1)
            #expect(try site.count(of: "month_total WHERE what = 'minutes' AND count = 270") == 1)
            let checked = try await site.browser().visit(sheet.path).text
            #expect(checked.contains("1.5 hours") && !checked.contains("3 hours"))
            // Nobody but the organization corrects them.
            let other = try await site.signIn(.cleo, as: .provider)
            let token = try await other.visit("/help").value(of: "csrf") ?? ""
            let fields = [
                (name: "csrf", value: token), (name: "change", value: "1-2027-03-27"),
                (name: "hours-1-2027-03-27", value: "1"),
            ]
            #expect(try await other.post(path + "/hours", fields).status == 404)
            // One who wasn't there has no hours, and a sheet of nothing isn't valid.
            let present = try await ben.visit(path + "/signups")
            for _ in 0..<2 {
                let page = try await present.press(
                    "Change these hours: Ana Ortiz", filling: ["missed-1-2027-03-27": .tick(true)])
                #expect(page.status == 200)
            }
            let anew = try await present.press("Change these hours: Ana Ortiz", filling: ["hours-1-2027-03-27": "1"])
            #expect(anew.text.contains("meanwhile"), "\(anew.status)")
            #expect(try site.count(of: "contribution WHERE signup_id = 1") == 0)
            #expect(try site.count(of: "absence WHERE signup_id = 1") == 1)
            #expect(try site.count(of: "organization_total WHERE minutes = 180 AND helpers = 1") == 1)
            #expect(try await site.browser().visit(sheet.path).text.contains("Withdrawn"))
            // Twin: 90 days later nobody knows anymore.
            site.clock.advance(by: .days(120))
            let late = try await site.signIn(.ben, as: .provider).visit(path + "/signups")
            #expect(late.text.contains("11 AM to 2 PM · 3 hours") && !late.text.contains("Change these hours"))
        }
    }

    @Test func `times that were typed beside an unchecked box are not lost`() async throws {
        try await withTestSite { site in
            let (path, ben, _, _) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            let typed: [String: Filling] = ["confirm-1-2027-03-27": .tick(true), "out-3-2027-03-27": "12:30"]
            let asked = try await list.press("Confirm these hours", filling: typed)
            #expect(asked.status == 422 && asked.text.contains("isn’t checked"))
            #expect(asked.value(of: "out-3-2027-03-27") == "12:30")
            #expect(try site.count(of: "contribution WHERE confirmed IS NOT NULL") == 0)
            // It is asked for again as long as it is so, and with the box all of it counts.
            #expect(try await asked.press("Confirm these hours").status == 422)
            _ = try await asked.press("Confirm these hours", filling: ["confirm-3-2027-03-27": .tick(true)])
            #expect(try site.count(of: "contribution WHERE signup_id = 1 AND confirmed = 180") == 1)
            #expect(try site.count(of: "contribution WHERE signup_id = 3 AND confirmed = 90") == 1)
        }
        // Twin: boxes alone leave the others as they are.
        try await withTestSite { site in
            let (path, ben, _, _) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            _ = try await list.press("Confirm these hours", filling: ["confirm-1-2027-03-27": .tick(true)])
            #expect(try site.count(of: "contribution WHERE confirmed IS NOT NULL") == 1)
        }
    }

    @Test func `of two who confirm at once the second reads whose hours hold`() async throws {
        try await withTestSite { site in
            let (path, ben, _, _) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            _ = try await list.press(
                "Confirm these hours",
                filling: ["confirm-1-2027-03-27": .tick(true), "out-1-2027-03-27": "12:30"])
            let old = try await list.press(
                "Confirm hours for all who came", filling: ["out-1-2027-03-27": "13:00"])
            #expect(old.text.contains("Somebody else confirmed some of them meanwhile"))
            #expect(try site.count(of: "contribution WHERE signup_id = 1 AND confirmed = 90") == 1)
            #expect(try site.count(of: "contribution WHERE signup_id = 3 AND confirmed = 180") == 1)
            // Twin: the same words once more are no other ones, and with nothing new left they are still said.
            let same: [String: Filling] = ["out-1-2027-03-27": "12:30", "hours-1-2027-03-27": "1.5"]
            #expect(
                try await list.press("Confirm hours for all who came", filling: same).text.contains(
                    "These were confirmed meanwhile."))
            #expect(
                try await list.press("Confirm hours for all who came").text.contains(
                    "Somebody else confirmed some of them meanwhile"))
        }
    }

    @Test func `hours that two confirm at the same moment are written down once`() async throws {
        try await withTestSite { site in
            let (path, ben, _, _) = try await over(site)
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            // Ben has had colleagues, so that what is done is written down.
            try await site.execute(
                "INSERT INTO team_act (host_id, verb, title, at) VALUES (\(host), 'page', '', \(now))")
            let list = try await ben.visit(path + "/signups")
            let hours: [String: Filling] = ["confirm-1-2027-03-27": .tick(true), "out-1-2027-03-27": "12:30"]
            async let one = list.press("Confirm these hours", filling: hours)
            async let other = list.press("Confirm these hours", filling: hours)
            #expect(try await [one.status, other.status] == [200, 200])
            #expect(try site.count(of: "team_act WHERE verb = 'confirmed'") == 1)
            // The colleague who comes second has confirmed nothing, corrected nothing, and missed nobody.
            let day = try #require(Day(iso: "2027-03-27"))
            let counts = try await site.write(at: now) { tx in
                let said: (Int, TimeOfDay?, TimeOfDay?) = try #require(
                    try tx.first("SELECT confirmed, in_minute, out_minute FROM contribution WHERE signup_id = 1") {
                        (try $0.next(), try $0.next(), try $0.next())
                    })
                let same = Contribution.Confirmation(
                    of: .signup(ID(1)), day: day, minutes: said.0, arrived: said.1, left: said.2)
                let isCorrected = try Contribution.correct(
                    .signup(ID(1)), on: day, to: same, at: ID(1), by: host, pressedBy: host, in: tx)
                let missed: [Stay.Holder] = [.signup(ID(3))]
                let counts = [
                    try Contribution.confirm([same], at: ID(1), by: host, in: tx), isCorrected ? 1 : 0,
                    try Stay.miss(missed, at: ID(1), by: host, pressedBy: host, in: tx),
                    try Stay.miss(missed, at: ID(1), by: host, pressedBy: host, in: tx),
                ]
                // Two correct confirmed hours at the same moment: they didn't come.
                let corrections = try (0..<2).map { _ in
                    try Contribution.correct(
                        .signup(ID(1)), on: day, to: nil, at: ID(1), by: host, pressedBy: host, in: tx)
                }
                #expect(corrections == [true, false])
                return counts
            }
            #expect(counts == [0, 0, 1, 0])
        }
    }

    @Test func `somebody who did not come stays so, although they said their hours`() async throws {
        try await withTestSite { site in
            let (path, ben, _, cleo) = try await over(site)
            _ = try await cleo.visit("/signups/3").press("Note my hours", filling: ["hours": "2"])
            let list = try await ben.visit(path + "/signups")
            _ = try await list.press("Confirm these hours", filling: ["missed-3-2027-03-27": .tick(true)])
            let noted = try await ben.visit(path + "/signups")
            #expect(noted.value(of: "hours-3-2027-03-27") == nil && noted.value(of: "hours-1-2027-03-27") != nil)
            // What they say stands beside it.
            #expect(noted.text.contains("says 2 hours"))
            _ = try await noted.press("Confirm hours for all who came")
            // On a page from before they are among all: that they aren’t confirmed is said.
            #expect(
                try await list.press("Confirm hours for all who came").text.contains("noted that they did not come"))
            #expect(try site.count(of: "contribution WHERE signup_id = 3 AND confirmed IS NULL") == 1)
            #expect(try site.count(of: "absence WHERE signup_id = 3") == 1)
            // Twin: once they came after all, what they said waits again.
            let again = try await noted.press("They came after all: Cleo Park")
            #expect(again.value(of: "hours-3-2027-03-27") == "2")
        }
    }

    @Test func `that somebody did not come is the organization's alone, and can be taken back`() async throws {
        try await withTestSite { site in
            let (path, ben, ana, _) = try await over(site)
            let list = try await ben.visit(path + "/signups")
            let mark: [String: Filling] = ["missed-1-2027-03-27": .tick(true)]
            for _ in 0..<2 { _ = try await list.press("Confirm hours for all who came", filling: mark) }
            #expect(try site.count(of: "absence WHERE signup_id = 1") == 1)
            #expect(try site.count(of: "contribution WHERE confirmed IS NOT NULL") == 1)
            let noted = try await ben.visit(path + "/signups")
            #expect(noted.text.contains("Did not come") && noted.value(of: "in-1-2027-03-27") == nil)
            for page in ["/signups/1", "/impact", "/week", path, "/inbox"] {
                #expect(try await !ana.visit(page).text.contains("Did not come"), "\(page)")
            }
            // Another organization finds nothing there, and marks nobody.
            let other = try await site.signIn(.cleo, as: .provider)
            let token = try await other.visit("/help").value(of: "csrf") ?? ""
            #expect(try await other.post(path + "/hours", [("csrf", token), ("came", "1")]).status == 404)
            #expect(try site.count(of: "absence WHERE signup_id > 0") == 1)
            _ = try await noted.press("They came after all: Ana Ortiz")
            #expect(try site.count(of: "absence WHERE signup_id > 0") == 0)
            // A colleague who confirmed meanwhile was faster: nobody is noted as missing whose hours count.
            let (host, now) = (try await site.account(of: .ben), site.clock.now)
            await #expect(throws: Refusal.self) {
                try await site.write(at: now) { tx in
                    try Stay.miss([.signup(ID(3))], at: ID(1), by: host, pressedBy: host, in: tx)
                }
            }
            #expect(try site.count(of: "absence WHERE signup_id > 0") == 0)
            _ = try await list.press("Confirm hours for all who came", filling: mark)
            let helper = try await site.account(of: .ana)
            try await site.write(at: now) { tx in try Account.leave(helper, in: tx) }
            #expect(try site.count(of: "absence WHERE signup_id > 0") == 0)
        }
    }

    @Test func `those who were there are asked right after how long it took, once, and nobody who said so`()
        async throws
    {
        try await withTestSite { site in
            let (_, _, ana, cleo) = try await over(site)
            _ = try await cleo.visit("/signups/3").press("Note my hours", filling: ["hours": "2"])
            // Long after the shift nobody is asked anymore; right after it, once.
            let end = site.clock.now - .minutes(1)
            try await site.execute("UPDATE shift SET ends_at = \(end) WHERE id = 1")
            let now = site.clock.now
            for expected in [1, 0] {
                let count = try await site.write(at: now) { tx in try Signup.askHours(in: tx) }
                #expect(count == expected)
            }
            #expect(try await ana.visit("/inbox").text.contains("How long were you there?"))
            #expect(try await !cleo.visit("/inbox").text.contains("How long were you there?"))
            try await site.execute("UPDATE shift SET asked_at = NULL, ends_at = \(now - .days(3)) WHERE id = 1")
            _ = try await site.write(at: now) { tx in try Signup.askHours(in: tx) }
            #expect(try site.count(of: "notice WHERE detail LIKE 'ended%'") == 1)
            // Of one who didn't come it isn't asked anymore.
            let host = try await site.account(of: .ben)
            try await site.write(at: now) { tx in
                try Stay.miss([.signup(ID(1))], at: ID(1), by: host, pressedBy: host, in: tx)
            }
            #expect(try site.count(of: "notice WHERE detail LIKE 'ended%'") == 0)
            // Of what staff hid nobody is asked. Twin: shown again, it asks.
            try await site.execute("DELETE FROM absence WHERE signup_id = 1")
            for (hidden, expected) in [(now as Instant?, 0), (nil, 1)] {
                try await site.execute("UPDATE opportunity SET hidden_at = \(hidden)")
                try await site.execute("UPDATE shift SET asked_at = NULL, ends_at = \(end) WHERE id = 1")
                _ = try await site.write(at: now) { tx in try Signup.askHours(in: tx) }
                #expect(try site.count(of: "notice WHERE detail LIKE 'ended%'") == expected)
            }
        }
    }

    @Test func `the sheet says who, where, when, in, out, how long, at what and who confirmed it, for some days`()
        async throws
    {
        try await withTestSite { site in
            let (path, ben, ana, _) = try await over(site)
            _ = try await ben.visit(path + "/signups").press(
                "Confirm hours for all who came", filling: ["out-1-2027-03-27": "12:30"])
            let sheet = try await ben.visit("/me/opportunities").follow("Hours of those who helped")
            for words in ["Ana Ortiz", "Cleo Park", "11 AM", "12:30 PM", "1.5", "Serve Saturday lunch", " · 4.5 hours"]
            {
                #expect(sheet.text.contains(words), "\(words)")
            }
            let file = try await ben.visit("/me/opportunities/hours?as=csv").string
            let line = file.split(separator: "\r\n").first { $0.contains("Ana Ortiz") } ?? ""
            for words in ["180 Park Ave", "2027-03-27", "\"11:00\",\"12:30\",\"1.5\"", "Ben Ruiz", "King Library"] {
                #expect(line.contains(words), "\(words)")
            }
            // Somebody whose clock shows other times reads whose they are.
            #expect(!sheet.text.contains("Pacific Time") && line.hasSuffix("\"America/Los_Angeles\""), "\(line)")
            try await site.execute("UPDATE account SET zone = 'Europe/Berlin' WHERE username = 'ben-ruiz'")
            let abroad = try await ben.visit("/me/opportunities/hours").text
            #expect(abroad.contains("Pacific Time") && abroad.contains("11 AM"))
            // Other days, and another organization.
            let empty = try await ben.visit("/me/opportunities/hours?from=2027-01-01&to=2027-03-26")
            #expect(!empty.text.contains("Ana Ortiz") && empty.text.contains("No hours were confirmed in this time."))
            let other = try await site.signIn(.cleo, as: .provider)
            #expect(try await !other.visit("/me/opportunities/hours?as=csv").string.contains("Ana Ortiz"))
            // A helper takes all of it along.
            let export = try await ana.visit("/me/export").press(
                "Download the file", filling: ["current_password": .text(Person.password)])
            let hours = try #require(try Archive.read(export.body)["contributions.json"])
            #expect(hours.contains("660") && hours.contains("750") && hours.contains("Ben Ruiz"))
            // A name is as it was confirmed, and a line stays without what it was for, as the totals do.
            try await site.execute("UPDATE family SET last_name = 'Other'")
            try await site.execute("UPDATE contribution SET opportunity_id = NULL")
            let later = try await ben.visit("/me/opportunities/hours").text
            #expect(later.contains("Ana Ortiz") && later.contains("4.5 hours"))
            // With a helper their hours go, with who confirmed them the name alone.
            let (host, helper, now) = (
                try await site.account(of: .ben), try await site.account(of: .ana), site.clock.now
            )
            #expect(try site.count(of: "contribution WHERE confirmer_id = \(host)") == 2)
            try await site.write(at: now) { tx in try Account.leave(helper, in: tx) }
            #expect(try await !ben.visit("/me/opportunities/hours?as=csv").string.contains("Ana Ortiz"))
            try await site.write(at: now) { tx in try Account.leave(host, in: tx) }
            #expect(try site.count(of: "contribution WHERE confirmer_id IS NULL") == 1)
        }
    }

    // MARK: Gaps

    @Test func `shifts with gaps stand on Today and on the list, the soonest first, and a full one doesn't`()
        async throws
    {
        try await withTestSite { site in
            let (path, ben, _, _) = try await helped(site)
            try await site.ask(by: .cleo) { $0.title = "Clean the pool" }
            for page in ["/", "/me/opportunities"] {
                let text = try await ben.visit(page).text
                let (first, second) = (text.firstRange(of: "11 of 12 places left"), text.firstRange(of: "April 3"))
                #expect(text.contains("Shifts that want people") && first != nil && second != nil, "\(page)")
                if let first, let second { #expect(first.lowerBound < second.lowerBound, "\(page)") }
                #expect(!text.contains("Clean the pool"), "\(page)")
            }
            try await site.execute("UPDATE shift SET taken = spots WHERE id = 1")
            #expect(try await !ben.visit("/").text.contains("Saturday, March 27, 11 AM"))
            // Twin: of what is closed nothing is wanted anymore.
            _ = try await ben.visit(path + "/close").press("Close it")
            #expect(try await !ben.visit("/").text.contains("Shifts that want people"))
        }
    }

    @Test func `an organization's own shifts and requests stand in its week`() async throws {
        try await withTestSite { site in
            let id = try await site.ask(by: .ben) { $0.asksFirst = true }
            _ = try await site.signIn(.ana, as: .parent).visit("/opportunities/\(id)").press(
                "Ask to help", filling: ["shift": ["1"]])
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/week").text.contains("1 person would like to help"))
            let week = try await ben.visit("/week?from=2027-03-22")
            #expect(week.text.contains("Our shifts") && week.text.contains("11 of 12 places left"))
            let cleo = try await site.signIn(.cleo, as: .provider)
            #expect(try await !cleo.visit("/week?from=2027-03-22").text.contains("Our shifts"))
            // Once it has begun, nobody can take what is left.
            site.clock.advance(by: .days(8))
            for path in ["/week?from=2027-03-22", "/opportunities/\(id)/signups"] {
                let text = try await ben.visit(path).text
                #expect(text.contains("1 of 12 places taken") && !text.contains("11 of 12 places left"), "\(path)")
            }
        }
    }

    // MARK: Again and again

    @Test func `a shift is repeated every week with one press, published once, and gone on with later`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/opportunities/new").follow("Volunteering")
            let lunch: [String: Filling] = [
                "title": "Serve lunch", "description": "You carry plates and pour coffee.", "schedule": "shifts",
                "shift.0.date": "2027-03-27", "shift.0.start_time": "11:00", "shift.0.end_time": "14:00",
                "shift.0.spots": "8",
            ]
            let early = try await form.press("Every week", filling: lunch)
            #expect(early.text.contains("Choose a day after the last shift."))
            #expect(early.value(of: "title") == "Serve lunch")
            // Nothing happens without a word: before the next one, and beyond the last row.
            let short = try await early.press(
                "Every month, on the same weekday", filling: ["repeat_until": "2027-04-10"])
            #expect(short.text.contains("choose that day or a later one") && short.value(of: "shift.1.date") == nil)
            let long = try await early.press("Every week", filling: ["repeat_until": "2028-03-25"])
            let most = Opportunity.mostShifts
            #expect(long.value(of: "shift.\(most - 1).spots") == "8" && long.text.contains("There is room for \(most)"))
            let filled = try await early.press("Every week", filling: ["repeat_until": "2027-04-10"])
            #expect(!filled.text.contains("There is room for"))
            #expect(filled.value(of: "shift.2.date") == "2027-04-10" && filled.value(of: "shift.2.spots") == "8")
            let preview = try await filled.press("Take shift 2 away").press("Preview")
            for _ in 0..<2 { _ = try await preview.press("Publish") }
            #expect(try site.count(of: "shift") == 2 && site.count(of: "opportunity") == 1)
            // After the first shift it goes on from the last that is stored.
            site.clock.advance(by: .days(8))
            let host = try await site.signIn(.ben, as: .provider)
            let more = try await host.visit("/opportunities/1/edit").press(
                "Every week", filling: ["repeat_until": "2027-04-24"])
            _ = try await more.press("Preview").press("Publish the change")
            #expect(try site.count(of: "shift") == 4 && site.count(of: "shift WHERE day = '2027-04-24'") == 1)
        }
    }
}
