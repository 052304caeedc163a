import InboxLinux

/// Creates the empty folders of trees where the documents of those trees have gone, so that each tree is there as it was.
package struct FolderMirroring: Sendable {
    /// An empty folder.
    package struct Order: Sendable {
        /// Which folder.
        package let key: FileKey
        let owner: UInt32
        let inbox: BytePath
        /// The names that lead from the Inbox to it.
        let names: [FileName]
        /// Where documents of its tree have gone: the paths that stand for the Inbox there.
        let places: [BytePath]

        /// An empty folder at these names, of a tree that has gone to these places.
        package init(_ key: FileKey, of owner: UInt32, in inbox: BytePath, at names: [FileName], places: [BytePath]) {
            self.key = key
            self.owner = owner
            self.inbox = inbox
            self.names = names
            self.places = places
        }

        /// Returns the same, which goes to one more place if it can go to none of the others.
        package func adding(_ place: BytePath) -> Order {
            Order(key, of: owner, in: inbox, at: names, places: places + [place])
        }
    }

    private let orders: [Order]
    private let root: DestinationRoot
    private let inboxFolders: Set<FileKey>
    private let means: FilingMeans

    /// Creates these folders beneath a root.
    package init(_ orders: [Order], to root: DestinationRoot, inboxFolders: Set<FileKey>, means: FilingMeans) {
        self.orders = orders
        self.root = root
        self.inboxFolders = inboxFolders
        self.means = means
    }

    /// Creates them.
    /// - Returns: the folders that are at their destinations now. The others stay where they are, which harms nobody.
    package func perform() -> FilingReport {
        var report = FilingReport()
        report.isMirroring = true
        let destinations = DestinationFolders(root, making: means.making, inboxFolders: inboxFolders)
        // What may keep this waiting keeps documents waiting.
        destinations.isLocal = true
        for order in orders where !means.abandonment.isRequested {
            if make(order, destinations) { report.mirrored.append(order.key) }
            if destinations.count >= means.mostFolders { break }
        }
        report.newMounts = destinations.newMounts
        if Syncing.failure(ofNamesIn: destinations.made) != nil { report.mirrored = [] }
        return report
    }

    private func make(_ order: Order, _ destinations: DestinationFolders) -> Bool {
        let places = order.places.compactMap(destinations.place(of:))
        let place = places.first { place in
            do throws(DestinationError) {
                _ = try destinations.reach(place.names + order.names.dropLast(), from: place.root, mayMake: false)
                return true
            } catch {
                return false
            }
        }
        guard let place = place ?? places.first else { return false }
        do throws(DestinationError) {
            let first = place.names.count
            var modes: [Int: UInt32] = [:]
            for (index, mode) in self.modes(of: order).enumerated() { modes[first + index] = mode }
            _ = try destinations.reach(
                place.names + order.names, from: place.root, for: order.owner, allowing: modes)
            return true
        } catch {
            return false
        }
    }

    private func modes(of order: Order) -> [UInt32] {
        var modes: [UInt32] = []
        do throws(SyscallError) {
            var folder = try Directory.open(path: order.inbox)
            for name in order.names {
                folder = try folder.folder(name)
                modes.append(try folder.status().permissions)
            }
        } catch {
            // Who may not even search one has it made as closed as one can be.
            modes += Array(repeating: 0o700, count: order.names.count - modes.count)
        }
        return modes
    }
}
