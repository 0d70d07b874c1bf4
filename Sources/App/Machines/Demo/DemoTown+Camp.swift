extension DemoTown {
    /// A week of sessions by an organization, from which families choose for each child.
    struct Camp: Sendable {
        let organization: String
        let title: String
        let tags: String
        let price: String
        let text: String
        /// In order of their start.
        let sessions: [Happening]
        /// The sessions, by number, that each of the participating families takes.
        let choices: [[Int]]
    }

    static let camp = Camp(
        organization: "alum-rock-rangers", title: "Creek camp: mud, maps and a raft", tags: "outdoors, nature, camp",
        price: "15",
        text: """
            Five days along the creek: we follow tracks, draw maps, build dams and take them down again, and on Friday \
            there is a raft.

            Come for all of it, for the mornings, or for one afternoon. The price is for each session. Bring boots, a \
            second pair of socks and lunch if you stay for the afternoon.
            """,
        sessions: [
            Happening(
                name: "Before care", day: 0, start: "8am", end: "9am", place: "Visitor center", lasts: 5, spots: 8,
                info: "Puzzles, books and breakfast from your own box."),
            Happening(
                name: "Mornings, all week", day: 0, start: "9am", end: "12:30pm", place: "Creek trail", lasts: 5,
                spots: 16, ages: 6...12, info: "Tracks, maps and dams. We walk about two miles a day."),
            Happening(
                name: "Afternoons, Monday to Thursday", day: 0, start: "1pm", end: "4pm", place: "Workshop", lasts: 4,
                spots: 10, ages: 6...12, info: "Carving soap, tying knots, cooking on a small stove."),
            Happening(
                name: "Little ones’ morning", day: 2, start: "9am", end: "11am", place: "Meadow", spots: 6,
                ages: 3...5, info: "Bugs, puddles and a story."),
            Happening(
                name: "Friday: build and float a raft", day: 4, start: "1pm", end: "5pm", place: "Pond", spots: 4,
                ages: 8...12, info: "Life vests are there. Everybody gets wet."),
        ],
        choices: [[1, 2, 4], [0, 1], [1, 4], [3], [1, 2], [4], [0, 1, 2, 4], [1, 4], [3]])
}
