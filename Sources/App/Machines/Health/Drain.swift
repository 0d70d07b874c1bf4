import ServiceLifecycle

/// Says on `/readyz` for a while that the site is about to end, before it takes no more connections: what brings
/// visitors to several nodes goes past this one by then.
struct Drain: Service {
    let site: Site

    func run() async throws {
        try await gracefulShutdown()
        site.drain()
        try? await Task.sleep(for: .seconds(site.settings.drainSeconds))
    }
}
