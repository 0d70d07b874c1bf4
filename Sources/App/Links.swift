import Templating

/// The site's addresses, matching the routes: each is written only here, and pages use its name.
///
/// A page appends the rest of its route: `Link.event(id) / "edit"`.
extension Link {
    // MARK: The rooms

    static let start = Link("/")
    static let week = Link("/week")
    static let me = Link("/me")

    // MARK: Accounts

    static let signUp = Link("/signup")
    static let logIn = Link("/login")
    static let logInCode = Link("/login/code")
    static let wayBack = Link("/login/elsewhere/back")
    static let logOut = Link("/logout")
    static let forgot = Link("/forgot")
    static let waiting = Link("/waiting")
    static let verification = Link("/me/verify")
    static let settings = Link("/me/settings")
    static let sessions = Link("/me/sessions")
    static let password = Link("/me/password")
    static let twoStep = Link("/me/two-step")
    static let email = Link("/me/email")
    static let export = Link("/me/export")
    static let leaving = Link("/me/delete")
    static let invitations = Link("/me/invitations")
    static let welcome = Link("/welcome")
    /// The welcome page with its first question answered.
    static let neighbor = welcome.with("hat", Hat.neighbor)
    static let hat = Link("/hat")

    static func invitation(_ token: String) -> Link { Link("/invitations") / token }
    static func verify(_ token: String) -> Link { Link("/verify") / token }
    static func reset(_ token: String) -> Link { Link("/reset") / token }
    static func undoEmail(_ token: String) -> Link { Link("/undo-email") / token }

    /// Logs in and continues to `next`, if there is one.
    static func logIn(next: String) -> Link { logIn.with("next", next.nonEmpty) }

    /// Logs in at the external issuer and continues to `next`, if there is one.
    static func logInElsewhere(next: String) -> Link { Link("/login/elsewhere").with("next", next.nonEmpty) }

    /// Signs up and continues to `next`, if there is one.
    static func signUp(next: String) -> Link { signUp.with("next", next.nonEmpty) }

    // MARK: Being told

    static let inbox = Link("/inbox")
    static let noticeChoices = Link("/me/notices")
    static let pushDevices = Link("/me/notices/browser")

    static func notice(_ id: ID<Notice>) -> Link { inbox / id }
    static func change(_ id: ID<Change>) -> Link { Link("/changes") / id }
    static func unsubscribe(_ token: String) -> Link { Link("/unsubscribe") / token }

    // MARK: Profiles

    static let family = Link("/me/family")
    static let providerProfile = Link("/me/provider")
    static let profile = Link("/me/profile")
    static let ownPicture = Link("/me/picture")
    static let children = Link("/me/children")
    static let newChild = Link("/me/children/new")
    static let guardian = Link("/me/guardian")
    static let colleagues = Link("/me/organization/colleagues")
    static let leaveOrganization = Link("/me/organization/leave")
    static let people = Link("/people")
    static let organizations = Link("/organizations")

    static func child(_ id: ID<Child>) -> Link { children / id }
    static func guardian(_ token: String) -> Link { Link("/guardians") / token }
    static func join(_ token: String) -> Link { Link("/join") / token }
    static func person(_ username: String) -> Link { people / username }
    static func provider(_ username: String) -> Link { Link("/providers") / username }

    // MARK: Events

    static let events = Link("/events")
    static let eventMap = Link("/events/map")
    static let eventCount = Link("/events/count")
    static let eventsForYou = Link("/events/for-you")
    static let fewerEvents = Link("/events/less")
    static let eventsElsewhere = Link("/events/elsewhere")
    static let embeddedEvents = Link("/embed/events")
    static let screen = Link("/screen")
    static let booklet = Link("/booklet")
    static let newEvent = Link("/events/new")
    static let ownEvents = Link("/me/events")
    static let ownMonth = Link("/me/events/calendar")
    static let imports = Link("/me/imports")
    static let attending = Link("/me/attending")
    static let favorites = Link("/favorites")
    static let searches = Link("/searches")
    static let registrations = Link("/me/registrations")
    static let places = Link("/places")
    static let tags = Link("/tags")
    static let images = Link("/images")
    static let newDraw = Link("/draws/new")
    static let offers = Link("/offers")
    static let givingBack = Link("/give-back")
    static let calendars = Link("/me/calendar")
    static let eventCalendar = Link("/events.ics")
    static let eventFeed = Link("/events.atom")

    static func event(_ id: ID<Event>) -> Link { events / id }
    static func search(_ id: ID<SavedSearch>) -> Link { searches / id }
    static func calendarImport(_ id: ID<CalendarImport>) -> Link { imports / id }
    static func dates(of event: ID<Event>) -> Link { .event(event) / "dates" }
    /// The page to choose sessions; with `all`, those of one child are checked.
    static func sessions(of event: ID<Event>) -> Link { .event(event) / "sessions" }
    static func wishes(at event: ID<Event>) -> Link { .event(event) / "wishes" }
    static func draw(_ id: ID<Draw>) -> Link { Link("/draws") / id }
    static func lines(of draw: ID<Draw>) -> Link { Link("/draws") / "\(draw).json" }
    static func roster(of event: ID<Event>) -> Link { .event(event) / "registrations" }
    static func people(of event: ID<Event>) -> Link { .event(event) / "people" }
    static let takeover = Link("/claim")
    static func takeover(_ code: String) -> Link { Link("/claim") / code }
    static func headcount(of event: ID<Event>) -> Link { .event(event) / "headcount" }
    static func held(of event: ID<Event>) -> Link { .event(event) / "held" }
    static func announcements(_ event: ID<Event>) -> Link { .event(event) / "announcements" }
    static func cohosts(of event: ID<Event>) -> Link { .event(event) / "cohosts" }
    static func activity(_ id: ID<Activity>, of event: ID<Event>) -> Link { .event(event) / "activities" / id }
    static func question(_ id: ID<Question>) -> Link { Link("/questions") / id }
    static func registration(_ id: ID<Registration>) -> Link { Link("/registrations") / id }
    static func answers(_ id: ID<Registration>) -> Link { Link("/registrations") / id / "answers" }
    static func consents(_ id: ID<Registration>) -> Link { Link("/registrations") / id / "consents" }
    static func undo(_ id: ID<Undo>) -> Link { Link("/undo") / id }
    static func draft(_ id: ID<Draft>) -> Link { Link("/me/drafts") / id }

    // Calendars for one's own calendar app: of an event, its program, an activity, and one's own part in them.

    static func calendar(of event: ID<Event>) -> Link { events / "\(event).ics" }
    static func programmeCalendar(of event: ID<Event>) -> Link { .event(event) / "programme.ics" }
    static func ownCalendar(of event: ID<Event>) -> Link { .event(event) / "mine.ics" }
    static func calendar(_ token: String) -> Link { Link("/calendar") / "\(token).ics" }

    static func calendar(of activity: ID<Activity>, at event: ID<Event>) -> Link {
        .event(event) / "activities" / "\(activity).ics"
    }

    // MARK: Timeline and moderation

    static let timeline = Link("/timeline")
    static let timelineFeed = Link("/timeline.atom")
    static let newPost = Link("/timeline/new")
    static let newReport = Link("/reports/new")
    static let moderation = Link("/moderation")
    static let blocks = Link("/blocks")
    static let appeals = Link("/appeals")

    static func post(_ id: ID<Post>) -> Link { Link("/posts") / id }
    static func comment(_ id: ID<Comment>) -> Link { Link("/comments") / id }
    static func report(_ token: String) -> Link { Link("/reports") / token }
    static func decision(_ id: ID<Decision>) -> Link { Link("/decisions") / id }

    // MARK: Kindness

    static let kindness = Link("/kindness")
    static let myActs = Link("/kindness/mine")
    static let kindnessPause = Link("/kindness/pause")
    static let familyKindness = Link("/kindness/family")
    static let newAct = Link("/kindness/acts/new")

    static func theme(_ name: String) -> Link { Link("/kindness/themes") / name }
    static func act(_ id: ID<KindAct>) -> Link { Link("/kindness/acts") / id }
    static func challenge(_ token: String) -> Link { Link("/challenges") / token }
    static func deed(_ id: ID<Deed>) -> Link { Link("/deeds") / id }

    // MARK: Pets and play dates

    static let owner = Link("/me/owner")
    static let newPet = Link("/me/pets/new")
    static let playdates = Link("/playdates")
    static let matches = Link("/playdates/matches")

    static func pet(_ id: ID<Pet>) -> Link { Link("/me/pets") / id }
    static func match(_ id: ID<PetMatch>) -> Link { matches / id }
    static func meeting(_ id: ID<Meeting>) -> Link { Link("/meetings") / id }

    // MARK: Helping

    static let opportunities = Link("/opportunities")
    static let opportunityFeed = Link("/opportunities.atom")
    static let fewerOpportunities = Link("/opportunities/less")
    static let newOpportunity = Link("/opportunities/new")
    static let ownOpportunities = Link("/me/opportunities")
    /// The hours that an organization has confirmed.
    static let helpHours = ownOpportunities / "hours"
    static let following = Link("/me/following")
    static let impact = Link("/impact")
    static let impactSheet = Link("/impact.csv")
    static let gifts = Link("/impact/gifts")
    static let certificates = Link("/certificates")

    static func opportunity(_ id: ID<Opportunity>) -> Link { opportunities / id }
    /// The messages to those who help.
    static func messages(_ id: ID<Opportunity>) -> Link { opportunities / id / "messages" }
    static func signup(_ id: ID<Signup>) -> Link { Link("/signups") / id }
    static func promise(_ id: ID<Promise>) -> Link { Link("/promises") / id }
    static func agree(_ token: String) -> Link { Link("/agree") / token }
    static func certificate(_ code: String) -> Link { certificates / code }
    static func review(_ id: ID<Review>) -> Link { Link("/reviews") / id }

    // MARK: Needs

    static let needs = Link("/needs")
    static let newNeed = Link("/needs/new")
    static let ownNeeds = Link("/needs/mine")
    static let needsPromised = Link("/needs/promised")

    static func need(_ id: ID<Need>) -> Link { needs / id }
    static func claim(_ id: ID<Claim>) -> Link { Link("/claims") / id }
    static func thread(_ id: ID<TalkThread>) -> Link { Link("/threads") / id }

    // MARK: Staff

    static let admin = Link("/admin")
    static let queue = Link("/admin/queue")
    static let staffLog = Link("/admin/log")
    static let adminPeople = Link("/admin/people")
    static let adminEvents = Link("/admin/events")
    static let waves = Link("/admin/waves")
    static let mailDomains = Link("/admin/domains")
    static let outsideLogIns = Link("/admin/log-ins")
    static let adminProviders = Link("/admin/providers")
    static let outbox = Link("/admin/mail")
    static let townLetters = Link("/admin/letters")
    static let siteInvitations = Link("/admin/invitations")
    static let sendingSiteInvitations = Link("/admin/invitations/send")
    static let endingSiteInvitations = Link("/admin/invitations/end")
    static let newTownLetter = Link("/admin/letters/new")
    static let adminTags = Link("/admin/tags")
    static let operations = Link("/admin/operations")
    static let modules = Link("/admin/modules")
    static let annualReport = Link("/admin/report")
    static let annualReportSessions = annualReport / "sessions"
    static let annualReportSheet = Link("/admin/report.csv")
    static let adminBanner = Link("/admin/banner")
    static let townSettings = Link("/admin/settings")
    static let face = Link("/admin/face")
    static let ownPages = Link("/admin/pages")

    /// Where staff looks after somebody, an event, an organization, a question.
    static func desk(of person: ID<Account>) -> Link { adminPeople / person }
    static func desk(of event: ID<Event>) -> Link { adminEvents / event }
    static func desk(of provider: ID<Provider>) -> Link { adminProviders / provider }
    static func desk(of question: ID<Question>) -> Link { Link("/admin/questions") / question }
    static func townLetter(_ letter: ID<TownLetter>) -> Link { townLetters / letter }
    static func letter(_ id: ID<Letter>) -> Link { outbox / id }
    static func endOutside(of person: ID<Account>) -> Link { outsideLogIns / person / "end" }

    // MARK: Words and machines

    static let banner = Link("/banner")
    static let language = Link("/language")
    static let privacy = Link("/privacy")
    static let about = Link("/about")
    static let accessibility = Link("/accessibility")
    static let accessibilityReport = Link("/accessibility.yaml")
    static let rules = Link("/rules")
    static let terms = Link("/terms")
    static let imprint = Link("/imprint")
    static let help = Link("/help")
    static let components = Link("/help/components")
    static let apiProviders = Link("/api/providers")
    static let homeScreen = Link("/help/home-screen")
    static let offline = Link("/offline")
    static let share = Link("/share")
    static let manifest = Link("/manifest.webmanifest")
    static let health = Link("/healthz")
    static let readiness = Link("/readyz")

    /// The outlines of the surroundings of a place, as of a release.
    static func outlines(of part: Surroundings, in release: String) -> Link {
        Link("/outlines") / release / part.latitude / part.longitude
    }

    /// The style sheet for the site's own color.
    static func styleSheet(of color: Color) -> Link { Link("/face") / color.digits }
}
