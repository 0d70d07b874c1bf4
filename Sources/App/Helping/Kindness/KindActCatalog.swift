import Forms

// The hundred built-in acts. They are in the code rather than in a table, so that translators find their texts. An
// act's number is permanent, because deeds refer to it.

extension KindAct {
    static let catalog: [KindAct] = friends + family + neighbors + strangers + town + animals + earth + yourself

    /// The ledger's entry for meeting a need. It isn't in any list: `Claim.done` records it.
    static let need = act(
        9_999, .neighbors, .time, 30, "Something a neighbor needed",
        "You brought what somebody around the corner asked for.")

    private static func act(
        _ id: Int64, _ theme: Theme, _ difficulty: Difficulty, _ minutes: Int, _ name: Words, _ description: Words,
        children: Bool = false
    ) -> KindAct {
        KindAct(
            id: ID(id), name: name, description: description, theme: theme, difficulty: difficulty, minutes: minutes,
            isForChildren: children)
    }

    private static let friends: [KindAct] = [
        act(
            1, .friends, .easy, 5, "Say what you admire",
            "Tell a friend one thing you admire in them, and when you noticed it."),
        act(
            2, .friends, .easy, 10, "Remember the hard date",
            "Write to a friend on the day that is hard for them. You need no good words, only to be there."),
        act(
            3, .friends, .easy, 5, "Send an old picture",
            "Find a picture of a good day together and send it with one line.", children: true),
        act(
            4, .friends, .easy, 15, "Call instead of writing",
            "Ring a friend you usually only write to, and ask how they really are."),
        act(
            5, .friends, .time, 60, "Take the children for an hour",
            "Offer a friend an hour for themselves while the children play with you.", children: true),
        act(
            6, .friends, .brave, 15, "Say sorry first",
            "There is one thing that still stands between you. Say your part of it, without a but."),
        act(
            7, .friends, .easy, 10, "Ask the follow-up question",
            "Ask about the thing they were worried about last week."),
        act(
            8, .friends, .time, 45, "Cook double",
            "Make twice as much and bring a friend the other half in a jar that need not come back.", children: true),
        act(
            9, .friends, .easy, 5, "Recommend their work",
            "Tell somebody who needs it how good your friend is at what they do."),
        act(
            10, .friends, .time, 30, "Write a letter by hand",
            "One page is plenty. Put a real stamp on it.", children: true),
        act(
            11, .friends, .easy, 10, "Return what you borrowed",
            "The book, the dish, the drill: bring it back with a thank you.", children: true),
        act(
            12, .friends, .brave, 20, "Ask to be forgiven for silence",
            "Write to the friend you lost touch with. Say you miss them and ask for nothing."),
        act(
            13, .friends, .time, 90, "Help carry a load",
            "Be there when something heavy has to be moved, with gloves and good cheer."),
    ]

    private static let family: [KindAct] = [
        act(
            101, .family, .easy, 10, "Cook what somebody else likes",
            "Make the dinner that isn’t your favorite but theirs.", children: true),
        act(
            102, .family, .easy, 15, "Write to a grandmother",
            "Or a grandfather, or a great-aunt: a card, a drawing, three lines of news.", children: true),
        act(
            103, .family, .easy, 5, "Do a chore that isn’t yours",
            "Quietly do one thing in the house that somebody else always does.", children: true),
        act(
            104, .family, .easy, 10, "Put the phone in a drawer",
            "For one meal, everybody’s phone rests in the same drawer.", children: true),
        act(
            105, .family, .time, 30, "Listen to the whole story",
            "Let somebody tell it to the end, dinosaurs and all, without looking at the clock.", children: true),
        act(
            106, .family, .easy, 5, "Thank somebody for the usual",
            "Thank them for what they do every day and nobody mentions.", children: true),
        act(
            107, .family, .time, 60, "Sort the old pictures together",
            "Look through old pictures with somebody older and write the names on the back.", children: true),
        act(
            108, .family, .brave, 15, "Take the first step",
            "After a quarrel, be the one who knocks on the door."),
        act(
            109, .family, .easy, 10, "Leave a note in a lunch box",
            "One line, one drawing, or one terrible joke.", children: true),
        act(
            110, .family, .time, 45, "Teach what you know",
            "Show somebody in the family how you do the thing you do well.", children: true),
        act(
            111, .family, .easy, 15, "Call somebody who lives alone",
            "A quarter of an hour, and let them talk first."),
        act(
            112, .family, .time, 60, "Visit without a reason",
            "Drop by a relative with no errand and no hurry.", children: true),
        act(
            113, .family, .easy, 5, "Let somebody sleep in",
            "Take the early shift, and close the door softly."),
    ]

    private static let neighbors: [KindAct] = [
        act(
            201, .neighbors, .easy, 5, "Bring in the trash cans next door",
            "On collection day, roll your neighbor’s cans back with your own.", children: true),
        act(
            202, .neighbors, .easy, 10, "Water the plants next door",
            "Ask who is away, and keep their tomatoes alive.", children: true),
        act(
            203, .neighbors, .easy, 10, "Lend a tool",
            "Offer the ladder, the drill or the cake pan before somebody buys one."),
        act(
            204, .neighbors, .time, 60, "Bring soup to a family with a newborn",
            "Leave it at the door with a note. They need not even open.", children: true),
        act(
            205, .neighbors, .easy, 10, "Introduce yourself",
            "Learn the name of somebody on your street whom you only nod to."),
        act(
            206, .neighbors, .time, 30, "Carry the shopping",
            "Take the bags up for somebody who climbs slowly.", children: true),
        act(
            207, .neighbors, .time, 30, "Clear a walk",
            "Leaves, snow or sand: do a few yards more than your own.", children: true),
        act(
            208, .neighbors, .easy, 5, "Take in a package",
            "Put a note on the door so that they know where it is."),
        act(
            209, .neighbors, .time, 45, "Walk a neighbor’s dog",
            "For somebody who is sick, late or has a new baby.", children: true),
        act(
            210, .neighbors, .brave, 10, "Ask whether help is wanted",
            "Ring at the door you have been wondering about and ask kindly."),
        act(
            211, .neighbors, .easy, 15, "Share what grew too much",
            "Zucchini, lemons, apples: put a basket out with a sign that says please take.", children: true),
        act(
            212, .neighbors, .time, 90, "Mend something together",
            "Bring your tools to the fence, the bicycle or the gate that squeaks.", children: true),
        act(
            213, .neighbors, .easy, 5, "Welcome somebody who just moved in",
            "A loaf of bread, a smile, and which day the trash goes out.", children: true),
    ]

    private static let strangers: [KindAct] = [
        act(
            301, .strangers, .easy, 2, "Let somebody go first",
            "In the line, at the door, at the crossing.", children: true),
        act(
            302, .strangers, .easy, 5, "Leave a kind note in a library book",
            "One line for the next person who opens it. No name needed.", children: true),
        act(
            303, .strangers, .easy, 2, "Hold the door and wait",
            "Wait the three seconds longer than you have to.", children: true),
        act(
            304, .strangers, .easy, 5, "Thank somebody at work by name",
            "The driver, the cashier, the nurse: read the name and say it.", children: true),
        act(
            305, .strangers, .easy, 5, "Give up a seat",
            "Before anybody has to ask for it.", children: true),
        act(
            306, .strangers, .easy, 10, "Leave good words about a small shop",
            "Write what you liked, so that others find it."),
        act(
            307, .strangers, .brave, 10, "Talk to somebody who stands alone",
            "At the gathering, the playground or the school gate."),
        act(
            308, .strangers, .easy, 5, "Pay for a coffee ahead",
            "Leave a coffee paid for somebody who comes later."),
        act(
            309, .strangers, .time, 60, "Give blood",
            "Look up where and when, and take a friend along."),
        act(
            310, .strangers, .easy, 5, "Return a cart that isn’t yours",
            "Take a stray shopping cart back on your way.", children: true),
        act(
            311, .strangers, .brave, 5, "Stand beside somebody",
            "When somebody is treated unkindly, go and stand beside them."),
        act(
            312, .strangers, .easy, 10, "Help somebody find the way",
            "Walk the last corner with them if you have the time.", children: true),
    ]

    private static let town: [KindAct] = [
        act(
            401, .town, .time, 30, "Pick up litter on one street",
            "Take gloves and a bag, and choose a street you use every day.", children: true),
        act(
            402, .town, .easy, 5, "Report what is broken",
            "The lamp, the swing, the hole: tell the city where it is."),
        act(
            403, .town, .time, 120, "Help at a food pantry",
            "Ask which shift is short of hands and take it once."),
        act(
            404, .town, .easy, 10, "Fill a little free library",
            "Bring three books that somebody else should read.", children: true),
        act(
            405, .town, .easy, 10, "Thank the crossing guard",
            "Tell them that you notice, rain or shine.", children: true),
        act(
            406, .town, .time, 60, "Read aloud to others",
            "Ask the library or the school who would like to listen.", children: true),
        act(
            407, .town, .easy, 10, "Buy from a small shop",
            "Get one thing on foot that you would have ordered.", children: true),
        act(
            408, .town, .time, 90, "Lend a hand at school",
            "Paint the fence, sort the books, carry the chairs.", children: true),
        act(
            409, .town, .easy, 15, "Give clothes that are too small",
            "Wash, fold and bring them where they are wanted.", children: true),
        act(
            410, .town, .brave, 30, "Speak up at a meeting",
            "Go to a town meeting and say one good thing that should happen."),
        act(
            411, .town, .time, 60, "Tend a public flower bed",
            "Weed it, water it, and leave it better.", children: true),
        act(
            412, .town, .easy, 5, "Write to somebody who serves",
            "A line of thanks to the fire house, the clinic or the bus depot.", children: true),
        act(
            413, .town, .easy, 10, "Put up a flyer for somebody",
            "Carry a neighbor’s notice to the board where it will be seen.", children: true),
    ]

    private static let animals: [KindAct] = [
        act(
            501, .animals, .easy, 5, "A bowl of water on a hot day",
            "Put it in the shade, and change it in the evening.", children: true),
        act(
            502, .animals, .time, 30, "Walk a dog for somebody",
            "Ask at the shelter or next door who could use legs.", children: true),
        act(
            503, .animals, .easy, 10, "Feed the birds in winter",
            "A little each day is better than much once.", children: true),
        act(
            504, .animals, .time, 45, "Build a home for bees",
            "Hollow stems, a tin, a sunny wall.", children: true),
        act(
            505, .animals, .easy, 5, "Carry a worm to safety",
            "After rain, from the sidewalk to the grass.", children: true),
        act(
            506, .animals, .easy, 10, "Bring old towels to a shelter",
            "Ask what else they need: towels are always welcome.", children: true),
        act(
            507, .animals, .easy, 5, "Brake for the small ones",
            "Drive slowly where toads, ducks or hedgehogs cross."),
        act(
            508, .animals, .easy, 10, "Check on a pet left alone",
            "Tell a neighbor you would look in when they are late."),
        act(
            509, .animals, .time, 60, "Sit with a shelter cat",
            "Some only need somebody who is quiet beside them.", children: true),
        act(
            510, .animals, .easy, 5, "Share a lost pet’s picture",
            "Look at it well yourself first."),
        act(
            511, .animals, .time, 20, "Clean the cage without being asked",
            "The hamster’s, the rabbit’s, or the class pet’s.", children: true),
        act(
            512, .animals, .easy, 10, "Learn one bird’s song",
            "So that you notice when it comes back in spring.", children: true),
    ]

    private static let earth: [KindAct] = [
        act(
            601, .earth, .easy, 10, "Pick up ten things",
            "On any walk: ten pieces of litter, counted aloud.", children: true),
        act(
            602, .earth, .easy, 15, "Plant for the bees",
            "A pot with something that blooms is enough.", children: true),
        act(
            603, .earth, .easy, 5, "Carry a bag and refuse one",
            "Leave the shop with nothing new to throw away.", children: true),
        act(
            604, .earth, .time, 30, "Go on foot or by bicycle",
            "Leave the car for one trip you would have driven.", children: true),
        act(
            605, .earth, .time, 30, "Mend instead of buying",
            "Sew on the button, glue the toy, patch the knee.", children: true),
        act(
            606, .earth, .easy, 10, "Eat a day without meat",
            "Let somebody else choose what there is instead.", children: true),
        act(
            607, .earth, .easy, 5, "Turn off what nobody uses",
            "Lamps, chargers, the tap while you brush.", children: true),
        act(
            608, .earth, .time, 60, "Plant a tree",
            "Or help somebody who plants many.", children: true),
        act(
            609, .earth, .easy, 10, "Eat the leftovers first",
            "Cook from what is there before it spoils.", children: true),
        act(
            610, .earth, .easy, 10, "Give away what you don’t use",
            "Offer one good thing to somebody who does.", children: true),
        act(
            611, .earth, .time, 30, "Start a compost",
            "A bucket with a lid is a beginning.", children: true),
        act(
            612, .earth, .easy, 5, "Catch the rain",
            "Put a bucket under the gutter and water with it.", children: true),
    ]

    private static let yourself: [KindAct] = [
        act(
            701, .yourself, .time, 60, "An hour without the phone",
            "Put it in another room and see what you do.", children: true),
        act(
            702, .yourself, .easy, 5, "Say no to one thing",
            "Kindly, without a reason, to something you never wanted."),
        act(
            703, .yourself, .easy, 20, "Walk without a goal",
            "Twenty minutes, no errand, look up.", children: true),
        act(
            704, .yourself, .easy, 5, "Write down three good things",
            "Small ones count double.", children: true),
        act(
            705, .yourself, .easy, 10, "Go to bed earlier",
            "Half an hour is a present to tomorrow."),
        act(
            706, .yourself, .brave, 10, "Ask for help",
            "There is somebody who would be glad to be asked."),
        act(
            707, .yourself, .easy, 5, "Forgive yourself one thing",
            "Say it aloud, as you would to a friend."),
        act(
            708, .yourself, .time, 30, "Do what you loved as a child",
            "Draw, climb, whistle, fly a kite.", children: true),
        act(
            709, .yourself, .easy, 15, "Make the appointment",
            "The one for your health that you keep putting off."),
        act(
            710, .yourself, .easy, 5, "Breathe for five minutes",
            "Sit down, count to four, and again.", children: true),
        act(
            711, .yourself, .easy, 10, "Keep one thing you are proud of",
            "Write it down where you will find it on a gray day.", children: true),
        act(
            712, .yourself, .easy, 5, "Stop comparing for a day",
            "Each time it begins, look at something near you instead."),
    ]
}
