import Glibc
import InboxLinux

/// A thread that serves until it is stopped.
package final class ServingThread: Sendable {
    /// A place of its own for the bell, which the thread and its owner share.
    private final class Stopping: Sendable {
        let bell: Bell

        init() throws { bell = try Bell() }
    }

    private let stopping: Stopping
    private let thread: Worker<Int, Bool>

    /// - Parameter serve: serves until the descriptor that it is lent is readable.
    package init(_ serve: @escaping @Sendable (borrowing FileDescriptor) throws -> Void) throws {
        let stopping = try Stopping()
        self.stopping = stopping
        thread = try Worker<Int, Bool> { _ in
            do {
                try serve(stopping.bell.descriptor)
                return true
            } catch {
                return false
            }
        }
        thread.begin(0)
    }

    /// Ends the thread; returns whether it ran without an error.
    package func stop() throws -> Bool {
        stopping.bell.ring()
        var outcomes: [Bool] = []
        while outcomes.isEmpty {
            outcomes = thread.finished()
            sched_yield()
        }
        thread.end()
        return outcomes == [true]
    }
}
