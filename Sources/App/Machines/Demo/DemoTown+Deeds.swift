extension DemoTown {
    /// The acts on a household's list, and those it did, with how many days ago.
    ///
    /// The first household keeps at it, with rest days in between; the others do acts now and then.
    static func acts(of household: Int) -> (chosen: [ID<KindAct>], done: [(ago: Int, act: ID<KindAct>)]) {
        let catalog = KindAct.catalog
        func act(_ number: Int) -> ID<KindAct> { catalog[(household * 7 + number * 13) % catalog.count].id }
        let days = (1...13).reversed().filter { household == 0 ? $0 != 4 : ($0 + household) % 4 == 0 }
        return ((0..<3).map(act), days.map { ($0, $0 % 5 == 0 ? KindAct.ofDay(Day(number: $0)).id : act($0)) })
    }
}
