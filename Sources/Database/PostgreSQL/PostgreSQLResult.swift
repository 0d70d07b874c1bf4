import CPostgreSQL

/// An answer from the server, freed with its last reference.
final class PostgreSQLResult {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }
    var rowCount: Int32 { PQntuples(pointer) }
    var columnCount: Int { Int(PQnfields(pointer)) }

    /// The command tag: `UPDATE 3`, `COMMIT`.
    var tag: String { String(cString: PQcmdStatus(pointer)) }

    /// How many rows were inserted, updated or deleted.
    var changes: Int {
        let tag = tag
        guard tag.hasPrefix("INSERT") || tag.hasPrefix("UPDATE") || tag.hasPrefix("DELETE") else { return 0 }
        return Int(String(cString: PQcmdTuples(pointer))) ?? 0
    }

    /// The text of a cell, as it was sent; nil for NULL or if there is no such row.
    func text(row: Int32, column: Int32) -> String? {
        guard row < rowCount, PQgetisnull(pointer, row, column) == 0 else { return nil }
        return String(decoding: PostgreSQLCell(of: pointer, row: row, at: column).bytes, as: UTF8.self)
    }

    /// The error; nil if the statement succeeded.
    var failure: DatabaseError? {
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_SYNC, PGRES_PIPELINE_ABORTED,
            PGRES_COPY_IN:
            nil
        default: DatabaseError(self)
        }
    }

    /// A field of an error.
    func field(_ code: Int) -> String? {
        PQresultErrorField(pointer, Int32(code)).map { String(cString: $0) }
    }

    /// Whether a prepared statement no longer exists or its result type has changed.
    var isOfOldPlan: Bool { ["0A000", "26000"].contains(field(Int(village_pg_sqlstate))) }
}

/// One value of a PostgreSQL row, in binary format
/// (<https://www.postgresql.org/docs/15/protocol-overview.html#PROTOCOL-FORMAT-CODES>).
struct PostgreSQLCell {
    private let result: OpaquePointer
    private let row: Int32
    private let index: Int32

    init(of result: OpaquePointer, row: Int32, at index: Int32) {
        self.result = result
        self.row = row
        self.index = index
    }

    private var type: PostgreSQLType? { PostgreSQLType(rawValue: PQftype(result, index)) }

    var found: Column.Found {
        guard PQgetisnull(result, row, index) == 0 else { return .null }
        return switch type {
        case .boolean, .smallInteger, .shortInteger, .integer: .integer
        case .real, .shortReal: .real
        case .numeric: numeric.whole == nil ? .real : .integer
        case .blob: .bytes
        case .text, .variableText, .name, .unknown, .character, nil: .text
        }
    }

    /// Whether it is a `numeric`, such as an average, which may be read with or without a fraction.
    var isNumeric: Bool { type == .numeric }

    var integer: Int64 {
        switch type {
        case .boolean: Int64(bytes[0])
        case .smallInteger: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case .shortInteger: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case .numeric: numeric.whole ?? 0
        default: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        }
    }

    var real: Double {
        switch type {
        case .shortReal: Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        case .numeric: numeric.value
        default: Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        }
    }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: PQgetvalue(result, row, index), count: Int(PQgetlength(result, row, index)))
    }

    /// The column's name.
    var name: String { PQfname(result, index).map { String(cString: $0) } ?? "?" }

    /// A `numeric`, such as a sum: digits in base 10,000.
    private var numeric: (value: Double, whole: Int64?) {
        let bytes = bytes
        func word(_ index: Int) -> Int {
            Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)))
        }
        let (count, weight, sign) = (word(0), word(1), UInt16(truncatingIfNeeded: word(2)))
        switch sign {
        case 0xD000: return (.infinity, nil)
        case 0xF000: return (-.infinity, nil)
        case 0xC000: return (.nan, nil)
        default: break
        }
        // Via decimal digits, so that a fraction is parsed as exactly as a literal.
        var digits = sign == 0x4000 ? "-" : ""
        if weight < 0 { digits += "0." + String(repeating: "0000", count: -weight - 1) }
        for index in 0..<max(count, weight + 1) {
            let group = String(index < count ? word(4 + index) : 0)
            digits += String(repeating: "0", count: 4 - group.count) + group
            if index == weight { digits += "." }
        }
        let hasFraction = (max(weight + 1, 0)..<max(count, weight + 1, 0)).contains { word(4 + $0) != 0 }
        let whole = digits.prefix { $0 != "." }
        return (Double(digits.hasSuffix(".") ? String(whole) : digits) ?? .nan, hasFraction ? nil : Int64(whole))
    }
}

/// The types in which values are sent and received, by their fixed OIDs
/// (<https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat>).
enum PostgreSQLType: Oid {
    case boolean = 16
    case blob = 17
    case name = 19
    case integer = 20
    case smallInteger = 21
    case shortInteger = 23
    case text = 25
    case shortReal = 700
    case real = 701
    case unknown = 705
    case character = 1042
    case variableText = 1043
    case numeric = 1700
}

extension SQL.Value {
    /// The OID of the type it is sent as.
    var type: Oid {
        let type: PostgreSQLType =
            switch self {
            case .integer, .null(.integer): .integer
            case .real, .null(.real): .real
            case .text, .null(.text): .text
            case .blob, .null(.blob): .blob
            case .boolean, .null(.boolean): .boolean
            }
        return type.rawValue
    }
}

/// Arguments in the server's format.
struct PostgreSQLArguments {
    private var bytes: [UInt8] = []
    /// The offset of each argument; nil for NULL.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [SQL.Value]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null: break
            // NaN becomes NULL, as in SQLite.
            case .real(let value) where value.isNaN: break
            case .integer(let value): append(value.bigEndian)
            case .real(let value): append(value.bitPattern.bigEndian)
            case .text(let value): bytes += value.utf8
            case .blob(let value): bytes += value
            case .boolean(let value): bytes.append(value ? 1 : 0)
            }
            starts.append(Self.isNothing(value) ? nil : start)
            lengths.append(Int32(bytes.count - start))
        }
        // Even an empty text needs an address.
        bytes.append(0)
    }

    private static func isNothing(_ value: SQL.Value) -> Bool {
        switch value {
        case .null: true
        case .real(let value): value.isNaN
        default: false
        }
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }

    /// Appends the arguments as a row in the format of COPY.
    func append(to row: inout [UInt8]) {
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { row += $0 } }
        add(Int16(starts.count))
        for (start, length) in zip(starts, lengths) {
            guard let start else {
                add(Int32(-1))
                continue
            }
            add(length)
            row += bytes[start..<start + Int(length)]
        }
    }

    func with<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> T
    ) -> T {
        bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress!.withMemoryRebound(to: CChar.self, capacity: bytes.count) { first in
                // One extra element, so that there is an address even without arguments.
                body(
                    starts.map { $0.map { first + $0 } } + [nil], lengths + [0],
                    Array(repeating: 1, count: starts.count + 1))
            }
        }
    }
}
