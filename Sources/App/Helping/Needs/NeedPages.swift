import Forms
import Templating

/// `/needs`: a page of needs, on a map and in an equivalent list.
struct NeedList: Sendable {
    let filter: NeedFilter
    let items: [Need]
    let map: MapDrawing
    let more: Link?

    var isBare: Bool { items.isEmpty && filter.isEmpty }

    /// The canonical address for search engines: an empty search isn't a page of its own.
    var found: Link { items.isEmpty ? Link.needs : filter.found }
}

/// `/needs/{id}`.
struct NeedPage: Sendable {
    var need: Need
    var map: MapDrawing?
    /// The promises: all for the author, otherwise the reader's own.
    var claims: [Claim] = []
    var mine: Claim?
    /// The threads about it in which the reader can write, or could a while ago.
    var threads: [TalkThread] = []

    /// Whether the same two talk in a later one by now: a promise that was taken back can be made again.
    func isEarlier(_ thread: TalkThread) -> Bool {
        threads.contains { $0.other.account == thread.other.account && $0.id > thread.id }
    }

    var isOwn = false
    /// Whether the reader may know a home's street.
    var isTrusted = false
    var canClaim = false
    /// The obstacle that applies to the reader but not to others.
    var hurdle: Claim.Refused?
    var isPreview = false
    /// Whether a visitor could promise something after logging in.
    func isToLogInFor(_ visitor: Visitor?) -> Bool {
        visitor == nil && mine == nil && !isOver && !need.isLasting && !isOwn
    }

    /// Promises that just ended.
    var undos: [Undo] = []
    var isOver = false
    /// Why a promise was refused.
    var refused: Claim.Refused?
    /// The same, leading to the form where the page has it.
    var problems: [Problem] {
        refused.map { [Problem(name: mine == nil && canClaim ? "take" : nil, words: $0.words)] } ?? []
    }
    /// What the reader brought, with thanks.
    var given: Given?

    struct Given: Sendable {
        let claim: ID<Claim>
        let count: Int
        /// The deed in the ledger; nil if it was undone.
        let deed: ID<Deed>?
        /// Whether it can be undone.
        let isUndoable: Bool
    }

    /// The place, as far as the reader may know it.
    var place: Words {
        need.place.isHome && !isTrusted ? need.place.open : need.place.whole
    }

    /// Directions; for a home only if the reader may know the street.
    var directions: Directions? {
        guard !need.place.isHome || isTrusted else { return nil }
        return Directions(to: need.place.address, at: need.place.isHome ? nil : need.place.coordinate)
    }
}

/// The form for a need, and its context.
struct NeedPosting: Sendable {
    /// The need being changed; nil for a new one.
    var stored: Need?
    /// The photo in the form.
    var picture: Picture?
    var search = PlaceSearch()
    /// The map for the pin.
    var map: MapDrawing?

    var action: Link { stored.map { $0.link / "edit" } ?? Link.newNeed }
    var back: Link { stored?.link ?? .needs }
    var isNew: Bool { stored == nil }
    /// The page's title.
    var title: Words {
        stored.map { .page("Change what you asked for", about: Words(verbatim: $0.title)) } ?? "Ask for something"
    }
}
