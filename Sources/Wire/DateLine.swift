import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The `Date` field of a response as a line, made once a second (RFC 9110, 5.6.7).
enum DateLine {
    private static let last = Mutex((second: time_t(0), line: ""))

    static var now: String {
        let second = time(nil)
        return last.withLock { last in
            if last.second != second { last = (second, line(second)) }
            return last.line
        }
    }

    /// - Parameter second: Seconds since 1970.
    static func line(_ second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year)"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "Date: \(days[Int(parts.tm_wday)]), \(day) \(time) GMT\r\n"
    }
}
