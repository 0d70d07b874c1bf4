/// Limits on what a form may send.
public struct FormLimits: Sendable {
    /// The most bytes, not counting files.
    public var body: Int
    /// The most pairs and files together.
    public var fields: Int
    /// The most bytes of all files together to read.
    public var upload: Int
    /// The most bytes of all files together to keep. A file beyond it is read to its end, so that nothing else of the
    /// form is lost, but its content is dropped.
    public var kept: Int

    /// The defaults are 256 KiB, 1,000 fields and 10 MiB of files, all of which are kept.
    public init(body: Int = 256 * 1_024, fields: Int = 1_000, upload: Int = 10 * 1_024 * 1_024, kept: Int? = nil) {
        self.body = body
        self.fields = fields
        self.upload = upload
        self.kept = kept ?? upload
    }
}

/// The reasons why a body can't be read.
public enum FormProblem: Error, Equatable, Sendable {
    /// More bytes than `limit` (413).
    case tooLarge(limit: Int)
    /// More fields than `limit` (413).
    case tooManyFields(limit: Int)
    /// Neither `application/x-www-form-urlencoded` nor `multipart/form-data` with a boundary (415).
    case unsupportedType
    /// The content doesn't match its type (400).
    case malformed
}

/// Parses a form's body as it arrives, in pieces of any size.
///
/// How the body is split never changes the result or the error.
public struct FormParser: Sendable {
    private var draft: FormDraft
    private var pairs: PairReader?
    private var parts: PartReader?
    private var problem: FormProblem?

    /// The longest valid body, files included: a larger `Content-Length` can be refused before reading.
    public let byteLimit: Int

    /// - Parameter contentType: The request's `Content-Type`.
    /// - Throws: `.unsupportedType`.
    public init(contentType: String, limits: FormLimits = FormLimits()) throws(FormProblem) {
        guard let type = HeaderValue(Array(contentType.utf8)) else { throw .unsupportedType }
        draft = FormDraft(limits: limits)
        switch type.value {
        case "application/x-www-form-urlencoded":
            pairs = PairReader()
            byteLimit = limits.body
        case "multipart/form-data":
            guard let boundary = type["boundary"], let reader = PartReader(boundary: boundary) else {
                throw .unsupportedType
            }
            parts = reader
            byteLimit = limits.body + limits.upload
        default: throw .unsupportedType
        }
    }

    /// Parses another piece.
    ///
    /// - Throws: Any problem but `.unsupportedType`; after that, the same one every time.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(FormProblem) {
        if let problem { throw problem }
        do throws(FormProblem) {
            try pairs?.feed(bytes, &draft)
            try parts?.feed(bytes, &draft)
        } catch {
            problem = error
            throw error
        }
    }

    /// Parses another piece, from any collection of bytes.
    public mutating func feed(_ bytes: some Collection<UInt8>) throws(FormProblem) {
        try Array(bytes).withUnsafeBufferPointer { (buffer) throws(FormProblem) in
            try feed(UnsafeRawBufferPointer(buffer))
        }
    }

    /// The body, after all of it has been fed.
    ///
    /// - Throws: The problem thrown before, or `.malformed` if the end is missing.
    public mutating func finish() throws(FormProblem) -> FormBody {
        if let problem { throw problem }
        try pairs?.finish(&draft)
        try parts?.finish()
        return draft.body
    }
}

/// The data parsed so far, and how much of the limits it has used.
struct FormDraft: Sendable {
    let limits: FormLimits
    var body = FormBody()
    private var spent = 0
    private var uploaded = 0
    private var kept = 0
    private var fields = 0

    init(limits: FormLimits) {
        self.limits = limits
    }

    mutating func spend(_ count: Int) throws(FormProblem) {
        spent += count
        guard spent <= limits.body else { throw .tooLarge(limit: limits.body) }
    }

    mutating func upload(_ count: Int) throws(FormProblem) {
        uploaded += count
        guard uploaded <= limits.upload else { throw .tooLarge(limit: limits.upload) }
    }

    /// Whether a file of this size fits the limit.
    func keeps(_ count: Int) -> Bool { kept + count <= limits.kept }

    mutating func keep(_ file: FormFile) {
        kept += file.bytes.count
        body.add(file)
    }

    /// Counts one more field and returns its name as text.
    mutating func open(_ name: [UInt8]) throws(FormProblem) -> String {
        fields += 1
        guard fields <= limits.fields else { throw .tooManyFields(limit: limits.fields) }
        guard let name = String(validating: name, as: UTF8.self),
            name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw .malformed }
        return name
    }
}

/// Parses `a=1&b=2` as the URL standard does (5.1, "application/x-www-form-urlencoded parsing").
struct PairReader: Sendable {
    private var pending: [UInt8] = []

    mutating func feed(_ bytes: UnsafeRawBufferPointer, _ draft: inout FormDraft) throws(FormProblem) {
        var start = 0
        while start < bytes.count {
            let rest = bytes[start...]
            guard let end = rest.firstIndex(of: UInt8(ascii: "&")) else {
                try draft.spend(rest.count)
                pending.append(contentsOf: rest)
                return
            }
            try draft.spend(end + 1 - start)
            pending.append(contentsOf: bytes[start..<end])
            try close(&draft)
            start = end + 1
        }
    }

    mutating func finish(_ draft: inout FormDraft) throws(FormProblem) {
        try close(&draft)
    }

    private mutating func close(_ draft: inout FormDraft) throws(FormProblem) {
        guard !pending.isEmpty else { return }
        let equals = pending.firstIndex(of: UInt8(ascii: "=")) ?? pending.endIndex
        let name = try draft.open(Self.decoded(pending[..<equals]))
        draft.body.add(name, Self.decoded(pending[equals...].dropFirst()))
        pending.removeAll(keepingCapacity: true)
    }

    /// Decodes `+` to a space and `%41` to A; a percent sign without two hexadecimal digits stays as it is.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = hexDigit(bytes[index + 1]),
                let low = hexDigit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return decoded
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
