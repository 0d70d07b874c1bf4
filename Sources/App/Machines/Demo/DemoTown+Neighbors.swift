extension DemoTown {
    /// Something that a neighbor announces for whoever likes.
    struct Gathering: Sendable {
        let title: String
        let tags: String
        let place: String
        let venue: Venue
        /// In how many days it begins, and how many days it lasts.
        let ahead: Int
        var days = 1
        let start: String
        let end: String
        var spots: Int?
        /// How many families come.
        let families: Int
        let text: String
    }

    static let gatherings = [
        Gathering(
            title: "Willow Street fair", tags: "music, outdoors, food", place: "Willow Street, north end",
            venue: Venue("1102 Willow St", "95125"), ahead: 9, days: 3, start: "10am", end: "6pm", families: 9,
            text: """
                Stalls, a brass band, a long table down the middle of the street, and a corner with chalk for the \
                little ones. Come for an hour or for all three days.

                Bring a chair if you have one, and a dish to share on the last evening.
                """),
        Gathering(
            title: "Creek clean-up", tags: "outdoors, nature", place: "Footbridge at Guadalupe Garden",
            venue: Venue("438 Coleman Ave", "95110"), ahead: 12, start: "9am", end: "12pm", spots: 30, families: 6,
            text: """
                We have gloves, bags and coffee. You bring boots and two hands, small ones count double. The city \
                picks up what we find.
                """),
    ]
}
