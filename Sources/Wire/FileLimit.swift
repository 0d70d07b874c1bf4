#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Raises this process's limit on open files (and so on connections) to the allowed maximum; call it before the server
/// starts.
/// - Returns: The resulting limit.
@discardableResult
public func raiseFileLimit() -> Int {
    #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 0 }
    let soft = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(files, &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_max : soft)
}
