import Forms
import Templating

/// The link from an event's page back to the page its visitor came from.
struct WayBack: Sendable, Equatable {
    let link: Link
    let words: Words

    /// For visitors from elsewhere.
    static let allEvents = WayBack(link: Link.events, words: "All events")

    private init(link: Link, words: Words) {
        self.link = link
        self.words = words
    }

    /// - Parameter page: Path and query of a page of this site; nil for visitors from elsewhere.
    init(to page: String?) {
        self = Self.allEvents
        guard let page, let link = Link(onSite: page), let words = Self.words(for: page) else { return }
        self.init(link: link, words: words)
    }

    private static func words(for page: String) -> Words? {
        let path = page.before("?").before("#")
        switch path {
        case Link.events.string: return path == page ? nil : "Back to the search"
        case Link.eventMap.string: return "Back to the map"
        case Link.week.string: return "Back to my week"
        case Link.ownEvents.string, Link.ownMonth.string: return "Back to my events"
        case Link.registrations.string: return "Back to my registrations"
        case "/": return "Back"
        default:
            let parts = path.parts(at: "/")
            guard parts.count == 2 else { return nil }
            return switch parts[0] {
            case "registrations": "Back to the registration"
            case "providers": "Back to the organization"
            default: nil
            }
        }
    }
}
