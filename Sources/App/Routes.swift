import Hummingbird
import Templating

/// All URLs of the site with their rights, one line each. Controllers add none.
///
/// A line has its section's access unless it has its own (`for:`).
extension Routes {
    mutating func addAll() {
        let accounts = AccountController(site: site)
        let admin = AdminController(site: site)
        let announcements = AnnouncementController(site: site, kind: .event)
        let api = APIController(site: site)
        let blocks = BlockController(site: site)
        let calendars = CalendarController(site: site)
        let challenges = ChallengeController(site: site)
        let changes = ChangeController(site: site)
        let children = ChildController(site: site)
        let cohosts = CohostController(site: site)
        let colleagues = ColleagueController(site: site)
        let decisions = DecisionController(site: site)
        let emails = EmailController(site: site)
        let events = EventController(site: site)
        let favorites = FavoriteController(site: site)
        let feeds = FeedController(site: site)
        let guardians = GuardianController(site: site)
        let hats = HatController(site: site)
        let helpSuggestions = HelpSuggestionController(site: site)
        let images = ImageController(site: site)
        let imports = ImportController(site: site)
        let impact = ImpactController(site: site)
        let inbox = InboxController(site: site)
        let pushes = PushController(site: site)
        let stream = StreamController(site: site)
        let joining = JoiningController(site: site)
        let kindness = KindnessController(site: site)
        let letters = MailController(site: site)
        let keeping = KeepingController(site: site)
        let machine = MachineController(site: site)
        let manifest = ManifestController(site: site)
        let maps = MapController(site: site)
        let elsewhere = ElsewhereController(site: site)
        let meetings = MeetingController(site: site)
        let offers = OfferController(site: site)
        let opening = OpeningController(site: site)
        let annualReports = AnnualReportController(site: site)
        let outside = OutsideLogInController(site: site)
        let operations = OperationsController(site: site)
        let opportunities = OpportunityController(site: site)
        let pages = PageController(site: site)
        let week = WeekController(site: site)
        let passwords = PasswordController(site: site)
        let people = PersonController(site: site)
        let pets = PetController(site: site)
        let plans = PlanController(site: site)
        let playdates = PlaydateController(site: site)
        let posting = PostingController(site: site)
        let programme = ProgrammeController(site: site)
        let profiles = ProfileController(site: site)
        let questions = QuestionController(site: site)
        let queue = QueueController(site: site)
        let reports = ReportController(site: site)
        let registrations = RegistrationController(site: site)
        let answers = AnswerController(site: site)
        let terms = TermController(site: site)
        let camps = CampController(site: site)
        let draws = DrawController(site: site)
        let reviews = ReviewController(site: site)
        let rosters = RosterController(site: site)
        let holds = HoldController(site: site)
        let guests = GuestController(site: site, kind: .event)
        let takeovers = TakeoverController(site: site)
        let searches = SavedSearchController(site: site)
        let sessions = SessionController(site: site)
        let settings = SettingsController(site: site)
        let shares = ShareController(site: site)
        let needs = NeedController(site: site)
        let threads = ThreadController(site: site)
        let suggestions = SuggestionController(site: site)
        let signups = SignupController(site: site)
        let shiftGuests = GuestController(site: site, kind: .help)
        let helperMessages = AnnouncementController(site: site, kind: .help)
        let tags = TagController(site: site)
        let timeline = TimelineController(site: site)
        let town = TownController(site: site)
        let townLetters = TownLetterController(site: site)
        let face = FaceController(site: site)
        let colors = ColorController()
        let setup = SetupController(site: site)
        let siteInvitations = SiteInvitationController(site: site)
        let twoStep = TwoStepController(site: site)
        let undo = UndoController(site: site)
        let waves = WaveController(site: site)

        // The rooms
        section(for: .members) { routes in
            routes.get("", for: .anyone, [.cached, .openWhenClosed], use: week.home)
            routes.get("week", use: week.week)
            routes.get("me", use: profiles.show)
        }

        // Coming in
        section(for: .anyone, .openWhenClosed) { routes in
            routes.get("signup", .entrance, use: accounts.new)
            routes.post("signup", .entrance, use: accounts.create)
            routes.get("invitations/:token", .entrance, use: accounts.invited)
            routes.get("login", .entrance, use: sessions.new)
            routes.post("login", .entrance, use: sessions.create)
            routes.get("login/elsewhere", .entrance, use: outside.begin)
            routes.get("login/elsewhere/back", .entrance, use: outside.finish)
            routes.get("login/code", .entrance, use: twoStep.ask)
            routes.post("login/code", .entrance, use: twoStep.answer)
            routes.get("forgot", .entrance, use: emails.forgot)
            routes.post("forgot", .entrance, use: emails.sendReset)
            routes.get("setup/:token", use: setup.new)
            routes.post("setup/:token", use: setup.create)
            routes.post("logout", .openWhileWaiting, use: sessions.delete)
            routes.get("verify/:token", .openWhileWaiting, use: emails.verify)
            routes.post("verify/:token", .openWhileWaiting, use: emails.confirm)
            routes.get("reset/:token", .openWhileWaiting, use: passwords.reset)
            routes.post("reset/:token", .openWhileWaiting, use: passwords.create)
            routes.get("undo-email/:token", .openWhileWaiting, use: emails.undoForm)
            routes.post("undo-email/:token", .openWhileWaiting, use: emails.undo)
        }

        // Accounts
        section(for: .members, .openWhileWaiting) { routes in
            routes.get("waiting", use: joining.waiting)
            routes.post("me/verify", use: emails.sendAgain)
            routes.get("me/settings", use: settings.edit)
            routes.post("me/settings", use: settings.update)
            routes.get("me/sessions", use: sessions.index)
            routes.post("me/sessions", gone: .sessions, use: sessions.end)
            routes.get("me/password", use: passwords.edit)
            routes.post("me/password", use: passwords.update)
            routes.get("me/two-step", use: twoStep.show)
            routes.post("me/two-step", use: twoStep.turnOn)
            routes.post("me/two-step/secret", use: twoStep.begin)
            routes.get("me/two-step/codes", use: twoStep.codes)
            routes.post("me/two-step/codes", use: twoStep.renewCodes)
            routes.get("me/two-step/off", use: twoStep.off)
            routes.post("me/two-step/off", use: twoStep.turnOff)
            routes.get("me/email", use: emails.edit)
            routes.post("me/email", use: emails.update)
            routes.get("me/export", use: keeping.export)
            routes.post("me/export", use: keeping.download)
            routes.get("me/delete", use: keeping.leaving)
            routes.post("me/delete", use: keeping.leave)
        }
        section(for: .members) { routes in
            routes.get("me/invitations", use: joining.invitations)
            routes.post("me/invitations", .publishes, use: joining.update)
            routes.get("welcome", use: hats.new)
            routes.post("welcome", use: hats.create)
            routes.post("hat", use: hats.create)
        }

        // Being told
        section(for: .members) { routes in
            routes.get("inbox", use: inbox.index)
            // Before `:id`, which matches any word: a GET of this form's address shows the inbox.
            routes.get("inbox/read", use: inbox.index)
            routes.get("inbox/:id", use: inbox.open)
            routes.post("inbox/read", use: inbox.readAll)
            routes.get("stream", use: stream.listen)
            routes.get("me/notices", use: inbox.edit)
            routes.post("me/notices", use: inbox.update)
            routes.post("me/notices/browser", use: pushes.add)
            routes.post("me/notices/browser/renewed", .comesFromNoPage, use: pushes.renew)
            routes.post("me/notices/browser/:id/end", use: pushes.end)
            routes.get("changes/:id", use: changes.show)
        }
        section(for: .anyone, .openWhenClosed) { routes in
            routes.get("unsubscribe/:token", .openWhileWaiting, use: inbox.unsubscribe)
            routes.post("unsubscribe/:token", [.openWhileWaiting, .needsOnlyItsToken], use: inbox.endLetters)
            routes.get("offers/:token", use: offers.show)
            routes.post("offers/:token", use: offers.answer)
            routes.get("give-back/:token", use: offers.askBack)
            routes.post("give-back/:token", use: offers.giveBack)
        }

        // Profiles
        section(for: .members) { routes in
            routes.get("me/family", use: profiles.editFamily)
            routes.post("me/family", use: profiles.updateFamily)
            routes.get("me/provider", use: profiles.editProvider)
            routes.post("me/provider", .publishes, use: profiles.updateProvider)
            routes.post("me/picture", [.publishes, .takesFiles], use: profiles.updatePicture)
            routes.get("me/profile", use: people.edit)
            routes.post("me/profile", writes: .person, use: people.update)
            routes.get("people", for: .anyone, use: people.index)
            routes.get("people/:username", for: .anyone, use: people.show)
            routes.get("organizations", for: .anyone, .cached, use: profiles.organizations)
            routes.get("providers/:username", for: .anyone, .cached, use: profiles.provider)
        }
        section(for: .parents) { routes in
            routes.get("me/children", use: children.index)
            routes.get("me/children/new", use: children.new)
            routes.post("me/children/new", use: children.create)
            routes.get("me/children/:id/edit", use: children.edit)
            routes.post("me/children/:id/edit", use: children.update)
            routes.get("me/children/:id/delete", use: children.remove)
            routes.post("me/children/:id/delete", gone: .children, use: children.delete)
            routes.get("me/guardian", use: guardians.show)
            routes.post("me/guardian", use: guardians.update)
            routes.get("guardians/:token", for: .families, use: guardians.ask)
            routes.post("guardians/:token", for: .families, use: guardians.join)
        }
        section(for: .rosters) { routes in
            routes.get("me/organization/colleagues", use: colleagues.show)
            routes.post("me/organization/colleagues", use: colleagues.update)
            routes.post("me/organization/leave", for: .members, use: colleagues.leave)
            routes.get("join/:token", for: .anyone, .openWhenClosed, use: colleagues.ask)
            routes.post("join/:token", for: .members, use: colleagues.join)
        }

        // Finding events
        section(for: .anyone) { routes in
            routes.get("events", .cached, use: events.index)
            routes.get("events/map", .cached, use: maps.index)
            routes.get("events/count", .cached, use: events.count)
            routes.get("places", use: maps.places)
            routes.get("tags", .cached, use: tags.index)
            routes.get("events/elsewhere", .cached, use: elsewhere.index)
            routes.get("embed/events", .cached, use: elsewhere.embed)
            routes.get("screen", use: elsewhere.screen)
            routes.get("booklet", .cached, use: elsewhere.booklet)
            routes.get("events/for-you", use: suggestions.index)
            // A GET of this form's address shows the list.
            routes.get("events/less", use: suggestions.index)
            routes.post("events/less", for: .members, use: suggestions.less)
        }

        // Posting events
        section(for: .hosts) { routes in
            routes.get("events/new", use: posting.new)
            routes.post("events/new", .takesManyRows, writes: .event, use: posting.create)
            routes.get("events/:id/published", use: posting.published)
            routes.get("events/:id/edit", use: posting.edit)
            routes.post("events/:id/edit", [.publishes, .takesManyRows], use: posting.update)
            routes.get("events/:id/copy", use: posting.copy)
            routes.post("events/:id/copy", .publishes, use: posting.createCopies)
            routes.get("events/:id/cancel", use: posting.cancelForm)
            routes.post("events/:id/cancel", use: posting.cancel)
            routes.post("events/:id/delete", gone: .ownEvents, use: posting.delete)
            routes.post("me/drafts/:id/delete", use: posting.deleteDraft)
            routes.get("me/events", for: .lists, use: events.mine)
            routes.get("me/events/calendar", for: .lists, use: events.month)
        }

        // Calendars that events come from
        section(for: .providers) { routes in
            routes.get("me/imports", use: imports.index)
            routes.get("me/imports/new", use: imports.new)
            routes.post("me/imports/new", [.publishes, .takesFiles], use: imports.create)
            routes.get("me/imports/:id", use: imports.show)
            routes.post("me/imports/:id", writes: .event, use: imports.publish)
            routes.get("me/imports/:id/settings", use: imports.edit)
            routes.post("me/imports/:id/settings", .publishes, use: imports.update)
            routes.post("me/imports/:id/read", [.publishes, .takesFiles], use: imports.read)
            routes.post("me/imports/:id/keep", use: imports.keep)
            routes.post("me/imports/:id/gone", use: imports.confirmGone)
            routes.post("me/imports/:id/remove", gone: .imports, use: imports.remove)
        }

        // An event
        section(for: .anyone) { routes in
            // Before `:id`, which matches any word.
            routes.get("events/{id}.ics", .cached, use: calendars.event)
            routes.get("events/:id", .cached, use: events.show)
            routes.get("events/:id/flyer", .cached, use: events.flyer)
            routes.get("events/:id/questions", use: questions.index)
            routes.post(
                "events/:id/questions", for: .members, .speaksToStrangers, writes: .question, use: questions.create)
        }
        section(for: .rosters) { routes in
            routes.get("events/:id/registrations", for: .lists, use: rosters.show)
            routes.post("events/:id/arrivals", use: rosters.mark)
            routes.post("events/:id/walk-ins", use: rosters.count)
            routes.get("events/:id/people/new", use: guests.new)
            routes.post("events/:id/people/new", use: guests.create)
            routes.get("events/:id/people/:guest", use: guests.show)
            routes.post("events/:id/people/:guest/remove", use: guests.remove)
            routes.post("events/:id/people/:guest/restore", use: guests.restore)
            routes.post("events/:id/people/:guest/told", use: guests.noteTold)
            routes.get("events/:id/headcount", use: rosters.headcount)
            routes.post("events/:id/headcount", use: rosters.countHeads)
            routes.get("events/:id/held", use: holds.show)
            routes.post("events/:id/held", use: holds.set)
        }
        section(for: .providers) { routes in
            routes.get("events/:id/waiting", use: rosters.waiting)
            routes.post("events/:id/waiting", use: rosters.invite)
        }
        section(for: .members) { routes in
            routes.post("events/:id/seen", use: registrations.see)
            routes.get("events/:id/announcements", use: announcements.index)
            routes.post("events/:id/announcements", .publishes, use: announcements.create)
            routes.get("events/:id/cohosts", use: cohosts.show)
            routes.post("events/:id/cohosts", .speaksToStrangers, use: cohosts.create)
            routes.post("events/:id/cohosts/answer", use: cohosts.answer)
            routes.post("events/:id/cohosts/end", use: cohosts.end)
            routes.get("questions/:id/answer", for: .hosts, use: questions.edit)
            routes.post("questions/:id/answer", for: .hosts, .publishes, use: questions.answer)
            routes.post("questions/:id/close", use: questions.close)
            routes.post("events/:id/join", use: programme.join)
            routes.post("events/:id/shown", use: programme.letSee)
            routes.post("events/:id/leave", use: programme.leave)
            routes.get("events/:id/mine.ics", use: calendars.mine)
            routes.get("me/attending", use: events.attending)
            routes.get("favorites", use: favorites.index)
            routes.post("events/:id/favorite", use: favorites.saveEvent)
            routes.get("searches", use: searches.index)
            routes.post("searches", use: searches.create)
            routes.get("searches/:id", use: searches.show)
            routes.post("searches/:id/remove", use: searches.remove)
            routes.post("searches/letter", use: searches.setLetter)
            routes.post("undo/:id", use: undo.create)
            routes.post("images", [.publishes, .takesFiles], use: images.create)
            routes.post("share", [.publishes, .comesFromPhone], use: shares.create)
        }

        // Programs and sessions can't be switched off, so they have no module.
        section(for: .members) { routes in
            routes.get("events/:id/activities/:activity", for: .anyone, .cached, use: programme.show)
            routes.post("events/:id/activities/:activity/leave", use: programme.leaveActivity)
            routes.post("events/:id/activities/:activity/unwait", use: programme.stopWaiting)
            routes.get("events/:id/activities/:activity/registrations", for: .lists, use: programme.roster)
            routes.post("events/:id/activities/:activity/arrivals", for: .rosters, use: programme.mark)
        }
        section(for: .anyone, .cached) { routes in
            routes.get("events/:id/programme.ics", use: programme.calendarOfAll)
            routes.get("events/:id/programme", use: programme.sheet)
            routes.get("events/:id/activities/{activity}.ics", use: programme.calendar)
        }
        section(of: .programs, for: .members) { routes in
            routes.post("events/:id/activities/:activity/join", use: programme.joinActivity)
            routes.post("events/:id/activities/:activity/wait", use: programme.wait)
        }

        // Registrations
        section(for: .families) { routes in
            routes.get("events/:id/dates", for: .parents, use: terms.show)
            routes.get("events/:id/sessions", for: .parents, use: camps.show)
            routes.post("events/:id/registrations", for: .parents, use: registrations.create)
            routes.get("registrations/:id", for: .members, use: registrations.show)
            routes.post("registrations/:id/cancel", for: .members, use: registrations.cancel)
            routes.post("registrations/:id/accept", use: registrations.accept)
            routes.post("registrations/:id/decline", use: registrations.decline)
            routes.post("registrations/:id/notes", use: registrations.share)
            routes.post("registrations/:id/help", use: registrations.takeHelpBack)
            routes.get("registrations/:id/answers", for: .parents, use: answers.edit)
            routes.post("registrations/:id/answers", for: .parents, use: answers.update)
            routes.post("registrations/:id/consents", for: .parents, use: answers.takeBack)
            routes.get("me/registrations", for: .parents, use: registrations.index)
            routes.get("claim", for: .members, use: takeovers.index)
            routes.post("claim", for: .members, use: takeovers.find)
            routes.get("claim/:code", for: .members, use: takeovers.show)
            routes.post("claim/:code", for: .members, use: takeovers.create)
        }

        // Places by lot
        section(for: .anyone) { routes in
            routes.get("draws/new", for: .providers, use: draws.new)
            routes.post("draws/new", for: .providers, .publishes, use: draws.create)
            // Before `:id`, which matches any word.
            routes.get("draws/{id}.json", [.cached, .hasOneAddress], use: draws.lines)
            routes.get("draws/:id", .cached, use: draws.show)
            routes.get("draws/:id/seed", for: .members, use: draws.askSeed)
            routes.post("draws/:id/seed", for: .members, .publishes, use: draws.draw)
            routes.post("draws/:id/until", for: .providers, .publishes, use: draws.extend)
            routes.post("draws/:id/call-off", for: .members, gone: .events, use: draws.callOff)
            routes.get("events/:id/wishes", for: .parents, use: draws.wishes)
            routes.post("events/:id/wishes", for: .parents, use: draws.wish)
        }

        // Timeline
        section(of: .timeline, for: .members) { routes in
            routes.get("timeline", for: .anyone, .cached, use: timeline.index)
            routes.get("timeline.atom", for: .anyone, .cached, use: timeline.atom)
            routes.get("timeline/new", use: timeline.new)
            routes.post("timeline/new", [.speaksToStrangers, .takesFiles], writes: .post, use: timeline.create)
            routes.get("posts/:id", for: .anyone, .cached, use: timeline.show)
            routes.get("posts/:id/edit", use: timeline.edit)
            routes.post("posts/:id/edit", [.speaksToStrangers, .takesFiles], use: timeline.update)
            routes.post("posts/:id/delete", gone: .timeline, use: timeline.delete)
            routes.get("posts/:id/likes", use: timeline.likes)
            routes.post("posts/:id/like", use: timeline.like)
            routes.post("posts/:id/comments", .speaksToStrangers, writes: .comment, use: timeline.comment)
            routes.post("posts/:id/hide", for: .staff, use: timeline.hide)
            routes.post("posts/:id/show", for: .staff, use: timeline.unhide)
            routes.post("comments/:id/delete", gone: .timeline, use: timeline.deleteComment)
        }

        // Moderation
        section(for: .anyone) { routes in
            routes.get("reports/new", use: reports.new)
            routes.post("reports/new", use: reports.create)
            routes.get("reports/:token", .openWhenClosed, use: reports.show)
            routes.get("moderation", .openWhileWaiting, use: decisions.log)
            routes.get("appeals/:token", [.openWhenClosed, .openWhileWaiting], use: decisions.showByLetter)
            routes.post("appeals/:token", [.openWhenClosed, .openWhileWaiting], use: decisions.answerByLetter)
        }
        section(for: .members) { routes in
            routes.get("decisions/:id", .openWhileWaiting, use: decisions.show)
            routes.post("decisions/:id", .openWhileWaiting, use: decisions.answer)
            routes.post("decisions/:id/undo", for: .staff, use: queue.undo)
            routes.get("blocks", use: blocks.index)
            routes.post("blocks", use: blocks.update)
        }

        // Kindness
        section(of: .kindness, for: .members) { routes in
            routes.get("kindness", for: .anyone, .cached, use: kindness.index)
            routes.get("kindness/themes/:name", for: .anyone, .cached, use: kindness.theme)
            routes.get("kindness/mine", use: kindness.mine)
            routes.post("kindness/pause", use: kindness.pause)
            routes.post("kindness/family", use: kindness.family)
            routes.get("kindness/acts/new", use: kindness.new)
            routes.post("kindness/acts/new", use: kindness.create)
            routes.get("kindness/acts/:id", for: .anyone, .cached, use: kindness.show)
            routes.post("kindness/acts/:id/add", use: kindness.add)
            routes.post("kindness/acts/:id/remove", use: kindness.remove)
            routes.post("kindness/acts/:id/done", use: kindness.done)
            routes.post("kindness/acts/:id/propose", writes: .act, use: kindness.propose)
            routes.get("kindness/acts/:id/challenge", use: challenges.new)
            routes.post("kindness/acts/:id/challenge", .speaksToStrangers, use: challenges.create)
            routes.get("challenges/:token", for: .anyone, .openWhenClosed, use: challenges.show)
            routes.post("challenges/:token", use: challenges.take)
            routes.post("deeds/:id/share", use: kindness.share)
            routes.post("deeds/:id/undo", gone: .myActs, use: kindness.undo)
        }

        // Pets and play dates
        section(of: .playdates, for: .members) { routes in
            routes.get("me/owner", use: pets.owner)
            routes.post("me/owner", [.publishes, .takesFiles], use: pets.createOwner)
            routes.get("me/owner/delete", use: pets.leaving)
            routes.post("me/owner/delete", gone: .me, use: pets.leave)
            routes.get("me/owner/:part", use: pets.editOwner)
            routes.post("me/owner/:part", [.publishes, .takesFiles], use: pets.updateOwner)
            routes.get("me/pets/new", use: pets.new)
            routes.post("me/pets/new", writes: .pet, use: pets.create)
            routes.get("me/pets/:id/edit", use: pets.edit)
            routes.get("me/pets/:id/edit/:part", use: pets.editPart)
            routes.post("me/pets/:id/edit/:part", .publishes, use: pets.updatePart)
            routes.get("me/pets/:id/pictures", use: pets.pictures)
            routes.post("me/pets/:id/pictures", [.publishes, .takesFiles], use: pets.updatePictures)
            routes.get("me/pets/:id/delete", use: pets.remove)
            routes.post("me/pets/:id/delete", gone: .me, use: pets.delete)
            routes.get("playdates", use: playdates.index)
            routes.post("playdates", .publishes, use: playdates.choose)
            routes.get("playdates/matches", use: playdates.matches)
            routes.get("playdates/matches/:id", use: playdates.show)
            // Two people who said hello to each other aren't strangers.
            routes.post("playdates/matches/:id/messages", writes: .message, use: playdates.say)
            routes.post("playdates/matches/:id/favourite", use: playdates.favor)
            routes.post("playdates/matches/:id/unmatch", gone: .matches, use: playdates.unmatch)
            routes.post("playdates/matches/:id/block", gone: .matches, use: playdates.block)
            routes.post("playdates/matches/:id/meetings", .publishes, use: meetings.propose)
            routes.post("meetings/:id/answer", .publishes, use: meetings.answer)
            routes.post("meetings/:id/change", .publishes, use: meetings.change)
            routes.post("meetings/:id/cancel", gone: .matches, use: meetings.callOff)
            routes.post("meetings/:id/after", .publishes, use: meetings.after)
        }

        // Ways to help
        section(of: .helping, for: .providers) { routes in
            routes.get("opportunities", for: .anyone, use: opportunities.index)
            routes.get("opportunities.atom", for: .anyone, .cached, use: feeds.opportunities)
            routes.get("opportunities/new", use: opportunities.new)
            routes.post("opportunities/new", writes: .opportunity, use: opportunities.create)
            routes.get("opportunities/map", for: .anyone, use: opportunities.map)
            routes.get("opportunities/suggested", for: .members, use: helpSuggestions.index)
            // A GET of this form's address shows the list.
            routes.get("opportunities/less", for: .members, use: helpSuggestions.index)
            routes.post("opportunities/less", for: .members, use: helpSuggestions.less)
            routes.get("opportunities/:id", for: .anyone, .cached, use: opportunities.show)
            routes.get("opportunities/:id/edit", use: opportunities.edit)
            routes.post("opportunities/:id/edit", .publishes, use: opportunities.update)
            routes.get("opportunities/:id/close", use: opportunities.closing)
            routes.post("opportunities/:id/close", use: opportunities.close)
            routes.post("opportunities/:id/renew", use: opportunities.renew)
            routes.get("opportunities/:id/signups", for: .rosters, use: signups.list)
            routes.get("opportunities/:id/people/new", for: .rosters, use: shiftGuests.new)
            routes.post("opportunities/:id/people/new", for: .rosters, use: shiftGuests.create)
            routes.get("opportunities/:id/people/:guest", for: .rosters, use: shiftGuests.show)
            routes.post("opportunities/:id/people/:guest/remove", for: .rosters, use: shiftGuests.remove)
            routes.post("opportunities/:id/people/:guest/restore", for: .rosters, use: shiftGuests.restore)
            routes.post("opportunities/:id/people/:guest/told", for: .rosters, use: shiftGuests.noteTold)
            routes.post("opportunities/:id/hours", .takesManyRows, use: signups.confirm)
            routes.get("me/opportunities", for: .rosters, use: opportunities.mine)
            routes.get("me/opportunities/hours", for: .rosters, use: impact.hours)
            routes.post("signups/:id/answer", use: signups.answer)
            routes.post("promises/:id/missed", use: signups.missed)
        }

        // Helping
        section(of: .helping, for: .members) { routes in
            routes.post("opportunities/:id/signups", .speaksToStrangers, use: opportunities.signUp)
            routes.post("opportunities/:id/unwait", use: opportunities.stopWaiting)
            routes.post("opportunities/:id/favorite", use: favorites.saveOpportunity)
            routes.post("opportunities/:id/promises", .speaksToStrangers, use: opportunities.promise)
            routes.get("opportunities/:id/messages", use: helperMessages.index)
            routes.post("opportunities/:id/messages", .publishes, use: helperMessages.create)
            routes.get("signups/:id", use: signups.show)
            routes.post("signups/:id/cancel", use: signups.cancel)
            // A GET of this form's address shows the sign-up.
            routes.get("signups/:id/young", use: signups.show)
            routes.post("signups/:id/children/cancel", use: signups.cancelChild)
            routes.post("signups/:id/young", use: signups.bring)
            routes.get("agree/:token", for: .anyone, .openWhenClosed, use: signups.askParent)
            routes.post("agree/:token", for: .anyone, .openWhenClosed, use: signups.agree)
            routes.post("signups/:id/hours", use: signups.say)
            routes.post("promises/:id/cancel", use: signups.cancelPromise)
            routes.post("promises/:id/given", use: signups.given)
            routes.post("promises/:id/not-yet", use: signups.notYet)
            routes.get("impact", use: impact.show)
            routes.get("impact.csv", use: impact.csv)
            routes.post("impact/gifts", use: impact.note)
            routes.get("impact/gifts/:id", use: impact.editGift)
            routes.post("impact/gifts/:id", use: impact.updateGift)
            routes.post("impact/gifts/:id/delete", gone: .impact, use: impact.deleteGift)
            routes.post("certificates", use: impact.certify)
            routes.get("certificates/:code", for: .anyone, .openWhenClosed, use: impact.certificate)
            routes.post("certificates/:code/withdraw", use: impact.withdraw)
            routes.post("providers/:username/follow", use: reviews.follow)
            routes.get("me/following", use: reviews.following)
            routes.get("providers/:username/reviews", use: reviews.new)
            routes.post("providers/:username/reviews", .speaksToStrangers, writes: .review, use: reviews.create)
            routes.get("reviews/:id/edit", use: reviews.edit)
            routes.post("reviews/:id/edit", .speaksToStrangers, use: reviews.update)
            routes.get("reviews/:id/delete", use: reviews.remove)
            routes.post("reviews/:id/delete", gone: .organizations, use: reviews.delete)
            routes.get("reviews/:id/answer", for: .providers, use: reviews.answerForm)
            routes.post("reviews/:id/answer", for: .providers, .publishes, use: reviews.answer)
        }

        // Needs
        section(of: .needs, for: .members) { routes in
            routes.get("needs", for: .anyone, use: needs.index)
            routes.get("needs/new", use: needs.new)
            routes.post("needs/new", .takesFiles, writes: .need, use: needs.create)
            routes.get("needs/mine", use: needs.mine)
            routes.get("needs/promised", use: needs.promised)
            routes.get("needs/:id", for: .anyone, use: needs.show)
            routes.get("needs/:id/edit", use: needs.edit)
            routes.post("needs/:id/edit", [.publishes, .takesFiles], use: needs.update)
            routes.post("needs/:id/close", use: needs.close)
            routes.post("needs/:id/renew", use: needs.renew)
            routes.post("needs/:id/claims", .speaksToStrangers, use: needs.claim)
            routes.post("claims/:id/answer", use: needs.answer)
            routes.post("claims/:id/done", use: needs.done)
            routes.post("claims/:id/not-yet", use: needs.notYet)
            routes.post("claims/:id/credit", use: needs.credit)
            routes.post("claims/:id/cancel", use: needs.cancel)
        }

        // Threads, each of a part that can be switched off, as the handler says
        section(for: .members) { routes in
            routes.get("threads/:id", use: threads.show)
            // Somebody who takes what is needed at a public place, or signs up to help, writes without a yes: newcomers
            // are held to their pace there until they are answered.
            routes.post("threads/:id", writes: .message, use: threads.say)
        }

        // Calendars and feeds
        section(for: .anyone) { routes in
            routes.get("events.ics", .cached, use: calendars.events)
            routes.get("events.atom", .cached, use: feeds.atom)
            routes.get("calendar/{token}.ics", .openWhenClosed, use: calendars.own)
            routes.get("me/calendar", for: .members, use: calendars.show)
            routes.post("me/calendar", for: .members, use: calendars.update)
        }

        // The API
        section(for: .anyone, .cached) { routes in
            routes.get("api/events", use: api.events)
            routes.get("api/events/:id", use: api.event)
            routes.get("api/providers", use: api.providers)
            routes.get("api/providers/:username", use: api.provider)
            routes.get("api/openapi.json", .hasOneAddress, use: api.description)
        }
        section(of: .helping, for: .anyone, .cached) { routes in
            routes.get("api/opportunities", use: api.opportunities)
            routes.get("api/opportunities/:id", use: api.opportunity)
        }
        section(for: .members) { routes in
            routes.get("api/me/family", use: api.family)
        }

        // Staff
        section(for: .staff) { routes in
            routes.get("admin", use: admin.index)
            routes.get("admin/queue", use: queue.index)
            routes.post("admin/queue", use: queue.decideMany)
            routes.get("admin/queue/:subject", use: queue.show)
            routes.post("admin/queue/:subject", use: queue.decide)
            routes.get("admin/people", use: admin.people)
            routes.post("admin/people", use: waves.stop)
            routes.get("admin/people/:id", use: admin.person)
            routes.post("admin/people/:id/suspension", use: admin.suspend)
            routes.post("admin/people/:id/restoration", use: admin.restore)
            routes.post("admin/people/:id/removal", use: admin.askRemoval)
            routes.post("admin/people/:id/removal-undo", use: admin.undoRemoval)
            routes.post("admin/people/:id/removal-consent", use: admin.agreeToRemoval)
            routes.get("admin/waves", use: waves.index)
            routes.post("admin/waves/:id/undo", use: waves.undo)
            routes.get("admin/domains", use: waves.domains)
            routes.post("admin/domains/block", use: waves.block)
            routes.post("admin/domains/unblock", use: waves.unblock)
            routes.get("admin/events", use: admin.events)
            routes.get("admin/events/:id", use: admin.event)
            routes.post("admin/events/:id/hide", use: admin.hideEvent)
            routes.post("admin/events/:id/show", use: admin.showEvent)
            routes.get("admin/questions/:id", use: questions.review)
            routes.post("admin/questions/:id/hide", use: questions.hide)
            routes.post("admin/questions/:id/show", use: questions.unhide)
            routes.get("admin/log", use: admin.log)
        }
        section(for: .admins) { routes in
            // These open or lock accounts: with them a moderator could become an admin.
            routes.post("admin/people/:id/reset-link", use: admin.makeResetLink)
            routes.post("admin/people/:id/log-out", use: admin.endSessions)
            routes.post("admin/people/:id/confirmation", use: admin.sendConfirmation)
            routes.get("admin/people/:id/email", use: admin.address)
            routes.post("admin/people/:id/email", use: admin.setAddress)
            routes.get("admin/people/:id/role", use: admin.role)
            routes.post("admin/people/:id/role", use: admin.giveRole)
            routes.get("admin/log-ins", use: outside.index)
            routes.post("admin/log-ins", use: outside.allow)
            routes.get("admin/log-ins/:id/end", use: outside.ask)
            routes.post("admin/log-ins/:id/end", gone: .outsideLogIns, use: outside.end)
            routes.get("admin/providers", use: plans.index)
            routes.post("admin/providers", use: plans.setPrices)
            routes.get("admin/providers/:id", use: plans.show)
            routes.post("admin/providers/:id", use: plans.grant)
            routes.post("admin/providers/:id/verified", use: plans.verify)
            routes.post("admin/providers/:id/unverified", use: plans.unverify)
            routes.get("admin/mail", use: letters.index)
            routes.post("admin/mail", use: letters.test)
            routes.get("admin/mail/:id", use: letters.show)
            routes.post("admin/mail/:id/retry", use: letters.retry)
            routes.post("admin/mail/:id/link", use: letters.handOver)
            routes.get("admin/letters", use: townLetters.index)
            routes.get("admin/letters/new", use: townLetters.form)
            routes.post("admin/letters/new", use: townLetters.create)
            routes.get("admin/letters/:id", use: townLetters.show)
            routes.post("admin/letters/:id/stop", use: townLetters.stop)
            routes.get("admin/invitations", use: siteInvitations.index)
            routes.post("admin/invitations", .takesFiles, use: siteInvitations.preview)
            routes.post("admin/invitations/send", use: siteInvitations.send)
            routes.post("admin/invitations/end", use: siteInvitations.end)
            routes.get("admin/tags", use: tags.desk)
            routes.post("admin/tags/merge", use: tags.merge)
            routes.post("admin/tags/hide", use: tags.hide)
            routes.post("admin/tags/show", use: tags.unhide)
            routes.get("admin/operations", use: operations.show)
            routes.get("admin/report", use: annualReports.show)
            routes.get("admin/report.csv", use: annualReports.sheet)
            routes.get("admin/report/sessions", use: annualReports.sessions)
            routes.get("admin/modules", use: opening.modules)
            routes.post("admin/modules", use: opening.setModules)
            routes.get("admin/banner", use: opening.banner)
            routes.post("admin/banner", use: opening.setBanner)
            routes.get("admin/settings", use: town.edit)
            routes.post("admin/settings", use: town.update)
            routes.get("admin/face", use: face.edit)
            routes.post("admin/face", .takesFiles, use: face.update)
            routes.get("admin/pages", use: face.editPages)
            routes.post("admin/pages", use: face.updatePages)
        }

        // Words
        section(for: .anyone, [.openWhenClosed, .openWhileWaiting]) { routes in
            routes.get("privacy", use: pages.privacy)
            routes.get("about", .cached, use: pages.about)
            routes.get("accessibility", .cached, use: pages.accessibility)
            routes.get("accessibility.yaml", [.cached, .hasOneAddress], use: pages.accessibilityReport)
            routes.get("help", use: pages.help)
            routes.get("rules", .cached, use: pages.rules)
            routes.get("terms", .cached, use: pages.terms)
            routes.get("imprint", .cached, use: pages.imprint)
            routes.get("help/home-screen", .cached, use: pages.homeScreen)
            routes.get("offline", use: pages.offline)
        }
        section(for: .anyone) { routes in
            routes.get("help/components", use: pages.components)
            routes.post("banner", .openWhenClosed, use: opening.putAway)
            routes.post("language", [.openWhenClosed, .openWhileWaiting], use: settings.choose)
        }

        // Machines
        section(for: .anyone, [.openWhenClosed, .openWhileWaiting]) { routes in
            routes.get("healthz", use: machine.health)
            routes.get("readyz", use: machine.ready)
            routes.get("robots.txt", use: machine.robots)
            routes.get(".well-known/security.txt", use: machine.security)
            routes.get("manifest.webmanifest", use: manifest.show)
            routes.get("face/:color", use: colors.sheet)
            routes.get("outlines/:release/:latitude/:longitude", use: maps.outlines)
            routes.get("worker.js", use: machine.worker)
            routes.get("favicon.ico", use: machine.favicon)
        }
        section(for: .anyone) { routes in
            routes.get("metrics", .openWhenClosed, use: machine.metrics)
            routes.get("sitemap.xml", [.cached, .hasOneAddress], use: feeds.sitemap)
        }
    }
}
