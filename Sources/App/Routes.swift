import Hummingbird
import Templating

/// The table of contents of the site: every URL with its rights, one line each. Controllers add none.
extension Routes {
    mutating func addAll() {
        let accounts = AccountController(site: site)
        let addresses = AddressController(site: site)
        let admin = AdminController(site: site)
        let api = APIController(site: site)
        let calendars = CalendarController(site: site)
        let children = ChildController(site: site)
        let events = EventController(site: site)
        let feeds = FeedController(site: site)
        let hats = HatController(site: site)
        let images = ImageController(site: site)
        let machine = MachineController(site: site)
        let maps = MapController(site: site)
        let pages = PageController(site: site)
        let week = WeekController(site: site)
        let passwords = PasswordController(site: site)
        let plans = PlanController(site: site)
        let posting = PostingController(site: site)
        let profiles = ProfileController(site: site)
        let registrations = RegistrationController(site: site)
        let rosters = RosterController(site: site)
        let sessions = SessionController(site: site)
        let tags = TagController(site: site)
        let town = TownController(site: site)
        let setup = SetupController(site: site)
        let undo = UndoController(site: site)

        // The rooms
        get("", for: .anyone, isCached: true, use: week.home)
        get("week", for: .members, use: week.week)
        get("me", for: .members, use: profiles.show)

        // Accounts
        get("signup", for: .anyone, use: accounts.new)
        post("signup", for: .anyone, use: accounts.create)
        get("login", for: .anyone, use: sessions.new)
        post("login", for: .anyone, use: sessions.create)
        post("logout", for: .anyone, use: sessions.delete)
        get("forgot", for: .anyone, use: addresses.forgot)
        post("forgot", for: .anyone, use: addresses.sendReset)
        get("verify/:token", for: .anyone, use: addresses.verify)
        post("verify/:token", for: .anyone, use: addresses.confirm)
        post("me/verify", for: .members, use: addresses.sendAgain)
        get("reset/:token", for: .anyone, use: passwords.reset)
        post("reset/:token", for: .anyone, use: passwords.create)
        get("setup/:token", for: .anyone, use: setup.new)
        post("setup/:token", for: .anyone, use: setup.create)
        get("welcome", for: .members, use: hats.new)
        post("welcome", for: .members, use: hats.create)
        post("hat", for: .members, use: hats.create)
        get("me/settings", for: .members, use: pages.settings)
        get("me/sessions", for: .members, use: sessions.index)
        post("me/sessions", for: .members, use: sessions.end)
        get("me/password", for: .members, use: passwords.edit)
        post("me/password", for: .members, use: passwords.update)

        // Profiles and children
        get("me/family", for: .members, use: profiles.editFamily)
        post("me/family", for: .members, use: profiles.updateFamily)
        get("me/provider", for: .members, use: profiles.editProvider)
        post("me/provider", for: .members, use: profiles.updateProvider)
        post("me/picture", for: .members, takesFiles: true, use: profiles.updatePicture)
        get("me/children", for: .parents, use: children.index)
        get("me/children/new", for: .parents, use: children.new)
        post("me/children/new", for: .parents, use: children.create)
        get("me/children/:id/edit", for: .parents, use: children.edit)
        post("me/children/:id/edit", for: .parents, use: children.update)
        get("me/children/:id/delete", for: .parents, use: children.remove)
        post("me/children/:id/delete", for: .parents, use: children.delete)
        get("providers/:username", for: .anyone, isCached: true, use: profiles.provider)

        // Events
        get("events", for: .anyone, isCached: true, use: events.index)
        get("events/map", for: .anyone, isCached: true, use: maps.index)
        get("events/count", for: .anyone, isCached: true, use: events.count)
        get("places", for: .anyone, use: maps.places)
        get("tags", for: .anyone, isCached: true, use: tags.index)
        get("events/new", for: .providers, use: posting.new)
        post("events/new", for: .providers, takesFiles: true, use: posting.create)
        // Before `:id`, which takes any word: the router tries them in this order.
        get("events/{id}.ics", for: .anyone, isCached: true, use: calendars.event)
        get("events/:id", for: .anyone, isCached: true, use: events.show)
        get("events/:id/published", for: .providers, use: posting.published)
        get("events/:id/edit", for: .providers, use: posting.edit)
        post("events/:id/edit", for: .providers, takesFiles: true, use: posting.update)
        get("events/:id/copy", for: .providers, use: posting.copy)
        post("events/:id/copy", for: .providers, use: posting.createCopies)
        get("events/:id/cancel", for: .providers, use: posting.cancelForm)
        post("events/:id/cancel", for: .providers, use: posting.cancel)
        post("events/:id/delete", for: .providers, use: posting.delete)
        post("me/drafts/:id/delete", for: .providers, use: posting.deleteDraft)
        get("events/:id/registrations", for: .hosts, use: rosters.show)
        post("events/:id/arrivals", for: .providers, use: rosters.mark)
        post("events/:id/walk-ins", for: .providers, use: rosters.count)
        post("events/:id/seen", for: .families, use: registrations.see)
        get("events/:id/flyer", for: .anyone, isCached: true, use: events.flyer)
        get("me/events", for: .providers, use: events.mine)

        // Pictures
        post("images", for: .members, takesFiles: true, use: images.create)

        // Registrations
        post("events/:id/registrations", for: .parents, use: registrations.create)
        get("registrations/:id", for: .families, use: registrations.show)
        post("registrations/:id/cancel", for: .families, use: registrations.cancel)
        post("registrations/:id/notes", for: .families, use: registrations.share)
        get("me/registrations", for: .parents, use: registrations.index)

        post("undo/:id", for: .members, use: undo.create)

        // Calendars and feeds
        get("events.ics", for: .anyone, isCached: true, use: calendars.events)
        get("events.atom", for: .anyone, isCached: true, use: feeds.atom)
        get("calendar/{token}.ics", for: .anyone, use: calendars.family)
        get("me/calendar", for: .parents, use: calendars.show)
        post("me/calendar", for: .parents, use: calendars.update)

        // Programs
        get("api/events", for: .anyone, isCached: true, use: api.events)
        get("api/events/:id", for: .anyone, isCached: true, use: api.event)
        get("api/providers", for: .anyone, isCached: true, use: api.providers)
        get("api/providers/:username", for: .anyone, isCached: true, use: api.provider)
        get("api/me/family", for: .members, use: api.family)
        get("api/openapi.json", for: .anyone, isCached: true, use: api.description)

        // Staff
        get("admin", for: .staff, use: admin.index)
        get("admin/people", for: .staff, use: admin.people)
        get("admin/people/:id", for: .staff, use: admin.person)
        post("admin/people/:id", for: .staff, use: admin.act)
        get("admin/events", for: .staff, use: admin.events)
        get("admin/events/:id", for: .staff, use: admin.event)
        post("admin/events/:id", for: .staff, use: admin.actOnEvent)
        get("admin/providers", for: .staff, use: plans.index)
        post("admin/providers", for: .staff, use: plans.setPrices)
        get("admin/providers/:id", for: .staff, use: plans.show)
        post("admin/providers/:id", for: .staff, use: plans.grant)
        get("admin/log", for: .staff, use: admin.log)
        get("admin/settings", for: .staff, use: town.edit)
        post("admin/settings", for: .staff, use: town.update)

        // Words
        get("privacy", for: .anyone, use: pages.privacy)
        get("about", for: .anyone, use: pages.about)
        get("help", for: .anyone, use: pages.help)
        get("help/components", for: .anyone, use: pages.components)

        // Machines
        get("healthz", for: .anyone, use: machine.health)
        get("readyz", for: .anyone, use: machine.ready)
        get("robots.txt", for: .anyone, use: machine.robots)
        get("sitemap.xml", for: .anyone, isCached: true, use: feeds.sitemap)
        get(".well-known/security.txt", for: .anyone, use: machine.security)
        get("manifest.webmanifest", for: .anyone, use: machine.manifest)
        get("favicon.ico", for: .anyone, use: machine.favicon)
    }
}
