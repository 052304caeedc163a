import InboxLinux

/// The random identifiers of this daemon, kept in its state folder: its staging folders are named after them.
///
/// There are several where somebody had taken a name before, so that another one was drawn.
package struct Instance: Hashable, Sendable {
    /// The text of a ``RecordID``.
    package let id: RecordID

    /// The name of its staging folders.
    package var folderName: FileName { FileName(Self.prefix + id.text).unsafelyUnwrapped }

    private static let prefix = ".inboxd-"

    /// Returns whether a name is one of a staging folder, whoever's: no such folder is an arrival.
    package static func isStaging(_ name: FileName) -> Bool { Instance(named: name) != nil }

    /// The instance whose staging folders have this name; nil for every other name.
    package init?(named name: FileName) {
        guard let id = RecordID(in: name, after: Self.prefix) else { return nil }
        self.id = id
    }

    package init(_ id: RecordID) { self.id = id }

    /// The file in the state folder that they are in.
    static var file: FileName { FileName("instance").unsafelyUnwrapped }

    /// The identifiers of earlier runs, oldest first.
    package static func load(from state: OpenFolder) throws(StateFileError) -> [Instance] {
        let bytes = try state.stateFile(file, limit: 1 << 16) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            RecordID(String(decoding: line, as: UTF8.self)).map(Instance.init)
        }
    }

    /// Draws another identifier and writes it down before anything has its name.
    package static func draw(in state: OpenFolder) throws(SyscallError) -> Instance {
        var source = RecordID.Source()
        let instance = Instance(source.next(at: .now()))
        let file = try state.directory.appendingFile(file)
        try file.write(Array("\n\(instance.id.text)\n".utf8))
        try file.syncData()
        try state.directory.sync()
        return instance
    }
}
