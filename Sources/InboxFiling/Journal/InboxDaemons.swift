import InboxLinux

/// The daemons that file from one Inbox: an attribute of the folder has the paths of their state folders.
///
/// Only recovery reads them, to find out which daemon has filed a document. One that is left behind harms nobody: its state
/// folder is missing, or has no record of that document. No sync: what is filed from the Inbox brings the folder to the disk.
package enum InboxDaemons {
    private static let attribute = AttributeName("user.inboxd.state").unsafelyUnwrapped
    /// Daemons. Of more, the first ones are forgotten.
    private static let most = 8

    /// Writes down on an Inbox that the daemon with this state folder files from there, unless that is there already. Where it
    /// cannot be, on a filesystem without attributes or for want of the right, others do not know of this daemon.
    package static func join(_ inbox: borrowing FileDescriptor, with state: BytePath) throws(SyscallError) {
        let known = try states(on: inbox)
        if known.contains(state) { return }
        var others: [BytePath] = []
        for path in known where try OtherState.isThere(path) { others.append(path) }
        let paths = others.suffix(most - 1) + [state]
        try inbox.setAttribute(attribute, to: Array(paths.map(\.bytes).joined(separator: [0])))
    }

    /// Returns the paths of the state folders that an Inbox names.
    package static func states(on inbox: borrowing FileDescriptor) throws(SyscallError) -> [BytePath] {
        let value = try inbox.attribute(attribute) ?? []
        return value.split(separator: 0).prefix(most).compactMap { BytePath(bytes: Array($0)) }.filter(\.isAbsolute)
    }
}
