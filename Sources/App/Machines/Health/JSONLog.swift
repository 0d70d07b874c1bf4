import FoundationEssentials
package import Logging
import Templating

/// A log with one JSON object per line, for log collectors (`VILLAGE_LOG_FORMAT=json`): `time`, `level`, `message`, and
/// the metadata.
package struct JSONLog: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Receives a line, including its line end.
    package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { write(line(event, at: .now)) }

    func line(_ event: LogEvent, at now: Instant) -> String {
        let said = (metadataProvider?.get() ?? [:]).merging(metadata) { $1 }.merging(event.metadata ?? [:]) { $1 }
        var members: [(name: String, value: JSON)] = [
            ("time", .string(Zone.utc.timestamp(now))), ("level", .string(event.level.rawValue)),
            ("message", .string("\(event.message)")),
        ]
        // Metadata can't override these three.
        let own = Set(members.map(\.name))
        members += said.filter { !own.contains($0.key) }.sorted { $0.key < $1.key }.map {
            ($0.key, .string("\($0.value)"))
        }
        return JSON.object(members).text + "\n"
    }
}
