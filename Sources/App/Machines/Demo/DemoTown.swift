import Templating

/// The texts of the demo town. The towns are real; all people and organizations are invented.
enum DemoTown {
    /// San Jose's time zone, wherever the machine is.
    static let zone = Zone(identifier: "America/Los_Angeles") ?? .utc

    /// A provider of events.
    struct Organization: Sendable {
        let username: String
        let name: String
        let firstName: String
        let lastName: String
        let designation: String
        let venue: Venue
        var kind: Provider.Kind?
        var mission: String?
        var asks: String?
        let scope: String
        let offers: [Offer]
    }

    /// A street address, and the ZIP code, which determines the town.
    struct Venue: Sendable {
        let street: String
        let zip: String

        init(_ street: String, _ zip: String) {
            self.street = street
            self.zip = zip
        }

        var city: String { DemoTown.city(of: zip) }
    }

    /// Something that happens once, occasionally, or every week.
    struct Offer: Sendable {
        let title: String
        let tags: String
        let ageFrom: Int?
        let ageTo: Int?
        let spots: Int
        /// As typed; nil if not stated.
        let price: String?
        let covidSafe: Bool
        /// The venue, if it isn't the organization's own.
        let venue: Venue?
        let weekday: Weekday
        let start: TimeOfDay
        let end: TimeOfDay?
        /// The weeks in which it happens: 0 is the current one, from -4 to 17.
        let weeks: [Int]
        /// The weeks for which it was canceled.
        let cancelled: Set<Int>
        let questions: [Question]
        let text: String

        init(
            _ title: String, tags: String, ageFrom: Int? = nil, ageTo: Int? = nil, spots: Int, price: String? = nil,
            covidSafe: Bool = false, at venue: Venue? = nil, _ weekday: Weekday, _ start: String, to end: String? = nil,
            weeks: some Sequence<Int>, cancelled: Set<Int> = [], asking questions: [Question] = [], _ text: String
        ) {
            self.title = title
            self.tags = tags
            self.ageFrom = ageFrom
            self.ageTo = ageTo
            self.spots = spots
            self.price = price
            self.covidSafe = covidSafe
            self.venue = venue
            self.weekday = weekday
            self.start = TimeOfDay(typed: start)!
            self.end = end.map { TimeOfDay(typed: $0)! }
            self.weeks = Array(weeks)
            self.cancelled = cancelled
            self.questions = questions
            self.text = text
        }
    }

    /// A question to families that register.
    struct Question: Sendable {
        let content: Ask.Content
        /// The families' answers, in turn.
        let answers: [String]

        init(_ content: Ask.Content, answers: String...) {
            self.content = content
            self.answers = answers.isEmpty ? content.options : answers
        }

        static let photos = Question(
            Ask.Content(
                kind: .photo, text: Ask.photoText.text(by: nil, in: "en-US"),
                why: Ask.photoWhy.text(by: nil, in: "en-US"),
                isEach: true),
            answers: Reply.yes, Reply.yes, Reply.no)
    }

    /// Numbered as in ``Day``.
    enum Weekday: Int, Sendable {
        case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    static let organizations = [
        library, museum, theatre, clinic, sports, garden, pool, rangers, makers, music, shelter, kitchen,
    ]

    static func city(of zip: String) -> String {
        switch zip {
        case "95008": "Campbell"
        case "95050", "95051": "Santa Clara"
        default: "San Jose"
        }
    }
}

// MARK: - Families

extension DemoTown {
    /// A parent and the children at home.
    struct Household: Sendable {
        let firstName: String
        let lastName: String
        let zip: String
        /// Nicknames and ages in years.
        let children: [(name: String, age: Int)]

        /// Parses a line such as `Ana Ortiz, 95112: Mo 7, Lu 4`.
        init?(_ line: Substring) {
            let parts = line.split { ",:".contains($0) }.map { $0.split { $0 == " " }.map(String.init) }
            guard parts.count > 2, parts[0].count == 2, parts[1].count == 1 else { return nil }
            (firstName, lastName, zip) = (parts[0][0], parts[0][1], parts[1][0])
            children = parts[2...].compactMap { child in child.last.flatMap { Int($0) }.map { (child[0], $0) } }
        }

        var username: String { "\(firstName)-\(lastName)".lowercased() }
    }

    /// The log-ins that are printed, one of each kind.
    static let parent = "ana-ortiz", provider = "king-library", both = "paolo-conti", staff = "mira-staff"
    static let moderator = "noor-haddad"

    static let households: [Household] = families.split(whereSeparator: \.isNewline).compactMap { Household($0) }

    private static let families = """
        Ana Ortiz, 95112: Mo 7, Lu 4
        Paolo Conti, 95008: Gia 9, Leo 5
        Linh Tran, 95112: Bao 6, Mai 3
        Priya Raman, 95126: Anu 8, Dev 5, Tara 2
        Joel Hartman, 95125: Sadie 10, Eli 7
        Mei Chen, 95050: Kai 5
        Rosa Delgado, 95116: Nico 11, Pilar 8, Chuy 4
        Samir Haddad, 95051: Noor 9, Zaid 6
        Keisha Brown, 95110: Ty 7, Imani 2
        Tomas Novak, 95008: Ela 4, Vit 1
        Yuki Tanaka, 95126: Hana 6, Ren 3
        Grace Kim, 95051: Joon 12, Sora 9
        Omar Farah, 95127: Amina 10, Yusuf 8, Hodan 5, Ali 2
        Beth Sullivan, 95125: Finn 6, Nora 6
        Carlos Medina, 95112: Beto 9
        Anjali Shah, 95050: Rohan 7, Mira 4
        Pete Lindqvist, 95008: Ebba 11, Nils 8
        Thuy Pham, 95127: An 13, Kim 10, Vy 7
        Dana Whitaker, 95126: Jude 3, Romy 0
        Marisol Vega, 95116: Lupe 8, Santi 5
        Ben Goldstein, 95125: Ruthie 9, Asher 6, Dov 3
        Fatima Noor, 95051: Idris 5, Salma 2
        Hugo Marchand, 95128: Zoe 7
        Lucy Okafor, 95112: Chidi 12, Ada 9, Obi 6
        Ravi Iyer, 95050: Kavya 10, Arjun 7
        Molly Fitzgerald, 95008: Rory 4, Tess 2
        Jun Nakamura, 95128: Sota 8
        Alma Reyes, 95127: Dani 6, Memo 3
        Chris Baker, 95126: Wyatt 11
        Nadia Petrova, 95110: Anya 5, Misha 0
        Leo Fontaine, 95125: Remy 8, Colette 5
        Sunita Rao, 95051: Ishan 14, Diya 11
        Kofi Mensah, 95116: Ama 7, Kojo 4, Esi 0
        Tess Morgan, 95008: Hazel 9, Otis 6
        Wei Zhang, 95050: Lele 6
        Isabel Cruz, 95112: Toño 10, Luz 7
        Henry Walsh, 95128: Maeve 3, Cal 0
        Amara Diallo, 95110: Binta 8, Sekou 6
        Erin Caldwell, 95125: Piper 12, Gus 9
        Minh Le, 95127: Tin 5, Nhi 3
        Sofia Marino, 95126: Luca 7, Bea 4
        Jamal Reed, 95116: Zuri 10, Miles 8, Nia 5
        Katya Ivanova, 95051: Sasha 9
        Diego Salas, 95112: Paz 4, Uma 0
        Hannah Weiss, 95008: Noa 8, Ari 5
        Oscar Lund, 95050: Freja 6, Emil 2
        Bianca Torres, 95127: Ximena 13, Rafa 9, Coco 6
        Aaron Price, 95126: Wes 7
        Leila Karimi, 95125: Dara 11, Shirin 8
        Patrick Duffy, 95128: Orla 5, Sean 3
        Mina Park, 95051: Haru 7, Bomi 4
        Gloria Mendez, 95116: Ivan 9, Flor 6
        Nate Sorensen, 95110: Liv 2, Odd 0
        Zainab Malik, 95050: Hamza 10, Sana 7, Bilal 4
        Claire Dubois, 95008: Margot 6
        Victor Santos, 95112: Isa 8, Gabo 5
        Ines Carvalho, 95126: Rui 12, Lia 10
        Tara Nguyen, 95127: Milo 4, Suki 0
        Walt Jensen, 95125: Ike 9, Faye 7, Bo 3
        Ruth Abebe, 95128: Selam 6, Dawit 4
        """
}
