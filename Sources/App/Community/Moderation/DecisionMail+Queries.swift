import Database

extension DecisionNews {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        try letter.subject.flatMap { try Decision.find(ID($0), in: tx) }.map { .decided($0, reader.seal) }
    }

    /// A letter to a reporter without an account about the decision.
    static func textForStranger(of letter: Letter, _ seal: Seal?, in tx: Transaction) throws -> LetterText? {
        guard let id = letter.subject.map({ ID<Report>($0) }), let answer = try Report.answer(to: id, in: tx) else {
            return nil
        }
        return .report(answer, seal.map { Report.link(to: id, $0) })
    }
}
