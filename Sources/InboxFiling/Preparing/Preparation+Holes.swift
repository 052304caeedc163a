import InboxDetection
import InboxLinux

// Whether the writer of a file has only made room for what comes.
extension Preparation {
    /// Returns whether a file has a size and, so far, no content, or clearly less of it: its writer has only made room for what
    /// comes.
    func isHollow(_ opened: OpenedSource, _ detection: Detection) -> Bool {
        let status = opened.status
        guard let file = opened.file, status.size > 0 else { return false }
        let missing = status.size - min(status.allocated, status.size)
        let lacksMuch = missing >= max(Self.muchLess, status.size / 64)
        do throws(SyscallError) {
            if !lacksMuch, try !Self.isUnwritten(file, detection) { return false }
            return try Filesystem(of: file.descriptor).showsHoles && !isDelivered(file)
        } catch {
            // It knows no holes, or cannot be asked.
            return false
        }
    }

    private static func isUnwritten(_ file: OpenFile, _ detection: Detection) throws(SyscallError) -> Bool {
        // What a content identifies has some.
        guard detection.evidence == .name || detection.evidence == .none else { return false }
        var beginning = [UInt8](repeating: 0, count: 4_096)
        let count = try file.descriptor.read(into: &beginning, at: 0)
        // Some filesystems report data as a hole.
        guard beginning[..<count].allSatisfy({ $0 == 0 }) else { return false }
        if try file.descriptor.nextData(from: 0) == nil { return true }
        return try file.descriptor.isUnwritten()
    }

    /// Bytes: what a filesystem keeps beside the blocks of a small file is less.
    private static let muchLess: UInt64 = 64 << 10
}
