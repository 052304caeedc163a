import InboxLinux

/// Why a document was not copied.
enum CopyFailure: Error {
    /// Someone asked to give up, somebody wants to write, or it has changed.
    case refused(Refusal)
    /// The source failed.
    case source(SyscallError)
    /// The copy failed: no room, or a disk that does not work.
    case copy(SyscallError)

    /// Makes a call about the source.
    static func ofSource<Value>(_ call: @autoclosure () throws(SyscallError) -> Value) throws(CopyFailure) -> Value {
        do throws(SyscallError) { return try call() } catch { throw .source(error) }
    }

    /// Walks through the source; one that is too large has grown since its survey.
    static func ofWalk<Value>(
        _ call: @autoclosure () throws(FolderWalk.Failure) -> Value
    ) throws(CopyFailure) -> Value {
        do throws(FolderWalk.Failure) { return try call() } catch {
            throw error.error.map(CopyFailure.source) ?? .refused(Refusal(.changed))
        }
    }

    /// Makes a call about the copy.
    static func ofCopy<Value>(_ call: @autoclosure () throws(SyscallError) -> Value) throws(CopyFailure) -> Value {
        do throws(SyscallError) { return try call() } catch { throw .copy(error) }
    }

    /// What follows for the document.
    func refusal(of document: ClaimDocument) -> Refusal {
        switch self {
        case .refused(let refusal): refusal
        case .source(let error):
            error.errno.isAbsent ? Refusal(.changed) : Self.refusal(error, at: document.prepared.source)
        case .copy(let error): Self.refusal(error, at: document.targetPath)
        }
    }

    private static func refusal(_ error: SyscallError, at place: BytePath) -> Refusal {
        if let obstruction = Obstruction(error, at: place) { return Refusal(.obstructed(obstruction)) }
        let words = error.words(at: place)
        return Refusal(error.errno.isDenied ? .hold(.permission, words) : .retry(words))
    }
}
