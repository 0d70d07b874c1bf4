// Activities for both hands: makers, music, animals, cooking.

extension DemoTown {
    static let makers = Organization(
        username: "orchard-makers", name: "Orchard Maker Space", firstName: "Devon", lastName: "Achterberg",
        designation: "Workshop lead", venue: Venue("51 N Central Ave", "95008"),
        kind: .club, mission: "If you can mend a lamp, you aren’t afraid of the dark.",
        asks: "The bench for a school class on a weekday morning, and a hand with whatever is broken at home.",
        scope: """
            Saws, solder, sewing machines and people who like to show how they work. The small bench is at children’s \
            height, and the glue has dried on it since 2011.
            """,
        offers: [
            Offer(
                "Robots that draw", tags: "robots, drawing", ageFrom: 8, ageTo: 13, spots: 10, price: "15",
                .saturday, "13:00", to: "15:00", weeks: [-2, 1, 7],
                """
                A cup, three pens, a motor and a battery make a robot with a handwriting of its own. Change one thing \
                and it draws circles; change another and it walks off the table.

                We work in pairs, and each child takes a robot home. Nothing is hot and nothing is glued that can’t be \
                taken apart again.
                """),
            Offer(
                "Code club", tags: "coding, games", ageFrom: 9, ageTo: 14, spots: 15, price: "0",
                .friday, "16:00", to: "17:30", weeks: [-1, 0, 2, 4],
                """
                Make a game, break it, find out why. Beginners start with blocks on the screen, the others bring what \
                they are working on, and everybody shows something at the end, even if it is a bug.

                Laptops are here, so no one needs their own. What you make is saved at https://code-club.example.org \
                under a name you make up.
                """),
            Offer(
                "Kites from nothing much", tags: "kites, crafts", ageFrom: 6, ageTo: 11, spots: 14, price: "5",
                at: Venue("201 W Rincon Ave", "95008"), .sunday, "10:00", to: "12:30", weeks: [0, 4],
                """
                Two sticks, yesterday’s paper, string, and a tail that is longer than you think. We build in the shade \
                until eleven, and then the field is ours.

                If there is no wind we run. If there is too much we build smaller ones, so it always works. Bring a \
                hat and something to drink; we bring everything else.
                """),
            Offer(
                "Wood shop for small hands", tags: "wood, building", ageFrom: 6, ageTo: 9, spots: 8, price: "9",
                .saturday, "10:00", to: "12:00", weeks: [2, 10],
                """
                A hammer that fits, nails that stay straight most of the time, and a boat, a box or a thing without a \
                name. Every child saws, sands and hammers, with one of us at each end of the bench.

                Closed shoes and tied-back hair. A parent stays in the building, near the coffee.
                """),
            Offer(
                "Sew a monster with a pocket", tags: "sewing, crafts", ageFrom: 8, ageTo: 12, spots: 8, price: "6",
                .wednesday, "15:30", to: "17:30", weeks: [1, 5],
                """
                It eats lost teeth, bus tickets, or your little brother’s crayons. You draw it, cut it out of old \
                shirts, and learn to drive a sewing machine slowly enough to stay on the line.

                No experience is needed, and fingers are safe: the machines have a guard. Bring a shirt nobody wears \
                anymore if you want your monster to have a past.
                """),
        ])

    static let music = Organization(
        username: "blue-door-music", name: "Blue Door Music School", firstName: "Elena", lastName: "Voss",
        designation: "Teacher of piano and percussion", venue: Venue("340 E Campbell Ave", "95008"),
        scope: """
            Lessons, choirs and a cupboard full of instruments to borrow. We think that everybody is musical, and that \
            scales can wait.
            """,
        offers: [
            Offer(
                "Pots, pans and a real drum", tags: "music, drums", ageFrom: 3, ageTo: 7, spots: 14, price: "5",
                .sunday, "15:00", to: "16:00", weeks: [-3, 1, 8],
                """
                Make noise on purpose. We find out what a lid sounds like, what a rice jar answers, and how thirty \
                hands can stop at the same moment.

                There is a quiet corner next door for those who have had enough, with a window to look through. Bring \
                one thing from your kitchen that rings.
                """),
            Offer(
                "Choir for everyone who hums", tags: "singing, music", ageFrom: 6, ageTo: 12, spots: 30, price: "0",
                covidSafe: true, .monday, "17:00", to: "18:00", weeks: [0, 1, 3],
                """
                No audition, no sheet music, no standing in rows. We sing songs from the countries the children’s \
                grandparents come from; there are nineteen so far, and yours may be the twentieth.

                Come once to try it. Those who stay sing at the lantern walk and at the home for old people on Second \
                Street, where the applause is best.
                """),
            Offer(
                "Try an instrument", tags: "music, piano", ageFrom: 5, ageTo: 12, spots: 20, price: "0",
                .saturday, "9:30", to: "11:30", weeks: [-1, 4, 13],
                """
                Ten rooms, ten instruments, ten minutes in each: from the violin to the tuba, which is larger than \
                most people who want to play it. Our teachers show how to get the first sound out, and it counts \
                whatever it is.

                Afterwards we gladly say what an instrument costs to borrow, and what to do about the neighbors.
                """),
        ])

    static let shelter = Organization(
        username: "second-paws", name: "Second Paws Animal Shelter", firstName: "Hollis", lastName: "Greer",
        designation: "Keeper", venue: Venue("1010 Martin Ave", "95050"),
        scope: """
            A home in between for dogs, cats, rabbits and now and then a goose. Children are welcome here as long as \
            they are as gentle as the animals deserve.
            """,
        offers: [
            Offer(
                "An hour with the cats", tags: "cats, animals", ageFrom: 6, ageTo: 12, spots: 8, price: "0",
                .wednesday, "15:30", to: "16:30", weeks: [-2, 0, 3],
                """
                Cats find a family faster when they are used to children who sit still. So sit down, read to one, roll \
                a ball of wool, and wait: they decide who is chosen today.

                We begin with how cats say no. Nobody has to take one home, and we will not ask.
                """),
            Offer(
                "Walk a dog with us", tags: "dogs, outdoors", ageFrom: 8, spots: 10, price: "0", covidSafe: true,
                .saturday, "9:00", to: "10:30", weeks: [0, 1, 2, 5],
                """
                Along the creek and back, with a dog who has looked forward to it since yesterday. Two children hold \
                one leash, a keeper walks between the pairs, and everybody learns what a wagging tail does not mean.

                Each child comes with a grown-up. Closed shoes, no snacks in pockets: the dogs know.
                """),
            Offer(
                "Toys for a bored parrot", tags: "birds, crafts", ageFrom: 7, ageTo: 11, spots: 10, price: "3",
                .thursday, "15:30", to: "17:00", weeks: [1, 6],
                """
                A parrot who has nothing to do begins to scream, and then nobody wants him. We build things to \
                take apart out of cardboard, cork and leather, and Captain Beans tests them on the spot.

                He talks, and not everything he says was learned here. We apologize in advance.
                """),
        ])

    static let kitchen = Organization(
        username: both, name: "Little Ladle Cooking School", firstName: "Paolo", lastName: "Conti",
        designation: "Cook and owner", venue: Venue("422 E Campbell Ave", "95008"),
        scope: """
            Six stoves, twelve stools and a long table. Children cook a whole meal here and eat it too. All knives are \
            real, and all of them are short.
            """,
        offers: [
            Offer(
                "Pizza from flour to fork", tags: "cooking, pizza", ageFrom: 5, ageTo: 10, spots: 12, price: "14",
                .sunday, "11:00", to: "13:00", weeks: [-1, 2, 5, 9],
                """
                Dough likes to be pushed around, and so children are very good at it. While it rises we make the \
                sauce, argue about pineapple, and lay the table.

                Everybody eats their own pizza, and may trade. We can bake without gluten and without cheese if we \
                know the day before.
                """),
            Offer(
                "Bread that smells up the street", tags: "baking, bread", ageFrom: 7, ageTo: 13, spots: 10, price: "10",
                .saturday, "9:30", to: "12:00", weeks: [1, 4, 11],
                """
                Flour, water, salt, and a jar of something alive that is older than most of the bakers. We knead by \
                hand, talk about what the bubbles are doing, and bake three kinds.

                You take home a loaf, a jar of the starter, and the duty to feed it. It needs a name; the best so far \
                was Clint Yeastwood.
                """),
            Offer(
                "Lunch box, but good", tags: "cooking, school", ageFrom: 8, ageTo: 14, spots: 12, price: "8",
                .tuesday, "15:30", to: "17:00", weeks: [0, 3, 6],
                """
                Five lunches that survive a backpack and are not traded away: rolls, noodles to eat cold, a dip, \
                something with rice, and one sweet thing that a teacher would let pass.

                Children cut, roll and season by themselves, and pack the next day’s lunch before they leave. Bring \
                your box.
                """),
            Offer(
                "Breakfast for the one you love", tags: "cooking, family", ageFrom: 4, ageTo: 8, spots: 8, price: "7",
                .sunday, "8:30", to: "10:00", weeks: [3, 12],
                """
                Pancakes in the shape of almost anything, fruit cut like a fan, and tea carried across a room without \
                a drop lost. The grown-up who brings you sits down at ten past nine and is served.

                One child and one grown-up, one place each. We wash up.
                """),
        ])
}
