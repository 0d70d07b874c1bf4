import Forms
import Hummingbird
import Templating

/// `/manifest.webmanifest`: the site as an app.
struct ManifestController {
    let site: Site

    func show(_ context: PublicContext) -> Response {
        let language = context.query["language"].flatMap { site.language(named: $0) } ?? context.language
        var response = context.document(
            manifest(in: language).bytes, type: "application/manifest+json", isTranslated: true)
        response.headers[.cacheControl] = "max-age=3600"
        return response
    }

    /// The web app manifest: name, icons, shortcuts, and what can be shared with the app.
    private func manifest(in language: Language) -> JSON {
        func text(_ words: Words) -> JSON { .string(words.text(in: language)) }
        func picture(_ name: String, _ size: String, _ type: String, _ more: (String, JSON)...) -> JSON {
            let link = JSON.string(site.assets.link("images/\(name)").string)
            let members: [(String, JSON)] = [("src", link), ("sizes", .string(size)), ("type", .string(type))] + more
            return .object(members.map { (name: $0.0, value: $0.1) })
        }
        let icon = picture("icon-192.png", "192x192", "image/png")
        func shortcut(_ name: Words, to link: Link) -> JSON {
            ["name": text(name), "url": .string(link.string), "icons": [icon]]
        }
        return [
            "id": "/", "name": .string(site.town.siteName), "short_name": .string(site.town.shortName),
            "description": text(site.town.motto), "lang": .string(language.name),
            "dir": language.isRightToLeft ? "rtl" : "ltr", "start_url": "/", "scope": "/", "display": "standalone",
            "background_color": "#fbf7f0", "theme_color": .string(site.town.face.colors?.chosen.css ?? "#1c6b57"),
            "icons": [
                picture("icon-192.png", "192x192", "image/png", ("purpose", "any")),
                picture("icon-512.png", "512x512", "image/png", ("purpose", "any")),
                picture("icon-maskable-512.png", "512x512", "image/png", ("purpose", "maskable")),
                picture("favicon.svg", "any", "image/svg+xml", ("purpose", "any")),
            ],
            "shortcuts": [
                shortcut("My week", to: .week), shortcut("Discover", to: .events),
                shortcut("Add event", to: .newEvent),
            ],
            "screenshots": [
                picture(
                    "phone-discover.webp", "780x1688", "image/webp", ("form_factor", "narrow"),
                    ("label", text("Discover"))),
                picture(
                    "phone-week.webp", "780x1688", "image/webp", ("form_factor", "narrow"), ("label", text("My week"))),
                picture(
                    "desktop-discover.webp", "1280x800", "image/webp", ("form_factor", "wide"),
                    ("label", text("Discover"))),
            ],
            "share_target": [
                "action": .string(Link.share.string), "method": "POST", "enctype": "multipart/form-data",
                "params": [
                    "title": "title", "text": "text", "url": "url",
                    "files": [["name": "picture", "accept": ["image/*"]]],
                ],
            ],
        ]
    }
}
