import Forms

/// An achievement, awarded once and for good.
enum Badge: String, CaseIterable, Sendable {
    case week, month, year
    case firstAct = "first_act"
    case tenActs = "ten_acts"
    case hundredActs = "hundred_acts"
    case thousandActs = "thousand_acts"
    case dayWeek = "day_week"
    case dayMonth = "day_month"
    case themes, children
    case firstNeed = "first_need"
    case tenNeeds = "ten_needs"
    case firstFriend = "first_friend"
    case fiveFriends = "five_friends"

    /// The quantity that it depends on.
    enum Measure: Sendable { case streak, acts, streakOfDay, themes, children, needs, friends }

    var measure: Measure {
        switch self {
        case .week, .month, .year: .streak
        case .firstAct, .tenActs, .hundredActs, .thousandActs: .acts
        case .dayWeek, .dayMonth: .streakOfDay
        case .themes: .themes
        case .children: .children
        case .firstNeed, .tenNeeds: .needs
        case .firstFriend, .fiveFriends: .friends
        }
    }

    /// The required number.
    var number: Int {
        switch self {
        case .week, .dayWeek: 7
        case .month, .dayMonth: 30
        case .year: 365
        case .firstAct, .firstNeed, .firstFriend: 1
        case .fiveFriends: 5
        case .tenActs, .children, .tenNeeds: 10
        case .hundredActs: 100
        case .thousandActs: 1_000
        case .themes: KindAct.Theme.allCases.count
        }
    }

    var name: Words {
        switch self {
        case .week: "One week"
        case .month: "One month"
        case .year: "One year"
        case .firstAct: "First act"
        case .tenActs: "Ten acts"
        case .hundredActs: "A hundred acts"
        case .thousandActs: "A thousand acts"
        case .dayWeek: "Seven days’ acts"
        case .dayMonth: "A month of days’ acts"
        case .themes: "Each theme"
        case .children: "With children"
        case .firstNeed: "First need met"
        case .tenNeeds: "Ten needs met"
        case .firstFriend: "A friend"
        case .fiveFriends: "Five friends"
        }
    }

    /// A description of the achievement.
    var description: Words {
        switch measure {
        case .streak: Words("Kind on {count} day in a row", plural: "Kind on {count} days in a row", count: number)
        case .acts: Words("{count} kind act", plural: "{count} kind acts", count: number)
        case .streakOfDay:
            Words("The day’s act {count} day in a row", plural: "The day’s act {count} days in a row", count: number)
        case .themes: "An act of each theme"
        case .children:
            Words("{count} act with children", plural: "{count} acts with children", count: number)
        case .needs:
            Words(
                "{count} need of a neighbor met", plural: "{count} needs of neighbors met", count: number)
        case .friends:
            Words(
                "{count} friend you invited came", plural: "{count} friends you invited came", count: number)
        }
    }

    var icon: Icon {
        switch measure {
        case .streak: .sprout
        case .acts: .heart
        case .streakOfDay: .sun
        case .themes: .star
        case .children: .child
        case .needs: .gift
        case .friends: .people
        }
    }
}
