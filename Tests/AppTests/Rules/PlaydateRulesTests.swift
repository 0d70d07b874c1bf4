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
        // Two homes in one cell give the same answer to every question.
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
        for text in ["https://x.example", "See HTTP://x", "www.x.example"] {
            #expect(Newcomer.countLinks(in: text) > 0)
        }
        #expect(Newcomer.countLinks(in: "He wags. So do I.") == 0)
    }

    // MARK: Against a reference

    @Test func `the cards of a random town are those of a model written apart`() async throws {
        try await withTestSite { site in
            var random = SeededGenerator(seed: 2_005)
            let today = Day(iso: "2027-03-20")!
            var accounts: [ID<Account>] = []
            for number in 0..<Self.people { accounts.append(try await site.account(of: .family(number))) }
            let (now, all) = (site.clock.now, accounts)
            var model = Model()
            for (number, account) in all.enumerated() {
                let cell = Self.cell(&random)
                let forms = (0..<random.number(in: 1...2)).map { _ in Self.pet(&random) }
                try await site.write(at: now) { tx in
                    let owner = OwnerForm(name: "Owner \(number)", country: "US", city: "San Jose", zip: "95112")
                    try Owner.save(owner, at: cell, picture: nil, of: account, in: tx.at(tx.now - .days(9)))
                    for (place, form) in forms.enumerated() {
                        _ = try Pet.insert(form, of: account, once: "\(place)", on: today, in: tx)
                    }
                }
                // Old enough for sixty hellos a day.
            }
            try await site.execute("UPDATE account SET created_at = 0")
            model.pets = try site.read { db in
                try all.flatMap { try Pet.all(of: $0, in: db) }
            }
            for step in 0..<4_000 {
                let mine = model.pets[random.number(in: 0..<model.pets.count)]
                // Often somebody one has to do with.
                let known = model.matches.filter { $0.accounts.contains(mine.account) }.flatMap(\.accounts)
                let account = mine.account
                let other =
                    known.isEmpty || random.number(in: 0..<3) == 0
                    ? all[random.number(in: 0..<Self.people)] : known[random.number(in: 0..<known.count)]
                switch random.number(in: 0..<24) {
                case 0:
                    guard other != account else { continue }
                    let isOn = model.blocks.insert([account, other]).inserted
                    if !isOn { model.blocks.remove([account, other]) }
                    try await site.write(at: now) { tx in
                        if isOn {
                            try Block.add(other, by: account, in: tx)
                        } else {
                            try Block.remove(other, by: account, in: tx)
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
                    try await site.write(at: now) { tx in try PetMatch.end(match.id, by: account, in: tx) }
                case 4:
                    // The wish whom to meet is another now.
                    let form = Self.pet(&random)
                    let part = PetPart.wanted[random.number(in: 0..<PetPart.wanted.count)]
                    try await site.write(at: now) { tx in
                        try Pet.update(part, of: mine.id, form, by: account, on: today, in: tx)
                    }
                    try model.look(at: mine.id, in: site)
                case 5:
                    // Its owner moves.
                    let cell = Self.cell(&random)
                    let form = OwnerForm(name: "Owner", country: "US", city: "San Jose", zip: "95112")
                    try await site.write(at: now) { tx in
                        try tx.execute("UPDATE owner SET moved_first = NULL WHERE account_id = \(account)")
                        try Owner.update(.area, form, at: cell, picture: nil, of: account, in: tx)
                    }
                    for index in model.pets.indices where model.pets[index].account == account {
                        model.pets[index].cell = cell
                    }
                case 6:
                    // It is gone, and another comes.
                    guard random.number(in: 0..<3) == 0 else { continue }
                    let form = Self.pet(&random)
                    let new = try await site.write(at: now) { tx in
                        try Pet.delete(mine.id, of: account, in: tx)
                        return try Pet.insert(form, of: account, once: "new \(step)", on: today, in: tx)
                    }
                    model.delete(mine.id)
                    try model.look(at: new, in: site)
                default:
                    let card = try site.read { db in try Hello.next(for: mine, on: today, in: db) }
                    let expected = model.next(for: mine, on: today)
                    #expect(card == expected, "step \(step), pet \(mine.id)")
                    guard let card, model.pets.first(where: { $0.id == mine.id })?.isShown == true else { continue }
                    let isYes = random.number(in: 0..<3) > 0
                    // Each choice at a time of its own: the last one is the last.
                    let at = now + .seconds(step)
                    let outcome = try await site.write(at: at) { tx in
                        try tx.execute("UPDATE owner SET hellos = 0 WHERE account_id = \(account)")
                        return try Hello.choose(isYes, card, for: mine, on: today, in: tx)
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
                // The contacts and chats each of the two sees; of all of them now and then.
                for reader in step % 1_000 == 999 ? all : [account, other] {
                    let matches = model.matches
                    let (seen, several, former) = try site.read(at: now) { tx in
                        (
                            try matches.filter { try PetMatch.find($0.id, of: reader, in: tx) != nil }.map(\.id),
                            try PetMatch.all(matches.map(\.id), of: reader, in: tx),
                            try PetMatch.former(of: reader, in: tx).count
                        )
                    }
                    #expect(Set(several.keys) == Set(seen), "step \(step), account \(reader)")
                    #expect(seen == model.shown(to: reader), "step \(step), account \(reader)")
                    #expect(former == min(20, model.former[reader, default: []].count), "step \(step)")
                }
            }
            #expect(model.matches.count > 20 && model.matches.contains { !$0.isOpen })
            #expect(!model.former.isEmpty)
        }
    }

    private static let people = 200

    private static func cell(_ random: inout SeededGenerator) -> Cell {
        Cell(
            at: Coordinate(
                latitude: 37.3 + Double(random.number(in: 0...300)) / 1_000,
                longitude: -121.9 + Double(random.number(in: 0...300)) / 1_000)!)
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
        /// Pairs that ended a match once, and don’t meet again.
        var parted: Set<Set<ID<Account>>> = []
        /// Matches whose other side has left, by one’s own pet.
        var former: [ID<Account>: [ID<Pet>]] = [:]

        /// Takes a pet as it is now.
        mutating func look(at id: ID<Pet>, in site: TestSite) throws {
            guard let pet = try site.read({ db in try Pet.find(id, in: db) }) else { return }
            if let index = pets.firstIndex(where: { $0.id == id }) { pets[index] = pet } else { pets.append(pet) }
        }

        mutating func delete(_ id: ID<Pet>) {
            for match in matches where match.pets.contains(id) && match.isOpen {
                let side = match.pets[0] == id ? 1 : 0
                former[match.accounts[side], default: []].append(match.pets[side])
            }
            for account in former.keys { former[account]?.removeAll { $0 == id } }
            matches.removeAll { $0.pets.contains(id) }
            pets.removeAll { $0.id == id }
            chosen[id] = nil
            for pet in chosen.keys { chosen[pet]?.removeAll { $0.other == id } }
        }

        func isBlocked(_ one: ID<Account>, _ other: ID<Account>) -> Bool {
            blocks.contains([one, other]) || blocks.contains([other, one])
        }

        func match(_ one: ID<Pet>, _ other: ID<Pet>) -> Match? {
            matches.first { $0.pets.contains(one) && $0.pets.contains(other) }
        }

        mutating func end(_ id: ID<PetMatch>) {
            for index in matches.indices where matches[index].id == id {
                matches[index].isOpen = false
                parted.insert(Set(matches[index].accounts))
            }
        }

        func next(for mine: Pet, on today: Day) -> ID<Pet>? {
            let seen = Set((chosen[mine.id] ?? []).map(\.other))
            let fitting = pets.filter { other in
                other.isShown && other.account != mine.account && !seen.contains(other.id)
                    && !isBlocked(mine.account, other.account) && mine.fits(other, on: today)
                    && !parted.contains([mine.account, other.account])
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
