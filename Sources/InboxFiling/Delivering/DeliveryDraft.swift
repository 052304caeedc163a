import InboxLinux

/// A file that is being written in an Inbox: without a name, or where the filesystem has no such files under a hidden
/// name that every Inbox ignores.
struct DeliveryDraft: ~Copyable {
    /// The file: for reading and writing, until ``endWriting()``.
    private(set) var file: OpenFile
    private let folder: OpenFolder
    /// Nil for a file without a name.
    private let name: FileName?

    private init(_ file: consuming FileDescriptor, in folder: OpenFolder, name: FileName?) {
        self.file = OpenFile(file)
        self.folder = folder
        self.name = name
    }

    /// Makes an empty file.
    static func make(in folder: OpenFolder) throws(SyscallError) -> DeliveryDraft {
        do throws(SyscallError) {
            return DeliveryDraft(try folder.directory.unnamedFile(), in: folder, name: nil)
        } catch  where error.errno.lacksUnnamedFiles {
            return try hidden(in: folder)
        }
    }

    private static func hidden(in folder: OpenFolder) throws(SyscallError) -> DeliveryDraft {
        while true {
            let digits = String(UInt64.random(in: 0 ... .max), radix: 36)
            guard let name = FileName(".put-\(digits).part") else { continue }
            do throws(SyscallError) {
                return DeliveryDraft(try folder.directory.newFile(name), in: folder, name: name)
            } catch  where error.errno == .exists {
                continue
            }
        }
    }

    /// Reopens the file read-only, so that it has no writer left when it gets its name.
    mutating func endWriting() {
        do throws(SyscallError) { file = OpenFile(try file.descriptor.reopenedForReading()) } catch {
            // It may not be read, or there is no proc(5). It gets its name all the same; the daemon then waits until it is
            // closed.
        }
    }

    /// Gives the file its name; EEXIST where that is taken.
    borrowing func publish(as wanted: FileName) throws(SyscallError) {
        guard let name else { return try folder.directory.link(file.descriptor, as: wanted) }
        try folder.directory.renameFile(name, to: folder.directory, as: wanted)
    }

    /// Removes what is left; the failure that led here is the one to report.
    borrowing func discard() {
        guard let name else { return }
        do throws(SyscallError) {
            let own = try file.descriptor.status().identity.file
            guard try folder.directory.status(of: name).identity.file == own else { return }
            try folder.directory.removeFile(name)
        } catch {
            // It stays under its hidden name, which no Inbox files.
        }
    }
}
