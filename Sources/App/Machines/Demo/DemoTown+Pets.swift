extension DemoTown {
    /// A pet, and the number of its household.
    struct Friend: Sendable {
        let home: Int
        let name: String
        let kind: Pet.Kind
        var sex = Pet.Sex.female
        let years: Int
        var size = Pet.Size.medium
        var energy = Pet.Energy.lively
        var wants: [Pet.Kind] = []
        let bio: String
        /// Whether it said hello to the first pet of the town.
        var saysHello = false
    }

    static let friends = [
        Friend(
            home: 0, name: "Clover", kind: .rabbit, years: 2, size: .small, energy: .calm,
            bio: "Boss of the living room.\nLoves cilantro, hates the vacuum cleaner."),
        Friend(
            home: 2, name: "Biscuit", kind: .dog, sex: .male, years: 3,
            bio: "Naps in the sun, finds every tennis ball in the county.", saysHello: true),
        Friend(
            home: 3, name: "Miso", kind: .cat, years: 5, size: .small, energy: .calm,
            bio: "Watches birds through the window, and would like company for it."),
        Friend(
            home: 4, name: "Pepper", kind: .dog, years: 7, size: .large, energy: .calm,
            bio: "A gentle giant. Walks slowly, and likes it that way."),
        Friend(
            home: 5, name: "Hazel", kind: .rabbit, years: 1, size: .small,
            bio: "Jumps higher than you think.", saysHello: true),
        Friend(
            home: 6, name: "Ziggy", kind: .guineaPig, sex: .male, years: 2, size: .small, energy: .wild,
            bio: "Whistles when the fridge opens."),
        Friend(
            home: 7, name: "Olive", kind: .dog, years: 4, size: .small, wants: [.dog],
            bio: "Small legs, large opinions."),
    ]

    /// The messages between Clover’s and Biscuit’s owners; true is Clover’s.
    static let chat: [(isFirst: Bool, text: String)] = [
        (false, "Biscuit has been looking out of the window for a rabbit all his life. Hello!"),
        (
            true,
            "Clover is the boss here, so he had better be polite. We are in a pen when we meet dogs, is that all right?"
        ),
        (false, "More than all right. He stays on the leash the first time."),
        (false, "Are you free next weekend? The lawn behind the library is fenced."),
    ]
}
