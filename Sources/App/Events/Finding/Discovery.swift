import Forms
import Templating

/// What the tab Discover leads to.
enum Discovery: CaseIterable, Sendable {
    case events, forYou, helping, needs

    /// The part of the site that it is; nil of what is always there.
    var module: Module? {
        switch self {
        case .events, .forYou: nil
        case .helping: .helping
        case .needs: .needs
        }
    }

    var name: Words {
        switch self {
        case .events: "Events"
        case .forYou: "For you"
        case .helping: "Helping"
        case .needs: "Needs"
        }
    }

    var icon: Icon {
        switch self {
        case .events: .calendar
        case .forYou: .star
        case .helping: .hands
        case .needs: .gift
        }
    }

    var link: Link {
        switch self {
        case .events: Link.events
        case .forYou: Link.eventsForYou
        case .helping: .opportunities
        case .needs: .needs
        }
    }
}
