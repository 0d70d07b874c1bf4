// Outdoor and sports activities: sports, garden, pool, rangers.

extension DemoTown {
    static let sports = Organization(
        username: "willow-sports", name: "Willow Sports Club", firstName: "Marcus", lastName: "Hale",
        designation: "Youth coach", venue: Venue("1180 Willow St", "95125"),
        scope: """
            A field, a gym and a low wall to climb. Here nobody is picked last, because nobody picks. Those who can’t \
            pay play all the same; a word to the coach is enough.
            """,
        offers: [
            Offer(
                "First soccer, no winners", tags: "soccer, games", ageFrom: 5, ageTo: 8, spots: 18,
                .thursday, "16:30", to: "17:30", weeks: [-2, -1, 0, 1, 3], cancelled: [-1],
                """
                Games with balls of every size. Some have goals, one has seven, and nobody keeps count. We want every \
                child to touch the ball more often than the grass.

                Bring a drink and shoes for the field; in the rain we go into the gym. Pay what you can, from nothing \
                upwards. Parents stay behind the white line and cheer for everybody.
                """),
            Offer(
                "Basketball for beginners", tags: "basketball, sports", ageFrom: 9, ageTo: 13, spots: 16, price: "0",
                .tuesday, "17:00", to: "18:15", weeks: [0, 1, 2, 4],
                """
                For those who have never held the ball and those who never get it passed. Dribbling, passing, one good \
                shot each, and a game at the end in which everybody has to score before a team can win.

                Indoor shoes with light soles, please. The older ones of the club help out; some of them started here.
                """),
            Offer(
                "Learn to climb: the low wall", tags: "climbing, sports", ageFrom: 7, spots: 10, price: "10",
                .sunday, "13:00", to: "14:30", weeks: [0, 2, 5, 11],
                """
                The wall is nine feet high with a thick mat under it, so there are no ropes and nothing to be brave \
                about. We look for the easy way up, then for the odd one, and learn how to fall well.

                Shoes to climb in are here in every size. Cut fingernails beforehand, and leave rings at home.
                """),
            Offer(
                "Games day on Willow field", tags: "games, outdoors", spots: 60, price: "0", covidSafe: true,
                .saturday, "14:00", to: "17:00", weeks: [2, 15],
                """
                Sack races, tug of war, a slow bicycle race, and a parachute for thirty. For all ages from those who \
                are carried to those who have to be persuaded to come along.

                The club has the grill going from three o’clock. Bring something for the table if you like, and a \
                blanket to sit on. Register the children only; grown-ups just come.
                """),
        ])

    static let garden = Organization(
        username: "guadalupe-garden", name: "Guadalupe Children’s Garden", firstName: "Teresa", lastName: "Quiroz",
        designation: "Gardener", venue: Venue("715 Spring St", "95110"),
        scope: """
            Twelve beds, a pond, two hens and a mud kitchen, kept by volunteers beside the river trail. Children may \
            pick what is ripe and dig where the flags are.
            """,
        offers: [
            Offer(
                "Sunday dig in the garden", tags: "garden, nature", ageFrom: 4, ageTo: 10, spots: 15, price: "0",
                .sunday, "9:30", to: "11:00", weeks: [-1, 0, 3, 6],
                """
                There is always something to sow, to water or to pull out, and always a worm to be carried to safety. \
                Children get a bed, a small spade, and somebody who knows what is a weed.

                Boots or old shoes, a hat, and hands that may get dirty. What is ripe goes home with you.
                """),
            Offer(
                "A house for wild bees", tags: "insects, wood", ageFrom: 6, ageTo: 12, spots: 12, price: "4",
                .saturday, "10:00", to: "12:00", weeks: [1, 8],
                """
                The bees that live alone don’t sting, and they need a room of their own. We drill logs, cut reeds and \
                fill a frame that fits on any balcony.

                Each child takes one home, with a plan of where to hang it and what to plant below. Drills are used \
                with a grown-up beside every child, so please stay.
                """),
            Offer(
                "Paint with mud, leaves and berries", tags: "painting, colors", ageFrom: 4, ageTo: 10, spots: 14,
                price: "8", .saturday, "14:00", to: "16:00", weeks: [0, 6, 16],
                """
                We make colors from what grows here, and there are more of them than you would think: eleven greens, \
                one true purple, and a brown that nobody can beat. Then we paint one big picture together.

                It hangs on the fence until the rain takes it, which is part of the idea. Old clothes, please.
                """),
            Offer(
                "Soup from bed to bowl", tags: "food, garden", ageFrom: 5, ageTo: 12, spots: 12, price: "6",
                .friday, "15:30", to: "17:30", weeks: [3, 10],
                """
                First we pick it, then we wash it, then we argue about how small it has to be cut, and at five we eat \
                it. The soup is vegan by nature and different every time.

                Bring a bowl, a spoon, and an apron if you have one. Tell us about allergies in good time, so that \
                everybody can have seconds.
                """),
        ])

    static let pool = Organization(
        username: "mission-pool", name: "Mission Swim Center", firstName: "Kiana", lastName: "Akana",
        designation: "Head of swimming", venue: Venue("1900 Benton St", "95050"),
        scope: """
            A warm small pool, a cool long one, and teachers who get in the water with you. Changing rooms for \
            families, and a lift for everybody who can’t take the ladder.
            """,
        offers: [
            Offer(
                "Splash hour for toddlers", tags: "swimming, toddlers", ageFrom: 1, ageTo: 3, spots: 12, price: "5",
                .friday, "10:00", to: "11:00", weeks: [-1, 0, 3],
                """
                The small pool at 90 degrees, a hundred plastic ducks, and nobody who wants to swim laps. One grown-up \
                in the water with each child.

                We sing twice and blow bubbles once; otherwise you do as you please. Swim diapers are a must, and we \
                have some at the desk for when yours is at home on the dresser.
                """),
            Offer(
                "Learn to swim: from bubbles to floating", tags: "swimming", ageFrom: 5, ageTo: 8, spots: 8,
                price: "12.50", covidSafe: true, .tuesday, "16:30", to: "17:15", weeks: [0, 1, 2, 4], cancelled: [1],
                asking: [
                    .photos,
                    Question(
                        Ask.Content(
                            kind: .choice, text: "How far has your child come?",
                            options: ["New to the water", "Puts the face in", "Floats alone"],
                            why: "So that each teacher has four who fit together.", isEach: true)),
                ],
                """
                Four children to a teacher, and the water is as deep as the smallest one needs it. First faces go in, \
                then feet come up, and one day somebody notices that they have been floating for a while.

                Come to one afternoon or to all of them; we pick up wherever your child is. Goggles help, noodles and \
                patience are here.
                """),
            Offer(
                "Water polo, a first try", tags: "swimming, games", ageFrom: 10, ageTo: 15, spots: 18, price: "0",
                .sunday, "16:00", to: "17:30", weeks: [1, 9],
                """
                Swimming with a ball and a reason. The girls’ and boys’ teams of the center show how to keep your head \
                up, how to throw without ground under your feet, and how to breathe in between.

                You should be able to swim four lengths without stopping. The first time is free, and so is the cap.
                """),
        ])

    static let rangers = Organization(
        username: "alum-rock-rangers", name: "Alum Rock Rangers", firstName: "Sam", lastName: "Ostrowski",
        designation: "Ranger", venue: Venue("15350 Penitencia Creek Rd", "95127"),
        scope: """
            Walks, fires and overnight camps in the canyon at the end of town, for children who like to know what made \
            that sound. Led by rangers and by teenagers who came as children.
            """,
        offers: [
            Offer(
                "Who lives under this stone?", tags: "insects, nature", ageFrom: 4, ageTo: 8, spots: 12, price: "0",
                covidSafe: true, .sunday, "9:30", to: "11:00", weeks: [-2, 1, 4],
                """
                A slow walk with magnifying glasses for small explorers and one grown-up each. We turn over a stone, \
                look who is at home, write down the name, and put the roof back on.

                It is half a mile in an hour and a half, which is about right. The path is flat, and strollers with \
                big wheels can make it.
                """),
            Offer(
                "Fire without matches", tags: "campfire, outdoors", ageFrom: 9, ageTo: 14, spots: 12, price: "7",
                .saturday, "15:00", to: "18:00", weeks: [1, 7], cancelled: [7],
                """
                With a bow, a board and a dry afternoon it can be done, and all who have done it once walk a little \
                taller. We also learn how to make a fire small, how to keep it, and how to leave no trace of it.

                At the end there is stick bread for all, also for those whose board only smoked. Long hair tied back, \
                no plastic jackets.
                """),
            Offer(
                "Stars over the canyon", tags: "stars, hiking", ageFrom: 6, spots: 25, price: "0", covidSafe: true,
                .friday, "20:30", to: "22:00", weeks: [2, 6, 11], cancelled: [6],
                """
                Fifteen minutes up the hill the city is gone, and there are five times as many stars. Two telescopes, \
                one ranger, and the story of the bear who was thrown into the sky by his tail.

                Bring a blanket, something warm, and a flashlight with red paper over it. If it is cloudy we tell the \
                stories by the fire pit instead.
                """),
            Offer(
                "One night in a tent", tags: "camping, nature", ageFrom: 8, ageTo: 13, spots: 20, price: "25",
                .saturday, "16:00", weeks: [13, 17],
                asking: [
                    .photos,
                    Question(
                        Ask.Content(
                            kind: .agree,
                            text: "A ranger may clean a scrape, pull a splinter, and call an ambulance.",
                            why: "The next doctor is half an hour away.", isRequired: true),
                        answers: Reply.yes),
                    Question(
                        Ask.Content(
                            kind: .choice, text: "What does your child eat?",
                            options: ["Everything", "No pork", "No meat", "Nothing from animals"],
                            why: "We shop on Friday.", isEach: true)),
                    Question(
                        Ask.Content(
                            kind: .line, text: "Who comes for breakfast on Sunday?",
                            why: "So that there are enough pancakes.", days: 7),
                        answers: "Both of us", "Grandma", "One of us, with a baby"),
                ],
                """
                For children who have never slept outside, and would like to. We put up the tents together, cook on \
                one fire, hear the owls, and are woken by the jays. It ends with breakfast on Sunday, at about nine.

                Tents and pads are here. A sleeping bag, a warm sweater and a toothbrush come along; phones stay at \
                home, and the rangers’ own is always on.
                """),
        ])
}
