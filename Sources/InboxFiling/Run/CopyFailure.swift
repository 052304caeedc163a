import InboxLinux

/// The reason why a document was not copied.
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

    /// Makes a call that gives a name at the destination, or asks for it. One that the filesystem cannot hold gives one error
    /// or another; some say ENOENT though the folder is there, or EPERM though it may be changed.
    /// - Parameter isNew: whether the folder is one that the daemon fills alone, so that a name which is taken is one that
    ///   the filesystem takes for another one.
    static func ofNaming<Value>(
        _ name: FileName, in folder: OpenFolder, isNew: Bool = false, _ call: () throws(SyscallError) -> Value
    ) throws(CopyFailure) -> Value {
        let failure: SyscallError
        do throws(SyscallError) { return try call() } catch { failure = error }
        if isNew, failure.errno == .exists {
            let words = "to the filesystem of its destination the name \(name) is that of another file beside it"
            throw .refused(Refusal(.hold(.name, "\(words): rename one of them")))
        }
        var isUnfit = failure.errno.isUnfitName
        if failure.errno == .noEntry { isUnfit = try ofCopy(folder.directory.status()).links > 0 }
        if failure.errno == .notPermitted { isUnfit = mayChange(folder) }
        guard isUnfit else { throw .copy(failure) }
        let words = "the filesystem of its destination cannot hold the name \(name)"
        throw .refused(Refusal(.hold(.name, "\(words): rename it")))
    }

    /// Returns whether names may be added to a folder: neither its mode forbids that nor chattr(1).
    private static func mayChange(_ folder: OpenFolder) -> Bool {
        do throws(SyscallError) {
            try folder.directory.mayChange()
            return try !folder.directory.status().isFixed
        } catch {
            // The first failure is the one to report.
            return false
        }
    }

    /// Returns the refusal that this failure means for the document.
    func refusal(of document: RunDocument) -> Refusal {
        switch self {
        case .refused(let refusal): refusal
        case .source(let error):
            error.errno.isAbsent ? Refusal(.changed) : Self.refusal(error, at: document.path)
        case .copy(let error): Self.refusal(error, at: document.targetPath)
        }
    }

    private static func refusal(_ error: SyscallError, at place: BytePath) -> Refusal {
        if let obstruction = Obstruction(error, at: place) { return Refusal(.obstructed(obstruction)) }
        let words = error.words(at: place)
        if error.errno.isTooLargeFile { return Refusal(tooLarge: words) }
        let isLasting = error.errno.isDenied || error.errno.isUnmappedOwner
        return Refusal(isLasting ? .hold(.permission, words) : .retry(words))
    }
}
