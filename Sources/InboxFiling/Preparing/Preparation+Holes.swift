import InboxDetection
import InboxLinux

// Whether the writer of a file has only made room for what comes.
extension Preparation {
    /// Returns how many bytes of a file are not written yet, where it has no content so far, or clearly less of it than its size
    /// says: its writer has only made room for what comes. Nil for any other file.
    /// - Throws: that it takes long to find out, if nobody may wait for that here.
    func missing(_ opened: OpenedSource, _ detection: Detection) throws(Refusal) -> UInt64? {
        let status = opened.status
        guard let file = opened.file, status.size > 0 else { return nil }
        let found: UnwrittenPart.Found
        do throws(SyscallError) {
            found = try Self.find(in: file, status, detection, mayWait: mayWait)
        } catch {
            // It knows no holes, or cannot be asked.
            return nil
        }
        guard found != .little, !isDelivered(file) else { return nil }
        guard case .much(let missing) = found else { throw Refusal(.lengthy) }
        return missing
    }

    private static func find(
        in file: OpenFile, _ status: FileStatus, _ detection: Detection, mayWait: Bool
    ) throws(SyscallError) -> UnwrittenPart.Found {
        if status.size >= UnwrittenPart.least {
            return try UnwrittenPart.find(in: file.descriptor, status, mayWait: mayWait)
        }
        guard try isUnwritten(file, status, detection), try Filesystem(of: file.descriptor).showsHoles else {
            return .little
        }
        return .much(status.size)
    }

    /// Returns whether nothing of a small file is written.
    private static func isUnwritten(
        _ file: OpenFile, _ status: FileStatus, _ detection: Detection
    ) throws(SyscallError) -> Bool {
        // What a content identifies has some.
        guard detection.evidence == .name || detection.evidence == .none else { return false }
        var beginning = [UInt8](repeating: 0, count: 4_096)
        let count = try file.descriptor.read(into: &beginning, at: 0)
        // Some filesystems report data as a hole.
        guard beginning[..<count].allSatisfy({ $0 == 0 }) else { return false }
        if try file.descriptor.nextData(from: 0) == nil { return true }
        let unwritten = try file.descriptor.unwritten(of: status.size, isSynced: true)
        return UnwrittenPart.holes(status) + unwritten >= status.size
    }
}
