import Dispatch
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Templating
import UnixSignals
import Wire

extension Site {
    /// The table of URLs, for the router, the 405 page and the tests.
    func routes() -> Routes {
        let router = Router(context: SiteContext.self, options: .autoGenerateHeadEndpoints)
        // The table stands before the gate does, so that the gate knows which methods a path has.
        var table = Routes(site: self, router: Router(context: SiteContext.self))
        table.addAll()
        router.add(middleware: Gate(site: self, routes: table.all))
        var routes = Routes(site: self, router: router)
        routes.addAll()
        return routes
    }

    /// Serves the site until the process is told to stop.
    ///
    /// - Parameter onStart: Called with the port once the site answers.
    package func serve(onStart: @escaping @Sendable (Int) async -> Void) async throws {
        if let clock = settings.clockWords { log.warning("\(clock), for tests and demos only (VILLAGE_CLOCK)") }
        settings.catalogues.report(to: log)
        // After a restart of the machine the disk may be slow: what pages need is soon in memory.
        DispatchQueue.global(qos: .utility).async { self.readAhead() }
        // The last of these is told first to end.
        let services: [any Service] = [application(onStart: onStart), Drain(site: self)]
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: hummingbirdLog))
        try await group.run()
    }

    func application(
        services: [any Service]? = nil, onStart: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let log = hummingbirdLog
        let responder = routes().router.buildResponder()
        return Application(
            responder: responder,
            server: .wire(wire()) { request, channel in
                try await responder.respond(
                    to: request, context: SiteContext(source: .init(channel: channel, logger: log)))
            },
            configuration: .init(address: .hostname(settings.host, port: settings.port)),
            services: services ?? self.services,
            onServerRunning: { channel in await onStart(channel.localAddress?.port ?? 0) }, logger: log)
    }

    /// What runs beside the pages.
    var services: [any Service] {
        [
            BackupSchedule(site: self), Housekeeping(site: self), FileWatch(site: self), Postman(site: self),
            Messenger(site: self), Announcer(site: self), ErrandService(site: self), Heartbeat(site: self),
        ]
    }

    /// Hummingbird's own lines are of use only when something is wrong.
    private var hummingbirdLog: Logger {
        var quiet = Logger(label: "hummingbird") { [log] _ in FailuresOnly(log: log) }
        quiet.logLevel = max(settings.logLevel, .error)
        return quiet
    }

    /// Files that connections leave for everything else: where the disk is slow, each database has 24 readers with two
    /// files each.
    private static let ownFiles = 256

    /// A line for a request that was refused before the site saw it, malformed or too slow; so many a minute, so that
    /// nobody fills the disk with them.
    private func logRefusal(_ status: HTTPResponse.Status) {
        guard logged.take(.refusalsLogged, by: status.code, at: now) == nil else { return }
        log.info("refused before it was read: \(status.code)")
    }

    private func wire() -> WireConfiguration {
        // The last files are the site's own, for its databases and the processes that decode pictures: one of those
        // that finds none is waited for in vain.
        let limit = min(settings.maxConnections, max(16, raiseFileLimit() - Self.ownFiles))
        listeners.limit(toMost: limit)
        let connections = Connections(limit: limit, trusted: settings.trustedProxies)
        return WireConfiguration(connections: connections) { [self] status in
            logRefusal(status)
            let (title, text) = Visit.words(for: status)
            var headers: HTTPFields = [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: Gate.policy,
            ]
            if settings.isHTTPS { headers[.strictTransportSecurity] = Gate.onlyHTTPS }
            let page = ErrorPage(status: status, title: title, text: text)
            return (headers, Templates.errors.refusal(error: page).bytes(in: Frame(bare: self)))
        }
    }
}

/// Hands on what Hummingbird says, without the id that it notes for every request: pages have an id of their own.
private struct FailuresOnly: LogHandler {
    let log: Logger
    var logLevel = Logger.Level.error
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { log.log(level: event.level, event.message, metadata: event.metadata) }
}
