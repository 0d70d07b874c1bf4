import CPostgreSQL

extension Database.Server {
    /// What an address says without what is secret in it: `postgresql://db.example:5432/village`; nil for one that
    /// can't be read, such as one with a `%` in its password that isn't written as `%25`.
    public static func plainAddress(_ address: String) -> String? {
        guard let options = PQconninfoParse(address, nil) else { return nil }
        defer { PQconninfoFree(options) }
        func value(_ name: String) -> String? {
            var option = options
            while let keyword = option.pointee.keyword {
                if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
                option += 1
            }
            return nil
        }
        let port = value("port") ?? ""
        // With a slash in a password, what stands before it is taken for a host and its port.
        guard port.allSatisfy({ $0.isNumber || $0 == "," }) else { return nil }
        return "postgresql://\(value("host") ?? "")\(port.isEmpty ? "" : ":\(port)")/\(value("dbname") ?? "")"
    }
}
