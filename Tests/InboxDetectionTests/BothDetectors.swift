import InboxLinux
import Testing

@testable import InboxDetection

/// The detector without a MIME database and the one with this machine's, of which both must be right.
enum BothDetectors {
    static let all = [Detector(places: .none), Detector(places: .standard)]

    /// What each of them finds for a file of this name and content; nil for a file without a name.
    static func detect(_ name: String?, _ bytes: [UInt8]) throws -> [Detection] {
        let name = try name.map { try #require(FileName($0)) }
        return all.map { detector in bytes.withUnsafeBytes { detector.detect(name, content: $0) } }
    }
}
