import Database
import Foundation

extension Schema {
    /// What people are found by: their name from each of its words on, as the search writes it. User names have an
    /// index of their own.
    static let peopleSearch = Migration(
        name: "0063-people-search",
        text: """
            ALTER TABLE person ADD COLUMN is_found @boolean NOT NULL DEFAULT TRUE;

            CREATE TABLE person_key (
                key @text NOT NULL,
                account_id @integer NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                PRIMARY KEY (key, account_id)
            );
            CREATE INDEX person_key_account ON person_key (account_id, key);
            """
    ) { db in
        let names = try db.all("SELECT account_id, name FROM person WHERE id > 0 ORDER BY id LIMIT 10000000") {
            (account: try $0.next() as Int64, name: try $0.next() as String)
        }
        for (account, name) in names {
            let words = key(of: name).split(separator: " ")
            for start in words.indices.prefix(8) {
                let key = words[start...].joined(separator: " ")
                try db.execute(
                    """
                    INSERT INTO person_key (key, account_id) VALUES (\(key), \(account))
                    ON CONFLICT (key, account_id) DO NOTHING
                    """)
            }
        }
    }

    /// What `folded` was when this was released; it must not change with it.
    private static func key(of name: String) -> String {
        let plain = name.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !$0.properties.isDiacritic }
        let letters = String(String.UnicodeScalarView(plain)).lowercased().unicodeScalars.map {
            $0.properties.isAlphabetic || $0.properties.numericType != nil ? $0 : " "
        }
        return String(String.UnicodeScalarView(letters)).split(separator: " ").joined(separator: " ")
    }
}
