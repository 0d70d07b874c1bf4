import Database

extension AccountLetter {
    static func text(of letter: Letter, to reader: LetterReader, in tx: Transaction) throws -> LetterText? {
        let (account, name, token) = (reader.account, reader.account.username, letter.secret)
        switch letter.kind {
        case .welcome: return .welcome(name, token: token)
        case .address:
            let isByStaff = try letter.address == account.email && EmailChange.isByStaff(account.id, in: tx)
            return isByStaff ? .addressSet(name, token: token) : .address(token: token)
        case .moved: return .moved(name, token: token)
        case .reset: return .reset(name, token: token)
        case .newPassword: return .newPassword(name)
        case .twoStepOn: return .twoStep(name, isOn: true)
        case .twoStepOff: return .twoStep(name, isOn: false)
        case .recovered: return .recovered(name, left: try TwoStep.recoveryCodes(of: account.id, in: tx))
        default: return nil
        }
    }

    static func textForStranger(of letter: Letter, _ seal: Seal?, in tx: Transaction) throws -> LetterText? {
        switch letter.kind {
        case .deleted: .deleted
        case .test: .test
        default: nil
        }
    }
}
