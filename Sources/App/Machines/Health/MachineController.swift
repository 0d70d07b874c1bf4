import Database
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Templating

/// Addresses for machines: `/healthz`, `/readyz`, `/metrics`, `/robots.txt`, `/.well-known/security.txt`, `/worker.js`,
/// `/favicon.ico`.
struct MachineController {
    let site: Site

    /// Liveness: the process answers.
    func health(_ context: PublicContext) -> Response { text("ok\n") }

    /// Readiness: the database is writable, its files exist and the disk has room. Also reports the age of the last
    /// backup, and a fixed clock.
    ///
    /// For a server's database it reports the state seen a moment ago, because load balancers ask every node each
    /// second.
    func ready(_ context: PublicContext) async throws -> Response {
        let now = context.now
        if site.isDraining { return unready("the site is about to end") }
        if site.database.isShared { return readyOnServer(at: now) }
        await site.lookAtFiles()
        if let file = site.lostFile {
            return unready("\(file) was deleted, replaced or emptied while the site ran")
        }
        do {
            try await site.writeQuietly { db in try Note.set("ready", String(now.milliseconds), in: db) }
            guard site.hasRoomOnDisk else { return unready("the disk is nearly full") }
            return ready(lastBackup: site.backups.age(at: now))
        } catch {
            site.report("not ready", error)
            return unready("the database can't be written")
        }
    }

    private func readyOnServer(at now: Instant) -> Response {
        // As last seen, because nothing here may wait for a silent server.
        guard let standing = site.database.standing else { return unready("the database is away") }
        let seen = Self.judge(
            standing, isCurrent: site.database.isCurrent, hasOwnClock: site.settings.clock == nil)
        if let refusal = seen.refusal { return unready(refusal) }
        do {
            let runs = try site.read { db in try JobRun.all(in: db) }
            return ready(lastBackup: site.backupAge(runs, at: now), seen.warning)
        } catch {
            site.report("not ready", error)
            return unready("the database can't be read")
        }
    }

    /// Why a node isn't ready, judging by its database's last known state; nil if it is ready, with further facts.
    ///
    /// - Parameters:
    ///   - isCurrent: Whether that state is recent and the database was available.
    ///   - hasOwnClock: Whether the machine's own clock is in use.
    static func judge(
        _ standing: Database.Standing, isCurrent: Bool, hasOwnClock: Bool
    ) -> (refusal: String?, warning: String) {
        if standing.isStandby { return ("the database is a standby", "") }
        guard isCurrent else { return ("the database is away", "") }
        let off = max(standing.ahead, .zero - standing.ahead)
        guard hasOwnClock, off >= Node.offWarned else { return (nil, "") }
        let words = "the clocks of this machine and the database are \(off.wholeMilliseconds) ms apart"
        return off >= Node.offRefused ? (words, "") : (nil, words + "\n")
    }

    private func ready(lastBackup age: Duration?, _ warning: String = "") -> Response {
        let age = age.map { "\($0.components.seconds) s ago" } ?? "none"
        let clock = site.settings.clockWords.map { "\($0)\n" } ?? ""
        return text("ready\nlast backup: \(age)\n\(clock)\(warning)")
    }

    private func unready(_ why: String) -> Response { text("not ready: \(why)\n", status: .serviceUnavailable) }

    /// Metrics for Prometheus: for programs on this machine, or with the token from elsewhere.
    func metrics(_ context: PublicContext) async throws -> Response {
        guard context.visit.isOfThisMachine || context.visit.says(site.settings.metricsToken) else {
            throw Refusal.notFound
        }
        let letters = try await site.readSlowly { db in try Operations.Letters(in: db) }
        var response = text(Metrics(of: site, letters: letters, at: context.now).text)
        response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return response
    }

    func robots(_ context: PublicContext) -> Response {
        if site.opening.isClosed { return text("User-agent: *\nDisallow: /\n") }
        let closed = [
            "/admin", "/me", "/api/me", "/login", "/signup", "/reset", "/setup", "/invitations", "/welcome", "/week",
            "/calendar", "/registrations", "/events/*/registrations",
        ]
        let lines = ["User-agent: *"] + closed.map { "Disallow: \($0)" }
        return text((lines + ["", "Sitemap: \(site.settings.publicURL)/sitemap.xml", ""]).joined(separator: "\n"))
    }

    /// The contact for reporting vulnerabilities (RFC 9116).
    func security(_ context: PublicContext) throws -> Response {
        guard let contact = site.settings.securityContact else { throw Refusal.notFound }
        let expires = Zone.utc.instant(context.townDay.advanced(by: 180), .midnight)
        return text(
            """
            Contact: \(contact)
            Expires: \(Zone.utc.timestamp(expires))
            Preferred-Languages: en
            Canonical: \(site.settings.publicURL)/.well-known/security.txt

            """)
    }

    /// The service worker, which keeps pages for offline use. Its address stays the same; its content changes with each
    /// release.
    func worker(_ context: PublicContext) -> Response {
        let script = site.assets.file("js/worker.js").map { String(decoding: $0.plain, as: UTF8.self) } ?? ""
        var response = text("const release = \"\(site.assets.digest)\"\n\(script)")
        response.headers[.contentType] = "text/javascript; charset=utf-8"
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    func favicon(_ context: PublicContext) -> Response {
        context.redirect(to: site.assets.link("images/favicon.svg"))
    }

    private func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

extension Visit {
    /// Whether the client is a program on this machine, and not a proxy for somebody else.
    fileprivate var isOfThisMachine: Bool {
        address.isLoopback && request.headers[.forwardedFor] == nil && isLoopback(request.head.authority ?? "")
    }

    /// Whether the request contains the token. Hashes are compared, so that timing reveals nothing.
    fileprivate func says(_ token: String?) -> Bool {
        guard let token, let said = request.headers[.authorization], said.hasPrefix("Bearer ") else { return false }
        return Token.fingerprint(of: [String(said.dropFirst("Bearer ".count))]) == Token.fingerprint(of: [token])
    }
}
