/// A program that serves the site, one of several on the same server database.
struct Node: Sendable {
    let id: ID<Node>
    /// `VILLAGE_NODE`.
    let name: String
    let version: String
    /// By the database's clock, as all times here.
    var startedAt = Instant(milliseconds: 0)
    /// How long ago it was last seen.
    var seen = Duration.zero
    /// Its recent delay in learning of other nodes' writes.
    var lag = Duration.zero
    /// How far its clock is ahead of the database's.
    var ahead = Duration.zero
    /// Whether it does the scheduled work.
    var leads = false

    /// How often it reports that it is alive.
    static let beat = Duration.seconds(5)
    /// A node not seen for this long has a problem.
    static let quiet = Duration.seconds(20)
    /// A node not seen for this long is forgotten.
    static let silence = Duration.minutes(10)
    /// How long the lead lasts without renewal.
    static let lease = Duration.seconds(15)
    /// A clock difference that causes a warning, and one that makes the node unusable.
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
