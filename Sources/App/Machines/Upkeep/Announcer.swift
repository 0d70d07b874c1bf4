import ServiceLifecycle

/// Checks ten times a second whether anything was written for listening pages, and wakes them.
struct Announcer: Service {
    let site: Site

    func run() async throws {
        var look = Look()
        var silent = Duration.zero
        let step = Duration.milliseconds(100)
        while true {
            // Sleeping fails when the site stops.
            guard (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: step) }) != nil else { return }
            do {
                try look.again(at: site)
            } catch {
                site.report("nobody could be told of news on open pages, it is tried again", error)
            }
            silent += step
            if silent >= Listeners.silence {
                silent = .zero
                site.listeners.call(for: .silence)
            }
        }
    }

    /// The state at the last check.
    struct Look {
        private var version: Int?
        private var marks: News.Marks?

        /// Wakes the listeners for whom there is something new.
        mutating func again(at site: Site) throws {
            guard !site.listeners.isEmpty else {
                marks = nil
                return
            }
            // Read before the rows, so that later writes are noticed next time.
            let now = site.dataVersion
            guard version != now || marks == nil, !site.isLost else { return }
            let earlier = marks
            let (next, told) = try site.read { db in (try News.Marks(in: db), try earlier?.told(in: db)) }
            version = now
            marks = next
            if earlier == nil || earlier?.post != next.post {
                site.listeners.call()
            } else if let told, !told.isEmpty {
                site.listeners.call(told)
            }
        }
    }
}
