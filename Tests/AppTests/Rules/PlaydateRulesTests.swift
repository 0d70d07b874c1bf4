import Database
import Testing

@testable import App

/// Cells, bands, and who fits whom, on their own and against a reference.
@Suite struct PlaydateRulesTests {
    @Test func `a cell is about two kilometers, and a point lies in the one around it`() {
        var random = SeededGenerator(seed: 17)
        for _ in 0..<2_000 {
            let point = Coordinate(
                latitude: Double(random.number(in: -84_000...84_000)) / 1_000,
                longitude: Double(random.number(in: -180_000...180_000)) / 1_000)!
            let cell = Cell(at: point)
            #expect(Cell(number: cell.number) == cell)
            #expect(Cell(at: cell.middle) == cell, "\(point)")
            #expect(cell.middle.distance(to: point) < 1.6, "\(point)")
        }
    }

    @Test(arguments: [37.35, 0.0, 64.1, -41.3])
    func `the cells in a band are all of them, and no other`(latitude: Double) {
        for longitude in [-121.9, 179.995, -179.999, 0.0] {
            let cell = Cell(at: Coordinate(latitude: latitude, longitude: longitude)!)
            for reach in Reach.allCases {
                let found = Set(cell.cells(in: reach))
                var all: Set<Cell> = []
                let box = Circle(centre: cell.middle, kilometres: Double(reach.kilometres) + 3).box
                for step in 0...Int((box.north - box.south) / 0.009) {
                    for longitudes in box.longitudes {
                        var east = longitudes.lowerBound
                        while east <= longitudes.upperBound {
                            let other = Cell(
                                at: Coordinate(latitude: box.south + Double(step) * 0.009, longitude: east)!)
                            if Reach(kilometres: cell.distance(to: other)) == reach { all.insert(other) }
                            east += 0.007
                        }
                    }
                }
                #expect(found == all, "\(latitude), \(longitude), \(reach): \(found.count), \(all.count)")
            }
        }
    }

    @Test func `two hundred looks from moved cells tell no more than the cell`() {
        // Whatever is asked, two homes of one cell give the same answer.
        let cell = Cell(at: Coordinate(latitude: 37.35, longitude: -121.9)!)
        let corner = Coordinate(latitude: cell.middle.latitude + 0.008, longitude: cell.middle.longitude + 0.008)!
        #expect(Cell(at: corner) == cell)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let spy = Cell(
                at: Coordinate(
                    latitude: 37.35 + Double(random.number(in: -400...400)) / 1_000,
                    longitude: -121.9 + Double(random.number(in: -400...400)) / 1_000)!)
            #expect(
                Reach(kilometres: spy.distance(to: Cell(at: corner))) == Reach(kilometres: spy.distance(to: cell)))
        }
    }

    @Test func `an age is told as it is known`() {
        let today = Day(iso: "2027-03-20")!
        var form = PetForm(name: "Mo", birthMonth: 1, birthYear: 2027)
        func traits() -> Pet.Traits { form.traits(on: today) }
        #expect(traits().years(on: today) == 0)
        form = PetForm(name: "Mo", years: 3)
        #expect(traits().years(on: today) == 3 && !traits().knowsMonth)
        form = PetForm(name: "Mo", birthMonth: 4, birthYear: 2025)
        #expect(traits().years(on: today) == 1)
    }

    @Test func `links are seen in whatever way they are written`() {
        for text in ["https://x.example", "See HTTP://x", "www.x.example"] { #expect(Message.hasLink(text)) }
        #expect(!Message.hasLink("He wags. So do I."))
    }

    // MARK: Against a reference

    @Test func `the cards of a random town are those of a model written apart`() async throws {
        try await withTestSite { site in
            var random = SeededGenerator(seed: 2_005)
            let today = Day(iso: "2027-03-20")!
            var accounts: [ID<Account>] = []
            for number in 0..<40 { accounts.append(try await site.account(of: .family(number))) }
            let (now, all) = (site.clock.now, accounts)
            var model = Model()
            for (number, account) in all.enumerated() {
                let cell = Cell(
                    at: Coordinate(
                        latitude: 37.3 + Double(random.number(in: 0...300)) / 1_000,
                        longitude: -121.9 + Double(random.number(in: 0...300)) / 1_000)!)
                let forms = (0..<random.number(in: 1...2)).map { _ in Self.pet(&random) }
                try await site.write { db in
                    let owner = OwnerForm(name: "Owner \(number)", country: "US", city: "San Jose", zip: "95112")
                    try Owner.save(owner, at: cell, picture: nil, of: account, at: now - .days(9), in: db)
                    for (place, form) in forms.enumerated() {
                        _ = try Pet.insert(form, of: account, once: "\(place)", on: today, at: now, in: db)
                    }
                }
                // Old enough for sixty hellos a day.
            }
            try await site.execute("UPDATE account SET created_at = 0")
            model.pets = try site.read { db in
                try all.flatMap { try Pet.all(of: $0, in: db) }
            }
            for step in 0..<1_500 {
                let mine = model.pets[random.number(in: 0..<model.pets.count)]
                let (account, number) = (mine.account, random.number(in: 0..<40))
                switch random.number(in: 0..<10) {
                case 0:
                    let other = all[number]
                    guard other != account else { continue }
                    let isOn = model.blocks.insert([account, other]).inserted
                    if !isOn { model.blocks.remove([account, other]) }
                    try await site.write { db in
                        if isOn {
                            try Block.add(other, by: account, at: now, in: db)
                        } else {
                            try Block.remove(other, by: account, in: db)
                        }
                    }
                case 1:
                    let index = model.pets.firstIndex { $0.id == mine.id }!
                    model.pets[index].isPaused.toggle()
                    let isPaused = model.pets[index].isPaused
                    _ = try await site.write { db in
                        try db.execute("UPDATE pet SET is_paused = \(isPaused) WHERE id = \(mine.id)")
                    }
                case 2:
                    guard let last = model.chosen[mine.id]?.last, model.match(mine.id, last.other) == nil else {
                        continue
                    }
                    model.chosen[mine.id]?.removeLast()
                    try await site.write { db in
                        try Hello.undo(for: mine, on: today, in: .utc, db: db)
                    }
                case 3:
                    guard let match = model.matches.first(where: { $0.isOpen && $0.pets.contains(mine.id) }),
                        !model.isBlocked(match.accounts[0], match.accounts[1])
                    else { continue }
                    model.end(match.id)
                    try await site.write { db in try PetMatch.end(match.id, by: account, at: now, in: db) }
                default:
                    let card = try site.read { db in try Hello.next(for: mine, on: today, in: db) }
                    let expected = model.next(for: mine, on: today)
                    #expect(card == expected, "step \(step), pet \(mine.id)")
                    guard let card, model.pets.first(where: { $0.id == mine.id })?.isShown == true else { continue }
                    let isYes = random.number(in: 0..<3) > 0
                    // Each choice at a time of its own: the last one is the last.
                    let at = now + .seconds(step)
                    let outcome = try await site.write { db in
                        try db.execute("UPDATE owner SET hellos = 0 WHERE account_id = \(account)")
                        return try Hello.choose(isYes, card, for: mine, on: today, at: at, in: db)
                    }
                    let isMatch = isYes && (model.chosen[card] ?? []).contains { $0.other == mine.id && $0.isYes }
                    model.chosen[mine.id, default: []].append((card, isYes))
                    if case .matched(let id) = outcome {
                        #expect(isMatch)
                        let other = model.pets.first { $0.id == card }!.account
                        model.matches.append(.init(id: id, pets: [mine.id, card], accounts: [account, other]))
                    } else {
                        #expect(!isMatch && outcome == (isYes ? .greeted : .passed))
                    }
                }
                guard step % 50 == 0 else { continue }
                for account in all {
                    let seen = try site.read { db in
                        try PetMatch.all(of: account, onlyFavorites: false, after: nil, in: db).map(\.id)
                    }
                    #expect(Set(seen) == Set(model.shown(to: account).prefix(100)), "step \(step), account \(account)")
                }
            }
            #expect(model.matches.count > 10 && model.matches.contains { !$0.isOpen })
        }
    }

    private static func pet(_ random: inout SeededGenerator) -> PetForm {
        func some<V: CaseIterable>(_: V.Type) -> V where V.AllCases == [V] {
            V.allCases[random.number(in: 0..<V.allCases.count)]
        }
        func maybe<V: CaseIterable>(_ type: V.Type) -> [V] where V.AllCases == [V] {
            random.number(in: 0..<4) > 0 ? [] : Array(V.allCases.dropFirst(random.number(in: 0..<V.allCases.count)))
        }
        let from = random.number(in: 0..<5) == 0 ? random.number(in: 0...4) : nil
        return PetForm(
            name: "Pet", kind: some(Pet.Kind.self), word: "newt", sex: some(Pet.Sex.self),
            years: random.number(in: 0...9), size: some(Pet.Size.self), energy: some(Pet.Energy.self),
            kinds: maybe(Pet.Kind.self), sizes: maybe(Pet.Size.self), sexes: maybe(Pet.Sex.self),
            energies: maybe(Pet.Energy.self), ageFrom: from, ageTo: from.map { $0 + 4 },
            within: some(Reach.self).rawValue)
    }

    /// The rules once more, written apart: everything in memory, nothing ordered by an index.
    private struct Model {
        struct Match {
            let id: ID<PetMatch>
            let pets: [ID<Pet>]
            let accounts: [ID<Account>]
            var isOpen = true
        }

        var pets: [Pet] = []
        var blocks: Set<[ID<Account>]> = []
        var chosen: [ID<Pet>: [(other: ID<Pet>, isYes: Bool)]] = [:]
        var matches: [Match] = []

        func isBlocked(_ one: ID<Account>, _ other: ID<Account>) -> Bool {
            blocks.contains([one, other]) || blocks.contains([other, one])
        }

        func match(_ one: ID<Pet>, _ other: ID<Pet>) -> Match? {
            matches.first { $0.pets.contains(one) && $0.pets.contains(other) }
        }

        mutating func end(_ id: ID<PetMatch>) {
            for index in matches.indices where matches[index].id == id { matches[index].isOpen = false }
        }

        func next(for mine: Pet, on today: Day) -> ID<Pet>? {
            let seen = Set((chosen[mine.id] ?? []).map(\.other))
            let fitting = pets.filter { other in
                other.isShown && other.account != mine.account && !seen.contains(other.id)
                    && !isBlocked(mine.account, other.account) && mine.fits(other, on: today)
                    && !matches.contains {
                        !$0.isOpen && $0.accounts.contains(mine.account) && $0.accounts.contains(other.account)
                    }
            }
            func band(_ other: Pet) -> Int { Reach(kilometres: mine.cell.distance(to: other.cell))!.rawValue }
            return fitting.min { (band($0), -$0.id.rawValue) < (band($1), -$1.id.rawValue) }?.id
        }

        func shown(to account: ID<Account>) -> [ID<PetMatch>] {
            matches.filter {
                $0.isOpen && $0.accounts.contains(account) && !isBlocked($0.accounts[0], $0.accounts[1])
            }.map(\.id)
        }
    }
}
