import Forms
import HTTPTypes
import HummingbirdCore
import Templating

/// The frame of partials that know nothing about the page's reader, such as icons and posters.
protocol PageFrame: TemplateFrame {
    var language: Language { get }
    var assets: Assets { get }
    /// What kept partials see of the frame.
    var kept: KeptFrame { get }
}

extension PageFrame {
    var catalogue: Catalogue? { language.catalogue }
    var locale: String { language.locale }
    var numbers: Numbers { language.numbers }
    var isRightToLeft: Bool { language.isRightToLeft }
    var kept: KeptFrame { KeptFrame(language: language, assets: assets) }
}

/// The frame of kept partials: apart from their parameters, this is all they see, and nothing about who reads the page
/// or when.
struct KeptFrame: PageFrame, PartInput {
    let language: Language
    let assets: Assets

    func add(to key: inout PartKey) {
        key.add(language)
        key.add(assets)
    }
}

/// The data that every page shows in addition to its own: who is here, under which hat, and where they are.
struct Frame: PageFrame {
    let visitor: Visitor?
    /// Whether the visitor is waiting to be let in.
    let isOnList: Bool
    /// When the page is drawn.
    let now: Instant
    /// The page's title in the list of offline pages, if the browser may keep it.
    let keptName: Words?
    /// The masked CSRF token of the session; empty without one.
    let csrf: String
    /// The position of the staff log when the data that staff decide about was first drawn; a form that is shown again
    /// with a problem didn't show decisions made since. Nil for other visitors.
    let staffLog: Int64?
    let flash: Flash?
    /// The page's path and query, for returning to it.
    let path: String
    /// Where to continue after logging in: here, or a log-in page's target; empty for the start page.
    let onward: String
    let assets: Assets
    /// Whether the page brings its style sheets along.
    let isFirstPage: Bool
    /// The site's public URL, such as `https://village.example`.
    let publicURL: String
    /// The page's language.
    let language: Language
    /// The languages to choose from; empty if there is no choice.
    let languages: [Language]
    /// The language in the page's address; nil if there is none.
    let asked: Language?
    /// The kept parts of pages; nil outside a request.
    let drawn: Drawn?
    /// Whether the site sends mail.
    let sendsMail: Bool
    /// The tile server for the page's maps; nil if the site has none.
    let streets: Streets?
    /// The name of the external issuer at which staff and organizations log in; nil if there is none.
    let issuerName: String?
    /// The town, and who runs the site.
    let town: Town
    /// The parts of the site that are open, and to whom.
    let opening: Opening
    /// The banner at the top of the page.
    let banner: Opening.Banner?
    /// Where the page's list begins, with all its filters; nil on its first page.
    var beginning: Link? { beginning(of: .main) }

    /// Where these lists of the page begin, with all filters and with the positions of its other lists; nil if this is
    /// the first page of each of them.
    func beginning(of lists: ListName...) -> Link? {
        let pairs = path.from("?").dropFirst().parts(at: "&")
        let others = pairs.filter { pair in !lists.contains { pair.hasPrefix($0.rawValue + "=") } }
        guard others.count < pairs.count else { return nil }
        return Link(onSite: path.before("?") + (others.isEmpty ? "" : "?" + others.joined(separator: "&")))
    }
    /// The size of a sheet in the site's country.
    var paper: Paper { .usual(in: country) }
    /// The visitor's time zone.
    let zone: Zone
    /// The site's country; addresses in other countries name theirs.
    let country: String
    /// The unit of distances.
    var unit: Distance.Unit { visitor?.preferences.unit ?? .usual(in: country) }
    /// The time shown on a page that the browser keeps (`keptPage`).
    var asOf: Words { zone.words(now, \.shortName) }
    /// The current day in the visitor's zone.
    var today: Day { zone.day(of: now) }
    /// Where switching hats leads: here if both hats may be here, otherwise to the start page.
    let switchNext: String

    init(_ visit: Visit, flash: Flash?) {
        visitor = visit.visitor
        isOnList = visit.isOnList || visit.visitor?.isWaiting == true
        now = visit.now
        keptName = visit.keptName
        csrf = visit.visitor.map { CSRF.mask($0.csrf) } ?? ""
        staffLog = visit.visitor?.staffLog.map { now in min(visit.staffLogSent ?? now, now) }
        self.flash = flash
        let isPage = visit.request.method == .get || visit.request.method == .head
        path = isPage ? visit.pathAndQuery : visit.path
        onward =
            switch visit.path {
            case Link.start.string: ""
            case Link.logIn.string, Link.signUp.string: visit.next?.string ?? ""
            default: path
            }
        assets = visit.site.assets
        isFirstPage = visit.isFirstPage
        drawn = visit.site.drawn
        publicURL = visit.site.settings.publicURL
        language = visit.language
        // Switching the language of a response to a form would lose what was typed.
        languages = visit.site.hasLanguages && isPage ? visit.site.languages : []
        asked = visit.choice.asked
        sendsMail = visit.site.settings.smtp != nil
        issuerName = visit.site.settings.issuerName
        streets = visit.streets
        town = visit.site.town
        opening = visit.site.opening
        banner = visit.banner
        zone = visit.zone
        country = visit.site.settings.country
        let other = Hat.allCases.filter { $0 != visit.visitor?.hat }
        let staysHere = isPage && visit.path != Link.welcome.string && other.allSatisfy(visit.hats.contains)
        switchNext = staysHere ? path : Link.start.string
    }

    /// A frame for a page that is drawn before the visitor is known.
    init(bare site: Site) {
        visitor = nil
        isOnList = false
        now = site.now
        keptName = nil
        csrf = ""
        staffLog = nil
        flash = nil
        path = Link.start.string
        onward = ""
        assets = site.assets
        isFirstPage = false
        drawn = nil
        publicURL = site.settings.publicURL
        language = site.languages[0]
        languages = []
        asked = nil
        sendsMail = site.settings.smtp != nil
        issuerName = site.settings.issuerName
        streets = nil
        town = site.town
        opening = site.opening
        banner = nil
        zone = site.settings.zone
        country = site.settings.country
        switchNext = Link.start.string
    }

    func has(_ module: Module) -> Bool { opening.has(module) }

    /// Whether the visitor may see more than the pages that explain the site.
    var isIn: Bool { (visitor != nil && !isOnList) || !opening.isClosed }

    /// The rooms in the Community tab; without any there is no tab.
    var rooms: [Room] { Room.allCases.filter { opening.has($0.module) } }

    /// The entries of the Discover tab.
    var discoveries: [Discovery] { Discovery.allCases.filter { opening.has($0.module) } }

    var hat: Hat? { visitor?.hat }
    var preferences: Preferences { visitor?.preferences ?? .usual }

    /// The absolute URL of a page of this site.
    func address(of link: Link) -> String { publicURL + link.string }

    /// The absolute URL of a page in a certain language, regardless of the reader's choice.
    func address(of link: Link, in language: Language?) -> String {
        address(of: link.read(in: language))
    }

    /// The URL of a file in `Public`.
    func asset(_ path: String) -> Link { assets.link(path) }
}

extension Visit {
    /// The tile server for this page's maps.
    var streets: Streets? {
        guard let tiles = site.settings.mapTiles else { return nil }
        return query[Streets.name] == Streets.value
            ? .shown(tiles: tiles, attribution: site.settings.mapAttribution)
            : .offered(Link(path: pathAndQuery).with(Streets.name, Streets.value))
    }
}
