import Dispatch
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import Templating
import UnixSignals
import Wire

extension Site {
    /// The table of URLs, for the router, the 405 page and the tests.
    func routes() -> Routes {
        var routes = Routes(site: self)
        routes.addAll()
        return routes
    }

    /// Serves the site until the process is told to stop.
    ///
    /// - Parameter onStart: Called with the port once the site accepts requests.
    package func serve(onStart: @escaping @Sendable (Int) async -> Void) async throws {
        if let clock = settings.clockWords { log.warning("\(clock), for tests and demos only (VILLAGE_CLOCK)") }
        settings.catalogues.report(to: log)
        // After a reboot the disk cache is empty, so read the data that pages need into memory.
        DispatchQueue.global(qos: .utility).async { self.readAhead() }
        // The last service is the first to be told to end.
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
        let routes = routes()
        let (responder, gate) = (routes.router().buildResponder(), Gate(site: self, routes: routes.all))
        let server = HTTPServerBuilder.wire(wire()) { request, channel in
            gate.cachedPage(for: request, over: channel)
        } responder: { request, channel in
            try await responder.respond(
                to: request, context: SiteContext(source: .init(channel: channel, logger: log)))
        }
        return Application(
            responder: responder, server: server,
            configuration: .init(address: .hostname(settings.host, port: settings.port)),
            services: services ?? self.services,
            onServerRunning: { channel in await onStart(channel.localAddress?.port ?? 0) }, logger: log)
    }

    /// The services that run in addition to serving pages.
    var services: [any Service] {
        [
            BackupSchedule(site: self), Housekeeping(site: self), FileWatch(site: self), Postman(site: self),
            Messenger(site: self), Announcer(site: self), ErrandService(site: self), Heartbeat(site: self),
        ]
    }

    /// Hummingbird's own log lines are only useful if something is wrong.
    private var hummingbirdLog: Logger {
        var quiet = Logger(label: "hummingbird") { [log] _ in FailuresOnly(log: log) }
        quiet.logLevel = max(settings.logLevel, .error)
        return quiet
    }

    /// File descriptors reserved for everything but connections: if the disk is slow, each database has 24 readers with
    /// two files each.
    private static let ownFiles = 256

    /// Logs a request that was refused before the site saw it, because it was malformed or too slow. Limited per
    /// minute, so that nobody can fill the disk.
    private func logRefusal(_ status: HTTPResponse.Status) {
        guard logged.take(.refusalsLogged, by: status.code, at: now) == nil else { return }
        log.info("refused before it was read: \(status.code)")
    }

    private func wire() -> WireConfiguration {
        // The reserved files are for databases and the processes that decode pictures; without one, such a process
        // would be waited for in vain.
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

/// Passes Hummingbird's log lines on, without the ID it adds to every request: pages have an ID of their own.
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
