import Forms

/// A member's preferences for the look of the site and its default values; nil means the site's default.
struct Preferences: Sendable, Equatable {
    /// Nil for the device's setting.
    var look: Look?
    var textSize: TextSize?
    var unit: Distance.Unit?
    /// The search radius, in the unit.
    var distance: Int?
    /// The language of pages; nil for the browser's.
    var language: String?
    /// The time zone; nil for the town's.
    var zone: Zone?

    static let usual = Preferences()

    enum Look: String, Sendable, CaseIterable {
        case light, dark

        var name: Words { self == .light ? "Light" : "Dark" }
    }

    enum TextSize: String, Sendable, CaseIterable {
        case large, larger

        var name: Words { self == .large ? Words("Large", context: "letters on pages") : "Larger" }
    }

    /// The distances to choose from for searches around a place.
    static let distances = [2, 5, 10, 25, 50]
    /// These, and one that was chosen.
    static func distances(and chosen: Int) -> [Int] {
        distances.contains(chosen) ? distances : (distances + [chosen]).sorted()
    }
    /// The distance if a member chose none.
    static let usualDistance = 10
}

/// `/me/settings`.
struct PreferencesForm: Form {
    static let usual = "usual"

    var look = usual
    var textSize = usual
    var unit = usual
    var distance = String(Preferences.usualDistance)
    var language = usual
    var zone: String?

    static let fields: [Field<PreferencesForm>] = [
        .choice(
            "look", \.look, "Look",
            options: [Choice(usual, "As the device")] + Preferences.Look.allCases.map { Choice($0.rawValue, $0.name) }
        ).drawn(as: .radios).narrow,
        .choice(
            "text_size", \.textSize, "Text",
            options: [Choice(usual, "Normal")] + Preferences.TextSize.allCases.map { Choice($0.rawValue, $0.name) }
        ).drawn(as: .radios).narrow,
        .choice(
            "distance", \.distance, "How far around a place",
            options: Preferences.distances.map { Choice(String($0), Words(number: $0)) }
        ).narrow,
        .choice(
            "unit", \.unit, "Distances in",
            options: [Choice(usual, "As usual")] + Distance.Unit.allCases.map { Choice($0.rawValue, $0.name) }
        ).narrow,
        .choice("language", \.language, "Language"),
        .text("time_zone", \.zone, "Your time zone", 1...60).autocomplete("off").suggestions(Zone.usual)
            .hint(
                """
                Only if your clock isn’t the town’s. Pages then say the time by your clock, too, and your days of kind \
                acts begin and end at your midnight.
                """),
    ]

    init() {}

    init(_ preferences: Preferences) {
        look = preferences.look?.rawValue ?? Self.usual
        textSize = preferences.textSize?.rawValue ?? Self.usual
        unit = preferences.unit?.rawValue ?? Self.usual
        distance = String(preferences.distance ?? Preferences.usualDistance)
        language = preferences.language ?? Self.usual
        zone = preferences.zone?.identifier
    }

    func check(_ submission: inout Submission<PreferencesForm>) {
        if let zone, Zone(typed: zone) == nil {
            submission.reject(\.zone, "Write the time zone like America/Los_Angeles, or leave it empty.")
        }
    }

    var preferences: Preferences {
        let far = Int(distance)
        return Preferences(
            look: .init(rawValue: look), textSize: .init(rawValue: textSize), unit: .init(rawValue: unit),
            distance: far == Preferences.usualDistance ? nil : far, language: language == Self.usual ? nil : language,
            zone: zone.flatMap { Zone(typed: $0) })
    }
}
