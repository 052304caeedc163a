import InboxLinux
import InboxTestSupport

/// Somebody who opens a file and is kept waiting by a lease, on a thread from the start: a task could wait for one that
/// other tests keep busy.
struct WaitingWriter {
    private let worker: Worker<Int, Result<Int32, any Error>>

    /// Begins to open the file.
    init(_ open: @escaping @Sendable () throws -> Int32) throws {
        worker = try Worker { _ in Result { try open() } }
        worker.begin(0)
    }

    /// The descriptor, once the file is open.
    func opened() async throws -> Int32 {
        var results: [Result<Int32, any Error>] = []
        try await eventually(every: .milliseconds(5)) {
            results = worker.finished()
            return results.isEmpty ? "the file is not opened" : nil
        }
        worker.end()
        return try results[0].get()
    }
}
