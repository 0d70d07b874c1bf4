import Forms
import HTTPTypes
import HummingbirdCore
import Templating

/// What every page shows besides its own matter: who is here, under which hat, and where they are.
struct Frame: TemplateFrame {
    let visitor: Visitor?
    /// Whether they wait to be let in.
    let isOnList: Bool
    /// When the page is drawn.
    let now: Instant
    /// What the page is called where the reader's browser may keep it.
    let keptName: Words?
    /// The masked CSRF token of the session; empty without one.
    let csrf: String
    /// How far the log of staff had come when what they decide on was drawn first: a form that comes back with a
    /// problem didn't show what others decided meanwhile. Nil for anybody else.
    let staffLog: Int64?
    let flash: Flash?
    /// Path and query of the page, to come back to.
    let path: String
    /// Where to go on after logging in: here, or from a log-in page where that leads; empty for the start.
    let onward: String
    let assets: Assets
    /// How the world knows the site, such as `https://village.example`.
    let publicURL: String
    /// What the page is written in.
    let language: Language
    /// What it can be written in; none where there is nothing to choose.
    let languages: [Language]
    /// The language that the page's address says; nil where it leaves that to the visitor.
    let asked: Language?
    var catalogue: Catalogue? { language.catalogue }
    var locale: String { language.locale }
    var numbers: Numbers { language.numbers }
    var isRightToLeft: Bool { language.isRightToLeft }
    /// Whether letters are sent at all.
    let sendsMail: Bool
    /// What the page's maps offer or show; nil where the site has no tile server.
    let streets: Streets?
    /// What the place elsewhere is called at which staff and organizations log in; nil where there is none.
    let issuerName: String?
    /// Which town this is, and who runs the site.
    let town: Town
    /// Which parts of the site are open, and to whom.
    let opening: Opening
    /// What stands on top of the page.
    let banner: Opening.Banner?
    /// Where the list begins that this page goes on with, with all its filters; nil on its first page.
    var beginning: Link? {
        let parts = path.split(separator: "?", maxSplits: 1)
        let pairs = parts.count == 2 ? parts[1].split(separator: "&") : []
        let others = pairs.filter { !$0.hasPrefix("after=") }
        guard others.count < pairs.count else { return nil }
        return Link(onSite: parts[0] + (others.isEmpty ? "" : "?" + others.joined(separator: "&")))
    }
    /// The size of a sheet in the site's country.
    var paper: Paper { .usual(in: country) }
    /// By whose clock the visitor lives.
    let zone: Zone
    /// The site's: addresses elsewhere say theirs.
    let country: String
    /// What distances are in.
    var unit: Distance.Unit { visitor?.preferences.unit ?? .usual(in: country) }
    /// What a page that was kept says of when it is.
    var asOf: Words { zone.words(now, \.shortName) }
    /// The day it is there.
    var today: Day { zone.day(of: now) }
    /// Where the switch of hats leads: here, where both may be, else to the start.
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
        publicURL = visit.site.settings.publicURL
        language = visit.language
        // Another language on the answer to a form would lose what was typed.
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

    /// The frame of a page that is drawn before anybody knows who asks.
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

    /// Whether the visitor reads more than what explains the site.
    var isIn: Bool { (visitor != nil && !isOnList) || !opening.isClosed }

    /// The rooms of the tab Community; without one there is no tab.
    var rooms: [Room] { Room.allCases.filter { opening.has($0.module) } }

    /// What the tab Discover leads to.
    var discoveries: [Discovery] { Discovery.allCases.filter { opening.has($0.module) } }

    var hat: Hat? { visitor?.hat }
    var preferences: Preferences { visitor?.preferences ?? .usual }

    /// A page of this site by its whole address, as other sites need it.
    func address(of link: Link) -> String { publicURL + link.string }

    /// The same, in a language whatever its reader chose.
    func address(of link: Link, in language: Language?) -> String {
        address(of: link.read(in: language))
    }

    /// The address of a file of `Public`.
    func asset(_ path: String) -> Link { assets.link(path) }
}

extension Visit {
    /// What the maps of this page offer or show.
    var streets: Streets? {
        guard let tiles = site.settings.mapTiles else { return nil }
        return query[Streets.name] == Streets.value
            ? .shown(tiles: tiles, attribution: site.settings.mapAttribution)
            : .offered(Link(path: pathAndQuery).with(Streets.name, Streets.value))
    }
}
