// Indoor activities: library, museum, theater, clinic.

extension DemoTown {
    static let library = Organization(
        username: provider, name: "King Library", firstName: "Grace", lastName: "Bellamy",
        designation: "Children’s librarian", venue: Venue("150 E San Fernando St", "95112"),
        kind: .library, mission: "A chair, a book and somebody to ask, for everybody who comes through the door.",
        asks: "A tour for a class, a room for a reading circle, a box of picture books for a month.",
        scope: """
            Stories, homework help and quiet corners, on the second floor. Everything here is free, and nobody needs a \
            library card to come in.

            You may be loud in the children’s room. We mean it.
            """,
        offers: [
            Offer(
                "Story hour on the big rug", tags: "stories, books", ageFrom: 2, ageTo: 6, spots: 24, price: "0",
                covidSafe: true, .saturday, "11:00", to: "11:45", weeks: -2...5,
                """
                Two short stories, one long one, and a song for the way home. We sit on the big rug on the second \
                floor, by the window with the fish.

                Children who would rather build a tower while they listen may do so: the quiet blocks are in the \
                blue box. Siblings are welcome, and so are grandparents with good voices.
                """),
            Offer(
                "The fox who could not sleep", tags: "stories, bedtime", ageFrom: 3, ageTo: 7, spots: 18, price: "0",
                at: Venue("1580 Naglee Ave", "95126"), .friday, "18:30", to: "19:15", weeks: [0, 5, 12],
                """
                A fox counts sheep, and then the sheep come to complain. A bedtime story with shadows on the wall, \
                told by Grace and one small lamp at our branch in the Rose Garden.

                Come in pajamas and bring the animal you sleep with. There is warm milk, also made of oats. By a \
                quarter past seven everybody is on the way home, yawning.
                """),
            Offer(
                "Read to a dog who listens", tags: "reading, dogs", ageFrom: 6, ageTo: 10, spots: 8, price: "0",
                .wednesday, "16:00", to: "17:00", weeks: [-3, 0, 1, 3, 5], cancelled: [1],
                """
                Biscuit and Mrs. Robinson are two old dogs with a certificate in patience. Each child reads to one \
                of them for ten minutes, from any book, at any speed, with as many mistakes as it takes.

                The dogs have never corrected anybody. It helps children who find reading aloud hard, and those who \
                simply like dogs.

                Tell us if your child is allergic, then we find another way.
                """),
            Offer(
                "Make your own comic book", tags: "drawing, books", ageFrom: 8, ageTo: 13, spots: 14, price: "0",
                .tuesday, "16:00", to: "17:30", weeks: [0, 2, 8, 14],
                """
                Eight pages, a hero, a problem, and a way out of it. A comic artist shows how she gets from a doodle \
                to a story, and then everybody begins with page one.

                Nobody has to be good at drawing: stick figures have had great adventures. We copy and staple the \
                books at the end, one for you and one for the library’s shelf, if you like.
                """),
            Offer(
                "Homework, with company", tags: "homework, reading", ageFrom: 7, ageTo: 14, spots: 25, price: "0",
                .monday, "15:30", to: "17:30", weeks: [-1, 0, 1, 2, 4], cancelled: [2],
                """
                Three college students, a pot of pencils, and tables big enough for a map of the world. They help \
                with fractions, essays and the periodic table, and they know when to leave somebody alone.

                Come when school is out and go when you are done. There are crackers at half past four.
                """),
        ])

    static let museum = Organization(
        username: "lantern-museum", name: "Lantern Children’s Museum", firstName: "Amit", lastName: "Deshpande",
        designation: "Head of learning", venue: Venue("212 Auzerais Ave", "95110"),
        scope: """
            A small museum where everything may be touched, and most things have been. Three floors of experiments, a \
            yard for what splashes and smokes, and a room under the roof where it is quiet.
            """,
        offers: [
            Offer(
                "Bubbles as big as you are", tags: "science, outdoors", ageFrom: 3, ageTo: 7, spots: 16, price: "6",
                covidSafe: true, .saturday, "10:00", to: "11:30", weeks: [-3, 0, 4, 10],
                """
                Soap, a little sugar, two sticks and a rope: that is all it takes to put a child inside a bubble. We \
                try square ones, bubbles inside bubbles, and find out why they always end up round.

                It is wet. Bring a second shirt, and shoes that don’t slip.
                """),
            Offer(
                "Volcanoes in the yard", tags: "science, experiments", ageFrom: 6, ageTo: 11, spots: 12, price: "9",
                .sunday, "14:00", to: "15:30", weeks: [0, 3, 9],
                """
                Every child builds a mountain and decides what comes out of it: foam, steam, or something pink. On the \
                way we learn what an acid is, what a base is, and why they can’t be left alone together.

                Goggles are here. Clothes that have seen better days are a good idea; vinegar washes out, the pink \
                does not always.
                """),
            Offer(
                "Blocks for two hundred hands", tags: "building, blocks", ageFrom: 2, ageTo: 8, spots: 30, price: "5",
                .sunday, "10:00", to: "12:00", weeks: [-2, 1, 6],
                """
                Four thousand wooden blocks and the whole ground floor. Last time it was a city with a harbor; what it \
                will be this time is up to everybody who comes.

                At five to twelve everybody stands back and the youngest one gives it the first push. Grown-ups may \
                join in, they usually can’t help it.
                """),
            Offer(
                "Pajama evening under the planets", tags: "space, science", ageFrom: 4, ageTo: 9, spots: 20,
                price: "12", .friday, "18:00", to: "20:00", weeks: [1, 5, 13],
                """
                The museum after closing time, with flashlights. We hang the planets in the stairwell in the right \
                order, find out which of them would float in a bathtub, and eat star-shaped toast under Saturn.

                Children come in pajamas and slippers. A parent stays in the house; there is coffee on the ground \
                floor and a sofa that nobody has to share.
                """),
        ])

    static let theatre = Organization(
        username: "corner-theater", name: "Corner Theater", firstName: "Josephine", lastName: "Marsh",
        designation: "Director of the young stage", venue: Venue("88 S First St", "95113"),
        scope: """
            A stage with 120 seats and a trapdoor. We play for children and with them, and we never ask anybody up who \
            would rather watch.
            """,
        offers: [
            Offer(
                "Puppets out of socks", tags: "puppets, crafts", ageFrom: 4, ageTo: 8, spots: 14, price: "7",
                .saturday, "10:00", to: "11:30", weeks: [-4, 0, 5],
                """
                Every family has a drawer with single socks. Bring three, and they get eyes, a nose, an opinion, and a \
                voice that is not yours.

                In the last half hour the puppets meet on our small stage. They may be rude to each other; people may \
                not.
                """),
            Offer(
                "The king’s umbrella", tags: "theater, stories", ageFrom: 5, spots: 40, price: "6", covidSafe: true,
                .sunday, "15:00", to: "15:50", weeks: [-1, 2, 7],
                """
                It has not rained for a year, and the king will not put down his umbrella. A play in one act for three \
                actors, a watering can, and everybody in the first row.

                It takes fifty minutes and nobody has to sit still. At the quiet shows the doors stay open and the \
                light stays on: ask us which day suits your child.
                """),
            Offer(
                "Improv for shy people", tags: "theater, games", ageFrom: 9, ageTo: 14, spots: 12, price: "10",
                .thursday, "16:00", to: "17:15", weeks: [0, 2, 4],
                """
                There is no script, so nobody can forget their lines. We start with games in a circle, where you are \
                never alone, and end with scenes for two, which are shorter than you think.

                Nobody is filmed and nobody is graded. The best ones in this group were always those who said they \
                would only watch.
                """),
            Offer(
                "Clown school in one afternoon", tags: "clowns, circus", ageFrom: 7, ageTo: 12, spots: 16, price: "14",
                .saturday, "13:30", to: "16:00", weeks: [3, 14],
                """
                How to walk into a door, how to lose a hat and find it on your own head, how to be very serious about \
                a banana. Two clowns from the traveling circus teach what they can teach in two and a half hours.

                Red noses are included and may be kept. Bring a hat you don’t mind being sat on.
                """),
            Offer(
                "Dance like the weather", tags: "dance, music", ageFrom: 4, ageTo: 7, spots: 15, price: "8",
                .monday, "16:00", to: "17:00", weeks: [-2, 0, 3],
                """
                We dance drizzle, thunder, the first warm day, and fog that can’t find its way out of the bay. Soft \
                music, much room, no mirrors and no steps to learn.

                Bare feet or socks that grip. Parents can sit at the side or take a walk around the block: we will \
                need about an hour for all the weather.
                """),
        ])

    static let clinic = Organization(
        username: "alameda-clinic", name: "Alameda Family Clinic", firstName: "Ruth", lastName: "Castellanos",
        designation: "Nurse", venue: Venue("1540 The Alameda", "95126"),
        scope: """
            Family doctors and nurses in the neighborhood for thirty years. The afternoons and Saturdays here are for \
            learning, not for needles, and they cost little or nothing.
            """,
        offers: [
            Offer(
                "Teddy bear clinic", tags: "health, toys", ageFrom: 3, ageTo: 6, spots: 20, price: "0",
                covidSafe: true, .saturday, "9:30", to: "11:30", weeks: [-1, 3, 12],
                """
                Your bear has a cough, or the rabbit’s ear is loose? Bring them in. Children are the doctors: they \
                listen, weigh, take an X-ray with our cardboard machine, and put on the bandage.

                It takes the fear out of the real thing, for bears and for people. Each patient gets a card and goes \
                home well.
                """),
            Offer(
                "First aid for kids", tags: "health, first aid", ageFrom: 8, ageTo: 12, spots: 14, price: "5",
                .wednesday, "16:30", to: "18:00", weeks: [0, 4, 9],
                """
                What to do when a friend falls off a bike and no grown-up is near: how to stay calm, whom to call and \
                what to say, how to stop a nosebleed, how to put somebody on their side.

                We practice everything on each other, with a lot of bandage and a little ketchup. At the end there \
                is a card for the backpack with the numbers that matter.
                """),
            Offer(
                "Babies on the mat", tags: "babies, songs", ageTo: 1, spots: 10, price: "0", covidSafe: true,
                .thursday, "10:00", to: "11:00", weeks: [-1, 0, 1, 2],
                """
                Songs, rattles and a warm floor for the very youngest, and company for all who were awake with them at \
                four in the morning. Ruth, our nurse, sits in the circle; ask her anything, also the small things.

                There is a place to change and to nurse, room for strollers, and tea that is still hot when you get to \
                it. If your baby sleeps, come anyway.
                """),
        ])
}
