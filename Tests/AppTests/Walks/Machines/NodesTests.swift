import Database
import Dispatch
import Forms
import Foundation
import Logging
import SMTP
import ServiceLifecycle
import Testing

@testable import App

/// Several nodes that serve one database. None of them looks by itself for what others wrote: the tests have them look.
@Suite(.serialized, .tags(.slow), .enabled(if: TestServer.any != nil, "VILLAGE_TEST_POSTGRESQL names no server"))
struct NodesTests {
    /// Two nodes that serve pages; the first leads.
    private func withPages(_ body: (_ one: TestSite, _ other: TestSite) async throws -> Void) async throws {
        try await #require(TestServer.any).withDatabase { url in
            try await withTestSite(at: url) { one in
                try await withTestSite(at: url) { other in try await body(one, other) }
            }
        }
    }

    /// So many nodes that do nothing by themselves.
    private func withNodes(
        _ count: Int = 3, limits: Bool = true, _ body: ([TestSite]) async throws -> Void
    ) async throws {
        try await #require(TestServer.any).withDatabase { url in
            let clock = Clock()
            let log = LogBook()
            // No lease runs out because the machine is slow.
            let start = ContinuousClock.now
            let folders = try (0..<count).map { _ in try TestFolder() }
            defer { for folder in folders { folder.remove() } }
            let nodes = try folders.enumerated().map { number, folder in
                var settings = Settings()
                settings.data = folder.path
                settings.databaseURL = url
                settings.node = "node-\(number)"
                settings.limitsRates = limits
                settings.zone = Zone(identifier: "America/Los_Angeles")!
                settings.publicFolder = TestFolder.publicFolder
                var options = Database.Options()
                options.readers = 1
                options.readLimit = .seconds(30)
                let site = try Site(
                    settings, clock: { clock.now }, cost: .cheap, options: options, assets: TestFolder.assets.get(),
                    lead: Lead(now: { start }), log: Logger(label: "test") { _ in log })
                return TestSite(site: site, port: 0, clock: clock, log: log)
            }
            defer { for node in nodes { node.site.close() } }
            try await body(nodes)
        }
    }

    // MARK: What is kept in memory

    @Test func `a write on one node is read on another, by a stranger after a look and by its writer at once`()
        async throws
    {
        try await withPages { one, other in
            try await one.publish(by: .ben) { $0.title = "Chess" }
            try other.site.database.look()
            let stranger = other.browser()
            #expect(try await stranger.visit("/events").text.contains("Chess"))
            try await one.publish(by: .ben) { $0.title = "Lego afternoon" }
            #expect(try await !stranger.visit("/events").text.contains("Lego afternoon"), "the page was not cached")
            let writer = try await one.signIn(.ben, as: .provider)
            let elsewhere = Browser(port: other.port)
            let cookie = Cookie.name(Session.cookieName, in: one.site.settings)
            elsewhere.keep(cookie, writer.cookie(cookie))
            #expect(try await elsewhere.visit("/events").text.contains("Lego afternoon"))
            try other.site.database.look()
            #expect(try await stranger.visit("/events").text.contains("Lego afternoon"))
            // Its own writes count at once.
            try await other.publish(by: .ben) { $0.title = "Kites" }
            #expect(try await stranger.visit("/events").text.contains("Kites"))
        }
    }

    @Test func `a stream on one node tells of what is written on another`() async throws {
        try await withPages { one, other in
            let ana = try await one.account(of: .ana)
            let browser = try await other.signIn(.ana)
            var heard = browser.listen("/stream").makeAsyncIterator()
            #expect(await heard.next() == #"{"unread":0,"post":0,"threads":[],"matches":[],"last":0}"#)
            try await one.write(at: one.clock.now) { tx in try Notice.tellOnce(.init(kind: .decided), ana, in: tx) }
            try other.site.database.look()
            #expect(await heard.next() == #"{"unread":1,"post":0,"threads":[],"matches":[],"last":0}"#)
        }
    }

    @Test func `what an admin sets on one node holds on the others`() async throws {
        try await withNodes(2) { nodes in
            let (one, other) = (nodes[0].site, nodes[1].site)
            try other.database.look()
            var town = one.town
            town.name = "Fernley"
            town.zone = Zone(identifier: "Europe/Berlin")
            var opening = one.opening
            opening.isClosed = true
            try await one.write { [town, opening] db in
                try town.save(in: db)
                try opening.save(in: db)
                try Note.set("demo", "1", in: db)
            }
            // A write of its own doesn't keep it from hearing.
            try await other.write { db in try Note.set("mail_tested", "1", in: db) }
            let version = other.dataVersion
            try other.database.look()
            #expect(other.town.name == "Fernley" && other.opening.isClosed && other.isDemo)
            #expect(other.settings.zone.identifier == "Europe/Berlin")
            #expect(other.dataVersion > version, "pages drawn before must not be shown")
        }
    }

    // MARK: What one node does

    @Test func `a reminder that is due is written once, and another node goes on when the lease ran out`()
        async throws
    {
        try await withNodes { nodes in
            let event = try await nodes[0].publish(by: .ben)
            try await nodes[0].register([try await nodes[0].child("Mo", of: .ana)], of: .ana, at: event)
            let start = try #require(try nodes[0].read { db in try Event.find(event, in: db) }).startsAt
            for node in nodes { try await node.site.beat() }
            try await nodes[0].execute("UPDATE lease SET ends_at = ends_at + 3600000")
            #expect(nodes.map(\.site.leads) == [true, false, false])
            let clock = nodes[0].clock
            func tidy(_ node: TestSite) async {
                await Housekeeping(site: node.site).tidyUp(at: clock.now) { $0.name == "reminded of what comes up" }
            }
            clock.advance(by: start - clock.now - .hours(24))
            for node in nodes.dropFirst() { await tidy(node) }
            #expect(try nodes[0].count(of: "notice WHERE kind = 'dayBefore'") == 0)
            for node in nodes { await tidy(node) }
            #expect(try nodes[0].count(of: "notice WHERE kind = 'dayBefore'") == 1)
            // The leader dies: the others wait until its lease has run out.
            for node in nodes.dropFirst() { try await node.site.beat() }
            #expect(nodes[1...].allSatisfy { !$0.site.leads })
            try await nodes[0].execute("UPDATE lease SET ends_at = 0")
            for node in nodes.dropFirst() { try await node.site.beat() }
            #expect(nodes[1...].map(\.site.leads) == [true, false])
            clock.advance(by: .hours(22))
            // The dead one wakes, and knows nothing of it.
            #expect(nodes[0].site.leads)
            for node in nodes { await tidy(node) }
            #expect(try nodes[0].count(of: "notice WHERE kind = 'hoursBefore'") == 1)
        }
    }

    @Test func `what a node writes that leads no more is refused`() async throws {
        try await withNodes(2) { nodes in
            let (one, other) = (nodes[0].site, nodes[1].site)
            try await one.beat()
            await #expect(throws: Lease.Lost.self) {
                try await one.leading {
                    try await one.write { db in try Note.set("first", "1", in: db) }
                    try await nodes[1].execute("UPDATE lease SET ends_at = 0")
                    try await other.beat()
                    try await one.write { db in try Note.set("second", "1", in: db) }
                }
            }
            #expect(try nodes[0].count(of: "note WHERE name IN ('first', 'second')") == 1)
            // What each node does for itself it does all the same.
            var asked = 0
            await Housekeeping(site: one).tidyUp(at: nodes[0].clock.now) { _ in
                asked += 1
                return true
            }
            #expect(asked == Housekeeping.jobs.count)
            // Its other writes are everybody's.
            try await one.write { db in try Note.set("second", "1", in: db) }
            try await one.beat()
            #expect(!one.leads && other.leads)
            // One that ends lets the next lead at once.
            try await other.leave()
            #expect(!other.leads)
            try await one.beat()
            #expect(one.leads)
        }
    }

    @Test func `a backup goes from the machine that led before once those of another have replaced it`() async throws {
        try await withNodes(2) { nodes in
            let (one, other) = (nodes[0].site, nodes[1].site)
            let first = try #require(Backups.instant(of: Backups.name(at: nodes[0].clock.now)))
            func make(on site: Site, at now: Instant) async throws {
                let folder = site.backups.folder
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                let path = folder + "/" + Backups.name(at: now)
                for path in [path, Media.path(besides: path)] { try Data("a".utf8).write(to: URL(filePath: path)) }
                try await site.noteBackup(at: now)
            }
            try await make(on: one, at: first)
            let count = one.backups.count
            // While nobody makes another, none goes; after a standstill only as many new ones replace it.
            nodes[0].clock.advance(by: .days(400))
            #expect(try one.removeReplacedBackups() == 0)
            for number in 1..<count {
                try await make(on: other, at: first + .days(399) + one.backups.period * number)
                #expect(try one.removeReplacedBackups() == 0, "so many are kept")
            }
            #expect(one.backups.names.count == 1)
            try await make(on: other, at: first + .days(399) + one.backups.period * count)
            // Neither leads: each looks after its own folder.
            for site in [one, other] {
                await Housekeeping(site: site).tidyUp(at: nodes[0].clock.now) { $0.name.hasPrefix("removed backups") }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: one.backups.folder) == [])
            #expect(other.backups.names.count == count)
        }
    }

    @Test func `a letter is claimed by one node, and another takes it over when that one is dead`() async throws {
        let office = try PostOffice()
        try await withNodes { nodes in
            let now = nodes[0].clock.now
            try await nodes[0].write { db in
                for number in 0..<30 {
                    try db.execute(
                        """
                        INSERT INTO letter (kind, address, created_at, due_at, ends_at)
                        VALUES ('test', \("ana-\(number % 20)@example.org"), \(now), \(now), \(now + .hours(4)))
                        """)
                }
            }
            // The twin without a claim: two nodes would send the same.
            let next = try nodes.map { node in try node.read(at: now) { tx in try Letter.next(in: tx)?.id } }
            #expect(Set(next).count == 1)
            var claimed: [ID<Letter>] = []
            for node in nodes {
                let id = node.site.node.id
                let letter = try await node.write(at: now) { tx in try Letter.claim(for: id, in: tx) }
                claimed.append(try #require(letter).id)
            }
            #expect(Set(claimed).count == 3)
            func deliver() async {
                await withTaskGroup(of: Void.self) { group in
                    for node in nodes {
                        group.addTask {
                            let client = MailClient(MailServer(url: office.url)!, name: "village.example")
                            _ = await Postman(site: node.site).deliverAll(by: client)
                        }
                    }
                }
            }
            // Each to other addresses than those of the three that died with a letter, and before later ones to them.
            await deliver()
            #expect(try nodes[0].count(of: "letter WHERE state = 'sent'") == 24)
            nodes[0].clock.advance(by: Letter.claimTime)
            await deliver()
            #expect(try nodes[0].count(of: "letter WHERE state = 'sent'") == 30)
            let ids = try office.letters.compactMap { $0["Message-ID"] }
            #expect(ids.count == 30 && Set(ids).count == 30)
        }
    }

    @Test func `a sender that was taken for dead changes nothing of a letter that another one has`() async throws {
        try await withNodes(2) { nodes in
            let now = nodes[0].clock.now
            let (one, other) = (nodes[0].site.node.id, nodes[1].site.node.id)
            try await nodes[0].write(at: now) { tx in
                try tx.execute(
                    """
                    INSERT INTO letter (kind, address, created_at, due_at, ends_at)
                    VALUES ('test', 'ana@example.org', \(tx.now), \(tx.now), \(tx.now + .hours(4)))
                    """)
                let letter = try #require(try Letter.claim(for: one, in: tx))
                let late = tx.now + Letter.claimTime
                #expect(try Letter.claim(for: other, in: tx.at(late - .milliseconds(1))) == nil)
                #expect(try Letter.claim(for: other, in: tx.at(late))?.tries == 1)
                try Letter.putBack(letter, by: one, "", in: tx)
                try Letter.put(off: letter, by: one, "", in: tx.at(late))
            }
            #expect(try nodes[0].count(of: "letter WHERE tries = 2 AND claimed_by = \(other)") == 1)
        }
    }

    // MARK: What all share

    @Test func `wrong guesses on one node count on the others`() async throws {
        try await withNodes { nodes in
            let now = nodes[0].clock.now
            for number in 0..<RateRule.failedLogIns.count {
                #expect(try await nodes[number % 3].site.take(.failedLogIns, by: "ana", at: now) == nil)
            }
            for node in nodes {
                #expect(try await node.site.take(.failedLogIns, by: "ana", at: now) == .seconds(18))
                #expect(try node.site.wait(.failedLogIns, by: "ana", at: now) == .seconds(18))
                #expect(try await node.site.take(.failedLogIns, by: "ben", at: now) == nil)
            }
            try await nodes[0].site.giveBack(.failedLogIns, by: "ana")
            #expect(try await nodes[1].site.take(.failedLogIns, by: "ana", at: now) == nil)
            // The twin that counts in memory would let three times as many pass.
            #expect(nodes[2].site.limits.take(.failedLogIns, by: "ana", at: now) == nil)
            let later = now + .minutes(3)
            try await nodes[0].write(at: later) { tx in _ = try RateCount.forget(in: tx) }
            #expect(try nodes[0].count(of: "rate_count") == 0)
        }
    }

    @Test func `counting in the database refuses what counting in memory does`() async throws {
        try await withNodes(1) { nodes in
            let memory = RateLimits()
            var (now, seed) = (nodes[0].clock.now, UInt64(7))
            for _ in 0..<200 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                now = now + .milliseconds(Int64(seed >> 33) % 40_000)
                let wait = try await nodes[0].site.take(.failedLogIns, by: "ana", at: now)
                #expect(wait == memory.take(.failedLogIns, by: "ana", at: now))
            }
        }
    }

    @Test func `the set-up link, the key of calendars and what counts stands for are one`() async throws {
        try await withNodes { nodes in
            let link = try #require(try await nodes[0].site.setupLink())
            nodes[0].clock.advance(by: .days(1))
            for node in nodes {
                #expect(try await node.site.setupLink() == link)
                let token = node.site.key.token(of: ID(1), account: ID(2), at: Clock.start)
                #expect(token.text == nodes[0].site.key.token(of: ID(1), account: ID(2), at: Clock.start).text)
            }
            #expect(try nodes[0].count(of: "setup_link") == 1)
        }
    }

    @Test func `what is erased is removed by the server in its next round`() async throws {
        try await withNodes(1) { nodes in
            let tables = try nodes[0].read { db in
                try db.all(
                    """
                    SELECT CAST(relname AS TEXT) FROM pg_class
                    WHERE relkind = 'r' AND 'autovacuum_vacuum_threshold=0' = ANY (reloptions)
                        AND 'autovacuum_vacuum_scale_factor=0' = ANY (reloptions)
                    """
                ) { try $0.next() as String }
            }
            let kept = Set(RetentionRule.allCases.flatMap(\.tables).map(\.description))
            #expect(kept.subtracting(tables) == [])
            #expect(!tables.contains("zip"))
        }
    }

    // MARK: Two at the same moment

    /// So many families, each on the next node, with a child.
    private func families(
        _ count: Int, on nodes: [TestSite]
    ) async throws -> [(node: TestSite, browser: Browser, child: ID<Child>)] {
        var families: [(node: TestSite, browser: Browser, child: ID<Child>)] = []
        for number in 1...count {
            let node = nodes[number % nodes.count]
            let child = try await node.child("Child", of: .family(number))
            families.append((node, try await node.signIn(.family(number), as: .parent), child))
        }
        return families
    }

    @Test func `families on two nodes take no more open or held places than there are`() async throws {
        try await withPages { one, other in
            let event = try await one.publish(by: .ben) { ($0.spots, $0.price) = (6, "10") }
            let now = one.clock.now
            try await one.write(at: now) { tx in try Hold.set(2, until: tx.now + .days(3), at: event, in: tx) }
            var racers: [(browser: Browser, pairs: [(String, String)])] = []
            for (number, family) in try await families(16, on: [one, other]).enumerated() {
                let token = try #require(try await family.browser.visit("/me/settings").value(of: "csrf"))
                let help = number % 4 < 2 ? [("needs_help", "1")] : []
                let once = Submission<RegistrationForm>().once
                racers.append(
                    (family.browser, [("csrf", token), ("child", "\(family.child)"), ("once", once)] + help))
            }
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for racer in racers {
                    group.addTask {
                        let page = try await racer.browser.submit("/events/\(event)/registrations", racer.pairs)
                        return page.location?.hasPrefix("/registrations/") == true
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 6)
            #expect(try other.count(of: "event WHERE taken = 6 AND held_free = 0") == 1)
            #expect(try other.count(of: "registration WHERE state = 'confirmed' AND held = 1 AND needs_help") == 2)
            #expect(try other.count(of: "registration WHERE state = 'confirmed' AND held = 0") == 4)
        }
    }

    @Test func `two nodes that look before they take hand one held place out twice`() async throws {
        try await withPages { one, other in
            let event = try await one.publish(by: .ben) { ($0.spots, $0.price) = (6, "10") }
            let now = one.clock.now
            try await one.write(at: now) { tx in try Hold.set(1, until: tx.now + .days(3), at: event, in: tx) }
            let seen = try [one, other].map { node in
                try node.read { db in try db.value("SELECT held_free FROM event WHERE id = \(event)") ?? 0 }
            }
            for (number, node) in [one, other].enumerated() where seen[number] >= 1 {
                let family = try await node.account(of: .family(number + 1))
                let left = seen[number] - 1
                try await node.write { db in
                    try db.execute("UPDATE event SET held_free = \(left) WHERE id = \(event)")
                    try db.execute(
                        """
                        INSERT INTO registration (
                            event_id, account_id, state, needs_help, held, once, created_at, updated_at)
                        VALUES (\(event), \(family), 'confirmed', \(true), 1, 'twin', \(now), \(now))
                        """)
                }
            }
            #expect(try one.count(of: "registration WHERE held = 1") == 2)
        }
    }

    @Test func `the places of an event with sessions are the sum of them all, also those another node just took`()
        async throws
    {
        try await withPages { one, other in
            let event = try await one.publish(by: .ben)
            try await one.execute("UPDATE event SET sessions = TRUE WHERE id = \(event)")
            for name in ["Mornings", "Clay"] {
                try await one.execute(
                    """
                    INSERT INTO activity (event_id, name, info, place, day, start_minute, starts_at, ends_at, spots)
                    VALUES (\(event), \(name), '', '', '2027-04-05', 540, 1, 2, 5)
                    """)
            }
            let isTaken = DispatchSemaphore(value: 0)
            async let first: Void = one.write { db in
                try db.execute("UPDATE activity SET taken = 1 WHERE name = 'Mornings'")
                try Activity.addUp(event, in: db)
                isTaken.signal()
                // Meanwhile the other one comes as far as the sum.
                Thread.sleep(forTimeInterval: 0.5)
            }
            async let second: Void = other.write { db in
                _ = isTaken.wait(timeout: .now() + 10)
                try db.execute("UPDATE activity SET taken = 1 WHERE name = 'Clay'")
                try Activity.addUp(event, in: db)
            }
            _ = try await (first, second)
            #expect(try one.count(of: "event WHERE id = \(event) AND spots = 10 AND taken = 2") == 1)
        }
    }

    /// *Serve Saturday lunch* of Ben’s, whose shift is over, with so many helpers without an account.
    private func helped(
        by count: Int, on nodes: [TestSite]
    ) async throws -> (help: ID<Opportunity>, host: ID<Account>, guests: [ID<Guest>], day: Day) {
        let help = try await nodes[0].ask(by: .ben) { $0.shifts[0].spots = 10 }
        let ben = try await nodes[0].signIn(.ben, as: .provider)
        for number in 1...count {
            _ = try await ben.visit("/opportunities/\(help)/people/new").press(
                "Add", filling: ["name": "Otto", "phone": .text("408 555 01\(10 + number)"), "shift": "1"])
        }
        for node in nodes { node.clock.advance(by: .days(8)) }
        let guests: [ID<Guest>] = try nodes[0].read { db in
            try db.all("SELECT id FROM guest ORDER BY id LIMIT 100") { try $0.next() }
        }
        #expect(guests.count == count)
        return (help, try await nodes[0].account(of: .ben), guests, Day(iso: "2027-03-27")!)
    }

    @Test func `hours of helpers without an account count once, on whichever node they are confirmed`() async throws {
        try await withPages { one, other in
            let (help, host, guests, day) = try await helped(by: 5, on: [one, other])
            let now = one.clock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for guest in guests.prefix(4) {
                    for node in [one, other] {
                        group.addTask {
                            let all = [Contribution.Confirmation(of: .guest(guest), day: day, minutes: 180)]
                            try await node.write(at: now) { tx in
                                try Contribution.confirm(all, at: help, by: host, in: tx)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try other.count(of: "contribution WHERE confirmed = 180 AND guest_id IS NOT NULL") == 4)
            #expect(try other.count(of: "organization_total WHERE minutes = 720 AND helpers = 4") == 1)
            #expect(try other.count(of: "month_total WHERE what = 'minutes' AND count = 720") == 1)
            // The twin looks first and adds afterwards: the hours of one are those of two.
            let last = guests[4]
            let isKnown = try [one, other].map { node in
                try node.read { db in
                    try db.exists("SELECT 1 FROM contribution WHERE confirmed IS NOT NULL AND guest_id = \(last)")
                }
            }
            for (node, isKnown) in zip([one, other], isKnown) where !isKnown {
                try await node.write { db in
                    try OrganizationTotal.add(180, helpers: 1, ofYear: 1, to: host, on: day, in: db)
                }
            }
            #expect(try one.count(of: "organization_total WHERE minutes = 1080 AND helpers = 6") == 1)
        }
    }

    @Test func `a slip is taken over by one family, whichever nodes two of them are on`() async throws {
        try await withPages { one, other in
            let event = try await one.publish(by: .ben) { $0.spots = 10 }
            let ben = try await one.signIn(.ben, as: .provider)
            for name in ["Ida", "Uwe", "Eva"] {
                _ = try await ben.visit("/events/\(event)/people/new").press("Add", filling: ["name": .text(name)])
            }
            let slips: [(code: String, party: ID<Registration>)] = try one.read { db in
                try db.all("SELECT code, registration_id FROM guest ORDER BY id LIMIT 10") {
                    (try $0.next(), try $0.next())
                }
            }
            #expect(slips.count == 3)
            let families = try await families(6, on: [one, other])
            for (number, slip) in slips.prefix(2).enumerated() {
                let both = families[(2 * number)...(2 * number + 1)]
                var pages: [(page: Page, child: ID<Child>)] = []
                for family in both {
                    let page = try await family.browser.visit("/claim/\(slip.code)")
                    pages.append((page, family.child))
                }
                let done = try await withThrowingTaskGroup(of: Page.self) { group in
                    for (page, child) in pages {
                        group.addTask {
                            try await page.press("Take over the place", filling: ["person": .text("child-\(child)")])
                        }
                    }
                    return try await group.reduce(into: [Page]()) { $0.append($1) }
                }
                #expect(done.filter { $0.path.hasPrefix("/registrations/") }.count == 1, "\(done.map(\.path))")
                let late = done.filter { $0.status == 422 }.flatMap(\.problems)
                #expect(late == ["No place has this code, or somebody has taken it over already."])
            }
            #expect(try other.count(of: "guest") == 1 && other.count(of: "event WHERE taken = 3") == 1)
            #expect(try other.count(of: "registration WHERE event_id = \(event)") == 3)
            // The twin looks first and takes afterwards: both are told that the place is theirs.
            let slip = slips[2]
            let isThere = try [one, other].map { node in
                try node.read { db in try db.exists("SELECT 1 FROM guest WHERE code = \(slip.code)") }
            }
            var told = 0
            for (number, node) in [one, other].enumerated() where isThere[number] {
                let account = try await node.account(of: .family(5 + number))
                told += try await node.write { db in
                    try db.execute("UPDATE registration SET account_id = \(account) WHERE id = \(slip.party)")
                }
            }
            #expect(told == 2)
        }
    }

    // MARK: How they are

    @Test func `the page of operations names the nodes and the one in charge, and forgets the dead`() async throws {
        try await withPages { one, other in
            try await other.site.beat()
            let admin = try await one.signIn(.mira, isStaff: true)
            let page = try await admin.visit("/admin/operations").text
            for node in [one, other] { #expect(page.contains("Node \(node.site.node.name)")) }
            #expect(page.contains("In charge of scheduled work \(one.site.node.name)"))
            let id = other.site.node.id
            try await one.execute("UPDATE node SET seen_at = seen_at - 601000 WHERE id = \(id)")
            try await one.site.beat()
            #expect(try one.read { db in try Node.all(in: db) }.map(\.id) == [one.site.node.id])
        }
    }

    @Test func `a node isn't ready while it ends, and asks for no write to say so`() async throws {
        try await withPages { one, _ in
            let version = try one.read { db in try db.value("SELECT version FROM village_turn") as Int64? }
            let probe = try await one.browser().visit("/readyz")
            #expect(probe.status == 200 && probe.string.hasPrefix("ready\n"))
            #expect(try one.read { db in try db.value("SELECT version FROM village_turn") } == version)
            #expect(try one.count(of: "note WHERE name = 'ready'") == 0)
            one.site.drain()
            let last = try await one.browser().send("GET", "/readyz")
            #expect(last.status == 503 && last.string == "not ready: the site is about to end\n")
            #expect(one.log.failures.isEmpty)
            // Visitors who are here are served.
            #expect(try await one.browser().visit("/events").status == 200)
        }
    }
}
