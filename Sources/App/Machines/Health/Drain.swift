import ServiceLifecycle

/// Reports on `/readyz` for a while that the site is about to end, before it stops accepting connections, so that a
/// load balancer can send visitors to other nodes.
struct Drain: Service {
    let site: Site

    func run() async throws {
        try await gracefulShutdown()
        site.drain()
        try? await Task.sleep(for: .seconds(site.settings.drainSeconds))
    }
}
