import Synchronization
import Testing

@testable import App
@testable import Database

/// What a node says of itself by what it saw of its server.
@Suite struct ReadinessTests {
    private func judge(
        _ isCurrent: Bool = true, hasOwnClock: Bool = true, _ change: (inout Database.Standing) -> Void = { _ in }
    ) -> (refusal: String?, warning: String) {
        var standing = Database.Standing()
        change(&standing)
        return MachineController.judge(standing, isCurrent: isCurrent, hasOwnClock: hasOwnClock)
    }

    @Test func `a standby is called one, and a server that is away is away`() {
        let standby = judge(false) {
            $0.isStandby = true
            $0.trouble = .away("the server is a standby")
        }
        #expect(standby.refusal == "the database is a standby")
        #expect(judge(false).refusal == "the database is away")
        #expect(judge() == (nil, ""))
    }

    @Test func `clocks a second apart are told, five seconds apart refused, whichever is ahead`() {
        let words = "the clocks of this machine and the database are"
        for sign in [1, -1] {
            #expect(judge { $0.ahead = .milliseconds(999 * sign) } == (nil, ""))
            #expect(judge { $0.ahead = .milliseconds(1_000 * sign) } == (nil, "\(words) 1000 ms apart\n"))
            #expect(judge { $0.ahead = .milliseconds(4_999 * sign) }.refusal == nil)
            #expect(judge { $0.ahead = .milliseconds(5_000 * sign) } == ("\(words) 5000 ms apart", ""))
            // A clock that stands is no machine's.
            #expect(judge(hasOwnClock: false) { $0.ahead = .seconds(9 * sign) } == (nil, ""))
        }
    }

    /// A clock that a test moves.
    private final class Ticks: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock(\.self) }
        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    @Test func `a lead ends by itself where nobody renews it, and at once where its node ends`() {
        let ticks = Ticks()
        let lead = Lead(now: { ticks.now })
        #expect(lead.term == nil)
        lead.note(7, asked: ticks.now)
        ticks.advance(by: Node.lease - .milliseconds(1))
        #expect(lead.term == 7)
        ticks.advance(by: .milliseconds(1))
        #expect(lead.term == nil)
        lead.note(8, asked: ticks.now)
        #expect(lead.term == 8)
        lead.note(nil, asked: ticks.now)
        #expect(lead.term == nil)
    }
}
