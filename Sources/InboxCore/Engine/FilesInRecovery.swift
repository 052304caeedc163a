import InboxFiling
import InboxLinux

/// The files whose interrupted moves recovery inspects now, and the requests to file them, which wait for what it finds.
struct FilesInRecovery {
    private var files: [FileKey] = []
    private var requests: [FilingRequest] = []
    /// Whether a recovery has not ended, be it on a thread that was replaced since a server does not answer: two would write
    /// the same records.
    private(set) var isUnderWay = false

    /// Whether no request waits.
    var isEmpty: Bool { requests.isEmpty }

    /// Recovery begins.
    mutating func begin(_ recovery: Recovery) {
        isUnderWay = true
        files = recovery.entries.moves.values.map(\.identity.file)
    }

    /// Whether recovery inspects what became of an earlier move of the file that is to be filed.
    func contains(_ request: FilingRequest) -> Bool {
        files.contains { $0.isFile(request.status.identity.file) }
    }

    /// A request waits until recovery has ended.
    mutating func append(_ request: FilingRequest) { requests.append(request) }

    /// Takes the requests that wait.
    mutating func takeAll() -> [FilingRequest] {
        defer { requests = [] }
        return requests
    }

    /// Recovery has ended.
    /// - Returns: the requests that waited for it.
    mutating func end() -> [FilingRequest] {
        isUnderWay = false
        files = []
        return takeAll()
    }
}
