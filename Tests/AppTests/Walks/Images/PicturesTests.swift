import Database
import Forms
import Subprocess
import Templating
import Testing

@testable import App

/// Pictures from the form to the page, and what is done with those that can't be taken.
@Suite struct PicturesTests {
    private let kiteDay: [String: Filling] = [
        "title": "Kite day", "description": "We build kites and let them fly.", "date": "2027-03-27",
        "start_time": "10:00", "address": "180 Park Ave", "spots": "20",
    ]

    private func post(_ file: [UInt8], named name: String = "photo.jpg") -> [String: Filling] {
        kiteDay.merging(["poster_file": .file(SentFile(name, file))]) { $1 }
    }

    /// The chunks of a WebP, by name.
    private func chunks(_ file: [UInt8]) -> [String] {
        var names: [String] = []
        var place = 12
        while place + 8 <= file.count {
            names.append(String(decoding: file[place..<place + 4], as: UTF8.self))
            let length = (0..<4).reduce(0) { $0 | Int(file[place + 4 + $1]) << ($1 * 8) }
            place += 8 + length + length % 2
        }
        return names
    }

    @Test func `a poster comes with the form, stays through preview and editing, and stands on every page`()
        async throws
    {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var answers = post(Pictures.wide)
            answers["poster_alt"] = "Children on a hill"
            var page = try await ben.visit("/events/new").press("Preview", filling: answers)
            #expect(page.heading == "Kite day")
            let hero = try #require(page.html.all(ofClass: "hero").first?.first("img"))
            #expect(hero["alt"] == "Children on a hill" && hero["width"] == "1920" && hero["height"] == "960")
            #expect(hero["srcset"]?.contains("card.webp 720w, ") == true && hero["class"] == "poster focus-5")
            #expect(try site.count(of: "event") == 0)

            page = try await page.press("Back to editing")
            #expect(page.value(of: "poster") == "1" && page.value(of: "poster_alt") == "Children on a hill")
            #expect(page.html.all(ofClass: "picture-frame").first?.first("img") != nil)
            page = try await page.press("Preview", filling: ["poster_focus": "2"]).press("Publish")
            page = try await page.follow("See the event")
            #expect(page.html.all(ofClass: "hero").first?.first("img")?["class"] == "poster focus-2")
            #expect(
                try site.count(
                    of: """
                        picture JOIN event ON event.picture_id = picture.id
                        WHERE alt = 'Children on a hill' AND focus = 2
                        """) == 1)
            for path in ["/events", "/providers/ben-ruiz"] {
                let card = try await ben.visit(path).html.all(ofClass: "card").first
                #expect(card?.first("img")?["src"] == hero["src"], "\(path)")
            }
        }
    }

    @Test(arguments: Pictures.kinds)
    func `every kind is taken, and what is kept is WebP`(name: String) async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press(
                "Preview", filling: post(Pictures.file(name), named: name))
            #expect(page.problems == [])
            let source = try #require(page.html.all(ofClass: "hero").first?.first("img")?["src"])
            // A preview is its author's alone.
            #expect(try await site.browser().visit(source).status == 404)
            let picture = try await ben.visit(source)
            #expect(picture["Cache-Control"] == "private, no-store")
            #expect(picture.status == 200 && picture["Content-Type"] == "image/webp")
            let header = try PictureHeader(of: picture.body)
            #expect(header.kind == .webp && header.width == 60 && header.height == 40)
        }
    }

    @Test func `a picture of what everybody sees is served to everybody, asked for each time, and can do nothing`()
        async throws
    {
        try await withTestSite { site in
            let account = try await site.account(of: .ben)
            let picture = try await site.site.keep(.form(Pictures.wide), of: account, at: site.clock.now)
            try await site.publish(by: .ben)
            try await site.execute("UPDATE event SET picture_id = \(picture.id)")
            for (size, width) in [(Picture.Size.thumb, 192), (.card, 720), (.full, 1_920)] {
                let page = try await site.browser().visit(picture.link(size).string)
                #expect(try PictureHeader(of: page.body).width == width)
                #expect(page["Cache-Control"] == "public, no-cache")
                #expect(page["X-Content-Type-Options"] == "nosniff")
                #expect(page["Content-Security-Policy"] == "default-src 'none'; sandbox")
                let tag = try #require(page["ETag"])
                for known in [tag, "*"] {
                    let again = try await site.browser().visit(picture.link(size).string, ["If-None-Match": known])
                    #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag, "\(known)")
                }
            }
            for path in [
                "/media/\(picture.hash)/huge.webp", "/media/\(picture.hash)/card.png", "/media/nothing/card.webp",
                "/media/\(picture.hash)", "/media/", "/media/%2e%2e/card.webp",
            ] {
                #expect(try await site.browser().visit(path).status == 404, "\(path)")
            }
        }
    }

    @Test func `where and how a photo was taken is gone, and it stands upright`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ben)
            let file = Pictures.photo(orientation: 6)
            #expect(String(decoding: file, as: UTF8.self).contains("at home"))
            let picture = try await site.site.keep(.form(file), of: account, at: site.clock.now)
            #expect(picture.width == 40 && picture.height == 60)
            for size in Picture.Size.allCases {
                let bytes = try #require(try site.site.media.bytes(picture.hash, size))
                #expect(chunks(bytes) == ["VP8 "], "\(size)")
                #expect(!String(decoding: bytes, as: UTF8.self).contains("home"))
            }
            let upright = try await site.site.keep(
                .form(Pictures.photo(orientation: 1)), of: account, at: site.clock.now)
            #expect(upright.width == 60 && upright.height == 40, "the twin: without the note it lies as it lay")
        }
    }

    private static let refused: [String: (file: [UInt8], words: String)] = [
        "bomb.png": (Pictures.png(width: 30_000, height: 30_000), "This picture has 30,000 by 30,000 pixels"),
        "cut.jpg": (Array(Pictures.photo.prefix(700)), "This picture is damaged or incomplete."),
        "cut.heic": (Array(Pictures.phone.prefix(500)), "This picture is damaged or incomplete."),
        "drawing.svg": (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "This is an SVG drawing."),
        "large.jpg": (Pictures.photo(bytes: 11 << 20), "This picture is larger than 10 MB."),
        "list.pdf": (Array("%PDF-1.7".utf8), "This isn’t a picture we can read."),
        "empty.jpg": ([], "This file is empty."),
    ]

    @Test(arguments: refused.keys.sorted())
    func `a file that can’t be taken gets a sentence at its field, and the form keeps everything else`(
        name: String
    ) async throws {
        let (file, words) = try #require(Self.refused[name])
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let page = try await ben.visit("/events/new").press("Preview", filling: post(file, named: name))
            #expect(page.status == 422 && page.problems.count == 1)
            #expect(page.problems.first?.hasPrefix(words) == true, "\(page.problems)")
            #expect(page.html.all(ofClass: "problems").first?.first("a")?["href"] == "#poster_file")
            for (field, answer) in kiteDay {
                guard case .texts(let texts) = answer else { continue }
                #expect(page.values(of: field) == texts, "\(field)")
            }
            #expect(try site.count(of: "picture") == 0)
            // Once the picture is left out, all is well.
            #expect(try await page.press("Preview").heading == "Kite day")
        }
    }

    @Test func `a bad file takes no picture away that was there before`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/new").press("Preview", filling: post(Pictures.photo))
            page = try await page.press("Back to editing")
            page = try await page.press("Preview", filling: post(Array("<svg/>".utf8)))
            #expect(page.status == 422 && page.value(of: "poster") == "1")
            #expect(page.html.all(ofClass: "picture-frame").first?.first("img") != nil)
        }
    }

    @Test func `what hides behind a picture is not kept`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ben)
            let script = "<script>alert('in the village')</script>"
            let polyglot = Pictures.photo + Array(script.utf8)
            let picture = try await site.site.keep(.form(polyglot), of: account, at: site.clock.now)
            let page = try await site.signIn(.ben).visit(picture.link(.full).string)
            #expect(page["Content-Type"] == "image/webp" && !page.string.contains("script"))
            #expect(String(decoding: polyglot, as: UTF8.self).contains(script), "the twin: it was there")
        }
    }

    @Test func `a picture is its owner’s alone, and can be taken off again`() async throws {
        try await withTestSite { site in
            let cleo = try await site.account(of: .cleo)
            let theirs = try await site.site.keep(.form(Pictures.photo), of: cleo, at: site.clock.now)
            let ben = try await site.signIn(.ben, as: .provider)
            let form = try await ben.visit("/events/new").form(with: "Preview", filling: kiteDay)
            var page = try await ben.post(form.action, form.pairs + [("poster", theirs.id.description)], [])
            #expect(page.status == 422 && page.problems == ["This picture is no longer here. Choose it again."])
            #expect(page.value(of: "poster") == nil && !page.string.contains(theirs.hash))

            let own = try await site.site.keep(
                .form(Pictures.wide), of: try await site.account(of: .ben), at: site.clock.now)
            page = try await ben.post(form.action, form.pairs + [("poster", own.id.description)], [])
            #expect(page.html.all(ofClass: "hero").first?.first("img") != nil, "the twin: the own one is taken")
            page = try await page.press("Back to editing").press("Preview", filling: ["poster_off": true])
            #expect(page.html.all(ofClass: "hero").first?.first("img") == nil && page.value(of: "poster") == nil)
        }
    }

    @Test func `a picture of an event is changed with the event, and of a draft kept with the draft`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            var page = try await ben.visit("/events/new").press("Keep as draft", filling: post(Pictures.photo))
            #expect(try site.count(of: "draft WHERE picture_id = 1") == 1)
            page = try await ben.visit("/events/new?draft=1")
            #expect(
                page.value(of: "poster") == "1" && page.html.all(ofClass: "picture-frame").first?.first("img") != nil)
            page = try await page.press("Preview").press("Publish").follow("See the event")
            let edit = page.path + "/edit"
            page = try await ben.visit(edit)
            #expect(page.value(of: "poster") == "1")
            let file = SentFile("wide.webp", Pictures.wide)
            page = try await page.press(
                "Preview", filling: ["poster_file": .file(file), "poster_alt": "A green field"])
            #expect(try site.count(of: "event WHERE picture_id = 1") == 1, "a preview changes nothing")
            page = try await page.press("Publish the change")
            #expect(try site.count(of: "event WHERE picture_id = 2") == 1)
            #expect(try site.count(of: "picture WHERE id = 2 AND alt = 'A green field'") == 1)
        }
    }

    @Test func `a script sends a picture by itself, and only its number goes along with the form`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let token = try #require(try await ben.visit("/events/new").value(of: "csrf"))
            let json = ["Accept": "application/json"]
            let file = SentFile("photo.jpg", Pictures.photo)
            var answer = try await ben.post(
                "/images", [("csrf", token), ("alt", "Two colours")], [("image", file)], json)
            #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
            #expect(answer.string.contains("\"id\":1") && answer.string.contains("/card.webp\""))
            #expect(try site.count(of: "picture WHERE alt = 'Two colours'") == 1)

            let drawing = SentFile("drawing.svg", Array("<svg/>".utf8))
            answer = try await ben.post("/images", [("csrf", token)], [("image", drawing)], json)
            #expect(answer.status == 422 && answer["Content-Type"] == "application/problem+json")
            #expect(answer.string.contains("This is an SVG drawing. Save it as a PNG, and choose that."))
            // Without a script it goes back to where it came from.
            answer = try await ben.post("/images", [("csrf", token), ("next", "/me")], [("image", file)])
            #expect(answer.redirects == ["/me"])
            answer = try await ben.post("/images", [("csrf", token)], [("image", drawing)])
            #expect(answer.status == 422 && answer.heading == "We can’t take this picture")
            #expect(try await ben.post("/images", [], [("image", file)]).status == 403)
        }
    }

    @Test func `a stranger’s file is refused before it is read`() async throws {
        try await withTestSite { site in
            for path in ["/images", "/me/picture", "/events/new"] {
                // The head announces a large body, and none comes: the answer doesn't wait for it.
                let reply = try await site.browser().talk(
                    """
                    POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000000\r
                    Content-Type: multipart/form-data; boundary=b\r\n\r\n
                    """)
                #expect(reply.status == 403, "\(path)")
                #expect(String(decoding: reply.body, as: UTF8.self).contains("Log in, then send it again"))
            }
            let file = SentFile("photo.jpg", Pictures.photo)
            #expect(try await site.browser().post("/images", [], [("image", file)]).status == 403)
            #expect(try site.count(of: "picture") == 0)
        }
    }

    @Test func `an account sends thirty pictures in half an hour and no more`() async throws {
        try await withTestSite(limits: true) { site in
            let account = try await site.account(of: .ben)
            let now = site.clock.now
            for _ in 0..<30 { _ = try await site.site.keep(.form(Pictures.photo), of: account, at: now) }
            await #expect(throws: PictureProblem.tooMany(wait: .minutes(1))) {
                try await site.site.keep(.form(Pictures.photo), of: account, at: now)
            }
            _ = try await site.site.keep(.form(Pictures.photo), of: account, at: now + .minutes(1))
            _ = try await site.site.keep(.form(Pictures.photo), of: try await site.account(of: .cleo), at: now)
        }
    }

    @Test func `only so many large forms are read at once`() {
        let slots = UploadSlots(limit: 4, ofAccount: 3)
        let ben = (0..<4).map { _ in slots.take(ID(1)) }
        #expect(ben.map { $0 != nil } == [true, true, true, false])
        let cleo = slots.take(ID(2))
        #expect(cleo != nil && slots.take(ID(2)) == nil, "the twin: who has one gets no second")
        // A member with several lends the oldest to somebody who has none, but keeps one.
        #expect(ben.map { $0?.isLost } == [false, false, false, nil])
        let others = [slots.take(ID(3)), slots.take(ID(4)), slots.take(ID(5))]
        #expect(others.map { $0 != nil } == [true, true, false])
        #expect(ben.map { $0?.isLost } == [true, true, false, nil] && cleo?.isLost == false)
        // A slot that was lost gives nothing back.
        if let lost = ben[0] { slots.giveBack(lost) }
        #expect(slots.take(ID(5)) == nil)
        if let cleo { slots.giveBack(cleo) }
        #expect(slots.take(ID(5)) != nil)
    }

    @Test func `the same file is kept once, whoever sends it`() async throws {
        try await withTestSite { site in
            let now = site.clock.now
            let first = try await site.site.keep(.form(Pictures.photo), of: try await site.account(of: .ben), at: now)
            let second = try await site.site.keep(.form(Pictures.photo), of: try await site.account(of: .cleo), at: now)
            #expect(first.id != second.id && first.hash == second.hash)
            #expect(try media("SELECT count(*) FROM media", site) == 1)
            #expect(try media("SELECT count(*) FROM media_size", site) == 3)
        }
    }

    private func media(_ query: SQL, _ site: TestSite) throws -> Int? {
        try site.site.media.database.read { db in try db.value(query) }
    }

    // MARK: Sweeping

    @Test func `what nothing shows goes after two days, and what a page or a draft shows stays`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            _ = try await ben.visit("/events/new").press("Preview", filling: post(Pictures.photo)).press("Publish")
            _ = try await ben.visit("/events/new").press("Keep as draft", filling: post(Pictures.file("drawing.png")))
            _ = try await ben.visit("/me").press(
                "Save the picture", filling: ["picture": .file(SentFile("photo.webp", Pictures.file("photo.webp")))])
            _ = try await ben.visit("/events/new").press("Preview", filling: post(Pictures.wide))
            #expect(try site.count(of: "picture") == 4)

            let start = site.clock.now
            #expect(try await site.site.sweepPictures(at: start + .hours(47)) == 0)
            #expect(try site.count(of: "picture") == 4, "two days are spared")
            #expect(try await site.site.sweepPictures(at: start + .hours(49)) == 1)
            #expect(try site.count(of: "picture") == 3)
            #expect(try media("SELECT count(*) FROM media", site) == 3)
            #expect(try media("SELECT count(*) FROM media_size", site) == 9)
        }
    }

    @Test func `a file that is sent again is safe from the sweep that was about to take it`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ben)
            let start = site.clock.now
            _ = try await site.site.keep(.form(Pictures.photo), of: account, at: start)
            try await site.execute("DELETE FROM picture")
            let later = start + .hours(60)
            _ = try await site.site.media.keep(Pictures.photo, at: later)
            // Its row in the site's own database isn't written yet.
            _ = try await site.site.sweepPictures(at: later)
            #expect(try media("SELECT count(*) FROM media", site) == 1)
            _ = try await site.site.sweepPictures(at: later + .hours(49))
            #expect(try media("SELECT count(*) FROM media", site) == 0, "the twin: nobody came, and it goes")
        }
    }

    @Test func `every job of the housekeeping is done, and one that fails is logged`() async throws {
        try await withTestSite { site in
            let account = try await site.account(of: .ben)
            _ = try await site.site.keep(.form(Pictures.photo), of: account, at: site.clock.now)
            await Housekeeping(site: site.site).tidyUp(at: site.clock.now + .hours(49))
            #expect(try site.count(of: "picture") == 0)
            #expect(site.log.lines.contains { $0.contains("removed unused pictures count=1") })
        }
    }

    // MARK: Profiles

    @Test func `a family and a provider have a picture, in the header and beside the provider’s name`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let event = try await site.publish(by: .ben)
            let file = SentFile("photo.jpg", Pictures.photo)
            var page = try await ben.visit("/me").press("Save the picture", filling: ["picture": .file(file)])
            #expect(page.flash == "Saved.")
            let source = try #require(page.html.all(ofClass: "top").first?.first("img")?["src"])
            #expect(source.hasSuffix("/thumb.webp"))
            for path in ["/events/\(event)", "/events", "/providers/ben-ruiz"] {
                let page = try await site.browser().visit(path)
                let portraits = page.html.all(ofClass: "avatar").compactMap { $0.first("img")?["src"] }
                #expect(portraits.contains(source), "\(path)")
            }
            page = try await page.press("Take it off")
            #expect(page.html.all(ofClass: "top").first?.first("img") == nil)
            #expect(try site.count(of: "provider WHERE picture_id IS NULL") == 1)

            page = try await ben.visit("/me").press("Save the picture")
            #expect(page.status == 422 && page.problems == ["Choose a picture first."])
            let drawing = SentFile("drawing.svg", Array("<svg/>".utf8))
            page = try await page.press("Save the picture", filling: ["picture": .file(drawing)])
            #expect(page.problems == ["This is an SVG drawing. Save it as a PNG, and choose that."])
            #expect(page.html.all { $0["id"] == "picture-provider" }.count == 1)

            let ana = try await site.signIn(.ana, as: .parent)
            page = try await ana.visit("/me").press("Save my picture", filling: ["picture": .file(file)])
            #expect(page.html.all(ofClass: "top").first?.first("img") != nil)
            #expect(try site.count(of: "person WHERE picture_id IS NOT NULL AND shows_picture") == 1)
            let form = try await ana.visit("/me").form(with: "Save my picture")
            let pairs = form.pairs.map { $0.name == "of" ? (name: "of", value: "provider") : $0 }
            #expect(try await ana.post("/me/picture", pairs, [("picture", file)]).status == 400, "no organization")
        }
    }

    /// Every picture in an avatar of a page's main part.
    private func faces(_ page: Page) -> [String] {
        page.html.all("main").first?.all(ofClass: "avatar").compactMap { $0.first("img")?["src"] } ?? []
    }

    @Test func `a member without a family has a picture, which those see who may read the page`() async throws {
        try await withTestSite { site in
            let (ana, ben, visitor) = (
                try await site.signIn(.ana), try await site.signIn(.ben), site.browser()
            )
            let file = SentFile("photo.jpg", Pictures.photo)
            var page = try await ana.visit("/me")
            #expect(page.values(of: "shown") == ["1"], "it is said beforehand that others see it")
            page = try await page.press("Save my picture", filling: ["picture": .file(file)])
            let source = try #require(page.html.all(ofClass: "top").first?.first("img")?["src"])
            #expect(try await faces(ben.visit("/people/ana-ortiz")) == [source])
            #expect(try await ben.visit(source).status == 200)
            #expect(try await visitor.visit(source).status == 404)
            _ = try await ana.visit("/timeline/new").press("Preview", filling: ["text": "Hello to all of you."])
                .press("Post it")
            #expect(try await faces(ben.visit("/timeline")) == [source])
            // A member whose page is for members has initials before strangers.
            #expect(try await faces(visitor.visit("/timeline")) == [])
            try await site.execute("UPDATE person SET is_open = TRUE")
            #expect(try await faces(visitor.visit("/timeline")) == [source])
            #expect(try await visitor.visit(source).status == 200)

            // A blocked member doesn't see it anymore, nor does anybody once staff hid the page.
            let (one, other, now) = (try await site.account(of: .ana), try await site.account(of: .ben), site.clock.now)
            try await site.execute("UPDATE person SET is_open = FALSE")
            try await site.write(at: now) { tx in try Block.add(other, by: one, in: tx) }
            #expect(try await ben.visit(source).status == 404)
            try await site.execute("DELETE FROM block")
            #expect(try await ben.visit(source).status == 200)
            try await site.execute("UPDATE person SET is_open = TRUE")
            try await site.execute("UPDATE person SET hidden_at = 1")
            #expect(try await ben.visit(source).status == 404)
            #expect(try await visitor.visit(source).status == 404)
            #expect(try await faces(ben.visit("/timeline")) == [])
            try await site.execute("UPDATE person SET hidden_at = NULL")

            // Without the tick it is its owner's alone.
            _ = try await ana.visit("/me").press("Save my picture", filling: ["shown": []])
            #expect(try site.count(of: "person WHERE picture_id IS NOT NULL AND NOT shows_picture") == 1)
            #expect(try await faces(ben.visit("/people/ana-ortiz")) == [])
            #expect(try await ben.visit(source).status == 404)
            #expect(try await ana.visit(source).status == 200)
            _ = try await ana.visit("/me").press("Take it off")
            #expect(try site.count(of: "person WHERE picture_id IS NOT NULL") == 0)
        }
    }

    // MARK: The process beside

    @Test func `without the program pictures can’t be taken, and everything else can`() async throws {
        let workshop = Workshop(tools: ["/nowhere/prlimit", "/usr/bin/nice", "/usr/bin/vipsthumbnail"])
        #expect(workshop.missingTools == ["/nowhere/prlimit"])
        await #expect(throws: PictureProblem.unavailable) { try await workshop.make(from: Pictures.photo) }
        await #expect(throws: PictureProblem.drawing) { try await workshop.make(from: Array("<svg/>".utf8)) }
    }

    @Test func `a picture that takes too long is given up`() async throws {
        let workshop = Workshop(patience: .zero)
        await #expect(throws: PictureProblem.broken) { try await workshop.make(from: Pictures.wide) }
        _ = try await Workshop().make(from: Pictures.wide)
    }

    @Test func `a photo with a film behind it is taken, as phones write them`() async throws {
        try await withTestSite { site in
            let ben = try await site.signIn(.ben, as: .provider)
            let film = [0, 0, 0, 24] + Array("ftypmp42".utf8) + [UInt8](repeating: 7, count: 300_000)
            let page = try await ben.visit("/events/new").press("Preview", filling: post(Pictures.photo + film))
            #expect(page.problems == [] && page.heading == "Kite day")
        }
    }

    private static let processes = ["/bin/true", "/bin/false", "/usr/bin/yes", "/bin/sleep"]

    @Test(arguments: processes)
    func `a process that reads nothing, fails or never stops writing is a broken picture and no more`(
        process: String
    ) async throws {
        let workshop = Workshop(tools: [process, "/usr/bin/nice", "/usr/bin/vipsthumbnail"])
        await #expect(throws: PictureProblem.broken) { try await workshop.make(from: Pictures.photo(bytes: 5 << 20)) }
    }

    @Test func `a decoder that stops early leaves the rest unread, and nothing happens`() async throws {
        let damaged = Array(Pictures.photo.prefix(700)) + [UInt8](repeating: 0xFF, count: 5 << 20)
        await #expect(throws: PictureProblem.broken) { try await Workshop().make(from: damaged) }
    }

    @Test func `fed through a pipe, such a process ends the whole program`() async throws {
        // The twin: why the workshop hands over files. Once it passes the trap, a pipe would do.
        await #expect(processExitsWith: .failure) {
            for _ in 0..<50 {
                _ = try? await Subprocess.run(
                    .name("head"), arguments: ["-c", "100000"], input: .array([UInt8](repeating: 7, count: 5 << 20)),
                    output: .bytes(limit: 1 << 20), error: .discarded)
            }
        }
    }

    @Test func `as many pictures wait as may, and the next is refused at once`() async throws {
        let workshop = Workshop()
        try await withThrowingTaskGroup(of: PictureProblem?.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do {
                        _ = try await workshop.make(from: Pictures.photo)
                        return nil
                    } catch let problem as PictureProblem {
                        return problem
                    }
                }
            }
            var problems: [PictureProblem] = []
            for try await problem in group { if let problem { problems.append(problem) } }
            #expect(problems.allSatisfy { $0 == .busy } && (1...24).contains(problems.count))
        }
    }
}

extension FormFile {
    /// A file as the form reader gives it.
    fileprivate static func form(_ bytes: [UInt8]) -> FormFile {
        FormFile(name: "image", filename: "photo", contentType: "image/jpeg", bytes: bytes)
    }
}
