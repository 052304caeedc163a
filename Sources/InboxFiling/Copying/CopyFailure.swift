import InboxLinux

/// Why a document was not copied.
enum CopyFailure: Error {
    /// Someone asked to give up, somebody wants to write, or it has changed.
    case refused(Refusal)
    /// The source failed.
    case source(SyscallError)
    /// The copy failed: no room, or a disk that does not work.
    case copy(SyscallError)

    /// Does something with the source.
    static func ofSource<Value>(_ body: () throws(SyscallError) -> Value) throws(CopyFailure) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .source(error) }
    }

    /// Does something with the copy.
    static func ofCopy<Value>(_ body: () throws(SyscallError) -> Value) throws(CopyFailure) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .copy(error) }
    }

    /// The source could not be walked; one that is too large has grown since its survey.
    init(ofSource failure: FolderWalk.Failure) {
        self = failure.error.map(CopyFailure.source) ?? .refused(Refusal(.changed))
    }

    /// What follows for the document, from this path to that folder.
    func refusal(source: BytePath, target: BytePath) -> Refusal {
        switch self {
        case .refused(let refusal): refusal
        case .source(let error):
            error.errno.isAbsent ? Refusal(.changed) : Self.refusal(error, at: source)
        case .copy(let error): Self.refusal(error, at: target)
        }
    }

    private static func refusal(_ error: SyscallError, at place: BytePath) -> Refusal {
        if let obstruction = Obstruction(error, at: place) { return Refusal(.obstructed(obstruction)) }
        let words = error.words(at: place)
        return Refusal(error.errno.isDenied ? .hold(.permission, words) : .retry(words))
    }
}
