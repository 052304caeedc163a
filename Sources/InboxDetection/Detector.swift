import InboxLinux
import UniformTypeIdentifiers

/// Identifies a document by its name and its content. Immutable, and safe from several threads at once.
///
/// Nothing is read when a detector is made: the table of formats and the MIME database are read when the first document
/// is identified. A detector uses the type declarations that were in force then; make a new one after a change.
package final class Detector: Sendable {
    let knowledge: Once<Knowledge>
    private let ownSignatures: [OwnSignature]

    /// A detector that widens its knowledge by the MIME database of these places.
    ///
    /// - Parameters:
    ///   - places: Where the database may be; `.none` for the built-in knowledge alone.
    ///   - ownSignatures: The `Magic=` patterns of own declarations.
    package init(places: MIMEDatabasePlaces, ownSignatures: [OwnSignature] = []) {
        knowledge = Once { Knowledge(places) }
        self.ownSignatures = ownSignatures
    }

    /// Detects the type of a regular file by its name and its content.
    ///
    /// One pread(2) of 4 KiB and, for containers, a bounded number of further ones (64 KiB in all); the file's offset
    /// does not change. A file that cannot be read is typed by its name, with `unread`.
    package func detect(_ name: FileName, reading file: borrowing FileDescriptor) -> Detection {
        let knowledge = knowledge.value
        return read(file, name, knowledge)
    }

    /// Detects the type of a file whose content is out of reach: the name's type, with `unread`.
    package func detect(unreadable name: FileName) -> Detection {
        let knowledge = knowledge.value
        return detection(knowledge.kinds(of: name), .unread, knowledge)
    }

    /// Detects the type that a name means, whatever the content is.
    package func detect(named name: FileName) -> Detection {
        let knowledge = knowledge.value
        return detection(knowledge.kinds(of: name), .empty, knowledge)
    }

    /// Detects the type of these bytes under this name: they are taken for the whole file.
    package func detect(_ name: FileName?, content bytes: UnsafeRawBufferPointer) -> Detection {
        let knowledge = knowledge.value
        let names = name.map { knowledge.kinds(of: $0) } ?? []
        let all = Bytes(bytes)
        var content = Content(head: all[0..<Content.headSize], source: .memory(all))
        let found = finding(&content, names, knowledge)
        return detection(names, found, knowledge, Self.completeness(of: content, found, name), content.head)
    }

    private func read(
        _ file: borrowing FileDescriptor, _ name: FileName, _ knowledge: Knowledge
    ) -> Detection {
        let names = knowledge.kinds(of: name)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Content.headSize, alignment: 8)
        defer { buffer.deallocate() }
        return withUnsafePointer(to: file) { file in
            do throws(SyscallError) {
                let count = try file.pointee.read(into: buffer, at: 0)
                let head = Bytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                var content = Content(head: head, source: .file(file))
                let found = finding(&content, names, knowledge)
                return detection(names, found, knowledge, Self.completeness(of: content, found, name), head)
            } catch {
                // The reason does not matter here: the result is the name's type, marked as unread.
                return detection(names, .unread, knowledge)
            }
        }
    }

    private static func completeness(
        of content: Content, _ found: ContentFinding, _ name: FileName?
    ) -> Completeness {
        var isDisc = false
        if case .signature(let found) = found { isDisc = found.kind.type.identifier == "public.iso-image" }
        let completeness = Completeness.of(content, isDisc: isDisc)
        // The end of what is in several files is in the last of them.
        if case .incomplete = completeness, name?.isFirstPiece == true { return .unknown }
        return completeness
    }

    private func finding(
        _ content: inout Content, _ names: [NamedKind], _ knowledge: Knowledge
    ) -> ContentFinding {
        let builtIn = knowledge.finding(&content, names)
        guard !ownSignatures.isEmpty else { return builtIn }
        return knowledge.weigh(ownSignatures, against: builtIn, content.head, names)
    }

    private func detection(
        _ names: [NamedKind], _ content: ContentFinding, _ knowledge: Knowledge,
        _ completeness: Completeness = .unknown, _ head: Bytes? = nil
    ) -> Detection {
        let incomplete = if case .incomplete(let words) = completeness { words } else { String?.none }
        let decision = Decision.weigh(names, content, knowledge)
        guard let kind = decision.kind else {
            return Detection(
                type: .data, mime: "application/octet-stream", evidence: .none, mismatch: false,
                unread: decision.unread, incomplete: incomplete)
        }
        return Detection(
            type: head.map { knowledge.type(of: kind, beginningWith: $0) } ?? kind.type,
            mime: knowledge.mime(of: kind), evidence: decision.evidence,
            mismatch: decision.mismatch, unread: decision.unread, incomplete: incomplete)
    }
}
