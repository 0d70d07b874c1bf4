import Database
import Foundation

extension Schema {
    /// The keys that organizations are found by, as the search writes them: those from before had letters in lower case
    /// and nothing else, so that nobody found “St. Mary’s” or “Ñandú” until it was saved again.
    static let names = Migration(name: "0016-names", text: "") { db in
        let names = try db.all("SELECT id, organization FROM provider WHERE id > 0 ORDER BY id LIMIT 10000000") {
            (id: try $0.next() as Int64, organization: try $0.next() as String)
        }
        for name in names {
            try db.execute("UPDATE provider SET name_key = \(key(of: name.organization)) WHERE id = \(name.id)")
        }
    }

    /// What `folded` was when this was released; it must not change with it.
    private static func key(of name: String) -> String {
        let plain = name.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !$0.properties.isDiacritic }
        var key = ""
        for scalar in String(String.UnicodeScalarView(plain)).lowercased().unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                key.unicodeScalars.append(scalar)
            } else if !key.isEmpty, key.last != " " {
                key.append(" ")
            }
        }
        while key.last == " " { key.removeLast() }
        return key
    }
}
