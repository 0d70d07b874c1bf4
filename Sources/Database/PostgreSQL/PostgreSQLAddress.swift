import CPostgreSQL

extension Database.Server {
    /// An address without its secrets: `postgresql://db.example:5432/village`; nil if it can't be parsed, such as one
    /// with a `%` in its password that isn't written as `%25`.
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
        func parts(_ name: String) -> [Substring] {
            (value(name) ?? "").split(separator: ",", omittingEmptySubsequences: false)
        }
        let ports = parts("port")
        // A slash in the password makes the text before it look like a host and its port.
        guard ports.joined().allSatisfy(\.isNumber) else { return nil }
        let hosts = parts("host").enumerated().map { index, host in
            // One port may apply to all hosts.
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return port.isEmpty ? "\(host)" : "\(host):\(port)"
        }
        return "postgresql://\(hosts.joined(separator: ","))/\(value("dbname") ?? "")"
    }
}
