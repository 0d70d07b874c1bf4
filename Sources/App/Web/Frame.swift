import HTTPTypes
import HummingbirdCore
import Templating

/// What every page shows besides its own matter: who is here, under which hat, and where they are.
struct Frame: TemplateFrame {
    let visitor: Visitor?
    /// The masked CSRF token of the session; empty without one.
    let csrf: String
    let flash: Flash?
    /// Path and query of the page, to come back to.
    let path: String
    let assets: Assets
    let catalogue: Catalogue?
    let isDemo: Bool

    init(_ visit: Visit, flash: Flash?) {
        visitor = visit.visitor
        csrf = visit.visitor.map { CSRF.mask($0.csrf) } ?? ""
        self.flash = flash
        let isPage = visit.request.method == .get || visit.request.method == .head
        path = isPage ? visit.pathAndQuery : visit.path
        assets = visit.site.assets
        catalogue = nil
        isDemo = visit.site.isDemo
    }

    /// The frame of a page that is drawn before anybody knows who asks.
    init(bare site: Site) {
        visitor = nil
        csrf = ""
        flash = nil
        path = "/"
        assets = site.assets
        catalogue = nil
        isDemo = site.isDemo
    }

    var hat: Hat? { visitor?.hat }

    /// The address of a file of `Public`.
    func asset(_ path: String) -> Link { assets.link(path) }
}
