import InboxLinux

/// Gives a copy the owner, the mode, the times and the extended attributes of its source, as far as that is permitted.
struct CopyAttributes {
    /// The attributes that could not be kept, and the reasons, in words.
    private(set) var losses: [(what: String, reason: String)] = []

    /// The loss for a file that has more attributes than the kernel lists.
    static let allAttributes = (what: "the extended attributes", reason: "they are more than the kernel lists")

    private static let setID: UInt32 = 0o6000
    /// Rights that a file must not carry to another place, seals of a content at its place, and the names under which xfs
    /// shows the access lists once more.
    private static let neverCopied = [
        "security.capability", "security.ima", "security.evm", "trusted.SGI_ACL_FILE", "trusted.SGI_ACL_DEFAULT",
    ].map { Array($0.utf8) }

    /// Sets everything. Owner before mode, since chown(2) takes set-user-ID bits off; times last, since everything
    /// else may touch them. An error means that a filesystem does not work, not that it lacks something.
    /// - Parameters:
    ///   - made: something that has the owner and the group that the copy was made with; nil where that is not
    ///     known.
    ///   - own: the attributes that the copy has already, and keeps.
    mutating func copy(
        _ status: FileStatus, from source: borrowing FileDescriptor, to copy: borrowing FileDescriptor,
        madeAs made: FileStatus? = nil, except own: Set<AttributeName> = []
    ) throws(CopyFailure) {
        let names = try CopyFailure.ofSource(names(of: source))
        // As long as the file is the daemon's own and may be written.
        for name in names
        where name != .accessList && !own.contains(name) && !Self.neverCopied.contains(Array(name.bytes)) {
            try take(name, from: source, to: copy)
        }
        if names.contains(where: { Array($0.bytes) == Self.neverCopied[0] }) {
            lose("the file capabilities", because: "they never leave their place")
        }
        let accessList = names.contains(.accessList) ? try CopyFailure.ofSource(source.attribute(.accessList)) : nil
        let hasDefaultList = names.contains(.defaultList)
        try CopyFailure.ofCopy(set(status, accessList, hasDefaultList: hasDefaultList, source, copy, made))
    }

    /// Sets owner, mode, access lists and times.
    private mutating func set(
        _ status: FileStatus, _ accessList: [UInt8]?, hasDefaultList: Bool, _ source: borrowing FileDescriptor,
        _ copy: borrowing FileDescriptor, _ made: FileStatus?
    ) throws(SyscallError) {
        // The destination folder's default list would count otherwise.
        if accessList == nil { try copy.removeAttribute(.accessList) }
        if status.kind == .directory, !hasDefaultList { try copy.removeAttribute(.defaultList) }
        let isOwned = try keepOwner(of: status, copy, made)
        try setPermissions(status, accessList, source, copy, isOwned: isOwned)
        if let accessList {
            try keep("the access list", copy.setAttribute(.accessList, to: accessList))
        }
        try keep("the times", copy.setTimes(accessed: status.accessed, modified: status.identity.modified))
    }

    /// Takes over an extended attribute, as long as the source has it.
    private mutating func take(
        _ name: AttributeName, from source: borrowing FileDescriptor, to copy: borrowing FileDescriptor
    ) throws(CopyFailure) {
        let what = "the extended attribute \(EscapedBytes.printable(name.bytes))"
        let value: [UInt8]?
        do throws(SyscallError) { value = try source.attribute(name) } catch {
            let isLasting = error.errno.isDenied || error.isUnsupported || error.errno.isTooLargeAttribute
            guard isLasting else { throw .source(error) }
            return lose(what, because: "\(error.errno)")
        }
        if let value { _ = try CopyFailure.ofCopy(keep(what, copy.setAttribute(name, to: value))) }
    }

    /// The names of the attributes; where they cannot be listed, those that say who may do what, which have known names.
    private mutating func names(of source: borrowing FileDescriptor) throws(SyscallError) -> [AttributeName] {
        if let names = try source.attributeNames() { return names }
        lose(Self.allAttributes.what, because: Self.allAttributes.reason)
        var names: [AttributeName] = []
        for name in [AttributeName.accessList, .defaultList] {
            do throws(SyscallError) { if try source.attribute(name) != nil { names.append(name) } } catch
                where error.errno.isUnsupported
            {
                // The filesystem has none of these.
            }
        }
        return names
    }

    /// Gives a copied link the owner and the times of its source; a link has no mode of its own.
    mutating func copy(_ status: FileStatus, toLink name: FileName, in folder: borrowing Directory) throws(SyscallError)
    {
        let now = try folder.status(of: name)
        if now.owner != status.owner || now.group != status.group {
            try keep("the owner", folder.changeOwner(ofLink: name, status.owner, group: status.group))
        }
        try keep(
            "the times", folder.setTimes(ofLink: name, accessed: status.accessed, modified: status.identity.modified))
    }

    /// Makes a call that is dispensable where it is denied or unknown here, or asks for too much; returns whether it was done.
    @discardableResult
    private mutating func keep(
        _ what: String, _ call: @autoclosure () throws(SyscallError) -> Void
    ) throws(SyscallError) -> Bool {
        do throws(SyscallError) {
            try call()
            return true
        } catch {
            // What passes is no reason to lose something for good, such as the owner to the daemon. Of an attribute that is too
            // large some filesystems say that there is no space, however much there is.
            let isTooLarge = error.errno == .noSpace && error.call == .fsetxattr
            let isPassing =
                error.errno == .inputOutput || error.errno.isServerAway || error.errno.isObstruction
                || error.errno.isWantOfResources
            guard !isPassing || isTooLarge || error.isUnsupported else { throw error }
            lose(what, because: "\(error.errno)")
            return false
        }
    }

    /// Notes what was not kept; once, however many files of a document lose it.
    mutating func lose(_ what: String, because reason: String) {
        if !losses.contains(where: { $0.what == what }) { losses.append((what, reason)) }
    }

    /// Returns whether owner and group are the source's now.
    private mutating func keepOwner(
        of status: FileStatus, _ copy: borrowing FileDescriptor, _ made: FileStatus?
    ) throws(SyscallError) -> Bool {
        let now = if let made { made } else { try copy.status() }
        if now.owner == status.owner, now.group == status.group { return true }
        if try keep("the owner", copy.changeOwner(status.owner, group: status.group)) { return true }
        // A process that may not change the owner may still set a group that it belongs to.
        try keep("the group", copy.changeOwner(now.owner, group: status.group))
        return false
    }

    private mutating func setPermissions(
        _ status: FileStatus, _ accessList: [UInt8]?, _ source: borrowing FileDescriptor,
        _ copy: borrowing FileDescriptor, isOwned: Bool
    ) throws(SyscallError) {
        var mode = status.permissions
        // On a folder they give nobody any rights.
        if mode & Self.setID != 0, status.kind == .regular {
            // Never gained: neither for another owner, nor where they counted for nothing before.
            let counted = try !source.ignoresSetUserID()
            if !isOwned || !counted {
                mode &= ~Self.setID
                lose("the set-user-ID bits", because: "nobody gains rights by a copy")
            }
        }
        if let accessList {
            // The mode's group bits are the list's mask, which is wider than what the group itself may.
            mode = mode & ~0o070 | AccessList(accessList).groupPermissions << 3
        }
        try keep("the mode", copy.changePermissions(mode))
    }
}
