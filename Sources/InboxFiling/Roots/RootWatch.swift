import InboxLinux

/// Watches the folders and links on the paths to the roots, so that a folder that is renamed far above a root, or a link
/// that is made to lead elsewhere, is noticed at once.
///
/// It has an inotify instance of its own, since the kernel keeps one mask a folder in each, and asks only for what
/// happens to the watched object itself: what others do in these folders wakes nobody. Masks are added to one another,
/// since a path may lead through the state folder, of whose files more is asked.
package final class RootWatch {
    private static let mask: InotifyMask = [.selfMoved, .selfDeleted]
    /// That a link loses its name, or another is put in its place, shows as a change of its link count. Of a folder this
    /// would also report the changes of everything in it.
    private static let linkMask = mask.union(.attributes)
    /// The names in the state folder without which nothing may be filed.
    private static let stateNames =
        [StateFolder.lockName, Journal.name] + ["history.jsonl"].compactMap { FileName($0) }

    /// The queue of what happens there.
    package let inotify: Inotify
    private var chains: [BytePath: Set<Int32>] = [:]
    private var incomplete: Set<BytePath> = []

    /// A watch of nothing; EMFILE at `fs.inotify.max_user_instances`.
    package init() throws(SyscallError) {
        inotify = try Inotify()
    }

    /// Part of a path cannot be watched, so that the path has to be inspected from time to time.
    var isIncomplete: Bool { !incomplete.isEmpty }

    /// Begins to collect what is on the path to a root; until it is put, what was watched before stays watched.
    func chain() -> Chain { Chain(inotify.watches) }

    /// The watches made on a path while it was followed, on whichever thread.
    struct Chain: Sendable {
        private let inotify: InotifyWatches
        fileprivate var watches: Set<Int32> = []
        fileprivate var isIncomplete = false

        fileprivate init(_ inotify: InotifyWatches) {
            self.inotify = inotify
        }

        /// Watches a folder or link on the way.
        mutating func add(_ file: borrowing FileDescriptor, _ status: FileStatus) {
            watch(file, for: status.kind == .symlink ? RootWatch.linkMask : RootWatch.mask)
        }

        fileprivate mutating func watch(_ file: borrowing FileDescriptor, for mask: InotifyMask) {
            do throws(SyscallError) { watches.insert(try inotify.add(file, for: mask.union(.addsToMask))) } catch {
                // The right to read it is missing, or watches are.
                isIncomplete = true
            }
        }
    }

    /// Watches the path to the state folder, and the files in it that nobody else should move.
    package func follow(state path: BytePath) {
        var chain = chain()
        do throws(SafePathError) {
            let folder = try SafePath.open(path) { file, status in chain.add(file, status) }
            chain.watch(folder.descriptor, for: Self.mask.union([.deleted, .movedFrom, .movedTo]))
        } catch {
            // What is missing is tried again by whoever needs the folder.
            if error.errno?.isWantOfResources == true { chain.isIncomplete = true }
        }
        put(chain, for: path)
    }

    /// The path leads this way from now on.
    func put(_ chain: Chain, for path: BytePath) {
        let former = chains.updateValue(chain.watches, forKey: path) ?? []
        if chain.isIncomplete { incomplete.insert(path) } else { incomplete.remove(path) }
        release(former)
    }

    /// The path is of no interest any more.
    func forget(_ path: BytePath) {
        incomplete.remove(path)
        release(chains.removeValue(forKey: path) ?? [])
    }

    private func release(_ watches: Set<Int32>) {
        let rest = chains.values.reduce(watches) { $0.subtracting($1) }
        for watch in rest { inotify.unwatch(watch) }
    }

    /// Takes the events that have come; whether any of them may concern a path.
    package func takeEvents() throws(SyscallError) -> Bool {
        var isConcerned = false
        while try inotify.read({ event in
            if event.mask.contains(.ignored) {
                for path in chains.keys { chains[path]?.remove(event.watch) }
            } else if event.name.map(Self.stateNames.contains) ?? true {
                isConcerned = true
            }
        }) {}
        return isConcerned
    }
}
