import InboxConfiguration
import InboxLinux

extension MarkerTemplate {
    /// Returns the name of a document's marker; nil where there is none.
    package func marker(of document: FileName) -> FileName? {
        switch subject {
        case .name: FileName(prefix + document.bytes + suffix)
        case .stem: FileName(prefix + NumberedName.parts(of: document).stem + suffix)
        case .folder: FileName(prefix)
        }
    }
}

/// The file beside a document that says that it is complete.
package struct Marker {
    /// Bytes: a list of sums for so many documents is read.
    private static let longest = 1 << 20

    /// Which file it was when it counted.
    let file: UnitMember
    /// The sum that the document has to have; nil where it says none.
    private let sum: [UInt8]?

    /// Returns why a file does not count as the marker of a document; nil where it does.
    package static func obstacle(_ marker: FileStatus, to document: FileStatus) -> String? {
        if marker.kind != .regular { return "is no regular file" }
        if ![document.owner, 0, Process.user].contains(marker.owner) { return "belongs to somebody else" }
        if marker.identity.modified < document.identity.modified { return "is older than it" }
        return nil
    }

    /// The reason why a marker does not count that does not exist.
    package static let absent = "is not there"

    /// Returns what a document waits for whose marker does not count, for this reason.
    package static func words(_ name: FileName, _ obstacle: String) -> String {
        "it waits for its marker: \(name) beside it \(obstacle)"
    }

    /// Opens the marker of a document, and shows that it counts and that nobody writes to it.
    init(_ name: FileName, of request: FilingRequest, _ document: FileStatus, in folder: OpenFolder) throws(Refusal) {
        let status: FileStatus
        let answer: ReadLease.Answer
        let content: [UInt8]?
        do throws(SyscallError) {
            let opened = try folder.directory.file(name, mayCross: false)
            status = try opened.status()
            answer = status.kind == .regular ? ReadLease.takeUnlessRemote(opened) : .unavailable(nil)
            // Held until it is closed, in a moment.
            content = status.kind == .regular ? try opened.contents(limit: Self.longest) : []
        } catch {
            let isAbsent = error.errno.isAbsent || error.errno.isUnfitName
            throw Refusal(.unready(Self.words(name, isAbsent ? Self.absent : "cannot be read: \(error.errno)")))
        }
        if let obstacle = answer == .writer ? "is open for writing" : Self.obstacle(status, to: document) {
            throw Refusal(.unready(Self.words(name, obstacle)))
        }
        guard let content else {
            throw Refusal(.hold(.checksum, "\(name) beside it is longer than 1M, so that its sums are not read"))
        }
        file = UnitMember(name: name, identity: status.identity)
        sum = document.kind == .regular ? MarkerSum.sum(in: content, for: request.name) : nil
    }

    /// Shows that a document has the sum that its marker says.
    func compare(with file: OpenFile?, _ comparison: (OpenFile) -> Comparison, at path: BytePath) throws(Refusal) {
        guard let sum else { return }
        guard let file else {
            let words = "it cannot be read, so that it cannot be compared with the sum in \(self.file.name)"
            throw Refusal(.hold(.checksum, words))
        }
        let found: [UInt8]
        do throws(Comparison.Failure) { found = try comparison(file).sum() } catch {
            switch error {
            case .failed(let error): throw Refusal(error, at: path)
            case .ended(let outcome): throw Refusal(outcome)
            }
        }
        guard found != sum else { return }
        let words =
            "its content has not the sum that \(self.file.name) beside it says: transfer it anew, with its marker, or "
            + "remove the sum from that"
        throw Refusal(.hold(.checksum, words))
    }
}
