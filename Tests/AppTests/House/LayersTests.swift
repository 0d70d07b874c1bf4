import Testing

/// The layers of the site, from the ground up: each is built on those below it, and names nothing above.
@Suite struct LayersTests {
    enum Layer: Int {
        /// Words that every feature speaks, and the tables.
        case ground
        /// The gazetteer, what is near, maps, the way there.
        case places
        /// What there is, its rules, what is asked of the database, forms and pages.
        case features
        /// Requests and answers, what runs beside them, and the site that holds it all.
        case top

        /// - Parameter path: Below `Sources/App`.
        init(_ path: String) {
            let parts = path.split(separator: "/")
            let name = parts[parts.count - 1]
            self =
                switch parts[0] {
                case "Shared", "Schema": .ground
                case "Places": .places
                case _ where parts.count == 1: .top
                case "Web", "Machines": .top
                default: name.hasSuffix("Controller.swift") || name.hasPrefix("Site+") ? .top : .features
                }
        }
    }

    /// The types above a file that it names.
    ///
    /// - Parameter types: Those of each layer.
    private static func above(_ file: NamedTypes, of types: [Set<Substring>]) -> Set<Substring> {
        let layer = Layer(file.path).rawValue
        let lower = types[...layer].reduce(file.declared) { $0.union($1) }
        let upper = types[(layer + 1)...].reduce(Set()) { $0.union($1) }
        return file.names.intersection(upper).subtracting(lower)
    }

    @Test func `nothing names what stands above it`() throws {
        let files = try NamedTypes.all.get()
        var types = [Set<Substring>](repeating: [], count: Layer.top.rawValue + 1)
        for file in files { types[Layer(file.path).rawValue].formUnion(file.types) }
        for file in files {
            let names = Self.above(file, of: types).map(String.init).sorted()
            #expect(names.isEmpty, "\(file.path)")
        }
        // Twins: in a signature, in a literal, and from the ground.
        let named = [
            ("Events/Posting/Draft.swift", "func keep(in site: Site) {}", ["Site"]),
            ("People/Mail/Letter.swift", "let words = \"Dear \\(Flash.saved), visit the Site\"", ["Flash"]),
            ("Shared/Day.swift", "extension Event {}", ["Event"]),
            ("Places/Place.swift", "func near(_ event: ID<Event>, in form: EventForm)", ["EventForm"]),
            ("Shared/Day.swift", "// An Event of the Site\nlet day: Day", []),
        ]
        for (path, text, names) in named {
            let found = Self.above(NamedTypes(path: path, text: text), of: types)
            #expect(found.map(String.init) == names, "\(text)")
        }
    }
}
