import InboxLinux
import UniformTypeIdentifiers

/// Puts a document into an Inbox in one instant: what is written has no name, or a hidden one, until it is complete and
/// on the disk.
package struct Delivery: Sendable {
    /// The name that is wanted; where it is taken, the document gets the next free one.
    package var name: FileName
    /// Keys and values that become the extended attributes `user.inboxd.KEY`.
    package var annotations: [String: String] = [:]
    /// What it is where its content does not say that; nil where its name has to do.
    package var type: UTType?
    /// Whom the document is to belong to; nil for this process's user. Where the kernel does not allow it, it stays.
    package var owner: UInt32?
    /// The permissions of the document.
    package var permissions: UInt32 = 0o600
    /// When its content was last changed; nil for now.
    package var modified: Timestamp?

    /// A delivery under this name.
    package init(name: FileName) {
        self.name = name
    }

    /// The name with the preferred extension of a type, where it has none.
    package static func name(_ name: FileName, of type: UTType?) -> FileName {
        guard let ending = type?.preferredFilenameExtension, !name.bytes.dropFirst().contains(UInt8(ascii: ".")) else {
            return name
        }
        return FileName(Array(name.bytes) + Array(".".utf8) + Array(ending.utf8)) ?? name
    }

    /// Makes the document in a folder; returns the name that it got.
    /// - Parameter fill: writes the content.
    package func perform(
        in folder: OpenFolder, _ fill: (borrowing FileDescriptor) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> FileName {
        let draft = try Self.call { () throws(SyscallError) in try DeliveryDraft.make(in: folder) }
        do throws(DeliveryError) {
            try fill(draft.file)
            try annotate(draft.file)
            try Self.call { () throws(SyscallError) in try finish(draft.file) }
            return try publish(draft, in: folder)
        } catch {
            draft.discard()
            throw error
        }
    }

    private static func call<Value: ~Copyable>(
        _ body: () throws(SyscallError) -> Value
    ) throws(DeliveryError) -> Value {
        do throws(SyscallError) { return try body() } catch { throw .failed(error) }
    }

    /// Everything that belongs to the document but its annotations and its name, and then the disk.
    private func finish(_ file: borrowing FileDescriptor) throws(SyscallError) {
        try file.changePermissions(permissions)
        if let owner, owner != Process.user {
            do throws(SyscallError) {
                try file.changeOwner(owner, group: try file.status().group)
            } catch  where error.errno == .notPermitted || error.errno == .invalid {
                // Then it belongs to whoever runs this process, who may read it.
            }
        }
        if let modified { try file.setTimes(accessed: .now(), modified: modified) }
        try file.sync()
    }

    /// Gives a file the annotations and the type.
    package func annotate(_ file: borrowing FileDescriptor) throws(DeliveryError) {
        if let type { try Self.call { () throws(SyscallError) in try DeliveredType.write(type, to: file) } }
        for (key, value) in annotations.sorted(by: { $0.key < $1.key }) {
            guard let name = AttributeName(Annotations.prefix + key) else { throw .annotation(key) }
            try Self.call { () throws(SyscallError) in try file.setAttribute(name, to: Array(value.utf8)) }
        }
    }

    private func publish(_ draft: borrowing DeliveryDraft, in folder: OpenFolder) throws(DeliveryError) -> FileName {
        try take(in: folder) { (name) throws(SyscallError) in try draft.publish(as: name) }
    }

    /// Moves a file that somebody has complete into the folder; returns the name that it got. EXDEV where it is on
    /// another filesystem.
    package func move(
        _ source: FileName, from sourceFolder: borrowing Directory, to folder: OpenFolder
    ) throws(DeliveryError) -> FileName {
        try take(in: folder) { (name) throws(SyscallError) in
            try sourceFolder.rename(source, to: folder.directory, as: name)
        }
    }

    /// Takes the first free name of the row, and brings it to the disk.
    private func take(
        in folder: OpenFolder, _ attempt: (FileName) throws(SyscallError) -> Void
    ) throws(DeliveryError) -> FileName {
        let taken = try Self.call { () throws(SyscallError) in
            var names = FreeNames()
            let taken = try names.take(name, in: folder) { (name) throws(SyscallError) in
                do throws(SyscallError) {
                    try attempt(name)
                    return true
                } catch  where error.errno == .exists {
                    return false
                }
            }
            if taken != nil { try folder.directory.sync() }
            return taken
        }
        guard let taken else { throw .noName(name) }
        return taken.name
    }
}

/// Why a document was not delivered.
package enum DeliveryError: Error {
    /// A call failed.
    case failed(SyscallError)
    /// The Inbox cannot be opened.
    case inbox(SafePathError)
    /// This key is not one of an annotation.
    case annotation(String)
    /// Every name that the document could have is taken.
    case noName(FileName)
    /// What was given is no regular file.
    case notRegular
    /// What was given is not open for reading.
    case notReadable
    /// It is larger than this, in bytes.
    case tooLarge(Int64)
    /// It was changed while it was copied.
    case changed
    /// It took too long.
    case abandoned
    /// Whoever was to take it refused: why.
    case refused(String)
}

extension DeliveryError: CustomStringConvertible {
    /// Why, in words that follow a colon.
    package var description: String {
        switch self {
        case .failed(let error): "\(error.errno)"
        case .inbox(let error): "\(error)"
        case .annotation(let key): "\"\(key)\" cannot be the key of an annotation: use A-Z, a-z, 0-9 and _"
        case .noName(let name): "no free name fits \"\(name)\": choose another one by --name="
        case .notRegular: "it is not a regular file"
        case .notReadable: "it is not open for reading"
        case .tooLarge(let limit): "it is larger than PutMax=, which is \(limit) bytes"
        case .changed: "it was changed while it was copied"
        case .abandoned: "it took too long"
        case .refused(let reason): reason
        }
    }
}
