import InboxConfiguration
import InboxDetection
import InboxLinux
import InboxProperties

/// A document that a check is about to decide on, or a file that goes with one: opened, typed, and shown to be what was
/// inspected. No lease is held: a writer is not kept waiting, and what it writes makes the verdict void.
package struct CheckedDocument: Sendable {
    /// Where it is.
    package let path: BytePath
    private let file: OpenFile?
    private let folder: OpenFolder?
    /// The detected type of the document.
    package let detection: Detection
    /// The content of its extended attributes.
    package let attributes: DocumentAttributes
    /// Its properties, as a record has them.
    package let told: ToldFacts
    /// The state of the document when it was opened.
    package let state: CheckVerdicts.State
    /// Bytes: its size, of a package the sum of all that is in it.
    package let size: UInt64

    /// Opens a document.
    /// - Parameter facts: what an earlier check has said of it, over what its content says.
    /// - Throws: why that cannot be; what has changed since its inspection is refused.
    package init(
        _ request: FilingRequest, _ detector: Detector, knowing facts: [String: String], at moment: Moment
    ) throws(Refusal) {
        let folder = try SourceFolders().folder(of: request)
        let opened = try Refusal.at(request.path, OpenedSource(request, in: folder))
        guard let opened, opened.status.identity == request.status.identity,
            opened.status.changed == request.status.changed
        else { throw Refusal(.changed) }
        guard opened.file != nil || opened.package != nil else {
            throw Refusal(.hold(.check, "its check cannot read it: the daemon may not open \(request.path)"))
        }
        let detection =
            opened.file.map { detector.detect(request.name, delivered: $0.descriptor) }
            ?? detector.detect(unopened: request.name, opened.status.kind)
        let attributes = try Refusal.at(request.path, opened.attributes())
        let document = RoutedDocument(
            detection: detection, name: request.name, in: request.inbox, folder: request.folder?.names ?? [],
            size: opened.status.size, modified: opened.status.identity.modified,
            arrival: min(opened.status.changed, moment.wall), attributes: attributes)
        var properties = DocumentProperties()
        if let file = opened.file {
            properties = DocumentProperties.read(
                file.descriptor, size: Int64(clamping: opened.status.size), type: detection.type, name: request.name,
                wanted: .all, now: moment.wall)
        }
        properties.take(facts: facts)
        let dated = DatedDocument(document, by: request.settings.dates, properties, now: moment.wall)
        (properties.date, properties.dateSource) = (dated?.date, dated?.source)
        path = request.path
        file = opened.file
        self.folder = opened.package
        self.detection = detection
        self.attributes = attributes
        told = ToldFacts(properties: properties, origin: attributes.origin, application: attributes.application)
        state = CheckVerdicts.State(opened.status)
        size = opened.status.size
    }

    /// Opens a file that goes with a document.
    package init(_ member: UnitMember, of request: FilingRequest, _ detector: Detector) throws(Refusal) {
        let folder = try SourceFolders().folder(of: request)
        path = request.folderPath.appending(member.name)
        let place = path
        let file = try Refusal.at(place, Self.file(member.name, in: folder))
        let status = try Refusal.at(place, file.descriptor.status())
        guard status.identity == member.identity else { throw Refusal(.changed) }
        detection = detector.detect(member.name, delivered: file.descriptor)
        attributes = try Refusal.at(place, DocumentAttributes.read(from: file.descriptor))
        told = ToldFacts(origin: attributes.origin, application: attributes.application)
        state = CheckVerdicts.State(status)
        size = status.size
        self.file = file
        self.folder = nil
    }

    /// Lends what its check gets as standard input: the file, or the folder of a package.
    package func withInput<Value>(_ body: (borrowing FileDescriptor) -> Value) -> Value? {
        if let file { return body(file.descriptor) }
        return folder.map { body($0.directory.descriptor) }
    }

    private static func file(_ name: FileName, in folder: OpenFolder) throws(SyscallError) -> OpenFile {
        OpenFile(try folder.directory.file(name, mayCross: false))
    }

    /// Returns whether a document is under its name what a check has seen, and so is what goes with it.
    package static func isUnchanged(
        _ request: FilingRequest, _ state: CheckVerdicts.State, members: [FileName: CheckVerdicts.State]
    ) throws(Refusal) -> Bool {
        let folder = try SourceFolders().folder(of: request)
        let now = try Refusal.at(request.path, OpenedSource.status(of: request.name, request.status.kind, in: folder))
        guard let now, CheckVerdicts.State(now) == state else { return false }
        for (name, state) in members {
            let now = try Refusal.at(request.folderPath.appending(name), folder.directory.status(of: name))
            guard CheckVerdicts.State(now) == state else { return false }
        }
        return true
    }
}
