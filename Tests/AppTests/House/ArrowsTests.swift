import Testing

/// The floors of the house: a room (a folder of `Sources/App`) names the types of its own floor and of those below,
/// and none above. A type belongs to the room that declares it; a static member that an extension adds elsewhere
/// belongs to that room.
@Suite struct ArrowsTests {
    /// From the ground up. A wing stands for those of its rooms that stand on no other floor. Controllers,
    /// `Site+….swift`, `Web/` and `Machines/` are above all of them (`LayersTests`).
    private static let floors: [(name: String, rooms: Set<String>)] = [
        ("ground", ["Shared", "Schema"]),
        ("places", ["Places"]),
        ("pictures", ["Images"]),
        ("people", ["People"]),
        ("talk", ["Community/Messages"]),
        ("events", ["Events"]),
        ("helping", ["Helping"]),
        ("both wings", ["Events/Announcing", "Events/Favorites", "Events/Guests"]),
        ("community", ["Community"]),
        (
            "what reads all",
            [
                "Images/Uses", "Events/Calendars", "Events/Undoing", "Events/Week", "Community/Moderation",
                "People/Admin", "People/Inbox", "People/Keeping", "People/Letters", "People/Stream",
            ]
        ),
    ]

    /// The floor of a room; nil above them all.
    private static func floor(of room: String) -> Int? {
        let wing = room.prefix { $0 != "/" }
        return floors.firstIndex { $0.rooms.contains(room) } ?? floors.firstIndex { $0.rooms.contains(String(wing)) }
    }

    /// The house as its files say.
    private struct House {
        /// The rooms that declare a type, and those whose extensions add a static member to one.
        private(set) var declaring: [Substring: Set<String>] = [:]
        private(set) var adding: [NamedTypes.Member: Set<String>] = [:]

        init(_ files: [NamedTypes]) {
            for file in files {
                for type in file.types { declaring[type, default: []].insert(file.room) }
                for member in file.added { adding[member, default: []].insert(file.room) }
            }
        }

        /// What a file names of rooms above its own, such as `Undo` or `Matter.raise`, by room.
        func above(_ file: NamedTypes) -> [String: [String]] {
            guard let floor = ArrowsTests.floor(of: file.room) else { return [:] }
            var above: [String: [String]] = [:]
            func note(_ name: String, of rooms: Set<String>?) {
                // Of several with that name, the nearest to the ground is meant.
                let floors = (rooms ?? []).map { (floor: ArrowsTests.floor(of: $0) ?? .max, room: $0) }
                guard let nearest = floors.min(by: { $0 < $1 }), nearest.floor > floor else { return }
                above[nearest.room, default: []].append(name)
            }
            for name in file.names.subtracting(file.declared) { note(String(name), of: declaring[name]) }
            for member in file.members where !file.declared.contains(member.type) {
                guard let rooms = declaring[member.type], adding[member]?.isDisjoint(with: rooms) == true else {
                    continue
                }
                note("\(member.type).\(member.name)", of: adding[member])
            }
            return above
        }
    }

    @Test func `no room names what is on a floor above it`() throws {
        let files = try NamedTypes.all.get()
        let house = House(files)
        for file in files where LayersTests.Layer(file.path) != .top {
            #expect(Self.floor(of: file.room) != nil, "\(file.path) stands on no floor")
            for (room, names) in house.above(file) {
                Issue.record(
                    """
                    \(file.path) may not name \(names.sorted()) of \(room), which is on a floor above it \
                    (Sources/README.md): ask for it from above, or move down what both need.
                    """)
            }
        }
    }

    @Test func `every floor has rooms that are there`() throws {
        let rooms = try Set(NamedTypes.all.get().map(\.room))
        for room in Self.floors.flatMap(\.rooms) {
            #expect(rooms.contains { $0 == room || $0.hasPrefix(room + "/") }, "\(room)")
        }
    }

    @Test func `an arrow upwards is found in each of its ways`() {
        let house = House([
            NamedTypes(path: "People/Mail/Letter.swift", text: "struct Letter {}"),
            NamedTypes(
                path: "Community/Moderation/Report.swift",
                text: "struct Report {}\nextension Letter {\n    static func toReporters() {}\n}"),
            NamedTypes(path: "Shared/Day.swift", text: "struct Day {}"),
        ])
        let cases = [
            ("Events/Events/Event.swift", "let day: Day, letter: Letter", []),
            ("Events/Events/Event.swift", "let report: ID<Report>", []),
            ("Events/Events/Event.swift", "// A Report\nlet reports: [Report]", ["Report"]),
            ("Events/Events/Event.swift", "enum Report { case one }\nlet report: Report", []),
            ("Events/Events/Event.swift", "try Letter.toReporters()", ["Letter.toReporters"]),
            ("Community/Moderation/Wave.swift", "try Letter.toReporters()", []),
            ("Shared/Folding.swift", "extension Letter {}", ["Letter"]),
            ("Web/Answer/Page.swift", "let report: Report", []),
        ]
        for (path, text, names) in cases {
            let found = house.above(NamedTypes(path: path, text: text))
            #expect(found.values.flatMap(\.self).sorted() == names, "\(text)")
        }
    }
}
