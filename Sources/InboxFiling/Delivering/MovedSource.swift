import InboxLinux

/// A document that is delivered and then no longer at its place: nobody writes to it meanwhile, as far as its filesystem
/// can show that.
package struct MovedSource {
    /// The document.
    package let file: OpenFile
    /// The status of the document before its delivery.
    private(set) var status: FileStatus
    let folder: OpenFolder
    let name: FileName
    private let isLeased: Bool
    private static let capability = AttributeName("security.capability")

    /// Takes the lease; nil where the name is not the file's own, but that of a link to it.
    package init?(_ file: OpenFile, _ name: FileName, in folder: OpenFolder) throws(DeliveryError) {
        self.file = file
        self.name = name
        self.folder = folder
        switch ReadLease.takeUnlessRemote(file.descriptor) {
        case .held: isLeased = true
        case .writer: throw .written
        // As for all that is filed: what cannot be shown is no reason to refuse.
        case .unavailable: isLeased = false
        }
        do throws(SyscallError) {
            status = try file.descriptor.status()
            guard try folder.directory.status(of: name).identity.file == status.identity.file else { return nil }
        } catch {
            throw .failed(error)
        }
    }

    /// Gives the document itself what travels with it; returns whether the folder may be on its filesystem at all.
    mutating func annotate(_ delivery: Delivery, for target: OpenFolder) throws(DeliveryError) -> Bool {
        do throws(SyscallError) {
            guard try folder.directory.status().mount == target.directory.status().mount else { return false }
        } catch {
            throw .failed(error)
        }
        try delivery.annotate(file.descriptor)
        do throws(SyscallError) { status = try file.descriptor.status() } catch { throw .failed(error) }
        return true
    }

    /// Shows that nobody writes or has written.
    func prove() throws(DeliveryError) {
        let isWhole: Bool
        let now: FileStatus
        do throws(SyscallError) {
            isWhole = isLeased ? try ReadLease.isWhole(file.descriptor) : true
            now = try file.descriptor.status()
        } catch {
            throw .failed(error)
        }
        guard isWhole else { throw .written }
        guard isUnchanged(now) else { throw .changed }
    }

    /// Removes the document, of which there is a copy; returns why it stays, and nil where it is removed.
    /// - Parameter lost: what the copy has not.
    package func remove(lost: [String]) -> String? {
        guard lost.isEmpty else { return "the copy in the Inbox has not \(lost.joined(separator: ", "))" }
        do throws(SyscallError) {
            if isLeased, try !ReadLease.isWhole(file.descriptor) { return "somebody wants to write to it" }
            guard try isUnchanged(file.descriptor.status()) else { return "it was changed since" }
            return try removeName()
        } catch {
            return "it cannot be removed: \(error.errno)"
        }
    }

    /// Renames it first, and removes what that has taken only if it is the document: an editor may save another file under
    /// its name at any instant.
    private func removeName() throws(SyscallError) -> String? {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 36)
        guard let aside = FileName(".put-\(digits).part") else { return nil }
        try folder.directory.renameFile(name, to: folder.directory, as: aside)
        if try folder.directory.status(of: aside).identity == status.identity {
            try folder.directory.removeFile(aside)
            return nil
        }
        var names = FreeNames()
        let back = try names.make(name, in: folder) { (candidate) throws(SyscallError) in
            try folder.directory.renameFile(aside, to: folder.directory, as: candidate)
        }
        guard let back else { return "it was changed since, and is \(aside) now" }
        return back.name == name ? "it was changed since" : "it was changed since, and is \(back.name) now"
    }

    /// Returns what would be lost in a copy of content, mode and time alone, which is what the daemon makes for
    /// others.
    package func lostByContentAlone() throws(SyscallError) -> [String] {
        var lost: [String] = []
        if status.owner != Process.user { lost.append("the owner") }
        if status.permissions & 0o7000 != 0 { lost.append("the set-ID bits") }
        guard let attributes = try file.descriptor.attributeNames() else {
            return lost + [CopyAttributes.allAttributes.what]
        }
        for attribute in attributes {
            // Marks of the system for what is at this place.
            if attribute.bytes.starts(with: "security.".utf8), attribute != Self.capability { continue }
            lost.append(
                attribute == .accessList
                    ? "the access list" : "the extended attribute \(EscapedBytes.printable(attribute.bytes))")
        }
        return lost
    }

    private func isUnchanged(_ now: FileStatus) -> Bool {
        now.identity == status.identity && now.changed == status.changed
    }
}
