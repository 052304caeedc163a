import InboxLinux

/// A symbolic link in a folder of the Inbox that stays inside the Inbox, and goes where its target has gone.
package struct TreeLink: Sendable {
    /// The names that lead from the Inbox to its target.
    package let target: [FileName]
    /// Where documents of its tree have gone: the paths that stand for the Inbox there.
    package let places: [BytePath]
    /// It may go before its target is there: that is a folder around it, or one that is made once nothing else is left in the
    /// tree.
    package let mayPrecede: Bool

    /// A link to this, of a tree that has gone there.
    package init(target: [FileName], places: [BytePath], mayPrecede: Bool) {
        self.target = target
        self.places = places
        self.mayPrecede = mayPrecede
    }

    /// Returns the names that a link leads to, in its own tree or in another one; nil where it leaves the Inbox.
    /// - Parameter folder: the names that lead from the Inbox to the folder of the link.
    package static func target(of text: BytePath, in folder: [FileName]) -> [FileName]? {
        guard !text.isAbsolute, !folder.isEmpty else { return nil }
        var names = folder
        for part in text.bytes.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                guard names.popLast() != nil else { return nil }
            } else if let name = FileName(Array(part)) {
                names.append(name)
            } else {
                return nil
            }
        }
        return names.isEmpty ? nil : names
    }
}

extension BytePath {
    /// The path that stands for the Inbox where a document was filed to this one under the folders that it had there; nil where
    /// it was not.
    package func place(ofFolders names: [FileName]) -> BytePath? {
        var place = parent
        for name in names.reversed() {
            guard let path = place, path.lastComponent.elementsEqual(name.bytes) else { return nil }
            place = path.parent
        }
        return place
    }
}
