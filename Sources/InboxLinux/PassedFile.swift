import Glibc
import Synchronization

/// An open file that somebody passed over a socket: `SCM_RIGHTS` of unix(7).
///
/// close(2) of a file on FUSE waits for its server, which may be the one who passed it and never answer. So it is closed
/// by a thread that may wait, and no more files are taken of a user than that thread has room for.
package final class PassedFile: Sendable {
    /// Open files that one user may have passed and that are not closed yet.
    package static let mostPerUser = 32
    /// The same for all users together.
    package static let most = 512

    private let user: UInt32
    private let number: Atomic<Int32>

    private static let none: Int32 = -1

    /// Takes over the descriptor that this user passed.
    package init(owning number: Int32, of user: UInt32) {
        self.user = user
        self.number = Atomic(number)
        PassedFiles.shared.withLock { $0.counts[user, default: 0] += 1 }
    }

    deinit {
        let number = number.load(ordering: .acquiring)
        if number != Self.none { PassedFiles.close(number, of: user) }
    }

    /// Says why the file is not to be read, where the filesystem that it lies on may never answer; nil where it may be read.
    package func unansweredReason(trusting user: UInt32) throws(SyscallError) -> String? {
        let number = number.load(ordering: .acquiring)
        return try number == Self.none ? nil : FileDescriptor.unansweredReason(number, trusting: user)
    }

    /// Hands the file over to a thread that may wait for its server; nil for the second who asks.
    package func take() -> OpenFile? {
        let number = number.exchange(Self.none, ordering: .acquiringAndReleasing)
        guard number != Self.none else { return nil }
        PassedFiles.shared.withLock { $0.forget(user) }
        return OpenFile(FileDescriptor(owning: number))
    }

    /// Returns the number of files that may still be accepted from this user.
    package static func room(for user: UInt32) -> Int { PassedFiles.room(for: user) }
}

/// The passed files that are not closed yet.
private struct PassedFiles {
    static let shared = Mutex(PassedFiles())

    /// The number of files, by user.
    var counts: [UInt32: Int] = [:]
    /// Those that nobody needs any more, by user.
    private var waiting: [UInt32: [Int32]] = [:]
    /// The users for whom a thread is closing.
    private var closing: Set<UInt32> = []

    mutating func forget(_ user: UInt32) {
        let count = (counts[user] ?? 0) - 1
        counts[user] = count > 0 ? count : nil
    }

    static func room(for user: UInt32) -> Int {
        let room = shared.withLock { files in
            let all = files.counts.values.reduce(0, +)
            return max(0, min(PassedFile.mostPerUser - (files.counts[user] ?? 0), PassedFile.most - all))
        }
        // No thread could be started for them before.
        if room == 0 { beginClosing(of: user) }
        return room
    }

    static func close(_ number: Int32, of user: UInt32) {
        shared.withLock { $0.waiting[user, default: []].append(number) }
        beginClosing(of: user)
    }

    private static func beginClosing(of user: UInt32) {
        let begins = shared.withLock { $0.waiting[user] != nil && $0.closing.insert(user).inserted }
        guard begins else { return }
        do throws(SyscallError) {
            try BackgroundThread.start { while closeNext(of: user) {} }
        } catch {
            // They wait for the next one who passes a file or lets go of one.
            shared.withLock { _ = $0.closing.remove(user) }
        }
    }

    /// Closes one; false where none is left.
    private static func closeNext(of user: UInt32) -> Bool {
        let next = shared.withLock { files -> Int32? in
            let next = files.waiting[user]?.popLast()
            if next == nil {
                files.waiting[user] = nil
                files.closing.remove(user)
            }
            return next
        }
        guard let next else { return false }
        // Nothing was written through it here: the result is of no use to anyone.
        _ = FileDescriptor(owning: next)
        shared.withLock { $0.forget(user) }
        return true
    }
}
