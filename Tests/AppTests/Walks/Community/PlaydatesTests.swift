import Database
import Testing

@testable import App

/// Pets that meet, from the set-up to the meeting, and who sees what of it.
@Suite struct PlaydatesTests {
    @Test func `all about the pet on the card is a page of its own without scripts, and of no other pet`() async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            try await Self.pet("Clover", of: .ana, in: site)
            try await Self.pet("Pebble", of: .ben, in: site)
            try await Self.pet("Hidden", of: .cleo, in: site)
            try await site.execute("UPDATE pet SET hidden_at = 1 WHERE name = 'Hidden'")
            let ana = try await site.signIn(.ana)
            let cards = try await ana.visit("/playdates")
            #expect(cards.html.all("dialog").first?.text.contains("Vaccinated") == true)
            let page = try await cards.follow("All about Pebble")
            #expect(page.heading == "Pebble" && page.text.contains("Vaccinated"))
            func dialogs(_ page: Page) -> Int {
                page.html.all("dialog").filter { $0.text.contains("Vaccinated") }.count
            }
            let list = try await page.follow("Play dates")
            #expect(dialogs(page) == 0 && dialogs(list) == 1)
            #expect(try await !ana.visit("/playdates?asking=1&about=3").text.contains("Hidden"))
        }
    }

    /// An owner with a pet, without a page.
    @discardableResult
    static func pet(
        _ name: String, of person: Person, in site: TestSite, _ change: (inout PetForm) -> Void = { _ in }
    ) async throws -> ID<Pet> {
        let account = try await site.account(of: person)
        var form = PetForm(name: name, years: 3, bio: "Likes \(name.count) things.", within: 25)
        change(&form)
        let (now, filled, today) = (site.clock.now, form, site.site.settings.zone.day(of: site.clock.now))
        let cell = Cell(at: Coordinate(latitude: 37.3476, longitude: -121.887)!)
        return try await site.write(at: now) { tx in
            let owner = OwnerForm(
                name: person.firstName, birthYear: 1980, country: "US", city: "San Jose", zip: "95112",
                phone: person.phone, email: person.email, other: "signal \(person.username)")
            try Owner.save(owner, at: cell, picture: nil, of: account, in: tx)
            return try Pet.insert(filled, of: account, once: name, on: today, in: tx)
        }
    }

    /// Two owners whose pets said hello to each other, each on the page of the match.
    static func matched(in site: TestSite) async throws -> (ana: Browser, ben: Browser, match: String) {
        try await pet("Clover", of: .ana, in: site)
        try await pet("Biscuit", of: .ben, in: site)
        try await site.execute("UPDATE account SET created_at = 0")
        let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben))
        _ = try await ana.visit("/playdates").press("Say hello")
        return (ana, ben, try await ben.visit("/playdates").press("Say hello").path)
    }

    @Test func `from the cards to a pet with pictures, in two steps`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            let ana = try await site.signIn(.ana, as: .parent)
            let begin = try await ana.visit("/playdates")
            #expect(begin.heading == "Pets that meet, owners who stay safe")
            #expect(try await ana.visit("/me/pets/new").path == "/me/owner")
            let owner = try await begin.follow("Begin: it takes two minutes")
            #expect(owner.value(of: "city") == "San Jose" && owner.value(of: "name") == "Ana")
            let wrong = try await owner.press(
                "On to your pet", filling: ["name": " ", "birth_year": "2020", "zip": "00000", "phone": "4085550100"])
            #expect(wrong.status == 422 && wrong.value(of: "phone") == "4085550100")
            let step = try await wrong.press(
                "On to your pet", filling: ["name": "Ana", "birth_year": "1985", "zip": "95112"])
            #expect(step.path.hasPrefix("/me/pets/new") && step.heading == "Add a pet")
            // The first step is kept if one leaves.
            #expect(try await ana.visit("/playdates").text.contains("Add your pet"))
            #expect(try await step.press("On to the pictures").status == 422)
            let pictures = try await step.press(
                "On to the pictures",
                filling: [
                    "name": "Clover", "type": "rabbit", "years": "2", "wants_type": ["dog", "cat"],
                    "bio": "Boss of the living room.\nLoves cilantro.",
                ])
            #expect(pictures.heading == "Pictures of Clover")
            let photo: [String: Filling] = ["photo": .file(SentFile("photo.jpg", Pictures.photo))]
            var saved = try await pictures.press("Save the pictures", filling: photo)
            #expect(saved.status == 200 && saved.path == "/me/pets/1/pictures")
            // The way on takes along what is chosen.
            #expect(try await saved.press("To the play dates", filling: photo).path == "/playdates")
            #expect(try site.count(of: "pet_picture") == 2)
            saved = try await ana.visit("/me/pets/1/pictures")
            saved = try await saved.press("Make it the first")
            saved = try await saved.press("Take it away")
            #expect(try site.count(of: "pet_picture WHERE place = 1") == 1)
            #expect(try await ana.visit("/me").text.contains("Clover"))
            let wanted = try await ana.visit("/me/pets/1/edit/wanted-types")
            #expect(wanted.values(of: "wants_type") == ["dog", "cat"])
            let bio = try await ana.visit("/me/pets/1/edit/bio")
            #expect(bio.value(of: "bio")?.contains("cilantro") == true)
            let empty = try await ana.visit("/playdates")
            #expect(empty.text.contains("No more cards for Clover today"))
            #expect(try await empty.press("Look within 15 mi").text.contains("Look within 30 mi"))
        }
    }

    @Test func `what a pet's form doesn't take comes back with all that was typed`() async throws {
        try await withTestSite { site in
            let pet = try await Self.pet("Clover", of: .ana, in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            for wrong: [String: Filling] in [
                ["bio": "1\n2\n3\n4\n5\n6"], ["type": "other"], ["birth_year": "2030"],
                ["wants_age_from": "5", "wants_age_to": "2"], ["name": ""],
            ] {
                let page = try await ana.visit("/me/pets/new").press(
                    "On to the pictures",
                    filling: ["name": "Kit", "years": "2", "good_with_dogs": "no"].merging(wrong) { $1 })
                #expect(page.status == 422 && page.problems.count == 1, "\(wrong.keys)")
                #expect(page.values(of: "good_with_dogs") == ["no"])
            }
            for (part, wrong): (String, [String: Filling]) in [
                ("bio", ["bio": "1\n2\n3\n4\n5\n6"]), ("type", ["type": "other"]), ("age", ["years": ""]),
                ("age", ["birth_year": "2030"]), ("wanted-ages", ["wants_age_from": "5", "wants_age_to": "2"]),
                ("name", ["name": ""]),
            ] {
                let page = try await ana.visit("/me/pets/\(pet)/edit/\(part)").press("Save", filling: wrong)
                #expect(page.status == 422 && page.problems.count == 1, "\(part)")
            }
            let paused = try await ana.visit("/me/pets/\(pet)/edit/pause").press("Save", filling: ["paused": ["1"]])
            #expect(paused.path == "/me/pets/\(pet)/edit" && paused.flash == "Saved.")
            #expect(try await ana.visit("/playdates").text.contains("Clover takes a break"))
            #expect(try await ana.visit("/me/pets/\(pet)/edit/color").status == 404)
        }
    }

    /// All that stands in the row of somebody’s pet and owner, but for some columns.
    private func rest(of columns: [String], in site: TestSite) throws -> String {
        try ["pet", "owner"].map { table in
            let names: [String] = try site.read { db in
                try db.all("SELECT name FROM pragma_table_info(\(table)) ORDER BY name LIMIT 100") { try $0.next() }
            }
            let quoted = names.filter { !columns.contains($0) }.map { "quote(\($0))" }
            return try SQLiteFile.value(
                "SELECT \(quoted.joined(separator: " || ' ' || ")) FROM \(table) LIMIT 1",
                of: site.site.settings.data + "/village.sqlite")
        }.joined(separator: "\n")
    }

    @Test(.tags(.slow), .onFiles)
    func `each thing of a pet and of its owner is changed on its own page, and touches no other`()
        async throws
    {
        try await withTestSite { site in
            try await site.gazetteer()
            try await Self.pet("Clover", of: .ana, in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let pet: [(part: PetPart, filling: [String: Filling], columns: [String])] = [
                (.name, ["name": "Kit"], ["name"]), (.type, ["type": "other", "word": "newt"], ["type", "word"]),
                (.sex, ["sex": "male"], ["sex"]),
                (.age, ["birth_month": "2", "birth_year": "2020", "years": ""], ["born", "knows_month"]),
                (.size, ["size": "large"], ["size"]), (.energy, ["energy": "wild"], ["energy"]),
                (.vaccinated, ["vaccinated": "yes"], ["vaccinated"]), (.neutered, ["neutered": "no"], ["neutered"]),
                (.children, ["good_with_children": "yes"], ["children"]), (.dogs, ["good_with_dogs": "no"], ["dogs"]),
                (.cats, ["good_with_cats": "yes"], ["cats"]), (.bio, ["bio": "Sings."], ["bio"]),
                (.wantedTypes, ["wants_type": ["dog"]], ["wants_type"]),
                (.wantedSizes, ["wants_size": ["small"]], ["wants_size"]),
                (.wantedSexes, ["wants_sex": ["female"]], ["wants_sex"]),
                (.wantedEnergies, ["wants_energy": ["calm"]], ["wants_energy"]),
                (.wantedAges, ["wants_age_from": "2", "wants_age_to": "9"], ["wants_age_from", "wants_age_to"]),
                (.within, ["within": "5"], ["within"]), (.pause, ["paused": ["1"]], ["is_paused"]),
            ]
            #expect(pet.map(\.part) == PetPart.own + PetPart.wanted + [.pause])
            let owner: [(part: OwnerPart, filling: [String: Filling], columns: [String])] = [
                (.name, ["name": "Annie"], ["name"]), (.age, ["birth_year": "1990"], ["birth_year"]),
                (
                    .area, ["zip": "95030"],
                    ["city", "zip", "country", "cell", "moved_at", "moved_before", "moved_first"]
                ),
                (.picture, ["picture": .file(SentFile("photo.jpg", Pictures.photo))], ["picture_id"]),
                (.phone, ["phone": "408 555 0199"], ["phone"]), (.email, ["email": "new@example.org"], ["email"]),
                (.other, ["other": ""], ["other"]), (.reads, ["shows_reads": []], ["shows_reads"]),
            ]
            #expect(owner.map(\.part) == OwnerPart.allCases)
            for (path, list, filling, columns) in pet.map({
                ("edit/\($0.part.rawValue)", "/me/pets/1/", $0.filling, $0.columns)
            }) + owner.map({ ($0.part.rawValue, "/me/owner/", $0.filling, $0.columns) }) {
                let before = (try rest(of: columns, in: site), try rest(of: [], in: site))
                let saved = try await ana.visit(list + path).press("Save", filling: filling)
                #expect(saved.flash == "Saved.", "\(path)")
                #expect(try rest(of: columns, in: site) == before.0, "\(path) touched another")
                #expect(try rest(of: [], in: site) != before.1, "\(path) changed nothing")
            }
            let facts = try await ana.visit("/me/pets/1/edit")
            for words in ["Kit", "newt", "Sings.", "2 to 9 years", "Paused"] { #expect(facts.text.contains(words)) }
            #expect(try await ana.visit("/me/owner").text.contains("Annie"))
        }
    }

    @Test func `without a pet one looks at the cards, and chooses none`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            for (number, name) in ["Miso", "Pepper"].enumerated() {
                try await Self.pet(name, of: .family(number), in: site)
            }
            // Farther than anybody looks without a pet, and one that wouldn’t go as far as this.
            try await Self.pet("Hazel", of: .family(2), in: site)
            let far = Cell(at: Coordinate(latitude: 38.5, longitude: -121.5)!)
            try await site.execute("UPDATE pet SET cell = \(far) WHERE name = 'Hazel'")
            let ana = try await site.signIn(.ana, as: .parent)
            let first = try await ana.visit("/playdates")
            #expect(first.html.first("article")?.first("h2")?.text == "Pepper")
            #expect(!first.buttons.contains("Say hello") && !first.text.contains("away"))
            #expect(first.link("Add your pet to say hello") == "/me/owner")
            for secret in ["signal family", "95112", "@example"] { #expect(!first.string.contains(secret)) }
            let second = try await first.follow("Another pet")
            #expect(second.html.first("article")?.first("h2")?.text == "Miso")
            #expect(try await second.follow("Report this pet").status == 200)
            #expect(try await second.follow("Another pet").text.contains("Those were all for now"))
            // Nothing can be chosen.
            let token = try await ana.visit("/playdates").value(of: "csrf") ?? ""
            let hello = [("csrf", token), ("asking", "1"), ("pet", "2"), ("choice", "hello")]
            #expect(try await ana.post("/playdates", hello).status == 404)
            // Blocked, paused and hidden pets aren’t seen here either.
            let (one, other) = (try await site.account(of: .ana), try await site.account(of: .family(1)))
            let now = site.clock.now
            try await site.write(at: now) { tx in try Block.add(one, by: other, in: tx) }
            #expect(try await ana.visit("/playdates").html.first("article")?.first("h2")?.text == "Miso")
            try await site.execute("UPDATE pet SET is_paused = TRUE")
            #expect(try await ana.visit("/playdates").html.first("article") == nil)
            // With an owner’s profile and no pet it is the area of one’s own.
            try await site.execute("UPDATE pet SET is_paused = FALSE")
            let form = OwnerForm(name: "Ana", country: "US", city: "San Jose", zip: "95112")
            try await site.write(at: now) { tx in try Owner.save(form, at: far, picture: nil, of: one, in: tx) }
            let own = try await ana.visit("/playdates")
            #expect(own.html.first("article")?.first("h2")?.text == "Hazel")
            #expect(own.link("Add your pet to say hello") == "/me/pets/new")
        }
    }

    @Test func `those who meet are reminded as they chose, and asked two hours after`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            let zone = site.site.settings.zone
            func tick() async throws {
                let now = site.clock.now
                for _ in 0..<2 { _ = try await site.write(at: now) { tx in try Meeting.call(in: zone, tx: tx) } }
            }
            func told() throws -> Int { try site.count(of: "notice WHERE kind = 'meeting'") }
            // Ben wants no reminders.
            _ = try await ben.visit("/me/notices").press("Save", filling: ["on": ["met.inbox", "matched.inbox"]])
            let start = zone.day(of: site.clock.now).advanced(by: 3)
            _ = try await ana.visit(path).press(
                "Propose these times", filling: ["day_1": .text(start.iso), "time_1": "10:00", "place": "The lawn"])
            try await tick()
            let asked = try await ben.visit(path)
            _ = try await asked.press(asked.buttons.first { $0.contains("10") } ?? "")
            try await tick()
            #expect(try told() == 0)
            let at: Instant = zone.instant(start, TimeOfDay(minutes: 600)!)
            for (time, count) in [
                (at - .hours(25), 0), (at - .hours(24), 1), (at - .hours(3), 1), (at - .hours(2), 2), (at, 2),
            ] {
                site.clock.advance(by: time - site.clock.now)
                try await tick()
                #expect(try told() == count, "\(time)")
            }
            #expect(try await site.signIn(.ana, as: .parent).visit("/inbox").text.contains("you meet Biscuit"))
            #expect(try site.count(of: "notice WHERE detail LIKE 'after%'") == 0)
            site.clock.advance(by: .hours(2))
            try await tick()
            #expect(try site.count(of: "notice WHERE detail LIKE 'after%'") == 2)
            #expect(try site.count(of: "meeting WHERE due_at IS NOT NULL") == 0)
            #expect(try await site.signIn(.ben).visit("/inbox").text.contains("How was it with Clover?"))
        }
    }

    @Test func `what was missed while the site stood still comes once, or not at all`() throws {
        let zone = Zone(identifier: "America/Los_Angeles")!
        let start: Instant = zone.instant(Day(iso: "2027-03-14")!, TimeOfDay(minutes: 600)!)
        #expect(Meeting.call(for: start, at: start - .hours(20), in: zone) == .tomorrow)
        #expect(Meeting.call(for: start, at: start - .hours(3), in: zone) == .soon)
        #expect(Meeting.call(for: start, at: start + .minutes(1), in: zone) == nil)
        #expect(Meeting.call(for: start, at: start + .days(3), in: zone) == .after)
        #expect(Meeting.call(for: start, at: start + .days(15), in: zone) == nil)
        // The clocks change in that night: the day before at ten.
        #expect(Meeting.next(for: start, after: start - .days(3), in: zone)?.due == start - .hours(23))
        #expect(Meeting.next(for: start, after: start - .hours(23), in: zone)?.call == .soon)
        #expect(Meeting.next(for: start, after: start + .hours(2), in: zone) == nil)
    }

    @Test func `a meeting that was agreed is moved with a line, and the other one takes the new time`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            _ = try await ana.visit(path).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            let asked = try await ben.visit(path)
            #expect(!asked.buttons.contains("Propose these times instead"))
            let agreed = try await asked.press(asked.buttons.first { $0.contains("March 22") } ?? "")
            let times: [String: Filling] = ["day_1": "2027-03-23", "time_1": "11:00", "place": "The creek"]
            #expect(try await agreed.press("Propose these times instead", filling: times).status == 422)
            let moved = try await agreed.press(
                "Propose these times instead", filling: times.merging(["why": "It rains."]) { $1 })
            #expect(moved.flash == "Sent. You are told when there is an answer.")
            #expect(try site.count(of: "meeting WHERE state = 'canceled' AND due_at IS NULL") == 1)
            #expect(try await ana.visit("/inbox").text.contains("Another time to meet Biscuit?"))
            let answer = try await ana.visit(path)
            #expect(answer.text.contains("It rains."))
            _ = try await answer.press(answer.buttons.first { $0.contains("March 23") } ?? "")
            #expect(try site.count(of: "meeting WHERE state = 'agreed' AND place = 'The creek'") == 1)
            // What was moved meanwhile isn’t moved again.
            let token = try await ben.visit(path).value(of: "csrf") ?? ""
            let late = try await ben.post(
                "/meetings/1/change",
                [
                    ("csrf", token), ("day_1", "2027-03-24"), ("time_1", "10:00"), ("place", "The lawn"),
                    ("why", "Once more"),
                ])
            #expect(late.status == 409)
        }
    }

    @Test func `places that staff entered are offered for meetings`() async throws {
        try await withTestSite { site in
            let (ana, _, path) = try await Self.matched(in: site)
            let mira = try await site.signIn(.mira, isStaff: true)
            let saved = try await mira.visit("/admin/settings").press(
                "Save",
                filling: [
                    "town": "San Jose", "contact_email": "hello@village.example",
                    "meeting_places": "The lawn behind King Library\n\n Watson  Park \nWatson Park",
                ])
            #expect(saved.flash == "Saved.")
            #expect(site.site.town.meetingPlaces == ["The lawn behind King Library", "Watson Park"])
            let page = try await ana.visit(path)
            #expect(page.html.all("option").contains { $0.attributes["value"] == "Watson Park" })
        }
    }

    @Test func `who leaves is a former member to those they matched with, and nothing of them is left`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            _ = try await ben.visit(path).press("Send", filling: ["text": "Hello"])
            let gone = try await ben.visit("/me/owner").follow("Erase all of it …").press("Erase all of it")
            #expect(gone.path == "/me" && gone.flash?.contains("with their matches and your area") == true)
            for table: SQL in ["pet_match", "match_side", "message", "hello"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
            #expect(try site.count(of: "owner") == 1 && site.count(of: "pet") == 1)
            let list = try await ana.visit("/playdates/matches")
            #expect(list.text.contains("Clover and a former member") && !list.text.contains("Biscuit"))
            let page = try await ana.visit(path)
            #expect(page.status == 404 && page.heading == "A former member")
            #expect(try await site.signIn(.cleo).visit(path).heading == "No longer there")
            #expect(try site.count(of: "account WHERE unread <> 0") == 0)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now + .days(31))
            #expect(try site.count(of: "former_match") == 0 && site.count(of: "former_owner") == 0)
        }
    }

    @Test(arguments: ["pet", "owner"])
    func `nobody waits in vain for a pet that is no longer here`(which: String) async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            _ = try await ana.visit(path).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            let asked = try await ben.visit(path)
            _ = try await asked.press(asked.buttons.first { $0.contains("March 22") } ?? "")
            if which == "pet" {
                _ = try await ben.visit("/me/pets/2/delete").press("Remove the pet")
            } else {
                _ = try await ben.visit("/me/owner").follow("Erase all of it …").press("Erase all of it")
            }
            let inbox = try await ana.visit("/inbox")
            #expect(inbox.text.contains("Canceled: a meeting") && !inbox.text.contains("Biscuit"))
            #expect(try await ana.visit(path).heading == "A former member")
        }
    }

    @Test func `giving up the hat and taking it again is no way around the limits`() async throws {
        try await withTestSite { site in
            try await Self.pet("Clover", of: .ana, in: site)
            let ana = try await site.account(of: .ana)
            let (cell, now) = (Cell(at: Coordinate(latitude: 37.3476, longitude: -121.887)!), site.clock.now)
            let today = site.site.settings.zone.day(of: now)
            let form = OwnerForm(name: "Ana", country: "US", city: "San Jose", zip: "95112")
            try await site.execute("UPDATE owner SET hellos = 9, hellos_on = \(today)")
            for _ in 0..<3 {
                try await site.write(at: now) { tx in
                    try Owner.leave(ana, in: tx)
                    try Owner.save(form, at: cell, picture: nil, of: ana, in: tx)
                }
            }
            #expect(try site.count(of: "owner WHERE hellos = 9") == 1)
            await #expect(throws: Owner.TooManyMoves.self) {
                try await site.write(at: now) { tx in
                    try Owner.leave(ana, in: tx)
                    try Owner.save(form, at: cell, picture: nil, of: ana, in: tx)
                }
            }
            // Those who wait may.
            try await site.write(at: now) { tx in
                try Owner.leave(ana, in: tx)
                try Owner.save(form, at: cell, picture: nil, of: ana, in: tx.at(tx.now + .days(31)))
            }
        }
    }

    @Test func `who decides reads ten messages around a reported one, and each look is in the log`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            for number in 10..<30 {
                _ = try await ben.visit(path).press("Send", filling: ["text": .text("Word \(number)")])
            }
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue/message-10").status == 404)
            #expect(try site.count(of: "staff_act") == 0)
            _ = try await ana.visit("/reports/new?about=message-10").press(
                "Send the report", filling: ["reason": "unkind"])
            #expect(try await !mira.visit("/admin/queue").text.contains("Word"))
            let page = try await mira.visit("/admin/queue/message-10")
            for number in 14...24 { #expect(page.text.contains("Word \(number)"), "\(number)") }
            for number in [13, 25] { #expect(!page.text.contains("Word \(number)"), "\(number)") }
            // The others of the chat stay between the two.
            #expect(try await mira.visit("/admin/queue/message-11").status == 404)
            #expect(try site.count(of: "staff_act WHERE verb = 'read_chat' AND subject_id = 10") == 1)
            _ = try await mira.visit("/admin/queue/message-10").press("Decide")
            #expect(try site.count(of: "staff_act WHERE verb = 'read_chat'") == 3)
            #expect(try await mira.visit("/admin/log").text.contains("read messages around one that was reported"))
            // What was said afterwards doesn’t change what was reported.
            _ = try await ben.visit(path).press("Send", filling: ["text": "Later"])
            #expect(try await !mira.visit("/admin/queue/message-10").text.contains("It said then"))
        }
    }

    @Test func `two hellos are a match: contact, words, a meeting, and how it was`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            #expect(path == "/playdates/matches/1")
            #expect(try site.count(of: "notice WHERE kind = 'matched'") == 2)
            let inbox = try await ana.visit("/inbox")
            let page = try await inbox.follow("Unread: Clover and Biscuit said hello to each other")
            #expect(page.heading == "Clover and Biscuit")
            #expect(page.text.contains("Ben gave you") && page.text.contains("signal ben-ruiz"))

            #expect(try await page.press("Send", filling: ["text": " "]).status == 422)
            _ = try await page.press("Send", filling: ["text": "Hello <b>Ben</b>, see www.example.org"])
            // The same form once more.
            _ = try await page.press("Send", filling: ["text": "Hello <b>Ben</b>, see www.example.org"])
            #expect(try site.count(of: "message") == 1)
            let heard = try await ben.visit(path)
            #expect(heard.text.contains("Hello <b>Ben</b>, see") && heard.link("https://www.example.org") == nil)
            #expect(try site.count(of: "notice WHERE kind = 'messaged' AND read_at IS NOT NULL") == 1)
            _ = try await heard.press("Send", filling: ["text": "Hello Ana"])
            #expect(try await ana.visit(path).text.contains("read"))

            let form = try await ana.visit(path)
            let past = try await form.press(
                "Propose these times", filling: ["day_1": "2027-03-01", "time_1": "10:00", "place": "The lawn"])
            #expect(past.status == 422 && past.value(of: "place") == "The lawn")
            let proposed = try await past.press(
                "Propose these times",
                filling: ["day_1": "2027-03-22", "time_1": "10:00", "day_2": "2027-03-23", "time_2": "11:00"])
            #expect(proposed.flash == "Sent. You are told when there is an answer.")
            #expect(!proposed.buttons.contains("Propose these times"))
            let asked = try await ben.visit(path)
            let time = asked.buttons.first { $0.contains("March 23") } ?? ""
            let agreed = try await asked.press(time)
            #expect(agreed.flash == "Agreed. It is in My week for both of you.")
            for browser in [ana, ben] {
                #expect(try await browser.visit("/week?from=2027-03-21").text.contains("The lawn"))
                #expect(try await browser.visit("/").text.contains("The lawn"))
            }
            site.clock.advance(by: .days(4))
            #expect(try await ana.visit("/").text.contains("How was it with Biscuit?"))
            let after = try await ana.visit(path)
            #expect(try await after.press("Send the answer", filling: ["again": "wrong"]).status == 422)
            _ = try await after.press("Send the answer", filling: ["again": "wrong", "note": "He shouted."])
            #expect(try site.count(of: "report WHERE subject = 'pet-2' AND note = 'He shouted.'") == 1)
            #expect(try await !ana.visit("/").text.contains("How was it"))
            #expect(try await !ben.visit(path).text.contains("shouted"))
        }
    }

    @Test func `of two who propose at once the second reads the first one’s times, and keeps what they wrote`()
        async throws
    {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            let (first, second) = (try await ana.visit(path), try await ben.visit(path))
            _ = try await first.press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            let late = try await second.press(
                "Propose these times", filling: ["day_1": "2027-03-23", "time_1": "11:00", "place": "The creek"])
            #expect(late.status == 422 && late.text.contains("There is a meeting already."))
            #expect(late.buttons.contains { $0.contains("March 22") })
            #expect(late.value(of: "place") == "The creek" && late.value(of: "day_1") == "2027-03-23")
            #expect(try site.count(of: "meeting") == 1)
        }
    }

    @Test func `a proposed time says what else is planned then`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            // Ben offers an event on March 27 from 10 to 12.
            try await site.publish(by: .ben)
            _ = try await ana.visit(path).press(
                "Propose these times",
                filling: [
                    "day_1": "2027-03-27", "time_1": "11:00", "day_2": "2027-03-26", "time_2": "11:00",
                    "place": "The lawn",
                ])
            let asked = try await ben.visit(path)
            let clashes = asked.html.all(ofClass: "clash").map(\.text)
            #expect(clashes.count == 1 && clashes[0].contains("At the same time") && clashes[0].contains("Kite day"))
            // It is advice.
            let agreed = try await asked.press(asked.buttons.first { $0.contains("March 27") } ?? "")
            #expect(agreed.flash == "Agreed. It is in My week for both of you.")
        }
    }

    @Test func `a meeting is called off with a line, and the other is told`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            _ = try await ana.visit(path).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            let asked = try await ben.visit(path)
            #expect(!asked.buttons.contains("Call the meeting off"))
            // One time isn't called times.
            #expect(asked.buttons.contains("It doesn’t suit me") && !asked.buttons.contains("None of them suits"))
            #expect(asked.buttons.contains { $0.hasPrefix("Meet on ") && $0.contains("March 22") })
            #expect(try await ana.visit(path).press("Call the meeting off").status == 422)
            let off = try await ana.visit(path).press("Call the meeting off", filling: ["reason": "It rains."])
            #expect(off.text.contains("It rains.") && off.buttons.contains("Propose these times"))
            // Also which one it was.
            let row = try #require(off.html.all { $0["id"] == "meeting-1" }.first).text
            #expect(row.contains("Called off") && row.contains("March 22"))
            #expect(try await ben.visit("/inbox").text.contains("Canceled: the meeting with Clover"))
            let token = try await ben.visit(path).value(of: "csrf") ?? ""
            let late = try await ben.post("/meetings/1/answer", [("csrf", token), ("time", "1")])
            #expect(late.status == 409 && late.link("Open the match") == "/playdates/matches/1#meetings")
        }
    }

    @Test func `hellos of both at the same moment are one match and two notices`() async throws {
        try await withTestSite { site in
            var browsers: [Browser] = []
            var pets: [ID<Pet>] = []
            for number in 0..<2 {
                pets.append(try await Self.pet("Pet \(number)", of: .family(number), in: site))
                browsers.append(try await site.signIn(.family(number)))
            }
            var tokens: [String] = []
            for browser in browsers { tokens.append(try await browser.visit("/playdates").value(of: "csrf") ?? "") }
            let (all, known) = (browsers, tokens)
            let ids = pets
            try await withThrowingTaskGroup(of: Void.self) { group in
                for turn in 0..<50 {
                    let (one, other) = (turn % 2, 1 - turn % 2)
                    group.addTask {
                        let page = try await all[one].submit(
                            "/playdates",
                            [
                                ("csrf", known[one]), ("asking", "\(ids[one])"), ("pet", "\(ids[other])"),
                                ("choice", "hello"),
                            ])
                        #expect(page.status == 303)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try site.count(of: "pet_match") == 1)
            #expect(try site.count(of: "match_side") == 2)
            #expect(try site.count(of: "notice WHERE kind = 'matched'") == 2)
            #expect(try site.count(of: "owner WHERE hellos = 1") == 2)
            // What came meanwhile isn't taken back: it is shown.
            let undone = try await all[0].post(
                "/playdates", [("csrf", known[0]), ("asking", "\(ids[0])"), ("undo", "1")])
            #expect(undone.path == "/playdates/matches/1")
            #expect(try site.count(of: "hello") == 2)
        }
    }

    @Test func `without the look at what there is, each hello after the first would be a match more`() async throws {
        try await withTestSite { site in
            try await Self.pet("Clover", of: .ana, in: site)
            try await Self.pet("Biscuit", of: .ben, in: site)
            let now = site.clock.now
            await #expect(throws: DatabaseError.self) {
                try await site.write(at: now) { tx in
                    guard let one = try Pet.find(ID(1), in: tx), let other = try Pet.find(ID(2), in: tx) else { return }
                    for _ in 0..<2 { _ = try PetMatch.insert(one, other, in: tx) }
                }
            }
        }
    }

    @Test func `a pass is taken back, and those passed over come again`() async throws {
        try await withTestSite { site in
            try await Self.pet("Clover", of: .ana, in: site)
            try await Self.pet("Biscuit", of: .ben, in: site)
            try await Self.pet("Miso", of: .cleo, in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let first = try await ana.visit("/playdates")
            #expect(first.html.first("h2")?.text == "Miso")
            let second = try await first.press("Not now")
            #expect(second.html.first("h2")?.text == "Biscuit")
            let back = try await second.press("Undo: Miso")
            #expect(back.html.first("h2")?.text == "Miso")
            let none = try await back.press("Not now").press("Not now")
            #expect(none.text.contains("No more cards for Clover today"))
            #expect(try await none.press("Show those I passed over").html.first("h2")?.text == "Miso")
            #expect(try site.count(of: "notice") == 0)
        }
    }

    @Test func `a hello that became a match isn't offered to be taken back`() async throws {
        try await withTestSite { site in
            let (ana, _, _) = try await Self.matched(in: site)
            try await Self.pet("Miso", of: .cleo, in: site)
            let cards = try await ana.visit("/playdates")
            #expect(cards.html.first("h2")?.text == "Miso" && !cards.buttons.contains("Undo: Biscuit"))
            #expect(!cards.text.contains("the arrow takes it back"))
            #expect(try await cards.press("Say hello").buttons.contains("Undo: Miso"))
        }
    }

    @Test func `hellos are counted by the day, and whoever is new has ten and no links`() async throws {
        try await withTestSite { site in
            let mine = try await Self.pet("Clover", of: .ana, in: site)
            for number in 0..<12 { try await Self.pet("Pet \(number)", of: .family(number), in: site) }
            let ana = try await site.signIn(.ana, as: .parent)
            var page = try await ana.visit("/playdates")
            for _ in 0..<10 {
                page = try await page.press("Say hello")
                site.clock.advance(by: .seconds(1))
            }
            let full = try await page.press("Say hello")
            #expect(full.status == 422 && full.text.contains("10 hellos a day"))
            #expect(try await full.press("Undo: Pet 2").press("Say hello").status == 200)
            site.clock.advance(by: .days(3))
            let later = try await site.signIn(.ana, as: .parent)
            #expect(try await later.visit("/playdates?asking=\(mine)").press("Say hello").status == 200)
            #expect(try site.count(of: "owner WHERE hellos = 1") == 1)

            try await site.execute("UPDATE account SET created_at = 1805000000000000")
            let (one, other) = (ID<Pet>(1), ID<Pet>(2))
            try await site.write(at: site.clock.now) { tx in
                _ = try PetMatch.insert(Pet.find(one, in: tx)!, Pet.find(other, in: tx)!, in: tx)
            }
            let link = try await later.visit("/playdates/matches/1").press(
                "Send", filling: ["text": "See https://x.example"])
            #expect(link.status == 422 && link.value(of: "text") == "See https://x.example")
        }
    }

    @Test func `what is ended is gone for both, and can be reported for thirty days`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            _ = try await ben.visit(path).press("Send", filling: ["text": "You are stupid."])
            #expect(try await ana.visit("/playdates/matches").rows.count == 1)
            let ended = try await ana.visit(path).press("End the match")
            #expect(ended.text.contains("No match yet") && ended.text.contains("No longer there"))
            for browser in [ana, ben] { #expect(try await browser.visit(path).status == 404) }
            #expect(try site.count(of: "notice") == 0)
            #expect(try site.count(of: "account WHERE unread <> 0") == 0)
            for browser in [ana, ben] {
                #expect(try await browser.visit("/playdates").text.contains("No more cards"))
            }
            let report = try await ana.visit("/playdates/matches").follow("Report: Biscuit")
            #expect(report.path == "/reports/new?about=message-1")
            _ = try await report.press("Send the report", filling: ["reason": "unkind"])
            let mira = try await site.signIn(.mira, isStaff: true)
            #expect(try await mira.visit("/admin/queue/message-1").text.contains("You are stupid."))
            // What nobody reported is for nobody else.
            #expect(try await mira.visit("/admin/queue/message-2").status == 404)
            #expect(try await site.signIn(.cleo).visit("/reports/new?about=message-1").status == 404)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now + .days(31))
            #expect(try site.count(of: "message") == 0)
            #expect(try site.count(of: "parted") == 2)
        }
    }

    @Test func `who blocks somebody sees nothing of them, and is seen by none of theirs`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            try await Self.pet("Miso", of: .cleo, in: site)
            let (one, other) = (try await site.account(of: .cleo), try await site.account(of: .ben))
            let now = site.clock.now
            try await site.write(at: now) { tx in try Block.add(one, by: other, in: tx) }
            let cleo = try await site.signIn(.cleo)
            #expect(try await cleo.visit("/playdates").html.first("h2")?.text == "Clover")
            #expect(try await cleo.visit("/playdates").press("Not now").text.contains("No more cards"))
            #expect(try await ana.visit(path).press("Block Ben").flash?.hasPrefix("Blocked") == true)
            for browser in [ana, ben] { #expect(try await browser.visit(path).status == 404) }
        }
    }

    @Test func `nothing of others' pets, matches and meetings can be opened or changed`() async throws {
        try await withTestSite { site in
            let (ana, _, path) = try await Self.matched(in: site)
            _ = try await ana.visit(path).press(
                "Propose these times", filling: ["day_1": "2027-03-22", "time_1": "10:00", "place": "The lawn"])
            try await Self.pet("Miso", of: .cleo, in: site)
            let cleo = try await site.signIn(.cleo)
            let token = try await cleo.visit("/playdates").value(of: "csrf") ?? ""
            for page in ["/me/pets/1/edit", "/me/pets/1/edit/bio", "/me/pets/1/pictures", "/me/pets/1/delete", path] {
                #expect(try await cleo.visit(page).status == 404, "\(page)")
            }
            let forms: [(String, [(name: String, value: String)])] = [
                ("/me/pets/1/edit/name", [("name", "Mine")]), ("/me/pets/1/pictures", [("drop", "1")]),
                ("/me/pets/1/delete", []), ("/playdates", [("asking", "1"), ("pet", "3"), ("choice", "hello")]),
                ("/playdates", [("asking", "3"), ("pet", "999"), ("choice", "hello")]),
                ("/playdates", [("asking", "3"), ("pet", "3"), ("choice", "hello")]),
                ("\(path)/messages", [("text", "Hi")]), ("\(path)/favourite", []), ("\(path)/unmatch", []),
                ("\(path)/block", []),
                ("\(path)/meetings", [("day_1", "2027-03-22"), ("time_1", "10:00"), ("place", "X")]),
                ("/meetings/1/answer", [("time", "1")]), ("/meetings/1/cancel", [("reason", "No")]),
                ("/meetings/1/after", [("again", "yes")]),
            ]
            for (address, pairs) in forms {
                let page = try await cleo.post(address, [("csrf", token)] + pairs)
                #expect(page.status == 404, "\(address) \(pairs)")
            }
            // The one who proposed doesn't take the times.
            let own = try await ana.visit(path).value(of: "csrf") ?? ""
            #expect(try await ana.post("/meetings/1/answer", [("csrf", own), ("time", "1")]).status == 404)
            #expect(try site.count(of: "message") == 0)
            #expect(try site.count(of: "pet") == 3)
        }
    }

    @Test func `contact stands with matches alone, and no page for others has it`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            try await Self.pet("Miso", of: .cleo, in: site)
            let cleo = try await site.signIn(.cleo)
            for page in ["/playdates", "/playdates?asking=3", "/people?q=ana", "/reports/new?about=pet-1"] {
                let text = try await cleo.visit(page).string
                #expect(!text.contains("signal ana") && !text.contains("95112"), "\(page)")
            }
            #expect(try await ben.visit(path).string.contains("signal ana-ortiz"))
            #expect(try await ana.visit(path).string.contains("signal ben-ruiz"))
            let visitor = site.browser()
            for page in ["/playdates", path] { #expect(try await visitor.visit(page).path.hasPrefix("/login")) }
            #expect(try await visitor.visit("/reports/new?about=pet-1").status == 404)
            #expect(try await !visitor.visit("/sitemap.xml").string.contains("playdates"))
        }
    }

    @Test func `who moves about too often is asked to wait`() async throws {
        try await withTestSite { site in
            try await site.gazetteer()
            try await Self.pet("Clover", of: .ana, in: site)
            let ana = try await site.signIn(.ana, as: .parent)
            for zip in ["95030", "95033", "95008"] {
                let page = try await ana.visit("/me/owner/area").press("Save", filling: ["zip": .text(zip)])
                #expect(page.flash == "Saved.")
            }
            let page = try await ana.visit("/me/owner/area").press("Save", filling: ["zip": "95112"])
            #expect(page.status == 422 && page.text.contains("You moved 3 times lately"))
            #expect(try site.count(of: "owner JOIN pet ON pet.cell = owner.cell") == 1)
            site.clock.advance(by: .days(13))
            let later = try await site.signIn(.ana, as: .parent)
            #expect(try await later.visit("/me/owner/area").press("Save", filling: ["zip": "95112"]).status == 422)
            site.clock.advance(by: .days(18))
            let free = try await site.signIn(.ana, as: .parent)
            #expect(try await free.visit("/me/owner/area").press("Save", filling: ["zip": "95112"]).flash == "Saved.")
        }
    }

    @Test func `one letter an hour tells of messages, and none of their words`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            try await site.execute("UPDATE account SET confirmed_at = 1")
            for number in 0..<3 {
                _ = try await ana.visit(path).press("Send", filling: ["text": .text("Secret \(number)")])
                _ = try await ben.visit(path)
            }
            #expect(try site.count(of: "letter WHERE kind = 'messaged'") == 1)
            let (now, seal) = (site.clock.now, nil as Seal?)
            try site.read(at: now) { tx in
                let letter: Letter = try #require(
                    try tx.first("SELECT \(Letter.columns) FROM letter WHERE kind = 'messaged'"))
                let text = try #require(try letter.text(seal, country: "US", zone: .utc, in: tx))
                #expect(text.heading.plain.contains("Clover") && !"\(text)".contains("Secret"))
            }
            site.clock.advance(by: .minutes(61))
            _ = try await ana.visit(path).press("Send", filling: ["text": "One more"])
            #expect(try site.count(of: "letter WHERE kind = 'messaged'") == 2)
            #expect(try await ben.visit("/me/notices").text.contains("Messages about play dates"))
            #expect(try await site.signIn(.cleo).visit("/me/notices").text.contains("play dates") == false)
        }
    }

    @Test func `a pet that is removed, or whose owner leaves, takes all of it along for both`() async throws {
        try await withTestSite { site in
            let (ana, ben, path) = try await Self.matched(in: site)
            _ = try await ana.visit(path).press("Send", filling: ["text": "Hello"])
            let export = try await ana.visit("/me/export").press(
                "Download the file", filling: ["current_password": .text(Person.password)])
            #expect(export.string.contains("signal ana-ortiz") && !export.string.contains("signal ben-ruiz"))
            _ = try await ben.visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            for table: SQL in ["pet_match", "match_side", "message", "meeting", "parted", "hello", "notice"] {
                #expect(try site.count(of: table) == 0, "\(table)")
            }
            #expect(try site.count(of: "pet") == 1)
            #expect(try site.count(of: "account WHERE unread <> 0") == 0)
            #expect(try await ana.visit("/playdates/matches").text.contains("Clover and a former member"))
            let gone = try await ana.visit("/me/pets/1/delete").press("Remove the pet")
            #expect(gone.flash == "The pet is removed, with its matches.")
            #expect(try site.count(of: "pet") == 0)
        }
    }

    @Test func `a pet is reported, hidden, changed and shown again`() async throws {
        try await withTestSite { site in
            let (ana, _, path) = try await Self.matched(in: site)
            _ = try await ana.visit(path).follow("Report").press("Send the report", filling: ["reason": "unkind"])
            let mira = try await site.signIn(.mira, isStaff: true)
            _ = try await mira.visit("/admin/queue/pet-2").press("Decide", filling: ["act": "ask", "ground": "unkind"])
            try await Self.pet("Miso", of: .cleo, in: site)
            let cleo = try await site.signIn(.cleo)
            #expect(try await cleo.visit("/playdates").press("Not now").text.contains("No more cards"))
            let ben = try await site.signIn(.ben)
            #expect(try await ben.visit("/playdates").text.contains("Biscuit takes a break"))
            _ = try await ben.visit("/me/pets/2/edit/bio").press("Save", filling: ["bio": "Kind words."])
            #expect(try await cleo.visit("/playdates").html.first("h2")?.text == "Biscuit")
        }
    }

    @Test func `a favorite stands in the list of favorites`() async throws {
        try await withTestSite { site in
            let (ana, ben, _) = try await Self.matched(in: site)
            let list = try await ana.visit("/playdates/matches").press("Favorite: Clover and Biscuit")
            #expect(list.path == "/playdates/matches")
            #expect(try await ana.visit("/playdates/matches?show=favorites").rows.count == 1)
            #expect(try await ben.visit("/playdates/matches?show=favorites").text.contains("No favorites"))
        }
    }
}
