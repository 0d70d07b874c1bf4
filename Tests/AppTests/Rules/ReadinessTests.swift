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
}
