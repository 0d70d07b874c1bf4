extension DemoTown {
    /// A comment that neighbors reported, for the people who run the site to review.
    struct Complaint: Sendable {
        /// The number of the post it belongs to.
        let voice: Int
        let text: String
        let reports: [(ground: Ground, note: String)]
    }

    static let complaints = [
        Complaint(
            voice: 6,
            text: "Nineteen times past my window. Somebody should go and knock at the yellow house on Harlan Street.",
            reports: [
                (.privacy, "It says where the boy lives."), (.unkind, "He is six. Let him ride."),
            ])
    ]
}
