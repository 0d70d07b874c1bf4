import Synchronization

extension RateRule {
    /// Failed log-ins from an address.
    static let failedLogIns = RateRule(name: "failed log-ins", count: 10, period: .minutes(3))
    /// Failed log-ins to an account: they slow its log-ins down, but never refuse the right password.
    static let failuresOfAccount = RateRule(name: "failures of an account", count: 25, period: .hours(1))
    /// Log-ins at the external issuer that are begun from an address.
    static let logInsElsewhere = RateRule(name: "log-ins elsewhere", count: 30, period: .minutes(10))
    /// Returns from one such log-in, for as long as the attempt is valid.
    static let waysBack = RateRule(name: "ways back", count: 1, period: OutsideAttempt.lifetime)
    /// Picture uploads by an account.
    static let uploads = RateRule(name: "uploads", count: 30, period: .minutes(30))
    /// Letters requested to an address.
    static let letters = RateRule(name: "letters", count: 5, period: .minutes(30))
    /// Letters to an address that somebody wants for their account.
    static let addresses = RateRule(name: "addresses", count: 5, period: .minutes(30))
    /// Like `letters`, but counted by the person asking.
    static let resets = RateRule(name: "resets", count: 10, period: .minutes(30))
    /// Log lines about requests refused before the site saw them, for each status.
    static let refusalsLogged = RateRule(name: "refusals logged", count: 60, period: .minutes(1))
    /// Posts by an account, and its comments on others' posts.
    static let posts = RateRule(name: "posts", count: 20, period: .hours(1))
    static let comments = RateRule(name: "comments", count: 60, period: .hours(1))
    /// Actions an account undoes: others are notified, and the result can be given away again at once.
    static let undos = RateRule(name: "undos", count: 10, period: .hours(1))
    /// Kind acts of an account.
    static let deeds = RateRule(name: "deeds", count: 60, period: .hours(1))
    /// Needs an account posts, and kind acts it proposes for everyone, which staff have to review.
    static let needs = RateRule(name: "needs", count: 20, period: .days(1))
    static let proposals = RateRule(name: "proposals", count: 5, period: .days(1))
    /// Messages by an account to its pets' matches, and choices about cards.
    static let messages = RateRule(name: "messages", count: 60, period: .hours(1))
    static let choices = RateRule(name: "choices", count: 300, period: .hours(1))
    /// Reports by an account, or by an address without one.
    static let reports = RateRule(name: "reports", count: 5, period: .hours(1))
    /// Wrong codes entered by an account to claim places from a desk.
    static let takeovers = RateRule(name: "claims", count: 20, period: .hours(1))
    static let signUps = RateRule(name: "sign-ups", count: 5, period: .minutes(30))
    /// Accounts created with one form, for as long as the form is valid.
    static let formsOfSignUp = RateRule(name: "forms of sign-up", count: 1, period: SignUpTime.most)
    static let pages = RateRule(name: "pages", count: 300, period: .minutes(1))
    static let pagesOfSession = RateRule(name: "pages of a session", count: 300, period: .minutes(1))
}

/// Counts events by rule and key, in bounded memory. Limits that apply across several nodes use `Site.take`.
///
/// Each count is one number of the generic cell rate algorithm, the time at which the bucket will be empty again (ITU-T
/// I.371). There are two generations of counts: when the young one is full, it becomes the old one and the previous old
/// one is dropped. So a flood of addresses costs no more than `capacity` entries of 16 bytes.
final class RateLimits: Sendable {
    private struct Counts {
        var young: [UInt64: Int64] = [:]
        var old: [UInt64: Int64] = [:]
    }

    private let isOn: Bool
    private let capacity: Int
    private let counts = Mutex(Counts())

    /// - Parameter capacity: Entries per generation; 390,000 fill two hash tables of 8 MiB.
    init(isOn: Bool = true, capacity: Int = 390_000) {
        self.isOn = isOn
        self.capacity = capacity
    }

    /// Counts one event.
    ///
    /// - Returns: `nil` if it is allowed, otherwise how long to wait; then nothing was counted.
    func take(_ rule: RateRule, by key: some Hashable, at now: Instant) -> Duration? {
        check(rule, by: key, at: now, counting: true)
    }

    /// Takes one count back.
    func giveBack(_ rule: RateRule, by key: some Hashable) {
        let slot = slot(rule, key)
        counts.withLock { counts in
            guard let empty = counts.young[slot] ?? counts.old[slot] else { return }
            counts.young[slot] = empty - rule.step
        }
    }

    /// Returns how long to wait, without counting; `nil` if another event is allowed.
    func wait(_ rule: RateRule, by key: some Hashable, at now: Instant) -> Duration? {
        check(rule, by: key, at: now, counting: false)
    }

    /// The current number of counts.
    var entries: Int { counts.withLock { $0.young.count + $0.old.count } }

    private func slot(_ rule: RateRule, _ key: some Hashable) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(rule.name.utf8Start)
        hasher.combine(key)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Implements `take` and `wait`.
    private func check(_ rule: RateRule, by key: some Hashable, at now: Instant, counting: Bool) -> Duration? {
        guard isOn else { return nil }
        let slot = slot(rule, key)
        let period = rule.period.wholeMilliseconds
        return counts.withLock { counts in
            let empty = max(counts.young[slot] ?? counts.old[slot] ?? 0, now.milliseconds)
            let next = empty + rule.step
            let excess = next - now.milliseconds - period
            guard excess <= 0 else { return .milliseconds(excess) }
            if counting {
                if counts.young.count >= capacity {
                    counts.old = counts.young
                    counts.young = [:]
                }
                counts.young[slot] = next
            }
            return nil
        }
    }
}
