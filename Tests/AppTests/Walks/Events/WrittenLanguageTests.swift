import Database
import Forms
import Templating
import Testing

@testable import App

/// What an event or a way to help is written in, and an event in a second language, too.
@Suite struct WrittenLanguageTests {
    private static let kites: [String: Filling] = [
        "title": "Kite day", "description": "We build kites and let them fly.", "date": "2027-03-27",
        "start_time": "10:00", "address": "180 Park Ave", "spots": "20",
    ]
    private static let cometas: [String: Filling] = [
        "other_language": "es", "other_title": "Día de cometas",
        "other_description": "Construimos cometas y las hacemos volar.",
    ]

    /// A site that is read in English, German and Spanish, by visitors whose browsers ask for German.
    private func withSite(_ body: (TestSite) async throws -> Void) async throws {
        let catalogues = ["de", "es"].map { Catalogue(parsing: "msgid \"\"\nmsgstr \"Language: \($0)\\n\"\n") }
        try await withTestSite(catalogues: catalogues, body)
    }

    /// An event in English, and one with both texts.
    private static func publishBoth(at site: TestSite) async throws -> ID<Event> {
        try await site.publish(by: .ben) { ($0.title, $0.language) = ("Chess", WrittenLanguage(typed: "en")) }
        return try await site.publish(by: .ben) {
            $0.language = WrittenLanguage(typed: "en")
            $0.otherLanguage = WrittenLanguage(typed: "es")
            ($0.otherTitle, $0.otherDescription) = ("Día de cometas", "Construimos cometas.")
        }
    }

    @Test func `an event is written in the language of its host’s pages unless the form says another`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/new").value(of: "language") == "en")
            let form = try await ben.visit("/events/new").form(with: "Preview", filling: Self.kites)
            // A program that knows no such field says nothing of it.
            let pairs = form.pairs.filter { $0.name != "language" && $0.name != "step" } + [("step", "publish")]
            _ = try await ben.post(form.action, pairs)
            #expect(try site.count(of: "event WHERE language = 'en' AND other_language = ''") == 1)
            let page = try await ben.visit("/events/1/edit").press("Preview", filling: ["language": "vi"])
            _ = try await page.press("Publish the change")
            #expect(try site.count(of: "event WHERE language = 'vi'") == 1)
            #expect(try await ben.visit("/events/new?copy=1").value(of: "language") == "vi")
        }
        try await withSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/events/new").value(of: "language") == "de")
            #expect(try await ben.visit("/events/new?lang=es").value(of: "language") == "es")
        }
    }

    @Test func `a way to help says what it is written in, and its organization may say another`() async throws {
        try await withSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            #expect(try await ben.visit("/opportunities/new?kind=donate&lang=es").value(of: "language") == "es")
            let form = try await ben.visit("/opportunities/new?kind=volunteer")
            #expect(form.value(of: "language") == "de")
            let lunch: [String: Filling] = [
                "title": "غداء السبت", "description": "نقدم الطعام للجيران.", "conditions": "حذاء مغلق",
                "shift.0.date": "2027-03-27", "shift.0.start_time": "11:00", "shift.0.end_time": "14:00",
                "shift.0.spots": "8",
            ]
            // A program that knows no such field says nothing of it.
            let sent = try form.form(with: "Preview", filling: lunch)
            let pairs = sent.pairs.filter { $0.name != "language" && $0.name != "step" } + [("step", "publish")]
            _ = try await ben.post(sent.action, pairs)
            #expect(try site.count(of: "opportunity WHERE language = 'de'") == 1)
            let preview = try await ben.visit("/opportunities/1/edit").press("Preview", filling: ["language": "ar"])
            #expect(preview.html.first("h1")?["lang"] == "ar")
            _ = try await preview.press("Publish the change")
            #expect(try await ben.visit("/opportunities/new?copy=1").value(of: "language") == "ar")

            let visitor = site.browser()
            let page = try await visitor.visit("/opportunities/1")
            let prose = page.html.all(ofClass: "prose").first
            #expect(page.html.first("h1")?["lang"] == "ar" && prose?["lang"] == "ar" && prose?["dir"] == "rtl")
            #expect(page.html.all("span").contains { $0.text == "حذاء مغلق" && $0["lang"] == "ar" })
            for path in ["/opportunities", "/opportunities?as=table", "/opportunities/map"] {
                let link = try await visitor.visit(path).html.all("a").first { $0.text == "غداء السبت" }
                #expect(link?["lang"] == "ar", "\(path)")
            }
            #expect(try await visitor.visit("/opportunities.atom").string.contains(#"<title xml:lang="ar">"#))
            #expect(try await visitor.visit("/api/opportunities/1").string.contains(#""language":"ar""#))
            // Nothing is made up where nobody said.
            try await site.execute("UPDATE opportunity SET language = ''")
            #expect(try await visitor.visit("/opportunities/1").html.first("h1")?["lang"] == nil)
            #expect(try await visitor.visit("/api/opportunities/1").string.contains(#""language":null"#))
        }
    }

    @Test func `each language is on the list once, and Latin names are sorted`() {
        let all = LanguageNames.all
        #expect(Set(all.map(\.tag)).count == all.count && Set(all.map(\.name)).count == all.count)
        let latin = all.prefix { folded($0.name).utf8.first.map { $0 < 0x80 } ?? false }.map { folded($0.name) }
        #expect(latin.count > 30 && latin == latin.sorted())
        for (tag, name) in [("pt-BR", "Português"), ("nb", "Norsk"), ("es-419", "Español"), ("tl", "Filipino")] {
            let catalogue = Catalogue(parsing: "msgid \"\"\nmsgstr \"Language: \(tag)\\n\"\n")
            let language = Language(Translations(catalogue), country: "US")
            #expect(WrittenLanguage(language)?.name.english == name, "\(tag)")
        }
        #expect(
            all.filter { WrittenLanguage(typed: $0.tag)?.direction == "rtl" }.map(\.tag).sorted() == [
                "ar", "fa", "he", "ps", "ur", "yi",
            ])
        #expect(WrittenLanguage(typed: "es\" onload=") == nil && WrittenLanguage(typed: "") == nil)
    }

    @Test func `a flyer has both texts, and a calendar, a map and a screen the reader’s`() async throws {
        try await withSite { site in
            let id = try await Self.publishBoth(at: site)
            let visitor = site.browser()
            let flyer = try await visitor.visit("/events/\(id)/flyer?lang=es")
            #expect(flyer.heading == "Día de cometas" && flyer.title.contains("Día de cometas"))
            #expect(flyer.text.contains("Kite day") && flyer.text.contains("We build kites"))
            let strips = flyer.html.all(ofClass: "flyer-strips").first
            #expect(strips?.text.contains("Día de cometas") == true && strips?.text.contains("Kite day") == false)
            for path in ["/events/\(id).ics", "/events.ics", "/events.atom", "/events/map", "/screen", "/booklet"] {
                let page = try await visitor.visit("\(path)?lang=es").string
                #expect(page.contains("Día de cometas") && !page.contains("Kite day"), "\(path)")
                #expect(try await visitor.visit(path).string.contains("Kite day"), "\(path)")
            }
        }
    }

    @Test func `the name of a language is heard in that language, and what is saved in its own`() async throws {
        try await withSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            for (path, tags) in [
                ("/events/new", ["ar", "es", "vi"]), ("/opportunities/new?kind=volunteer", ["ar", "es", "vi"]),
                ("/me/settings", ["de", "es"]), ("/events", ["ar", "es", "vi"]),
            ] {
                let options = try await ben.visit(path).html.all("option")
                for tag in tags {
                    #expect(options.contains { $0["value"] == tag && $0["lang"] == tag }, "\(path) \(tag)")
                }
                // What is said in the page's own words has none.
                #expect(options.contains { $0["value"] == "" || $0["value"] == "usual" }, "\(path)")
                #expect(!options.contains { $0["value"] == "" && $0["lang"] != nil }, "\(path)")
            }
            let id = try await Self.publishBoth(at: site)
            let lunch = try await site.ask(by: .ben) { $0.language = WrittenLanguage(typed: "en") }
            let ana = try await site.signIn(.ana)
            for path in ["/events/\(id)", "/opportunities/\(lunch)"] { _ = try await ana.visit(path).press("Save") }
            let page = try await ana.visit("/favorites?lang=es")
            #expect(page.buttons.contains("Remove: Día de cometas"))
            let names = page.html.all("button").compactMap { $0.all("span").first { $0["lang"] != nil } }
            #expect(names.map { $0["lang"] } == ["es", "en"])
        }
    }

    @Test func `a program’s sheet, a host’s list, a preview and suggestions name an event in the reader’s language`()
        async throws
    {
        try await withSite { site in
            let id = try await site.publish(by: .ben) {
                ($0.title, $0.audience, $0.tags) = ("Chess fair", .everyone, "games")
                ($0.language, $0.otherLanguage) = (WrittenLanguage(typed: "en"), WrittenLanguage(typed: "es"))
                ($0.otherTitle, $0.otherDescription) = ("Feria de ajedrez", "Jugamos.")
            }
            let (zone, now) = (site.site.settings.zone, site.clock.now)
            try await site.write(at: now) { tx in
                var game = ActivityForm()
                (game.name, game.startTime) = ("Blitz", TimeOfDay(hour: 11, minute: 0)!)
                try Activity.save([game.activity(from: Day(iso: "2027-03-27")!, in: zone)], of: id, in: tx)
            }
            let sheet = try await site.browser().visit("/events/\(id)/programme?lang=es")
            #expect(sheet.heading == "Feria de ajedrez" && sheet.html.first("h1")?["lang"] == "es")
            #expect(sheet.title.contains("Feria de ajedrez") && !sheet.text.contains("Chess fair"))
            #expect(try await site.browser().visit("/events/\(id)/programme").heading == "Chess fair")

            let ben = try await site.signIn(.ben, as: .provider)
            let own = try await ben.visit("/me/events?lang=es")
            let link = own.html.all("a").first { $0.text == "Feria de ajedrez" }
            #expect(link?["lang"] == "es" && own.links.contains { $0.text == "Change it: Feria de ajedrez" })
            #expect(!own.text.contains("Chess fair"))
            #expect(try await ben.visit("/me/events").text.contains("Change it: Chess fair"))
            let preview = try await ben.visit("/events/\(id)/edit?lang=es").press("Preview")
            #expect(preview.title.contains("Feria de ajedrez") && !preview.title.contains("Chess fair"))

            let dan = try await site.signIn(.family(1))
            let other = try await site.publish(by: .ben) {
                ($0.title, $0.audience, $0.tags) = ("Games night", .everyone, "games")
                ($0.language, $0.otherLanguage) = (WrittenLanguage(typed: "en"), WrittenLanguage(typed: "es"))
                ($0.otherTitle, $0.otherDescription) = ("Noche de juegos", "Jugamos.")
            }
            _ = try await dan.visit("/events/\(other)").press("Join")
            var page = try await dan.visit("/events/for-you?lang=es")
            #expect(page.text.contains("1 tag you know from “Noche de juegos”: games"), "\(page.text)")
            _ = try await page.press("Not this one: Feria de ajedrez")
            page = try await dan.visit("/events/for-you?lang=es")
            #expect(page.buttons.contains("Feria de ajedrez: suggest it again"), "\(page.buttons)")
            #expect(try await dan.visit("/events/for-you").buttons.contains("Chess fair: suggest it again"))
        }
    }

    @Test func `what families read names an event in the reader’s language`() async throws {
        try await withSite { site in
            let id = try await Self.publishBoth(at: site)
            let ana = try await site.signIn(.ana, as: .parent)
            let registration = try await site.register([try await site.child("Mo", of: .ana)], of: .ana, at: id)
            let (ben, host) = (try await site.signIn(.ben, as: .provider), "/events/\(id)")
            for (reader, path) in [
                (ana, "/me/attending"), (ana, "/registrations/\(registration)"), (ana, "/me/registrations"),
                (ana, "/week?from=2027-03-27"), (ben, "\(host)/announcements"), (ben, "\(host)/registrations"),
                (ben, "\(host)/cancel"), (ben, "\(host)/copy"), (ben, "\(host)/published"),
            ] {
                let mark = path.contains("?") ? "&" : "?"
                let page = try await reader.visit("\(path)\(mark)lang=es")
                #expect(page.status == 200 && page.text.contains("Día de cometas"), "\(path)")
                #expect(!page.text.contains("Kite day"), "\(path)")
                #expect(try await reader.visit(path).text.contains("Kite day"), "\(path)")
            }
            let page = try await ana.visit("/registrations/\(registration)?lang=es")
            #expect(page.html.all("h2").first { $0.text == "Día de cometas" }?["lang"] == "es")
            for (path, tag) in [
                ("/week?from=2027-03-27", "span"), ("/week?from=2027-03-27&as=print", "span"),
                ("/me/registrations", "a"),
            ] {
                for (language, title) in [("es", "Día de cometas"), ("en", "Kite day"), ("de", "Kite day")] {
                    let page = try await ana.visit("\(path)\(path.contains("?") ? "&" : "?")lang=\(language)")
                    let names = page.html.all(tag).filter { $0.text == title && $0["lang"] != nil }
                    #expect(names.first?["lang"] == (language == "es" ? "es" : "en"), "\(path) \(language)")
                }
            }
            let back = try await ben.visit("\(host)/cancel?lang=es").html.all(ofClass: "back").first
            #expect(back?.text == "Día de cometas" && back?["lang"] == "es")
            // A post about it, the page where its host adds somebody, and the inbox of those who follow them.
            let preview = try await ana.visit("/timeline/new?event=\(id)&lang=es")
            #expect(preview.text.contains("Día de cometas") && !preview.text.contains("Kite day"))
            #expect(try await preview.press("Post it").path == "/posts/1")
            let adding = try await ben.visit("\(host)/people/new?lang=es").html.all(ofClass: "back").first
            #expect(adding?.text == "Día de cometas")
            let (follower, followed) = (try await site.account(of: .ana), try await site.account(of: .ben))
            try await site.write(at: site.clock.now) { tx in
                try Followed.follow(followed, true, by: follower, in: tx)
                try FollowNews.tell(id, try #require(try Event.find(id, in: tx)), in: tx)
            }
            for (language, title) in [("es", "Día de cometas"), ("en", "Kite day"), ("de", "Kite day")] {
                let chip = try await ana.visit("/posts/1?lang=\(language)").html.all(ofClass: "chip").first
                #expect(chip?.text.hasPrefix(title) == true, "\(language)")
                let told = try await ana.visit("/inbox?lang=\(language)")
                #expect(told.text.contains("announces: \(title)"), "\(language)")
            }
            let news = try site.read(at: site.clock.now) { tx in try FollowNews.all([.event(id)], in: tx) }
            #expect(news.map { $0.title.words.text(by: nil, in: "es-US") } == ["Día de cometas"])
        }
    }

    @Test func `a second text comes back through preview and editing, and is whole or not at all`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new")
            var page = try await form.press("Preview", filling: Self.kites.merging(["other_title": "Cometas"]) { $1 })
            #expect(
                page.problems == [
                    "Choose the language of the second text.", "Say what happens there in the second language too.",
                ])
            #expect(page.value(of: "other_title") == "Cometas")
            page = try await page.press(
                "Preview", filling: Self.cometas.merging(["other_language": "en"]) { $1 })
            #expect(page.problems == ["Choose a language other than that of the first text."])
            page = try await page.press("Preview", filling: Self.cometas)
            #expect(page.heading == "Kite day" && page.text.contains("Construimos cometas y las hacemos volar."))
            page = try await page.press("Back to editing")
            #expect(page.value(of: "other_title") == "Día de cometas" && page.value(of: "other_language") == "es")
            _ = try await page.press("Preview").press("Publish")
            #expect(
                try site.count(
                    of: """
                        event WHERE language = 'en' AND other_language = 'es' AND other_title = 'Día de cometas'
                            AND other_description = 'Construimos cometas y las hacemos volar.'
                        """) == 1)
            page = try await ben.visit("/events/1/edit").press(
                "Preview", filling: ["other_language": "", "other_title": "", "other_description": ""])
            _ = try await page.press("Publish the change")
            #expect(try site.count(of: "event WHERE other_title = '' AND other_description = ''") == 1)
        }
    }

    @Test func `readers get the text in their language first, and each text says its own`() async throws {
        try await withSite { site in
            let id = try await Self.publishBoth(at: site)
            func heading(_ language: String) async throws -> (text: String, lang: String?, prose: String) {
                let page = try await site.browser().visit("/events/\(id)?lang=\(language)")
                let heading = page.html.first("h1")
                return (page.heading, heading?["lang"], page.html.all(ofClass: "prose").first?.text ?? "")
            }
            #expect(try await heading("en") == ("Kite day", "en", "We build kites and let them fly."))
            #expect(try await heading("es") == ("Día de cometas", "es", "Construimos cometas."))
            #expect(try await heading("de") == ("Kite day", "en", "We build kites and let them fly."))
            let spanish = try await site.browser().visit("/events/\(id)?lang=es")
            #expect(spanish.title.contains("Día de cometas") && spanish.text.contains("We build kites"))
            #expect(spanish.string.contains(#"og:title" content="Día de cometas""#))
            #expect(try await site.browser().visit("/events?lang=es").cards == ["Chess", "Día de cometas"])
            #expect(try await site.browser().visit("/events?lang=de").cards == ["Chess", "Kite day"])
        }
    }

    @Test func `both texts are found, and a search may ask for a language`() async throws {
        try await withSite { site in
            let id = try await Self.publishBoth(at: site)
            let visitor = site.browser()
            func found(_ query: String) async throws -> [String] { try await visitor.visit("/events?\(query)").cards }
            for (query, titles) in [
                ("q=cometas", ["Kite day"]), ("q=kites", ["Chess", "Kite day"]), ("written=es", ["Kite day"]),
                ("written=en", ["Chess", "Kite day"]), ("written=ko", []), ("written=klingon", ["Chess", "Kite day"]),
            ] {
                #expect(try await found(query) == titles, "\(query)")
            }
            #expect(try await visitor.visit("/events?written=es").text.contains("written in Español"))
            // The index made anew knows both as well.
            try await site.execute("DELETE FROM event_search")
            try await site.execute("UPDATE note SET value = 'old' WHERE name = 'search_edition'")
            try await site.write { db in
                try SearchIndex.renewKeys(in: db)
                while try SearchIndex.renewLines(in: db) != nil {}
            }
            #expect(try await found("q=cometas") == ["Kite day"])
            let json = try await visitor.visit("/api/events/\(id)").string
            #expect(json.contains(#""language":"en""#) && json.contains(#""title":"Día de cometas""#))
            let page = try await visitor.visit("/events/\(id)").string
            #expect(page.contains(#""inLanguage":["en","es"]"#))
            #expect(try await visitor.visit("/events.atom").string.contains(#"<title xml:lang="en">"#))
        }
    }

    @Test func `dates and copies have the second text, and nothing of it outlives its host`() async throws {
        try await withSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            try await site.publish(by: .ben)
            try await site.write(at: site.clock.now) { tx in
                let event = try #require(try Event.find(ID(1), in: tx))
                try Series.publish(event, on: [Day(iso: "2027-04-03")!], in: tx)
            }
            let form = try await ben.visit("/events/1/edit")
            let page = try await form.press("Preview", filling: Self.cometas.merging(["scope": "all"]) { $1 })
            _ = try await page.press("Publish the change")
            #expect(try site.count(of: "event WHERE other_title = 'Día de cometas'") == 2)
            let copy = try await ben.visit("/events/new?copy=1")
            #expect(copy.value(of: "other_title") == "Día de cometas" && copy.value(of: "other_language") == "es")

            let mira = try await site.signIn(.mira, isStaff: true)
            let seen = try await mira.visit("/admin/queue/event-1").text
            #expect(seen.contains("Día de cometas") && seen.contains("las hacemos volar"))
            let account = try await site.account(of: .ben)
            try await site.write(at: site.clock.now) { tx in try Account.leave(account, in: tx) }
            #expect(try site.count(of: "event WHERE other_title || other_description || other_synopsis <> ''") == 0)
        }
    }
}
