import Forms

/// A browser in which a member is signed in.
struct Session: Sendable {
    let id: ID<Session>
    /// The browser's short name at sign-in.
    let device: String
    /// The abbreviated network address: `203.0.113.x`; empty if unknown.
    let network: String
    let createdAt: Instant
    let seenAt: Instant

    /// A session ends after this long without a visit.
    static let idle = Duration.days(14)
    /// A session ends after this long in any case.
    static let absolute = Duration.days(30)
    /// Both limits for staff.
    static let staff = Duration.hours(12)
    /// The minimum age of the last recorded visit before a new one is recorded.
    static let touch = Duration.minutes(10)

    /// Whether a session with these times is valid now.
    static func holds(createdAt: Instant, seenAt: Instant, isStaff: Bool, at now: Instant) -> Bool {
        now < end(createdAt: createdAt, seenAt: seenAt, isStaff: isStaff)
    }

    /// When a session with these times ends by itself.
    static func end(createdAt: Instant, seenAt: Instant, isStaff: Bool) -> Instant {
        min(createdAt + (isStaff ? staff : absolute), seenAt + (isStaff ? staff : idle))
    }

    /// The device's name in words.
    var deviceName: Words { Self.deviceName(device) }

    /// A browser's name in words.
    static func deviceName(_ device: String) -> Words {
        let parts = device.split(separator: " on ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return Words(verbatim: device) }
        let browser: Words = parts[0] == "A browser" ? "A browser" : Words(verbatim: parts[0])
        let system: Words = parts[1] == "an unknown device" ? "an unknown device" : Words(verbatim: parts[1])
        return "\(browser, as: "browser") on \(system, as: "system")"
    }

    /// A short name such as `Firefox on Android`, to tell one's own devices apart.
    static func device(userAgent: String) -> String {
        func first(_ table: [(String, String)], _ other: String) -> String {
            table.first { userAgent.contains($0.0) }?.1 ?? other
        }
        let browser = first(
            [("Edg", "Edge"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari")], "A browser")
        let system = first(
            [
                ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Mac OS", "Mac"),
                ("Windows", "Windows"), ("Linux", "Linux"),
            ], "an unknown device")
        return "\(browser) on \(system)"
    }
}
