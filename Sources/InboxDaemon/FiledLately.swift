import InboxLinux

/// The recent additions to Documents by the daemon itself, which are not changes by others.
struct FiledLately {
    /// The time for which a path is remembered.
    private static let memory = Duration.seconds(60)
    /// With more paths, those that are too old are dropped.
    private static let mostPaths = 4096

    /// The documents that were filed, and the times at which that was seen.
    private var documents: [BytePath: Instant] = [:]
    /// The folders at the top level of Documents that something was filed in, and when that was seen last: the daemon
    /// has made those that were not there.
    private var folders: [BytePath: Instant] = [:]

    /// Takes note of a document that was filed.
    mutating func add(_ path: BytePath, in root: BytePath, at now: Instant) {
        documents[path] = now
        guard path.isInside(root) else { return }
        let names = path.names.dropFirst(root.names.count)
        if names.count > 1, let name = names.first { folders[root.appending(name)] = now }
    }

    /// Drops what is too old, where there is much.
    mutating func forget(at now: Instant) {
        if documents.count > Self.mostPaths { documents = documents.filter { now < $0.value + Self.memory } }
        if folders.count > Self.mostPaths { folders = folders.filter { now < $0.value + Self.memory } }
    }

    /// Returns true if the daemon itself added a name: a document, or a folder in which it has filed something since.
    /// - Parameter grace: the longest time after the filing at which the addition of a folder may be noticed.
    func explains(_ path: BytePath, seen: Instant, within grace: Duration, at now: Instant) -> Bool {
        if let filed = documents[path], now < filed + Self.memory { return true }
        return folders[path].map { seen < $0 + grace } ?? false
    }
}
