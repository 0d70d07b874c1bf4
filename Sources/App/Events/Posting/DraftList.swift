import Forms

/// The drafts of one kind.
struct DraftList: Sendable {
    let kind: Draft.Kind
    let drafts: [Draft]
    /// Recently discarded drafts.
    let undos: [Undo]
    let zone: Zone

    /// The drafts whose titles contain these words.
    func named(_ words: String) -> DraftList {
        guard !words.isEmpty else { return self }
        return DraftList(
            kind: kind, drafts: drafts.filter { SearchWords.holds($0.title, words) }, undos: undos, zone: zone)
    }
}

extension Draft.Content {
    init(_ submission: Submission<EventForm>, _ programme: ProgrammeRows, _ asks: AskRows) {
        title = submission[\.title].typed
        form = Draft.text(of: submission.hidden + programme.hidden + asks.hidden)
        picture = submission.form.picture
        once = submission.once
    }
}
