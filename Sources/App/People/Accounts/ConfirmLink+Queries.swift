import Database

extension ConfirmLink {
    /// Makes a link for the account's address. It ends earlier ones, which can say so for a month.
    ///
    /// - Parameter change: The change to the new address, if the link confirms one.
    static func insert(
        _ token: Token, for account: ID<Account>, change: (id: ID<EmailChange>, email: String)? = nil,
        in tx: Transaction
    ) throws {
        let own: String? = try tx.value("SELECT email FROM account WHERE id = \(account)")
        guard let own else { return }
        let kind: OneTimeLink.Kind = change == nil ? .confirm : .change
        try OneTimeLink.withdrawAll(kind, of: account, in: tx)
        try OneTimeLink.insert(
            token, kind, of: account, detail: change?.email ?? own, change: change?.id,
            until: tx.now + lifetime, in: tx)
    }

    static func replaceAll(of account: ID<Account>, in db: Connection) throws {
        for kind in [OneTimeLink.Kind.confirm, .change] { try OneTimeLink.withdrawAll(kind, of: account, in: db) }
        for kind in [NoticeKind.welcome, .address] { try Letter.forgetSecrets(kind, of: account, in: db) }
    }

    /// Sends the account a letter with a new link.
    static func send(to account: ID<Account>, in tx: Transaction) throws {
        let token = Token()
        try insert(token, for: account, in: tx)
        let isByStaff = try EmailChange.isByStaff(account, in: tx)
        try Letter.write(isByStaff ? .address : .welcome, to: account, token: token, in: tx)
    }

    /// The account whose address the link confirms, or why it no longer does; nil for a link that never existed.
    static func find(_ token: Token, in tx: Transaction) throws -> LinkState<ConfirmLink>? {
        try OneTimeLink.find(token, .confirm, .change, in: tx)?.opening { link in
            ConfirmLink(account: link.account, email: link.detail, change: link.change)
        }
    }
}
