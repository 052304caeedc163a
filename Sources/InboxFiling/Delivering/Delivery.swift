import InboxLinux
import UniformTypeIdentifiers

/// Puts a document into an Inbox in one instant: what is written has no name, or a hidden one, until it is complete and
/// on the disk.
package struct Delivery: Sendable {
    /// The name that is wanted; where it is taken, the document gets the next free one.
    package var name: FileName
    /// Keys and values that become the extended attributes `user.inboxd.KEY`.
    package var annotations: [String: String] = [:]
    /// The application that it comes from; nil where nobody says.
    package var application: String?
    /// The type of the document if its content does not show it; nil if the name has to.
    package var type: UTType?
    /// Whom the document is to belong to; nil for this process's user. Where the kernel does not allow it, it stays.
    package var owner: UInt32?
    /// The permissions of the document, without set-ID bits.
    package var permissions: UInt32 = 0o600
    /// When its content was last changed; nil for now.
    package var modified: Timestamp?
    /// Where the content comes from, and which application made it, as the document itself says.
    private var told = DocumentAttributes()

    /// Takes over from a document who may do what with its content, when that was last changed, and what its attributes say of
    /// where it comes from. An access list is not
    /// taken over, and what it gives to others is not given to the group instead.
    package mutating func takeOver(_ status: FileStatus, of file: borrowing FileDescriptor) throws(SyscallError) {
        permissions = status.permissions & 0o777
        if try file.attributeNames()?.contains(.accessList) != false, let list = try file.attribute(.accessList) {
            permissions = permissions & ~0o070 | AccessList(list).groupPermissions << 3
        }
        modified = status.identity.modified
        told = try DocumentAttributes.read(from: file)
    }

    /// A delivery under this name.
    package init(name: FileName) {
        self.name = name
    }

    /// The name with the preferred extension of a type, where it has none.
    package static func name(_ name: FileName, of type: UTType?) -> FileName {
        guard let ending = type?.preferredFilenameExtension, !name.bytes.dropFirst().contains(UInt8(ascii: ".")) else {
            return name
        }
        let whole = FileName(Array(name.bytes) + Array(".".utf8) + Array(ending.utf8))
        return whole.flatMap { $0.count <= FileName.longest ? $0 : nil } ?? name
    }

    /// Makes the document in a folder.
    /// - Parameter fill: writes the content.
    package func perform(
        in folder: OpenFolder, _ fill: (OpenFile) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveredFile {
        try make(in: folder) { (file) throws(DeliveryError) in
            try fill(file)
            try annotate(file.descriptor)
            try Self.call { () throws(SyscallError) in try finish(file.descriptor) }
        }
    }

    /// Makes a copy of a document that is to be removed afterwards, with all that belongs to it, as the daemon itself copies
    /// to another filesystem; returns what was made of it and what could not be kept, and why.
    /// - Parameter report: takes how many bytes were written so far; false ends it.
    package func copy(
        _ source: MovedSource, to folder: OpenFolder, report: @escaping (Int64) -> Bool
    ) throws(DeliveryError) -> (delivered: DeliveredFile, lost: [String]) {
        var attributes = CopyAttributes()
        let delivered = try make(in: folder) { (file) throws(DeliveryError) in
            try DeliveredContent(report: report).copy(source.file, to: file)
            // Before the mode, which may allow nobody to write them.
            try annotate(file.descriptor)
            do throws(CopyFailure) {
                try attributes.copy(
                    source.status, from: source.file.descriptor, to: file.descriptor, except: attributeNames)
            } catch {
                switch error {
                case .source(let error), .copy(let error): throw .failed(error)
                case .refused: throw .changed
                }
            }
            try Self.call { () throws(SyscallError) in try file.descriptor.sync() }
            try source.prove()
        }
        return (delivered, attributes.losses.map { "\($0.what) (\($0.reason))" })
    }

    private func make(
        in folder: OpenFolder, _ fill: (OpenFile) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveredFile {
        var draft = try Self.call { () throws(SyscallError) in try DeliveryDraft.make(in: folder) }
        do throws(DeliveryError) {
            try fill(draft.file)
            draft.endWriting()
            let key = try Self.call { () throws(SyscallError) in try DeliveredFile.key(of: draft.file.descriptor) }
            return DeliveredFile(name: try publish(draft, in: folder), file: key)
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

    /// The attributes that the delivery itself writes.
    private var attributeNames: Set<AttributeName> {
        let own =
            annotations.keys.map { Annotations.prefix + $0 } + (application == nil ? [] : [DocumentAttributes.creator])
        return Set(own.compactMap { AttributeName($0) } + [DeliveredType.attribute].compactMap { $0 })
    }

    /// Gives a file the annotations and the type.
    func annotate(_ file: borrowing FileDescriptor) throws(DeliveryError) {
        try Self.call { [type] () throws(SyscallError) in try DeliveredType.write(type, to: file) }
        for (attribute, value) in [
            (DocumentAttributes.originAddress, told.origin), (DocumentAttributes.creator, told.application),
        ] {
            guard let value, let name = AttributeName(attribute) else { continue }
            try Self.call { () throws(SyscallError) in
                do throws(SyscallError) {
                    try file.setAttribute(name, to: Array(value.utf8))
                } catch  where error.isUnsupported || error.errno.isTooLargeAttribute {
                    // The filesystem has no room for what nobody asked to keep.
                }
            }
        }
        var notes = annotations.sorted { $0.key < $1.key }.map { ($0.key, Annotations.prefix + $0.key, $0.value) }
        if let application { notes.append((DocumentAttributes.creator, DocumentAttributes.creator, application)) }
        for (key, attribute, value) in notes {
            guard let name = AttributeName(attribute) else { throw .annotation(key) }
            do throws(SyscallError) {
                try file.setAttribute(name, to: Array(value.utf8))
            } catch  where error.errno.isTooLargeAttribute {
                throw .annotationTooLarge(key, error)
            } catch {
                throw .failed(error)
            }
        }
    }

    private func publish(_ draft: borrowing DeliveryDraft, in folder: OpenFolder) throws(DeliveryError) -> FileName {
        try take(in: folder) { (name) throws(SyscallError) in try draft.publish(as: name) }
    }

    /// Moves the file itself into the folder; returns nil where it is on another filesystem.
    package func move(_ source: inout MovedSource, to folder: OpenFolder) throws(DeliveryError) -> DeliveredFile? {
        guard try source.annotate(self, for: folder) else { return nil }
        let (place, name) = (source.folder, source.name)
        let key = try Self.call { [file = source.file] () throws(SyscallError) in
            try DeliveredFile.key(of: file.descriptor, isMoved: true)
        }
        do throws(DeliveryError) {
            let taken = try take(in: folder) { (taken) throws(SyscallError) in
                try place.directory.renameFile(name, to: folder.directory, as: taken)
            }
            return DeliveredFile(name: taken, file: key)
        } catch {
            if case .failed(let error) = error, error.errno == .crossDevice { return nil }
            throw error
        }
    }

    /// Takes the first free name of the row, and brings it to the disk.
    private func take(
        in folder: OpenFolder, _ attempt: (FileName) throws(SyscallError) -> Void
    ) throws(DeliveryError) -> FileName {
        let taken = try Self.call { () throws(SyscallError) in
            var names = FreeNames()
            let taken = try names.make(name, in: folder, attempt)
            if taken != nil { try folder.directory.sync() }
            return taken
        }
        guard let taken else { throw .noName(name) }
        return taken.name
    }
}

/// The reason why a document was not delivered.
package enum DeliveryError: Error {
    /// A call failed.
    case failed(SyscallError)
    /// The Inbox cannot be opened.
    case inbox(SafePathError)
    /// This key is not one of an annotation.
    case annotation(String)
    /// The Inbox's filesystem does not take this annotation.
    case annotationTooLarge(String, SyscallError)
    /// Every name that the document could have is taken.
    case noName(FileName)
    /// The file to deliver is not a regular file.
    case notRegular
    /// The file to deliver is a folder.
    case folder
    /// There is no name in what was given.
    case noPath
    /// The file to deliver is not open for reading.
    case notReadable
    /// It was changed while it was copied.
    case changed
    /// Somebody has it open for writing.
    case written
    /// It took too long.
    case abandoned
    /// It lies on a filesystem that may never answer: why.
    case foreign(String)
    /// Whoever was to take it refused: why.
    case refused(String)
}

extension DeliveryError: CustomStringConvertible {
    /// The reason in words, to follow a colon.
    package var description: String {
        switch self {
        case .failed(let error): "\(error.errno)"
        case .inbox(let error): "\(error)"
        case .annotation(let key): "\"\(key)\" cannot be the key of an annotation: use A-Z, a-z, 0-9 and _"
        case .annotationTooLarge(let key, let error):
            "the annotation \"\(key)\" is not kept (\(error.errno)): the Inbox's filesystem takes no attributes that large "
                + "in all, or is full"
        case .noName(let name): "no free name fits \"\(name)\": choose another one by --name="
        case .notRegular: "it is not a regular file"
        case .folder: "it is a folder, not a regular file: copy or move folders and packages into the Inbox yourself"
        case .noPath: "an empty path leads nowhere"
        case .notReadable: "it is not open for reading"
        case .changed: "it was changed while it was copied, or its size is not that of its content"
        case .written: "somebody has it open for writing, so that it is not moved: try again when it is complete"
        case .abandoned: "it took too long"
        case .foreign(let reason), .refused(let reason): reason
        }
    }
}
