import Forms
import Templating

/// An entry of the Discover tab.
enum Discovery: CaseIterable, Sendable {
    case events, forYou, helping, needs

    /// Its module; nil if it can't be switched off.
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
