import Database
import Foundation
import Synchronization
import Templating
import Testing
import WebPush

@testable import App

/// Notices that are pushed to browsers: to whom, what they say, and when they end.
@Suite struct PushTests {
    /// Switches push on in a browser, as its script does.
    private func switchOn(
        _ browser: Browser, _ device: PushService.Browser, at endpoint: String? = nil
    ) async throws -> Page {
        let token = try #require(try await browser.visit("/me/notices").value(of: "csrf"))
        return try await browser.post(
            "/me/notices/browser",
            [
                ("csrf", token), ("endpoint", endpoint ?? device.endpoint), ("key", device.key),
                ("secret", device.secret),
            ])
    }

    private func send(_ site: TestSite) async {
        await Messenger(site: site.site).sendAll(by: PushClient(reach: .loopback))
    }

    /// Ana, with Mo at an event of Ben's, and push on.
    private func registered(
        _ site: TestSite, at service: PushService
    ) async throws -> (ana: Browser, event: ID<Event>) {
        let event = try await site.publish(by: .ben)
        let mo = try await site.child("Mo", of: .ana)
        let ana = try await site.signIn(.ana, as: .parent)
        let on = try await switchOn(ana, service.browsers[0])
        #expect(on.flash == "Push messages come to this browser from now on.")
        #expect(on.text.contains("Firefox on Linux This device"))
        _ = try await ana.visit("/events/\(event)").press("Register", filling: ["child": ["\(mo)"]])
        return (ana, event)
    }

    private func change(_ event: ID<Event>, in site: TestSite) async throws {
        let now = site.clock.now
        try await site.write(at: now) { tx in try Notice.tellFamilies([.init(kind: .announced, event: event)], in: tx) }
    }

    @Test func `what is told comes to the browser at once, says its kind and no more, and opens its notice`()
        async throws
    {
        let service = try PushService()
        try await withTestSite(pushReach: .loopback) { site in
            let (ana, event) = try await registered(site, at: service)
            await send(site)
            // That somebody registered they know.
            #expect(try service.pushes.isEmpty)
            try await change(event, in: site)
            await send(site)
            await send(site)
            let push = try #require(try service.pushes.first)
            #expect(try service.pushes.count == 1 && site.count(of: "push") == 0)
            #expect(push.text.title == "Messages to all who come or help")
            #expect(push.text.body == "There is something new in your inbox.")
            #expect(push.text.unread == 2 && push.text.lang == "en" && push.text.tag == push.topic)
            #expect(push.urgency == "normal" && push.lifetime == 86_400)
            let key = try await site.site.pushKey()
            #expect(push.signer == key && push.contact == "mailto:village@localhost")
            #expect(push.expires == site.clock.now.milliseconds / 1_000 + 12 * 3_600)
            let there = try await ana.visit(try #require(push.text.path))
            #expect(there.path == "/events/\(event)/announcements")
            // What was read before it went is not pushed.
            try await change(event, in: site)
            _ = try await ana.visit("/inbox").press("Mark all as read")
            await send(site)
            #expect(try service.pushes.count == 1 && site.count(of: "push") == 0)
        }
    }

    @Test func `each kind is chosen, and what was switched off isn't pushed`() async throws {
        let service = try PushService()
        try await withTestSite(pushReach: .loopback) { site in
            let (ana, event) = try await registered(site, at: service)
            let form = try await ana.visit("/me/notices")
            _ = try await form.press(
                "Save", filling: ["on": ["registered.push", "changed.push"], "act_reminder": ""])
            #expect(
                try site.count(of: "notice_choice WHERE channel = 'push' AND kind = 'announced' AND NOT is_on") == 1)
            #expect(try site.count(of: "notice_choice WHERE channel = 'push' AND kind = 'registered' AND is_on") == 1)
            try await change(event, in: site)
            let (ana2, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.write(at: now) { tx in
                try Notice.tell(.init(kind: .changed, event: event), "account.id = \(ana2)", in: tx)
            }
            await send(site)
            let titles = try service.pushes.map(\.text.title)
            #expect(titles == ["Changes of events you are registered for"])
            let off = try await ana.visit("/me/notices").press("Switch off: Firefox on Linux")
            #expect(off.flash == "Push messages don’t come there anymore.")
            #expect(try site.count(of: "push_subscription") == 0)
        }
    }

    @Test func `what a service answers is kept to`() async throws {
        let service = try PushService()
        try await withTestSite(pushReach: .loopback) { site in
            let (_, event) = try await registered(site, at: service)
            func tries() throws -> [Int] { try service.pushes.map(\.status) }
            // Too many: not before it says.
            try service.set("429 600")
            try await change(event, in: site)
            await send(site)
            site.clock.advance(by: .seconds(599))
            await send(site)
            #expect(try tries() == [429])
            try service.set("503")
            site.clock.advance(by: .seconds(1))
            await send(site)
            site.clock.advance(by: .seconds(119))
            await send(site)
            #expect(try tries() == [429, 503])
            try service.set("201")
            site.clock.advance(by: .seconds(1))
            await send(site)
            #expect(try tries() == [429, 503, 201])
            // One that is refused ends alone.
            try service.set("413")
            try await change(event, in: site)
            await send(site)
            #expect(try site.count(of: "push") == 0 && site.count(of: "push_subscription") == 1)
            // What waits for longer than a day ends.
            try service.set("500")
            try await change(event, in: site)
            await send(site)
            site.clock.advance(by: .hours(24))
            await send(site)
            #expect(try tries() == [429, 503, 201, 413, 500] && site.count(of: "push") == 0)
            try service.set("410")
            try await change(event, in: site)
            await send(site)
            #expect(try site.count(of: "push_subscription") == 0 && site.count(of: "push") == 0)
        }
    }

    @Test func `a longer wait of the same browser stays, and a service that is silent isn’t asked at once again`()
        async throws
    {
        let (one, other) = (try PushService(), try PushService())
        try await withTestSite(pushReach: .loopback) { site in
            let (_, event) = try await registered(site, at: one)
            let browser = try await site.signIn(.ana)
            _ = try await switchOn(browser, other.browsers[0])
            let messenger = Messenger(site: site.site)
            let client = PushClient(reach: .loopback, patience: .seconds(1))
            try one.set("0")
            for round in 1...2 {
                try await change(event, in: site)
                await messenger.sendAll(by: client)
                #expect(try one.pushes.count == 1 && other.pushes.count == round)
            }
            site.clock.advance(by: Push.patience)
            try one.set("201")
            await messenger.sendAll(by: client)
            #expect(try one.pushes.count == 3 && site.count(of: "push") == 0)
            // Of two of one browser the longer wait counts for both.
            for _ in 1...2 { try await change(event, in: site) }
            let now = site.clock.now
            let pushes = try await site.write(at: now) { tx in try Push.sendable(Push.claim(in: tx), in: tx) }
            let mine = try #require(pushes.first)
            let hers = try #require(pushes.last { $0.device == mine.device && $0.id != mine.id })
            try await site.write { db in
                try Push.put(off: mine, until: now + .hours(1), in: db)
                try Push.put(off: hers, until: now + .minutes(2), in: db)
            }
            #expect(try site.count(of: "push WHERE due_at = \(now + .hours(1))") == 2)
        }
    }

    @Test func `what can’t be written ends alone`() async throws {
        let service = try PushService()
        let long = Catalogue(
            parsing: """
                msgid ""
                msgstr "Language: pl\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

                msgid "Messages to all who come or help"
                msgstr "\(String(repeating: "x", count: 4_000))"
                """)
        try await withTestSite(catalogues: [long], pushReach: .loopback) { site in
            let (_, event) = try await registered(site, at: service)
            try await change(event, in: site)
            let (ana, now) = (try await site.account(of: .ana), site.clock.now)
            try await site.execute("UPDATE account SET language = 'pl'")
            try await site.write(at: now) { tx in
                try Notice.tell(.init(kind: .changed, event: event), "account.id = \(ana)", in: tx)
            }
            await send(site)
            #expect(try service.pushes.count == 1 && site.count(of: "push") == 0)
            #expect(site.log.lines.contains { $0.contains("a push can’t be written") })
        }
    }

    @Test func `a browser that renews its address says which one it had, and what waits comes to the new one`()
        async throws
    {
        let service = try PushService(browsers: 3)
        try await withTestSite(pushReach: .loopback) { site in
            let (ana, event) = try await registered(site, at: service)
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await switchOn(ben, service.browsers[2])
            try await change(event, in: site)
            let old = service.browsers[0].endpoint
            func renew(
                _ browser: Browser, from old: String, to device: PushService.Browser, _ headers: [String: String] = [:]
            ) async throws -> Int {
                try await browser.submit(
                    "/me/notices/browser/renewed",
                    [
                        ("replaces", old), ("endpoint", device.endpoint), ("key", device.key),
                        ("secret", device.secret),
                    ], headers
                ).status
            }
            let new = service.browsers[1]
            // Neither from another site, nor where the browser doesn't say that it comes from this one.
            #expect(try await renew(ana, from: old, to: new, ["Sec-Fetch-Site": "cross-site"]) == 403)
            #expect(try await renew(ana, from: old, to: new, ["Origin": ""]) == 403)
            // Nobody renews what isn't of their own session, or is no address of a push service.
            #expect(try await renew(ben, from: old, to: new) == 404)
            #expect(try await renew(try await site.signIn(.ana), from: old, to: new) == 404)
            #expect(try await renew(ana, from: service.browsers[2].endpoint, to: new) == 404)
            #expect(try await renew(site.browser(), from: old, to: new) != 204)
            let nowhere = PushService.Browser(endpoint: "http://push.example/a", key: new.key, secret: new.secret)
            #expect(try await renew(ana, from: old, to: nowhere) == 404)
            #expect(try site.count(of: "push_subscription WHERE endpoint = \(old)") == 1)
            #expect(try await renew(ana, from: old, to: new, ["Sec-Fetch-Site": "same-origin"]) == 204)
            #expect(try await renew(ana, from: old, to: new) == 404)
            #expect(try site.count(of: "push_subscription") == 2)
            await send(site)
            #expect(try service.pushes.map(\.browser) == [1])
        }
    }

    @Test func `pushes end where somebody logs out, and with the account; none goes to a suspended member`()
        async throws
    {
        let service = try PushService(browsers: 12)
        try await withTestSite(pushReach: .loopback) { site in
            let (ana, event) = try await registered(site, at: service)
            let other = try await site.signIn(.ana)
            _ = try await switchOn(other, service.browsers[1])
            _ = try await ana.visit("/me/settings").press("Log out")
            #expect(
                try site.count(of: "push_subscription") == 1
                    && site.count(of: "push_subscription WHERE endpoint = \(service.browsers[1].endpoint)") == 1)
            let account = try await site.account(of: .ana)
            let now = site.clock.now
            try await change(event, in: site)
            try await site.execute("UPDATE account SET suspended_at = \(now) WHERE id = \(account)")
            await send(site)
            try await change(event, in: site)
            #expect(try service.pushes.isEmpty && site.count(of: "push") == 0)
            try await site.execute("UPDATE account SET suspended_at = NULL WHERE id = \(account)")
            // The browser is that of the account that uses it now.
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await switchOn(ben, service.browsers[1])
            #expect(try site.count(of: "push_subscription WHERE account_id = \(account)") == 0)
            // The eleventh takes the first one's place.
            for device in service.browsers[2...] + service.browsers[..<1] {
                _ = try await switchOn(try await site.signIn(.ben, as: .provider), device)
            }
            #expect(try site.count(of: "push_subscription") == 10)
            #expect(try site.count(of: "push_subscription WHERE endpoint = \(service.browsers[1].endpoint)") == 0)
            _ = try await site.signIn(.ben, as: .provider).visit("/me/delete").press(
                "Delete my account", filling: ["current_password": .text(Person.password)])
            #expect(try site.count(of: "push_subscription") == 0)
        }
    }

    @Test func `what is pushed to a browser ends with the log-in there, however that one ends`() async throws {
        let service = try PushService()
        try await withTestSite(pushReach: .loopback) { site in
            let cookie = Cookie.name(Session.cookieName, in: site.site.settings)
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await switchOn(ana, service.browsers[0])
            let first = ana.cookie(cookie)
            // The log-in ran out, and the same browser logs in again.
            func logIn(_ person: Person, in browser: Browser) async throws {
                _ = try await browser.visit("/login").press(
                    "Log in", filling: ["login": .text(person.email), "password": .text(Person.password)])
            }
            site.clock.advance(by: Session.idle)
            #expect(try await ana.visit("/me/notices").path.hasPrefix("/login"))
            try await logIn(.ana, in: ana)
            #expect(ana.cookie(cookie) != first)
            #expect(try await ana.visit("/me/notices").text.contains("This device"))
            #expect(try site.count(of: "push_subscription") == 1 && site.count(of: "session") == 1)
            _ = try await ana.visit("/me/settings").press("Log out")
            #expect(try site.count(of: "push_subscription") == 0)
            // Of another member's log-in in that browser nothing is left.
            try await logIn(.ana, in: ana)
            _ = try await switchOn(ana, service.browsers[0])
            site.clock.advance(by: Session.idle)
            try await site.account(of: .ben)
            try await logIn(.ben, in: ana)
            #expect(try site.count(of: "push_subscription") == 0 && site.count(of: "session") == 1)
            // It is erased with the session.
            _ = try await switchOn(ana, service.browsers[0])
            let late = site.clock.now + Session.idle + .minutes(1)
            try await site.write(at: late) { tx in _ = try Session.eraseOld(in: tx) }
            #expect(try site.count(of: "push_subscription") == 0)
        }
    }

    @Test func `an address inside the network is no browser’s`() async throws {
        let service = try PushService(browsers: 1)
        let device = service.browsers[0]
        try await withTestSite { site in
            let ana = try await site.signIn(.ana, as: .parent)
            let inside = [device.endpoint, "https://10.0.0.1/a", "https://localhost/a", "http://push.example/a", ""]
            for endpoint in inside {
                let page = try await switchOn(ana, device, at: endpoint)
                #expect(page.flash == "This browser gave an address that we can’t send push messages to.")
            }
            #expect(try site.count(of: "push_subscription") == 0)
        }
    }

    @Test func `two machines never send the same`() async throws {
        let service = try PushService()
        try await withTestSite(pushReach: .loopback) { site in
            let (_, event) = try await registered(site, at: service)
            for _ in 0..<3 { try await change(event, in: site) }
            async let one: Void = send(site)
            async let other: Void = send(site)
            _ = await (one, other)
            #expect(try service.pushes.count == 3 && site.count(of: "push") == 0)
            // One that died with them sends nothing; another takes over.
            try await change(event, in: site)
            #expect(try await site.write(at: site.clock.now) { tx in try Push.claim(in: tx) }.count == 1)
            await send(site)
            #expect(try service.pushes.count == 3)
            site.clock.advance(by: Push.patience)
            await send(site)
            #expect(try service.pushes.count == 4)
        }
    }

    @Test func `the day’s kind act comes at the hour of one’s choice, once a day, until it is done`() async throws {
        let service = try PushService()
        try await withTestSite(pushReach: .loopback) { site in
            let ana = try await site.signIn(.ana, as: .parent)
            _ = try await switchOn(ana, service.browsers[0])
            let account = try await site.account(of: .ana)
            let zone = site.site.settings.zone
            let saved = try await ana.visit("/me/notices").press("Save", filling: ["act_reminder": "18:00"])
            #expect(saved.flash == "Saved." && saved.value(of: "act_reminder") == "18:00")
            func remind() async throws {
                try await site.write(at: site.clock.now) { tx in _ = try ActReminder.send(in: zone, tx: tx) }
                await send(site)
            }
            let today = zone.day(of: site.clock.now)
            func wait(until hour: Int, _ minute: Int, on day: Day) {
                let time = zone.instant(day, TimeOfDay(hour: hour, minute: minute)!)
                site.clock.advance(by: time - site.clock.now)
            }
            wait(until: 17, 59, on: today)
            try await remind()
            #expect(try service.pushes.isEmpty)
            wait(until: 18, 0, on: today)
            try await remind()
            try await remind()
            #expect(try service.pushes.map(\.text.title) == ["A reminder of the day’s kind act"])
            #expect(try service.pushes.first?.urgency == "normal")
            let act = KindAct.ofDay(today)
            #expect(try await ana.visit("/inbox").text.contains("Today’s kind act: \(act.name.plain)"))
            // The next day's takes the place of what wasn't read.
            let tomorrow = today.advanced(by: 1)
            wait(until: 18, 0, on: tomorrow)
            try await remind()
            #expect(try service.pushes.count == 2 && site.count(of: "notice WHERE kind = 'dayAct'") == 1)
            #expect(try await ana.visit(try #require(try service.pushes.last?.text.path)).status == 200)
            // Somebody who did one today needs no reminder.
            let next = today.advanced(by: 2)
            wait(until: 18, 0, on: next)
            try await site.write(at: site.clock.now) { tx in
                try Deed.record(Deed.Entry(act: KindAct.ofDay(next), day: next, once: "1"), by: account, in: tx)
            }
            try await remind()
            #expect(try service.pushes.count == 2)
            _ = try await ana.visit("/me/notices").press("Save", filling: ["act_reminder": ""])
            #expect(try site.count(of: "act_reminder") == 0)
        }
    }

    @Test func `the hour stays what it is where its member, or the town, goes by another zone`() async throws {
        try await withTestSite { site in
            let (ana, ben) = (try await site.signIn(.ana, as: .parent), try await site.signIn(.ben, as: .parent))
            for browser in [ana, ben] {
                _ = try await browser.visit("/me/notices").press("Save", filling: ["act_reminder": "18:00"])
            }
            let accounts = [try await site.account(of: .ana), try await site.account(of: .ben)]
            func zones() throws -> [String] {
                try accounts.map { account in
                    let due: Instant? = try site.read { db in
                        try db.value("SELECT due_at FROM act_reminder WHERE account_id = \(account)")
                    }
                    let names = ["America/Los_Angeles", "Asia/Tokyo", "Europe/Berlin"]
                    return names.first { name in
                        due.map { Zone(identifier: name)!.local($0).time == TimeOfDay(hour: 18, minute: 0) } ?? false
                    } ?? "none"
                }
            }
            #expect(try zones() == ["America/Los_Angeles", "America/Los_Angeles"])
            _ = try await ana.visit("/me/settings").press("Save", filling: ["time_zone": "Asia/Tokyo"])
            #expect(try zones() == ["Asia/Tokyo", "America/Los_Angeles"])
            try await site.site.changeTown(by: accounts[0], at: site.clock.now) {
                $0.zone = Zone(identifier: "Europe/Berlin")
            }
            #expect(try zones() == ["Asia/Tokyo", "Europe/Berlin"])
        }
    }

    /// Whether all of it has been sent.
    private final class Sending: Sendable {
        private let over = Mutex(false)
        var isOver: Bool { over.withLock { $0 } }

        func measure(_ send: () async -> Void) async -> Duration {
            let began = ContinuousClock.now
            await send()
            over.withLock { $0 = true }
            return began.duration(to: .now)
        }
    }

    /// How long each of some pages takes until it is there, drawn anew for somebody who is signed in.
    private func pageTimes(_ browser: Browser, while goesOn: (Int) -> Bool) async throws -> [Duration] {
        let clock = ContinuousClock()
        var times: [Duration] = []
        while goesOn(times.count) {
            times.append(try await clock.measure { _ = try await browser.visit("/events") })
        }
        return times.sorted()
    }

    /// How long a thousand take, and what pages take meanwhile; the figures are said, and nothing depends on them.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["VILLAGE_MEASURE_PUSH"] != nil))
    func `a thousand notices to a thousand browsers`() async throws {
        let service = try PushService(browsers: 1_000)
        try await withTestSite(pushReach: .loopback) { site in
            let now = site.clock.now
            try await site.write(at: now) { tx in
                for (number, device) in service.browsers.enumerated() {
                    let account = try tx.insert(
                        """
                        INSERT INTO account (email, username, password, created_at, updated_at)
                        VALUES (\("p\(number)@example.org"), \("push-\(number)"), 'x', \(tx.now), \(tx.now))
                        """)
                    let token = Token()
                    try Session.start(token, for: ID(account), device: "Firefox on Linux", in: tx)
                    let session: ID<Session>? = try tx.value("SELECT max(id) FROM session")
                    try PushDevice.add(
                        endpoint: device.endpoint, publicKey: device.key, secret: device.secret,
                        in: try #require(session), of: ID(account), in: tx)
                }
                try Notice.tell(.init(kind: .dayAct), "account.username LIKE 'push-%'", in: tx)
            }
            #expect(try site.count(of: "push") == 1_000)
            let browser = try await site.signIn(.ana, as: .parent)
            let alone = try await pageTimes(browser) { $0 < 200 }
            let sending = Sending()
            async let time = sending.measure { await send(site) }
            let beside = try await pageTimes(browser) { _ in !sending.isOver }
            #expect(try service.pushes.count == 1_000)
            print(
                "1,000 pushes took \(await time); the middle page \(alone[alone.count / 2]) alone,",
                "\(beside.isEmpty ? .zero : beside[beside.count / 2]) beside them (\(beside.count) pages)")
        }
    }
}
