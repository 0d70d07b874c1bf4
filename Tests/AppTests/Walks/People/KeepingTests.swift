import Database
import Foundation
import Testing

@testable import App

/// What is kept about people, and how long; taking it along, and leaving.
@Suite struct KeepingTests {
    // MARK: How long

    @Test func `where a child went is erased 90 days after, unless its family keeps it`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben) { $0.spots = 3 }
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.visit("/me/family").press("Save", filling: ["keeps_past": ["1"]])
            // The event ends in seven days and nine hours.
            site.clock.advance(by: .days(97))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "registration") == 2, "some hours are left")
            let host = try await site.signIn(.ben, as: .provider)
            for name in ["Ana Ortiz", "Cleo Park"] {
                #expect(try await host.visit("/events/\(event)/registrations").text.contains(name))
            }
            site.clock.advance(by: .days(1))
            for _ in 0..<2 { await Housekeeping(site: site.site).tidyUp(at: site.clock.now) }
            #expect(try site.count(of: "registration") == 1)
            // It keeps it for itself: the host reads nothing of it anymore.
            for kind in ["", "?as=csv", "?as=print", "?as=notes"] {
                let list = try await host.visit("/events/\(event)/registrations\(kind)")
                #expect(list.status == 200 && !list.string.contains("Ana Ortiz"), "\(kind)")
            }
            #expect(try site.count(of: "event WHERE taken = 2") == 1, "how many came stays")
            let again = try await site.signIn(.ana, as: .parent)
            #expect(try await again.visit("/me/registrations?list=attended").text.contains("Kite day"))
            // And now the family doesn't want it anymore.
            _ = try await again.visit("/me/family").press("Save", filling: ["keeps_past": []])
            #expect(try site.count(of: "registration") == 0)
            #expect(try site.count(of: "registration_person") == 0)
        }
    }

    @Test(arguments: ["changed", "canceled"])
    func `families that a change concerned are erased 90 days after, even if they keep their past`(
        how: String
    ) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .provider))
            _ = try await ana.visit("/me/family").press("Save", filling: ["keeps_past": ["1"]])
            if how == "changed" {
                _ = try await ben.visit("/events/\(event)/edit").press("Preview", filling: ["start_time": "11:00"])
                    .press("Publish the change")
            } else {
                _ = try await ben.visit("/events/\(event)/cancel").press(
                    "Cancel the event", filling: ["reason": "Rain."])
            }
            let told: Int = try #require(try site.read { db in try db.value("SELECT max(edit_id) FROM change") })
            #expect(try await ben.visit("/changes/\(told)").text.contains("Ana Ortiz"))
            let notice: Int = try #require(
                try site.read { db in
                    try db.value(
                        "SELECT max(id) FROM notice WHERE kind IN ('changed', 'cancelled') AND subject = \(told)")
                })
            site.clock.advance(by: .days(98))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "change_seen") == 0)
            let host = try await site.signIn(.ben, as: .provider)
            #expect(try await !host.visit("/changes/\(told)").string.contains("Ana Ortiz"))
            // The family's notice leads to the event now.
            let family = try await site.signIn(.ana, as: .parent)
            #expect(try await family.visit("/inbox/\(notice)").path == "/events/\(event)")
        }
    }

    @Test func `a count of what is unread goes on when what it was about is erased`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let child = try await site.child("Mo", of: .ana)
            let account = try await site.account(of: .ana)
            try await site.write(at: site.clock.now) { tx in
                _ = try Registration.register([child], of: account, at: event, sharesNotes: false, once: "1", in: tx)
            }
            #expect(try site.count(of: "account WHERE username = 'ana-ortiz' AND unread = 1") == 1)
            site.clock.advance(by: .days(100))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "account WHERE username = 'ana-ortiz' AND unread = 0") == 1)
        }
    }

    @Test(arguments: RetentionRule.allCases.filter { $0.erase != nil })
    func `what is kept for a time is erased then, and not before`(_ keeping: RetentionRule) async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let child = try await site.child("Mo", of: .ana)
            let registration = try await site.register([child], of: .ana, at: event)
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            _ = try await site.signIn(.ana)
            try await site.execute("UPDATE child SET allergies = 'nuts'")
            try await site.write(at: now) { tx in
                try CareNote.share(registration, in: tx)
                try EmailChange.ask(for: "new@example.org", by: ana, in: tx)
                try ResetLink.insert(Token(), for: ana, in: tx)
                try Notice.tell(
                    .init(kind: .registered, event: event, registration: registration), "account.id = \(ana)", in: tx)
                try tx.execute(
                    "INSERT INTO team_act (host_id, verb, title, at) VALUES (\(ana), 'changed', 'Kites', \(tx.now))")
                try tx.execute("INSERT INTO written_address (hash, written_at) VALUES (\(Token().hash), \(tx.now))")
                try Account.rest(nameOf: ana, in: tx)
                try Undo.keep(.child, 7, "Lu", [], of: ana, in: tx)
                try RosterView.record(.print, of: event, by: ana, in: tx)
                try Favorite.event(event).save(by: ana, in: tx)
                let form = QuestionForm(text: "Is there a swing?")
                try Question.ask(form, about: event, by: ana, once: "once", in: tx)
                let exhibit = try #require(try Exhibit.find(.event(event), in: tx))
                _ = try Report.file(ReportForm(), about: exhibit, by: ana, once: "once", in: tx)
                try Decision.make(.init(verdict: .note), about: .event(event), by: ana, in: tx)
            }
            try await PlaydatesTests.pet("Clover", of: .ana, in: site)
            try await PlaydatesTests.pet("Biscuit", of: .ben, in: site)
            try await site.write(at: now) { tx in
                let pets = (try Pet.find(ID(1), in: tx), try Pet.find(ID(2), in: tx))
                guard let clover = pets.0, let biscuit = pets.1 else { return }
                let match = try PetMatch.insert(clover, biscuit, in: tx)
                try PetMatch.end(match, by: ana, in: tx)
            }
            if keeping == .replies {
                try await site.write(at: now) { tx in
                    try Ask.save([Ask(content: .init(kind: .line, text: "Boots?"))], of: event, in: tx)
                    let ask = try #require(try Ask.all(of: event, in: tx).first)
                    try App.Reply.store(
                        [AnswerSheet.Entry(ask: ask, child: nil, answer: "yes")], of: ana, by: ana, at: event, in: tx)
                }
            }
            if keeping == .wishes {
                let other = try await site.publish(by: .ben)
                try await site.write(at: now) { tx in
                    var form = DrawForm()
                    (form.title, form.events, form.lastDay) = ("Camps", [other], Day(iso: "2027-03-22"))
                    let draw = try Draw.create(
                        form, until: tx.now, of: Event.find(other, in: tx)?.host.id ?? ana, once: "once", in: tx)
                    try tx.execute(
                        """
                        INSERT INTO wish_sheet (draw_id, account_id, code, together, updated_at)
                        VALUES (\(draw), \(ana), 'K7Q2M9XZ', FALSE, \(tx.now))
                        """)
                    try tx.execute("UPDATE draw SET done_at = \(tx.now)")
                }
            }
            if keeping == .guests {
                let help = try await site.ask(by: .ben)
                try await site.write(at: now) { tx in
                    let shifts = try Shift.all(of: help, in: tx)
                    let found = try #require(try Opportunity.find(help, in: tx))
                    let form = GuestForm(name: "Otto", shift: shifts[0].id)
                    _ = try Guest.add(form, to: .help(found, shifts), once: "once", in: tx)
                }
            }
            if keeping == .absences {
                let help = try await site.ask(by: .ben)
                let ben = try await site.account(of: .ben)
                try await site.write(at: now) { tx in
                    try Signup.take([ID(1)], message: "", of: ana, at: help, in: tx)
                    let over = tx.now + .days(8)
                    try Stay.miss([.signup(ID(1))], at: help, by: ben, pressedBy: ben, in: tx.at(over))
                }
            }
            if keeping == .imports {
                let ben = try await site.account(of: .ben)
                try await site.write { db in
                    let calendar = try db.insert(
                        """
                        INSERT INTO calendar_import (account_id, name, settings, once, created_at)
                        VALUES (\(ben), 'Library', '', 'once', \(now))
                        """)
                    try db.execute(
                        """
                        INSERT INTO import_entry (import_id, key, says, ends_at) VALUES (\(calendar), 'a', '', \(now))
                        """)
                }
            }
            if keeping == .threads {
                try await site.execute(
                    """
                    INSERT INTO need (account_id, kind, title, description, wanted, promised, days, until, ends_at,
                        is_home, place_name, street, city, state, zip, country, ask_at, once, created_at)
                    VALUES (\(ana), 'time', 'A lift', '', 1, 1, 5, '2027-04-01', \(now), FALSE, '', '', '', '', '', '',
                        1, 'once', 1)
                    """)
                let ben = try await site.account(of: .ben)
                try await site.write(at: now) { tx in
                    let need: ID<Need> = try tx.value("SELECT max(id) FROM need") ?? ID(0)
                    let claim = ID<Claim>(
                        try tx.insert(
                            """
                            INSERT INTO claim (need_id, account_id, count, message, state, made_at, ends_at)
                            VALUES (\(need), \(ben), 1, '', 'taken', \(tx.now), \(tx.now + .days(5)))
                            """))
                    try TalkThread.open(claim, by: ben, in: tx)
                    let thread = try TalkThread.id(of: claim, in: tx) ?? ID(0)
                    try Message.send("At six?", in: thread, by: ana, once: "once", tx: tx)
                    _ = try Claim.cancel(claim, by: ben, in: tx)
                }
            }
            let table: SQL = SQL(stringLiteral: keeping.tables[0])
            let erase = try #require(keeping.erase)
            var waited = Duration.zero
            // What is kept longest is a year of notices.
            while try site.read({ db in try db.exists("SELECT 1 FROM \(table)") }), waited < .days(400) {
                waited += .minutes(60)
                let then = now + waited
                _ = try await site.write(at: then) { tx in try erase(tx) }
            }
            let days = Int(waited / .days(1))
            let expected: [RetentionRule: Int] = [
                .addresses: 30, .sessions: 14, .links: 31, .notes: 8, .registrations: 97, .notices: 365, .letters: 30,
                .undo: 0, .questions: 365, .looks: 90,
                .reports: 180, .decisions: 365, .matches: 30, .team: 365, .strangers: 30, .names: 365, .replies: 37,
                .guests: 97, .threads: 44, .absences: 98, .favorites: 37, .wishes: 30, .imports: 60,
            ]
            #expect(days == expected[keeping], "\(keeping)")
        }
    }

    @Test func `the page says what is kept, why and how long, from the list that erases`() async throws {
        try await withTestSite { site in
            let page = try await site.browser().visit("/privacy")
            let rows = page.html.all("tr").map(\.text)
            #expect(rows.count == RetentionRule.allCases.count + 1)
            #expect(page.text.contains("90 days after the event; longer only if your family wants it"))
            #expect(page.text.contains("24 hours after the event"))
        }
    }

    @Test func `every table stands in the list, once`() throws {
        let schema = try String(
            contentsOf: SourcesTests.root.appending(path: "Sources/App/Schema/current.sql"), encoding: .utf8)
        let tables = Set(
            schema.matches(of: /CREATE (?:VIRTUAL )?TABLE "?([a-z_]+)"?/).map { String($0.output.1) })
        let listed = RetentionRule.allCases.flatMap(\.tables).map(\.description)
        #expect(tables.subtracting(listed) == RetentionRule.impersonal)
        #expect(listed.count == Set(listed).count && Set(listed).isSubset(of: tables))
    }

    // MARK: A child

    @Test(.onFiles) func `a child that was removed leaves no byte, not even in the log of the database`() async throws {
        let marker = "Quetzalcoatlita"
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await site.family(of: .ana)
            _ = try await ana.visit("/me/children/new").press(
                "Save",
                filling: [
                    "nickname": .text(marker), "birth_month": "1", "birth_year": "2021",
                    "allergies": .text("nuts, says \(marker)"), "may_collect": .text("Aunt \(marker)"),
                ])
            _ = try await ana.visit("/events/\(event)").press(
                "Register", filling: ["child": ["1"], "share_notes": ["1"]])
            let folder = site.site.settings.data
            #expect(try Folder.files(in: folder, holding: marker) != [])
            _ = try await ana.visit("/me/children/1/edit").press("Remove")
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now) { $0.minutes == 1 }
            #expect(await site.site.emptyLogs())
            #expect(try Folder.files(in: folder, holding: marker) == [])
        }
    }

    // MARK: Taking along

    @Test func `all that is kept about somebody comes as one file, with nothing of anybody else`() async throws {
        try await withTestSite { site in
            let event = try await site.publish(by: .ben)
            try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: event)
            try await site.register([try await site.child("Vy", of: .cleo)], of: .cleo, at: event)
            let ana = try await site.signIn(.ana, as: .parent)
            let form = try await ana.visit("/me/export")
            let wrong = try await form.press("Download the file", filling: ["current_password": "not it at all"])
            #expect(wrong.status == 422 && wrong.problems == ["This is not your password. Try again."])
            let file = try await form.press("Download the file", filling: ["current_password": .text(Person.password)])
            #expect(file.status == 200 && file["Content-Type"] == "application/zip")
            #expect(file["Content-Disposition"]?.contains("ana-ortiz.zip") == true)
            let lists = try Archive.read(file.body)
            #expect(Set(lists.keys).isSuperset(of: ["about.txt", "account.json", "family.json", "children.json"]))
            let registrations = try #require(lists["registrations.json"])
            let read = try #require(
                try JSONSerialization.jsonObject(with: Data(registrations.utf8)) as? [[String: Any]])
            #expect(read.count == 1)
            #expect(read[0]["event"] as? String == "Kite day" && read[0]["child"] as? String == "Mo")
            #expect(read[0]["registered"] as? String == "2027-03-20T10:00:00Z")
            #expect(!lists.values.contains { $0.contains("Vy") || $0.contains("cleo") || $0.contains("$argon2") })
            #expect(try await site.browser().visit("/me/export").path.hasPrefix("/login"))
        }
    }

    // MARK: Leaving

    @Test func `who leaves gives places back, calls off what is to come, and is nobody anymore`() async throws {
        let marker = "Xochimilquita"
        var gone = Person(
            username: "xochimilquita", firstName: marker, lastName: marker, organization: "\(marker) Club")
        gone.phone = "408 \(marker)"
        let person = gone
        try await withTestSite { site in
            let full = try await site.publish(by: .ben) { $0.spots = 1 }
            try await site.register([try await site.child(marker, of: person)], of: person, at: full)
            let (vy, cleo) = (try await site.child("Vy", of: .cleo), try await site.account(of: .cleo))
            try await site.write(at: site.clock.now) { tx in
                _ = try Registration.insert([vy], of: cleo, at: full, waits: true, once: "wait", in: tx)
            }
            let own = try await site.publish(by: person) {
                $0.title = "Pot luck"
                $0.description = "At \(marker)’s house."
                $0.street = "1 \(marker) Road"
            }
            try await site.register([vy], of: .cleo, at: own)
            try await site.execute(
                """
                INSERT INTO announcement (event_id, subject, body, tells_waiting, once, at)
                VALUES (\(own), \(marker), \(marker), FALSE, 'x', 1)
                """)
            try await site.execute(
                """
                INSERT INTO question (event_id, account_id, text, is_private, answer, once, asked_at)
                VALUES (\(own), \(cleo), 'Where?', FALSE, \(marker), 'y', 1)
                """)
            let past = try await site.publish(by: person) {
                $0.title = "Last year’s fair"
                $0.date = Day(iso: "2027-03-21")!
                $0.description = "By \(marker)."
            }
            try await site.register([vy], of: .cleo, at: past)
            site.clock.advance(by: .days(3))
            let browser = try await site.signIn(person, as: .parent)
            let page = try await browser.visit("/me/delete")
            #expect(page.text.contains("Kite day") && page.text.contains("1 event of yours is canceled"))
            #expect(page.text.contains("1 family is told"))
            let wrong = try await page.press("Delete my account", filling: ["current_password": "not it at all"])
            #expect(wrong.status == 422 && wrong.problems == ["This is not your password. Try again."])
            let home = try await page.press("Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(home.flash == "Your account is deleted. Thank you for having been here.")
            #expect(try await browser.visit("/me").path.hasPrefix("/login"))

            // The place went to the family that waited for it, and the one that had registered was told.
            #expect(try site.count(of: "registration WHERE event_id = \(full) AND state = 'offered'") == 1)
            let family = try await site.signIn(.cleo, as: .parent)
            #expect(try await family.visit("/inbox").text.contains("Pot luck"))
            #expect(try await family.visit("/events/\(own)").text.contains("The host has left this site."))
            let was = try await family.visit("/events/\(past)")
            #expect(was.status == 200 && was.heading == "Last year’s fair" && was.text.contains("former-member-"))
            #expect(try await site.browser().visit("/providers/xochimilquita").status == 404)
            let taken = try await site.browser().visit("/signup").press(
                "Sign up",
                filling: [
                    "email": "x@example.org", "username": "former-member-9", "password": .text(Person.password),
                    "adult": ["1"],
                ])
            #expect(taken.status == 422 && taken.text.contains("This user name is kept for the site itself."))
            #expect(try await site.site.resetLink(for: "former-member-1") == nil)
            // Nobody logs in as what is left, and the name is nobody's to choose.
            let left = try await site.browser().submit(
                "/login", [("login", "former-member-1"), ("password", Person.password)])
            #expect(left.status == 422)

            // Nor can anybody take the name they had, for a year: a link to them would lead to another person.
            func takesName(at now: Instant) async throws -> Bool {
                do {
                    try await site.write(at: now) { tx in
                        _ = try Account.insert(
                            email: "y@example.org", username: "xochimilquita", passwordHash: "", in: tx)
                        throw Refusal.malformed
                    }
                } catch Account.Taken.username {
                    return false
                } catch Refusal.malformed {}
                return true
            }
            let now = site.clock.now
            for days in [0, 364] { #expect(try await !takesName(at: now + .days(days))) }
            #expect(try await takesName(at: now + .days(366)))
            let other = try site.read(at: now) { tx in try Account.freeName(like: "xochimilquita", in: tx) }
            #expect(other == "xochimilquita2")
            #expect(try site.count(of: "former_name") == 1)

            let folder = site.site.settings.data
            site.clock.advance(by: .minutes(11))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(await site.site.emptyLogs())
            for words in [marker, marker.lowercased()] {
                #expect(try Folder.files(in: folder, holding: words) == [], "\(words)")
            }
            #expect(try site.count(of: "event WHERE taken = 1") == 3, "what others saw adds up")
        }
    }

    @Test func `what nobody registered for loses its title, and families hear that its draw is called off`()
        async throws
    {
        let marker = "Zempoaltepetl"
        try await withTestSite { site in
            let drawn = try await site.publish(by: .ben) { ($0.title, $0.spots) = ("Clay day", 3) }
            let own = try await site.publish(by: .ben) {
                ($0.title, $0.tags) = ("With \(marker)", marker.lowercased())
            }
            let past = try await site.publish(by: .ben) {
                ($0.title, $0.date) = ("By \(marker)", Day(iso: "2027-03-21")!)
            }
            let kept = try await site.publish(by: .cleo) { $0.tags = "kites" }
            let (ben, ana) = (try await site.account(of: .ben), try await site.account(of: .ana))
            let until = site.clock.now + .days(9)
            try await site.write { db in
                let draw = try db.insert(
                    """
                    INSERT INTO draw (account_id, title, first_zips, last_day, until_at, once, created_at)
                    VALUES (\(ben), 'Camps', '', '2027-03-30', \(until), 'once', 1)
                    """)
                try db.execute(
                    "INSERT INTO draw_event (draw_id, number, event_id) VALUES (\(draw), \(drawn), \(drawn))")
                try db.execute(
                    """
                    INSERT INTO wish_sheet (draw_id, account_id, code, together, updated_at)
                    VALUES (\(draw), \(ana), 'ABCD', FALSE, 1)
                    """)
            }
            site.clock.advance(by: .days(3))
            try await site.write(at: site.clock.now) { tx in try Account.leave(ben, in: tx) }
            #expect(try site.count(of: "draw") == 0)
            #expect(try site.count(of: "notice WHERE kind = 'drawn' AND detail = 'off' AND account_id = \(ana)") == 1)
            #expect(try site.count(of: "event WHERE id IN (\(own), \(past)) AND title = '–'") == 2)
            #expect(try site.count(of: "event WHERE id = \(drawn) AND title = 'Clay day'") == 1)
            site.clock.advance(by: .minutes(61))
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now)
            #expect(try site.count(of: "tag WHERE name = \(marker.lowercased())") == 0)
            #expect(try site.count(of: "word WHERE text = \(marker.lowercased())") == 0)
            // The twin: what others still have stays.
            #expect(try site.count(of: "tag WHERE name = 'kites'") == 1 && kept.rawValue > 0)
            #expect(try site.count(of: "word WHERE text = 'kites'") == 1)
        }
    }

    @Test func `what a request under way writes behind a deleted account is erased within a minute`() async throws {
        try await withTestSite { site in
            let lunch = try await site.ask(by: .ben)
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                try Account.leave(ana, in: tx)
                try Signup.take([ID(1)], message: "", of: ana, at: lunch, in: tx)
                try tx.execute("INSERT INTO less (account_id, tag) VALUES (\(ana), 'late')")
            }
            #expect(try site.count(of: "shift WHERE taken = 1") == 1)
            await Housekeeping(site: site.site).tidyUp(at: now + .minutes(1))
            #expect(try site.count(of: "shift WHERE taken = 1") == 0)
            #expect(try site.count(of: "signup") == 0 && site.count(of: "less") == 0)
            #expect(try site.count(of: "account WHERE id = \(ana) AND left_at = \(now)") == 1)
        }
    }

    @Test func `the last who runs the site stays`() async throws {
        try await withTestSite { site in
            let mira = try await site.signIn(.mira, isStaff: true)
            let page = try await mira.visit("/me/delete")
            #expect(page.text.contains("You are the last one who runs this site."))
            #expect(!page.buttons.contains("Delete my account"))
            let now = site.clock.now
            let account = try await site.account(of: .mira, isStaff: true)
            await #expect(throws: Role.IsLastAdmin.self) {
                try await site.write(at: now) { tx in try Account.leave(account, in: tx) }
            }
            #expect(try site.count(of: "account WHERE left_at IS NULL AND is_staff") == 1)
        }
    }

    @Test func `a form that was sent from elsewhere deletes nobody`() async throws {
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await ana.send(
                "POST", "/me/delete",
                ["Content-Type": "application/x-www-form-urlencoded", "Origin": "https://evil.example"],
                Array("current_password=\(Person.password)".utf8))
            #expect(try site.count(of: "account WHERE left_at IS NOT NULL") == 0)
        }
    }
}

/// A ZIP as Python's `zipfile` reads it, checking each entry: the names, and what is in those that are text.
enum Archive {
    static func read(_ bytes: [UInt8]) throws -> [String: String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "village-\(UUID()).zip")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = """
            import json, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            print(json.dumps({name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}))
            """
        let python = ProcessInfo.processInfo.environment["VILLAGE_PYTHON"] ?? "/usr/bin/python3"
        let answer = try Program.run(python, ["-c", script, file.path])
        guard answer.status == 0 else { throw Broken(text: answer.text) }
        return try JSONDecoder().decode([String: String].self, from: Data(answer.text.utf8))
    }

    struct Broken: Error { let text: String }
}
