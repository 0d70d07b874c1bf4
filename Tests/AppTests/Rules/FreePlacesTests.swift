import Testing

@testable import App

/// Which parties in a line can do something with an event's free places.
@Suite struct FreePlacesTests {
    private func use(
        _ size: Int, room: Int, of spots: Int? = 12, held: Int = 0, canBeKept: Bool = true, takesFewer: Bool = false,
        kept: Int = 0, wasPassedOver: Bool = false, needsHelp: Bool = false
    ) -> FreePlaces.Use {
        FreePlaces(spots: spots, room: room, held: held, canBeKept: canBeKept).use(
            by: FreePlaces.Party(
                size: size, takesFewer: takesFewer, kept: kept, wasPassedOver: wasPassedOver, needsHelp: needsHelp))
    }

    @Test func `a party has as many places as it needs, all at once, or fewer if it takes fewer`() {
        #expect(use(2, room: 2) == .offered(2) && use(2, room: 5) == .offered(2))
        #expect(use(3, room: 2) == .tooFew && use(3, room: 2, takesFewer: true) == .offered(2))
        #expect(use(3, room: 0) == .useless && use(3, room: 0, takesFewer: true) == .useless)
        #expect(use(0, room: 2) == .useless)
        #expect(use(20, room: 10_000, of: nil) == .offered(20))
    }

    @Test func `what is kept for it, and held for families that need help with the fee, counts with the others`() {
        #expect(use(3, room: 1, kept: 2) == .offered(3))
        #expect(use(3, room: 0, kept: 3) == .offered(3))
        #expect(use(2, room: 1, held: 1, needsHelp: true) == .offered(2))
        #expect(use(2, room: 1, held: 1) == .tooFew)
        #expect(use(2, room: 0, held: 1, needsHelp: true) == .useless)
    }

    @Test func `places are kept for one that was passed over, if there is time and it is no large part of the event`() {
        #expect(use(3, room: 1, wasPassedOver: true) == .kept(1))
        #expect(use(3, room: 1, kept: 1, wasPassedOver: true) == .kept(1))
        #expect(use(3, room: 1, canBeKept: false, wasPassedOver: true) == .tooFew)
        #expect(use(4, room: 1, of: 16, wasPassedOver: true) == .kept(1))
        #expect(use(4, room: 1, of: 15, wasPassedOver: true) == .tooFew)
        // Three at most always count as a small part.
        #expect(use(3, room: 1, of: 3, wasPassedOver: true) == .kept(1))
    }

    @Test func `a party larger than the event is no obstacle to others`() {
        #expect(use(5, room: 3, of: 4, wasPassedOver: true) == .useless)
        #expect(use(5, room: 3, of: 4, takesFewer: true) == .offered(3))
    }
}
