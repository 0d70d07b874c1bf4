extension DemoTown {
    /// An event that a neighbor announces for everyone.
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
        var programme: [Happening] = []
    }

    /// An entry in its program.
    struct Happening: Sendable {
        let name: String
        /// The day of the event, from 0.
        let day: Int
        let start: String
        let end: String
        let place: String
        /// How many days it lasts, at the same time on each.
        var lasts = 1
        var spots: Int?
        var ages: ClosedRange<Int>?
        var info = ""
        /// How many of the families take part.
        var families = 0
    }

    static let gatherings = [
        Gathering(
            title: "Willow Street fair", tags: "music, outdoors, food", place: "Willow Street, north end",
            venue: Venue("1102 Willow St", "95125"), ahead: 9, days: 3, start: "10am", end: "6pm", families: 9,
            text: """
                Stalls, a brass band, a long table down the middle of the street, and a corner with chalk for the \
                little ones. Come for an hour or for all three days.

                Bring a chair if you have one, and a dish to share on the last evening.
                """,
            programme: [
                Happening(
                    name: "Puppet show: the fox who forgot", day: 0, start: "3pm", end: "3:45pm", place: "Craft tent",
                    spots: 40, ages: 3...9, info: "Sit on the rugs in front. It is loud for a minute, then quiet.",
                    families: 5),
                Happening(
                    name: "Chalk the street", day: 0, start: "3pm", end: "5pm", place: "North gate",
                    info: "Chalk is there. Clothes will not stay clean.", families: 3),
                Happening(
                    name: "Brass band", day: 0, start: "5pm", end: "6pm", place: "Main stage", families: 6),
                Happening(
                    name: "Bicycle repair for children", day: 1, start: "10am", end: "12pm", place: "North gate",
                    spots: 12, ages: 6...14, info: "Bring the bicycle. You hold the wrench.", families: 2),
                Happening(
                    name: "Natural dyes", day: 1, start: "11am", end: "12:30pm", place: "Craft tent", spots: 10,
                    info: "Onion skins, walnut, marigold. Bring something white made of cotton."),
                Happening(
                    name: "Drum circle", day: 1, start: "2pm", end: "3pm", place: "Main stage", spots: 25, families: 4),
                Happening(
                    name: "Sack race", day: 2, start: "11am", end: "12pm", place: "North gate", ages: 5...12,
                    families: 3),
                Happening(
                    name: "The long table", day: 2, start: "4pm", end: "6pm", place: "Willow Street",
                    info: "Everybody brings a dish. There are plates.", families: 8),
            ]),
        Gathering(
            title: "Creek clean-up", tags: "outdoors, nature", place: "Footbridge at Guadalupe Garden",
            venue: Venue("438 Coleman Ave", "95110"), ahead: 12, start: "9am", end: "12pm", spots: 30, families: 6,
            text: """
                We have gloves, bags and coffee. You bring boots and two hands, small ones count double. The city \
                picks up what we find.
                """),
    ]
}

extension DemoTown.Happening {
    /// The stored form, for an event that begins on that day.
    func activity(from first: Day) -> Activity {
        var form = ActivityForm()
        form.name = name
        form.startDate = first.advanced(by: day)
        form.startTime = TimeOfDay(typed: start)!
        form.endTime = TimeOfDay(typed: end)
        if lasts > 1 { form.endDate = first.advanced(by: day + lasts - 1) }
        form.place = place
        form.info = info
        form.spots = spots
        form.ageFrom = ages?.lowerBound
        form.ageTo = ages?.upperBound
        return form.activity(from: first, in: DemoTown.zone)
    }
}
