package import Logging
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A log with one line of text per event, written as swift-log's `StreamLogHandler` does. Every request is a line, so
/// it asks the system for its time zone once a second, and not for every line.
package struct TextLog: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Receives a line, including its line end.
    package init(label: String, write: @escaping @Sendable (String) -> Void = TextLog.writeToStandardError) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { write(line(event, at: .now)) }

    func line(_ event: LogEvent, at now: Instant) -> String {
        var line = Self.stamp(at: time_t(now.milliseconds / 1_000))
        line += " "
        line += event.level.rawValue
        line += " "
        line += label
        line += ":"
        var facts = event.metadata ?? [:]
        if let provided = metadataProvider?.get() { facts.merge(provided) { own, _ in own } }
        if !metadata.isEmpty { facts.merge(metadata) { own, _ in own } }
        for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
            line += " "
            line += name
            line += "="
            if case .string(let text) = value { line += text } else { line += "\(value)" }
        }
        line += " ["
        line += event.source
        line += "] "
        line += "\(event.message)"
        line += "\n"
        return line
    }

    // MARK: The time

    private static let lastStamp = Mutex((second: time_t(-1), text: ""))

    /// The system's local time, made once a second: `2026-11-30T04:05:06-0800`.
    ///
    /// - Parameter second: Seconds since 1970.
    static func stamp(at second: time_t) -> String {
        lastStamp.withLock { last in
            if last.second != second { last = (second, text(of: second)) }
            return last.text
        }
    }

    private static func text(of second: time_t) -> String {
        var second = second
        var parts = tm()
        // An operator may set the system's time zone while the site runs.
        tzset()
        localtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            let count = strftime(buffer.baseAddress!, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
    }

    // MARK: The stream

    /// Writes a text at once and in one piece, so that lines of several threads don't mix, and none is lost if the
    /// program is killed.
    package static func writeToStandardError(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                #if canImport(Glibc)
                    let count = Glibc.write(STDERR_FILENO, rest.baseAddress!, rest.count)
                #else
                    let count = Darwin.write(STDERR_FILENO, rest.baseAddress!, rest.count)
                #endif
                if count < 0, errno == EINTR { continue }
                // A log that takes no more can't be told so.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
