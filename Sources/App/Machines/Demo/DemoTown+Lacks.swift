extension DemoTown {
    /// A neighbor's need.
    struct Lack: Sendable {
        let kind: Need.Kind
        let title: String
        let text: String
        var count = 1
        let days: Int
        var isHome = false
        var place: String?
        let street: String
        let zip: String
        var promised = 0
    }

    static let lacks = [
        Lack(
            kind: .things, title: "Three warm blankets",
            text: "For a couple whose heating comes back next week. Any color, washed.", count: 3, days: 8,
            isHome: true, street: "88 Julian St", zip: "95112"),
        Lack(
            kind: .things, title: "Food drive: rice, beans, peanut butter",
            text: "Boxes stand in the hall. Unopened, please, and not out of date.", count: 10, days: 12,
            place: "Washington School", street: "100 Oak St", zip: "95110", promised: 3),
        Lack(
            kind: .things, title: "A ladder for one afternoon",
            text: "Twelve feet, for gutters. I bring it back with cookies.", days: 20, isHome: true,
            street: "312 Willow St", zip: "95125"),
        Lack(
            kind: .time, title: "A lift to the clinic on Tuesday mornings",
            text: "Ten minutes each way, and half an hour of waiting with a good book.", count: 4, days: 40,
            isHome: true, street: "45 Naglee Ave", zip: "95126"),
        Lack(
            kind: .skill, title: "Somebody who can mend a zipper",
            text: "The winter coat of a child, and a school bag. Thread is there.", days: 15,
            place: "King Library, ground floor", street: "150 E San Fernando St", zip: "95112"),
    ]
    /// The messages between the author of the food drive and a neighbor who promised something.
    static let thread: [(isHelper: Bool, text: String)] = [
        (true, "Is it all right if the peanut butter is in glass jars?"),
        (false, "Glass is fine. There is a box for it beside the door."),
        (true, "Then I come on Saturday, a little before noon."),
        (false, "Wonderful. If the hall is locked, knock at the kitchen window: we are baking."),
    ]
}
