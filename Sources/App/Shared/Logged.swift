import Foundation

extension Error {
    /// The error's description for logs; for file errors, with the path and the system's message.
    var logged: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        let reason =
            switch error.code {
            case .fileNoSuchFile, .fileReadNoSuchFile: "no such file or folder"
            case .fileReadNoPermission, .fileWriteNoPermission: "not allowed"
            case .fileWriteOutOfSpace: "the disk is full"
            case .fileWriteVolumeReadOnly: "the disk can only be read"
            case .fileWriteFileExists: "it is there already"
            default: error.underlying.map { "\($0)" } ?? "code \(error.code.rawValue)"
            }
        return "\(error.filePath ?? "a file"): \(reason)"
    }
}
