extension DemoTown {
    /// A comment that neighbors reported: somebody who runs the site is to look at it.
    struct Complaint: Sendable {
        /// Under which of the voices it stands.
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
