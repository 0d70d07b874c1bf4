/// Measures how much there is of a truncated JPEG: phones and mail programs lose some bytes, and browsers show the
/// rest.
///
/// It counts the blocks of a baseline picture (ITU-T T.81, F.2) without decoding pixels.
struct JPEGTail {
    /// Whether only the last rows or the last bytes are missing.
    ///
    /// For a progressive picture: whether the last pass over each color has begun, because then everything is visible.
    static func isNearlyWhole(_ file: [UInt8]) -> Bool {
        var tail = JPEGTail(file: file)
        return tail.read()
    }

    private struct Component {
        let id: UInt8
        let blocks: Int
        /// The precision of the DC and the last of the AC coefficients so far; nil before the first pass.
        var lows: (dc: Int?, ac: Int?) = (nil, nil)
    }

    /// A table's codes by length.
    private struct Codes {
        var largest = [Int](repeating: -1, count: 17)
        var first = [Int](repeating: 0, count: 17)
        var place = [Int](repeating: 0, count: 17)
        var values: [UInt8] = []
    }

    private let file: [UInt8]
    private var place = 2
    private var components: [Component] = []
    private var isProgressive = false
    private var units = 0
    private var codes: [Int: Codes] = [:]
    private var restart = 0
    private var bits = 0
    private var bitCount = 0

    private init(file: [UInt8]) { self.file = file }

    private func big(_ place: Int) -> Int {
        place + 1 < file.count ? Int(file[place]) << 8 | Int(file[place + 1]) : 0
    }

    private mutating func read() -> Bool {
        while place + 4 <= file.count {
            guard file[place] == 0xFF, file[place + 1] != 0xFF, file[place + 1] != 0 else {
                place += 1
                continue
            }
            let marker = file[place + 1]
            if marker == 0x01 || (0xD0...0xD7).contains(marker) {
                place += 2
                continue
            }
            if marker == 0xD9 { break }
            let (start, length) = (place + 4, big(place + 2))
            let end = place + 2 + length
            guard length >= 2, end <= file.count else { break }
            switch marker {
            case 0xC0, 0xC1, 0xC2: guard readFrame(start, end, isProgressive: marker == 0xC2) else { return false }
            case 0xC4: guard readCodes(start, end) else { return false }
            case 0xDD: restart = big(start)
            // Browsers don't show lossless and arithmetic-coded pictures.
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return false
            case 0xDA:
                guard let last = readScan(start, end) else { return false }
                if let last { return last }
                continue
            default: break
            }
            place = end
        }
        return isProgressive && isWholePasses
    }

    private mutating func readFrame(_ start: Int, _ end: Int, isProgressive: Bool) -> Bool {
        // Only one frame: a second one could be larger than the size that was checked.
        guard components.isEmpty, start + 6 <= end else { return false }
        self.isProgressive = isProgressive
        let (height, width, count) = (big(start + 1), big(start + 3), Int(file[start + 5]))
        guard (1...4).contains(count), start + 6 + 3 * count <= end, width > 0, height > 0 else { return false }
        let factors = (0..<count).map { index in
            (wide: Int(file[start + 7 + 3 * index] >> 4), high: Int(file[start + 7 + 3 * index] & 15))
        }
        guard factors.allSatisfy({ (1...4).contains($0.wide) && (1...4).contains($0.high) }) else { return false }
        let (wide, high) = (factors.map(\.wide).max() ?? 1, factors.map(\.high).max() ?? 1)
        components = factors.enumerated().map { index, factor in
            Component(id: file[start + 6 + 3 * index], blocks: count == 1 ? 1 : factor.wide * factor.high)
        }
        let (across, down) = count == 1 ? (8, 8) : (8 * wide, 8 * high)
        units = ((width + across - 1) / across) * ((height + down - 1) / down)
        return true
    }

    private mutating func readCodes(_ start: Int, _ end: Int) -> Bool {
        var place = start
        while place + 17 <= end {
            var table = Codes()
            let counts = (1...16).map { Int(file[place + $0]) }
            let sum = counts.reduce(0, +)
            guard sum <= 256, place + 17 + sum <= end else { return false }
            table.values = Array(file[place + 17..<place + 17 + sum])
            var (code, value) = (0, 0)
            for (index, count) in counts.enumerated() {
                table.first[index + 1] = code
                table.place[index + 1] = value
                if count > 0 { table.largest[index + 1] = code + count - 1 }
                (code, value) = ((code + count) << 1, value + count)
            }
            codes[Int(file[place])] = table
            place += 17 + sum
        }
        return true
    }

    /// Whether the last pass over each color has begun.
    private var isWholePasses: Bool {
        !components.isEmpty && components.allSatisfy { $0.lows.dc == 0 && $0.lows.ac == 0 }
    }

    /// Reads a pass and moves to its end.
    ///
    /// - Returns: Nil if it is invalid; the answer if it is the last; otherwise `.some(nil)`.
    private mutating func readScan(_ start: Int, _ end: Int) -> Bool?? {
        guard start < end, units > 0 else { return .none }
        let count = Int(file[start])
        guard (1...4).contains(count), start + 1 + 2 * count + 3 <= end else { return .none }
        var parts: [(component: Int, dc: Int, ac: Int)] = []
        for index in 0..<count {
            let id = file[start + 1 + 2 * index]
            guard let found = components.firstIndex(where: { $0.id == id }) else { return .none }
            let tables = Int(file[start + 2 + 2 * index])
            parts.append((found, tables >> 4, 0x10 | tables & 15))
        }
        place = end
        if isProgressive {
            let (first, last) = (Int(file[start + 1 + 2 * count]), Int(file[start + 2 + 2 * count]))
            let low = Int(file[start + 3 + 2 * count] & 15)
            for part in parts {
                if first == 0 { components[part.component].lows.dc = low }
                if last == 63 { components[part.component].lows.ac = low }
            }
            while place + 1 < file.count, !endsPass(at: place) { place += 1 }
            return .some(nil)
        }
        // Separate scans per color are rare, and the picture isn't complete before the last.
        guard count == components.count else { return .none }
        (bits, bitCount) = (0, 0)
        var done = 0
        while done < units {
            if restart > 0, done > 0, done.isMultiple(of: restart), !skipRestart() { break }
            guard readUnit(parts) else { break }
            done += 1
        }
        // If it wasn't stopped by the end of the file, it is damaged.
        guard done == units || place + 2 >= file.count else { return .none }
        let bytes = max(1, file.count - end)
        let missing = done == 0 ? Int.max : bytes * (units - done) / done
        return .some(done * 5 >= units * 4 || (missing <= 256 && done * 3 >= units))
    }

    private func endsPass(at place: Int) -> Bool {
        file[place] == 0xFF && file[place + 1] != 0 && !(0xD0...0xD7).contains(file[place + 1])
    }

    private mutating func readUnit(_ parts: [(component: Int, dc: Int, ac: Int)]) -> Bool {
        for part in parts {
            guard let dc = codes[part.dc], let ac = codes[part.ac] else { return false }
            for _ in 0..<components[part.component].blocks {
                guard let size = decode(dc), size <= 11, skip(Int(size)) else { return false }
                var index = 1
                while index < 64 {
                    guard let pair = decode(ac) else { return false }
                    let (run, size) = (Int(pair >> 4), Int(pair & 15))
                    if size == 0, run != 15 { break }
                    index += run + 1
                    guard skip(size) else { return false }
                }
            }
        }
        return true
    }

    private mutating func decode(_ table: Codes) -> UInt8? {
        var code = 0
        for length in 1...16 {
            guard let bit = nextBit() else { return nil }
            code = code << 1 | bit
            if table.largest[length] >= code {
                let index = table.place[length] + code - table.first[length]
                return table.values.indices.contains(index) ? table.values[index] : nil
            }
        }
        return nil
    }

    private mutating func skip(_ count: Int) -> Bool {
        for _ in 0..<count where nextBit() == nil { return false }
        return true
    }

    private mutating func nextBit() -> Int? {
        if bitCount == 0 {
            guard place < file.count else { return nil }
            let byte = file[place]
            if byte == 0xFF {
                // A zero follows a byte of ones; anything else is a marker.
                guard place + 1 < file.count, file[place + 1] == 0 else { return nil }
                place += 1
            }
            place += 1
            (bits, bitCount) = (Int(byte), 8)
        }
        bitCount -= 1
        return bits >> bitCount & 1
    }

    private mutating func skipRestart() -> Bool {
        bitCount = 0
        guard place + 1 < file.count, file[place] == 0xFF, (0xD0...0xD7).contains(file[place + 1]) else { return false }
        place += 2
        return true
    }
}
