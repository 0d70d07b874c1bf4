extension DemoTown {
    /// A post by somebody in the town, with comments.
    struct Voice: Sendable {
        let kind: Post.Kind
        let text: String
        /// How long ago it was posted.
        let ago: Duration
        var audience = Post.Audience.everyone
        var likes = 0
        var answers: [String] = []
    }

    /// The oldest first.
    static let voices = [
        Voice(
            kind: .thanks,
            text: """
                To you who handed in a gray wallet at the library: my whole week was in there. Coffee is on me if you \
                ever read this.
                """,
            ago: .days(6), likes: 9, answers: ["It was on the bench by the fish tank. Glad it found home!"]),
        Voice(
            kind: .received,
            text: "The neighbor below us left a pot of soup on our step while all four of us had the flu. It was gone "
                + "in ten minutes.",
            ago: .days(5), likes: 14),
        Voice(
            kind: .done,
            text: "Walked three dogs that weren’t mine, so that three people could stay with a sick child.",
            ago: .days(4), likes: 6, answers: ["One of them was Biscuit. Thank you from both of us."]),
        Voice(
            kind: .done,
            text: """
                Forty onions, two worms saved, one very proud row. Thank you to everybody who came to dig.

                There is room for six more shovels next time.
                """,
            ago: .days(3), likes: 12,
            answers: ["We bring the shovels. And lemonade.", "Onions like company, try carrots beside them."]),
        Voice(
            kind: .thanks, text: "Thank you to the bus driver who waited while we looked for one very small shoe.",
            ago: .days(2), audience: .members, likes: 4),
        Voice(
            kind: .received, text: "Somebody shoveled the leaves from our walk before we were up. We never saw who.",
            ago: .hours(26), likes: 7),
        Voice(
            kind: .done,
            text: "Fixed a bicycle for the boy next door. He has been around the block nineteen times since.",
            ago: .hours(5), likes: 11, answers: ["Twenty. He waved at us."]),
    ]
}
