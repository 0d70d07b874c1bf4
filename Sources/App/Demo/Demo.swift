extension Site {
    package struct LoadPlan: Sendable {
        let families: Int, providers: Int, events: Int, registrations: Int
        let seed: UInt64
        let password: String
        let cities: [String]

        package init(
            families: Int, providers: Int, events: Int, registrations: Int, seed: UInt64, password: String,
            cities: [String]
        ) {
            self.families = families
            self.providers = providers
            self.events = events
            self.registrations = registrations
            self.seed = seed
            self.password = password
            self.cities = cities
        }
    }

    package func seedDemo() async throws -> [String] { [] }
    package func seedLoad(_ plan: LoadPlan) async throws {}
}
