/// A program that serves the site, as one of several on the same database of a server.
struct Node: Sendable {
    let id: ID<Node>
    /// `VILLAGE_NODE`.
    let name: String
    let version: String
    /// By the database's clock, as all times here.
    var startedAt = Instant(milliseconds: 0)
    /// How long ago it was seen.
    var seen = Duration.zero
    /// How late it may have heard of what others wrote, lately.
    var lag = Duration.zero
    /// How far its clock is ahead of the database's.
    var ahead = Duration.zero
    /// Whether it does what is due by the clock.
    var leads = false

    /// How often it says that it is there.
    static let beat = Duration.seconds(5)
    /// One that wasn't seen for so long is ill.
    static let quiet = Duration.seconds(20)
    /// One that wasn't seen for so long is forgotten.
    static let silence = Duration.minutes(10)
    /// How long the lead holds without being renewed.
    static let lease = Duration.seconds(15)
    /// A clock that is off by so much is warned of, and one by so much makes the node of no use.
    static let offWarned = Duration.seconds(1)
    static let offRefused = Duration.seconds(5)

    /// This program.
    init(named name: String, version: String) {
        self.init(id: ID(Int64.random(in: 1...1 << 53)), name: name, version: version)
    }

    init(id: ID<Node>, name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
    }
}
