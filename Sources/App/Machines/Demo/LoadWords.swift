/// The building blocks of load test data. Some need escaping in HTML, as people's own texts do.
enum LoadWords {
    static let towns: [Address] = [
        town("San Jose", "CA", "95124"), town("Oakland", "CA", "94611"), town("Fresno", "CA", "93722"),
        town("Portland", "OR", "97222"), town("Eugene", "OR", "97403"), town("Seattle", "WA", "98125"),
        town("Boise", "ID", "83713"), town("Salt Lake City", "UT", "84118"), town("Denver", "CO", "80225"),
        town("Tucson", "AZ", "85719"), town("Austin", "TX", "78728"), town("Tulsa", "OK", "74127"),
        town("Omaha", "NE", "68119"), town("Des Moines", "IA", "50320"), town("Saint Paul", "MN", "55117"),
        town("Madison", "WI", "53715"), town("Chicago", "IL", "60630"), town("Ann Arbor", "MI", "48105"),
        town("Columbus", "OH", "43216"), town("Louisville", "KY", "40223"), town("Nashville", "TN", "37215"),
        town("Atlanta", "GA", "30338"), town("Savannah", "GA", "31408"), town("Tampa", "FL", "33621"),
        town("Durham", "NC", "27706"), town("Baltimore", "MD", "21224"), town("Pittsburgh", "PA", "15227"),
        town("Buffalo", "NY", "14215"), town("Providence", "RI", "02905"), town("Burlington", "VT", "05402"),
    ]

    private static func town(_ city: String, _ state: String, _ zip: String) -> Address {
        Address(city: city, state: state, zip: zip, country: "US")
    }

    static let streets = [
        "Main St", "Oak Ave", "Maple Dr", "2nd St", "Park Ave", "Mill Rd", "Church St", "Lake Blvd", "O’Neill Way",
        "Cedar Ln", "Union Sq", "Hill St", "River Rd", "Elm St", "Martin Luther King Jr Blvd", "Station Pl",
    ]

    static let owners = [
        "Rosie’s", "Finn & Friends", "Maple", "Blue Door", "Tiny Hands", "Bright Path", "Red Wagon", "Owl & Acorn",
        "Mr. O’Dell’s", "Sunny Side", "Harbor", "Wild Fern", "Patch", "Juniper", "Little Oak", "Second Street",
    ]
    static let places = [
        "Art Barn", "Playhouse", "Gym", "Family Center", "Science Club", "Music Room", "Day Camp", "Book Nook",
        "Swim School", "Makers", "Garden", "Library",
    ]
    static let designations = ["Owner", "Director", "Coach", "Librarian", "Teacher", "Coordinator"]

    static let firstNames = [
        "Ana", "Ben", "Chi", "Dora", "Eli", "Fay", "Gus", "Hana", "Ivan", "Joy", "Kai", "Lena", "Max", "Nour", "Omar",
        "Pia", "Quinn", "Rosa", "Sam", "Tara", "Uma", "Vera", "Wes", "Yuki",
    ]
    static let lastNames = [
        "Adams", "Bauer", "Chen", "D’Souza", "Evans", "Flores", "Garcia", "Haddad", "Ito", "Jones", "Kim", "Lopez",
        "Mbeki", "Nguyen", "O’Brien", "Patel", "Quist", "Rossi", "Smith", "Torres", "Ueda", "Vogel", "Wong", "Young",
    ]
    static let nicknames = ["Mo", "Lu", "Bea", "Kit", "Zoë", "Leo", "Nia", "Tim", "Ada", "Gil", "Ivy", "Ras"]

    static let adjectives = [
        "Little", "Rainy-day", "Junior", "Messy", "Outdoor", "Early", "After-school", "Family", "Toddlers’",
        "Bilingual", "Glow-in-the-dark", "Kids’", "Mini", "Big", "Curious", "Quiet",
    ]
    static let nouns = [
        "robot lab", "arts & crafts", "story time", "soccer clinic", "chess club", "cooking class", "nature walk",
        "puppet show", "science fair", "dance party", "music & movement", "swim lessons", "kite workshop",
        "pottery studio", "coding “hour”", "bug hunt", "book swap", "wood shop", "dog school", "camp fire",
    ]
    static let tails = [
        "for beginners", "in the park", "at the library", "with Ms. O’Neill", "(parents welcome)", "& picnic",
        "— first session", "— free trial", "@ the museum", "part 2", "for all ages", "under the oak",
    ]
    static let sentences = [
        "Children explore, build and laugh together in small groups.",
        "Bring water, a hat and something to eat; everything else is here.",
        "We meet at the main entrance, ten minutes early, rain or shine.",
        "No experience is needed, and siblings are welcome.",
        "There is a quiet corner for those who have had enough of the noise.",
        "Friendly teachers show how it is done, and then step back.",
        "Paint, clay, paper, glue & scissors are on the table.",
        "We look for worms, seeds and beetles < 1 inch under the old trees.",
        "It’s free, it’s fun, and it is over before dinner.",
        "Mom, dad or grandpa may stay: there is coffee and a “sofa of last resort”.",
        "Niños y niñas, alle Kinder, tous les enfants: everybody understands the rules.",
        "Half an hour of music, half an hour of games, and a song to say goodbye.",
        "Magnets, telescopes and water wheels: all of them may be touched.",
        "Peanut-free & gluten-free snacks at half time.",
        "Who comes for the first time gets a partner who knows the way.",
        "Please wear clothes that may get dirty, and shoes that stay on.",
        "The older ones help the younger ones, and both learn from it.",
        "On the last day families are invited to see what was made.",
        "We follow the county’s health advice; masks are welcome, not required.",
        "Step-free from the parking lot; the rest room is next door.",
    ]
    /// Places at a fair.
    static let corners = ["Main stage", "Craft tent", "Food court", "", "The lawn"]
    static let tags = [
        ["music"], ["crafts", "painting"], ["stories", "books"], ["outdoors", "nature"], ["science"],
        ["games", "sports"], ["swimming"], ["theater", "stories"], ["robots", "coding"], ["animals"], ["cooking"],
        ["dance", "music"], ["building", "toys"], ["outdoors", "kites"],
    ]
    /// In cents; nil if not stated.
    static let prices: [Int?] = [0, 0, 0, 500, 800, 1_250, 1_999, 4_500, nil]
    /// Every child in the data is included: they are seven to nine years old, and ten before the last event.
    static let ages: [(from: Int?, to: Int?)] = [
        (nil, nil), (nil, nil), (3, 12), (5, 11), (6, nil), (nil, 10), (6, 10),
    ]
}
