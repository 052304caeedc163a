import Glibc
import InboxTestSupport

/// What somebody has done in Documents, so that it can be told at the end what has to be there.
struct DocumentsLedger {
    /// Something that somebody made, and that has to stay as it is.
    private struct Own {
        /// Nil for a folder that documents may be filed into.
        var content: Content?
        let inode: UInt64
        let mode: mode_t
    }

    /// A document that was changed or taken away, or got another name.
    private struct Touch {
        let origin: TestPath
        let current: TestPath?
        let head: [UInt8]
    }

    private var own: [TestPath: Own] = [:]
    /// How often a content that was filed was taken away or changed, less how often a change has made it.
    private(set) var taken: [Content: Int] = [:]
    /// The names under which documents were filed that now have another one.
    private(set) var origins: [TestPath: TestPath] = [:]
    /// How often what was filed under a name was taken away.
    private(set) var takenNames: [TestPath: Int] = [:]
    /// How many records a kill may have left out under a name, or written of another name of the document.
    private(set) var uncertain: [TestPath: Int] = [:]
    /// How often a document was changed, taken away or renamed.
    private(set) var touched = 0
    /// The names under which the documents were filed to which that was done, by their beginnings.
    private(set) var originsOfTouched: [[UInt8]: Set<TestPath>] = [:]
    /// Those that may have had no record at a kill.
    private var touches: [Touch] = []
    /// The names that had no record at a kill: until recovery has written it, the documents may be filed again if somebody
    /// takes them away.
    private var unrecorded: Set<TestPath> = []
    private var recorded = RecordedNames()

    // MARK: What is done

    mutating func made(_ path: TestPath, in documents: TestPath) throws {
        let place = documents / path
        let isOpen = Disk.kind(place) == .folder && !Content.isPackage(path.components.last ?? "")
        own[path] = Own(
            content: isOpen ? nil : try Content(of: place), inode: try Disk.inode(place), mode: try Disk.mode(place))
    }

    mutating func edited(_ path: TestPath, from before: Content, to after: Content) {
        guard own[path] == nil else {
            own[path]?.content = after
            return
        }
        touch(Touch(origin: origins[path] ?? path, current: path, head: before.head ?? []))
        taken[before, default: 0] += 1
        taken[after, default: 0] -= 1
    }

    mutating func renamed(_ path: TestPath, to target: TestPath, _ content: Content) {
        if let mine = own.removeValue(forKey: path) {
            own[target] = mine
            return
        }
        let origin = origins.removeValue(forKey: path) ?? path
        origins[target] = origin
        touch(Touch(origin: origin, current: target, head: content.head ?? []))
    }

    mutating func took(_ path: TestPath, _ content: Content) {
        if own.removeValue(forKey: path) != nil { return }
        let origin = origins.removeValue(forKey: path) ?? path
        taken[content, default: 0] += 1
        takenNames[origin, default: 0] += 1
        touch(Touch(origin: origin, current: nil, head: content.head ?? []))
    }

    private mutating func touch(_ touch: Touch) {
        touched += 1
        originsOfTouched[touch.head, default: []].insert(touch.origin)
        touches.append(touch)
    }

    /// After a kill, before the next start.
    /// - Parameter recent: the names of which some may have no record yet.
    mutating func noteKill(_ crew: [Stage], in documents: TestPath, recent: [TestPath]) throws {
        try recorded.update(crew)
        for name in recent + touches.map(\.origin) where isUnrecorded(name, in: documents) { unrecorded.insert(name) }
    }

    /// The documents that were touched, had no record at a kill, and have none now, by their beginnings: whether they
    /// will have one, and whether they are filed again, depends on where recovery finds them.
    mutating func takeUncertain(_ crew: [Stage], in documents: TestPath) throws -> [[UInt8]] {
        let touched = touches.filter { unrecorded.contains($0.origin) }
        if touched.isEmpty { return [] }
        touches.removeAll { unrecorded.contains($0.origin) }
        try recorded.update(crew)
        return touched.filter { touch in
            guard isUnrecorded(touch.origin, in: documents) else {
                unrecorded.remove(touch.origin)
                return false
            }
            for name in [touch.origin, touch.current].compactMap({ $0 }) { uncertain[name, default: 0] += 1 }
            return true
        }.map(\.head)
    }

    /// A record that is of another document by what a kill has left open does not count.
    private func isUnrecorded(_ name: TestPath, in documents: TestPath) -> Bool {
        let expected = filed(under: name, isThere: Disk.exists(documents / name)) + (uncertain[name] ?? 0)
        return expected > recorded.count(documents / name)
    }

    // MARK: What has to be

    /// How many documents were filed under this name.
    /// - Parameter isThere: whether something has it now.
    func filed(under name: TestPath, isThere: Bool) -> Int {
        let isFiled = isThere && own[name] == nil && origins[name] == nil
        return (takenNames[name] ?? 0) + origins.values.count { $0 == name } + (isFiled ? 1 : 0)
    }

    func isOwn(_ path: TestPath) -> Bool { own[path] != nil }

    /// That everything somebody made is as it was made.
    func expectOwnUnharmed(in documents: TestPath) throws {
        for (path, expected) in own {
            let place = documents / path
            guard Disk.exists(place) else { throw Failure("\(path), which somebody made in Documents, is gone") }
            let (inode, mode) = (try Disk.inode(place), try Disk.mode(place))
            guard inode == expected.inode, mode == expected.mode else {
                let made = expected.content.map { "\($0)" } ?? "a folder"
                throw Failure(
                    "\(path), which somebody made in Documents, has another mode or is another file: inode \(inode) "
                        + "and mode \(String(mode, radix: 8)), made as \(expected.inode) and "
                        + "\(String(expected.mode, radix: 8)), \(made); there is \(try Content(of: place))")
            }
            guard try expected.content.map({ try Content(of: place) == $0 }) ?? true else {
                throw Failure("\(path), which somebody made in Documents, was changed: \(try Content(of: place))")
            }
        }
    }
}

/// How often each path was recorded as a destination, by all daemons; read on where the histories were read to. Of the
/// records that recovery makes two may be of one document where there are two daemons, and none counts.
struct RecordedNames {
    /// By inode number, since a history is renamed when it is full.
    private var read: [UInt64: Int] = [:]
    private var counts: [TestPath: Int] = [:]

    func count(_ path: TestPath) -> Int { counts[path] ?? 0 }

    mutating func update(_ crew: [Stage]) throws {
        for stage in crew where Disk.kind(stage.state) == .folder {
            for name in try Disk.names(in: stage.state) where name.bytes.starts(with: "history".utf8) {
                let inode = try Disk.inode(stage.state / name)
                let rest = try Disk.read(stage.state / name).dropFirst(read[inode] ?? 0)
                // A kill may have cut off the last line.
                guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
                read[inode] = end + 1
                for record in try JSONValue.parseLines(String(decoding: rest[...end], as: UTF8.self)) {
                    guard record["event"]?.string == "filed", let path = record["destination"]?.string else { continue }
                    if crew.count > 1, record["proof"]?.string == "recovered" { continue }
                    counts[TestPath(pathBytes(fromJSON: path)), default: 0] += 1
                }
            }
        }
    }
}
