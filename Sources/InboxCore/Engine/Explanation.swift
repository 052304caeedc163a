import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux
import InboxProperties

/// All that can be said of one path: what it is, where it would go, and what it waits for.
package struct Explanation {
    /// The reason why nothing can be said about a path.
    package enum Failure: Error {
        /// It lies neither in an Inbox nor in Documents, and is none of the daemon's business.
        case elsewhere
        /// It is a root itself, which is never filed.
        case root
        /// No Inbox has the path that was named as one.
        case noInbox
        /// It is a part of this arrival, which is filed as one; why that one is not filed yet, in words.
        case part(of: BytePath, String)
        /// Nothing is there, as far as whoever asks may know.
        case nothing
        /// Whoever asks may not read it.
        case denied
        /// It cannot be inspected.
        case failed(SyscallError)
        /// It lies on this mount, whose server does not answer.
        case silent(BytePath)

        /// Translates a failed call.
        init(_ error: SyscallError) { self = error.errno == .noEntry ? .nothing : .failed(error) }
    }

    /// The detected type, with its evidence.
    package let detection: Detection
    /// Its state in the Inbox, or that of the arrival that it is a part of; nil for what is not in one.
    package let arrival: Arrival?
    /// The reason, in words, why the arrival is not listed: it is in an Inbox that has no room for it.
    package let unlisted: String?
    /// The interrupted filing that explains why nothing is at the path; it cannot be ended yet.
    package var interrupted: InterruptedDocument?
    /// The walked folder that it is, where nothing is in that.
    package let emptyFolder: Folder?
    /// Every document type, the one that gets it first, then those that accept its type.
    package let documentTypes: [DocumentTypeStanding]
    /// The reason, in words, why no document type gets the document; nil if one does, or none is configured.
    package let unclaimed: String?
    /// Where it would go now; nil for what stays where it is.
    package let destination: BytePath?
    /// The name that it would like to have there, which is what is told where names may not be.
    package var wanted: FileName?
    /// The reason, in words, why the name that the document type gives does not apply; nil if it does, or there is
    /// none.
    package var nameObstacle: String?
    /// The reason why it would not be filed now, in words; nil where it would, or where its state says it.
    package var obstacle: String?
    /// The document that it belongs to and is filed with, in words; nil where there is none. The document type that gets that
    /// one gets it too.
    package var belonging: String?
    /// The words for what an Inbox leaves alone.
    static let ignored = "it would be ignored: its name matches Ignore=, or is hidden"

    /// Its properties, with the date that counts for it.
    package var properties = DocumentProperties()
    /// The words of its checks so far, and which one runs before it is filed; nil where none is in force.
    package var checking: String?
    /// The open document, where documents that were filed before may be identical to it; nil for what does not wait.
    package var compared: Compared?

    /// A document that waits in an Inbox, and whose content is compared before it is filed.
    package struct Compared {
        /// The open document.
        package let file: OpenFile
        /// Its name.
        package let name: FileName
        /// The Inbox that it is in.
        package let inbox: BytePath
    }
}

extension Explanation {
    fileprivate mutating func take(_ predicted: PredictedDestination?) {
        wanted = predicted?.wanted
        nameObstacle = predicted?.nameObstacle
    }

    /// Describes a document that has no name at present, and so no content that could be read.
    fileprivate init(_ document: InterruptedDocument, _ detection: Detection) {
        self.init(
            detection: detection, arrival: nil, unlisted: nil, interrupted: document, emptyFolder: nil,
            documentTypes: [], unclaimed: nil, destination: nil)
    }
}

extension InboxWork {
    /// Identifies documents.
    package var detector: Detector { rules.detector }

    /// Returns true if a path lies beneath an Inbox, Documents or another destination.
    package func isBeneathRoot(_ path: BytePath) -> Bool {
        rules.roots.contains(
            where: path.isInside)
    }

    /// The innermost Inbox, Documents or other destination that a path is in, or is itself; nil where there is none.
    package func root(around path: BytePath) -> BytePath? { FolderSet(rules.roots).innermost(around: path) }

    /// Asks what the rights on a path permit.
    package func ask(at path: BytePath, _ question: @escaping @Sendable () -> Bool) throws(Explanation.Failure) -> Bool
    {
        do throws(MountError<Never>) { return try intake.roots.call(at: path, question) } catch {
            switch error {
            case .silent(let mount): throw failure(silent: mount)
            }
        }
    }

    private func failure(silent mount: BytePath) -> Explanation.Failure {
        intake.roots.known.closed.contains(mount) ? .denied : .silent(mount)
    }

    /// Explains what is at a path beneath an Inbox or Documents; every folder on the way is opened beneath it, and
    /// no link is followed.
    /// - Parameters:
    ///   - maySearch: whether whoever asks may search a folder; asked of each once it is open, since its name may lead
    ///     to another one a moment later.
    ///   - mayRead: likewise whether a file may be read.
    package func explain(
        _ path: BytePath, maySearch: @escaping @Sendable (FileStatus, () -> AccessList?) -> Bool,
        mayRead: @escaping @Sendable (FileStatus, () -> AccessList?) -> Bool
    ) throws(Explanation.Failure) -> Explanation {
        let roots = rules.roots
        guard let path = path.normalized else { throw .elsewhere }
        if roots.contains(path) { throw .root }
        guard let root = roots.first(where: path.isInside) else { throw .elsewhere }
        let names = path.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/"))
            .compactMap { FileName($0) }
        guard let name = names.last else { throw .elsewhere }
        let detector = rules.detector
        let mounts = intake.roots.known
        let arrival = intake.arrival(at: names, in: root)
        let document = arrival.flatMap(intake.document)
        let documentName = document?.name
        let (found, main): (Found, Found?)
        do throws(MountError<Explanation.Failure>) {
            (found, main) = try intake.roots.call(at: path) { () throws(Explanation.Failure) -> (Found, Found?) in
                let folder = try Self.folder(names.dropLast(), in: root, mounts, maySearch)
                let found = try Self.detect(name, in: folder, with: detector, mayRead)
                guard let documentName else { return (found, nil) }
                do throws(Explanation.Failure) {
                    return (found, try Self.detect(documentName, in: folder, with: detector, mayRead))
                } catch {
                    // Whoever may not read the document that it belongs to learns nothing of that.
                    return (found, nil)
                }
            }
        } catch {
            switch error {
            case .silent(let mount): throw failure(silent: mount)
            case .failed(.nothing):
                guard let document = interrupted.first(where: { $0.path == path }) else { throw .nothing }
                return Explanation(document, detector.detect(unreadable: name))
            case .failed(let error): throw error
            }
        }
        let detection = found.detection
        let (subject, subjectFound) = document == nil ? (arrival, found) : (main == nil ? nil : document, main ?? found)
        var place = PredictedPlace(rules.routing, intake.roots)
        var predicted: PredictedDestination?
        var obstacle: String?
        if let subject, case .waiting = subject.state {
            do throws(Refusal) {
                predicted = try subject.predict(
                    subjectFound.detection, in: intake.openFolders, &place,
                    with: intake.parts.course.memberNames(of: subject.id))
                if let documentName { predicted = predicted?.of(name, filedWith: documentName) }
            } catch {
                obstacle = error.words
            }
        }
        let walked = intake.folder(at: names, in: root)
        let choice = rules.routing.choice
        let verdicts = subject?.facts?.checks?.verdicts
        // What is in a walked folder is filed, never the folder.
        let routed = routed(subjectFound, documentName ?? name, names.dropLast(), in: root, subject)
        let isDecided = walked == nil && (document == nil || main != nil)
        let standings = isDecided ? choice.standings(for: routed) : []
        let isUnclaimed = !choice.documentTypes.isEmpty && !standings.contains(where: \.wins)
        let none = walked == nil ? "none accepts it" : Self.walked
        let whole = arrival ?? intake.arrival(around: names, in: root)
        let isListed = whole != nil || walked != nil
        var explanation = Explanation(
            detection: detection, arrival: whole,
            unlisted: isListed ? walked.flatMap(intake.trouble) : intake.reasonUnlisted(at: names, in: root),
            emptyFolder: walked.flatMap { intake.isEmpty($0) ? $0 : nil }, documentTypes: standings,
            unclaimed: isUnclaimed ? none : nil, destination: predicted?.path)
        explanation.take(predicted)
        explanation.obstacle = obstacle
        explanation.belonging = documentName.map { Companions.words($0) }
        if found.status.kind == .regular {
            explanation.properties = Routing.properties(
                of: document == nil ? routed : self.routed(found, name, names.dropLast(), in: root, arrival),
                settings(of: root), rules.routing, found.reading.properties)
        }
        if let arrival, obstacle == nil, arrival.isCompared, let file = found.file {
            explanation.compared = Explanation.Compared(file: file, name: name, inbox: arrival.folder.inbox.path)
        }
        if arrival != nil {
            explanation.checking = rules.routing.checkWords(
                of: root, standings.first { $0.wins }?.name, after: verdicts)
        }
        return explanation
    }

    /// Returns the search for a document that was filed before and has the bytes of a file that is explained; nil where an
    /// Inbox files such a file.
    /// - Parameters:
    ///   - inbox: which Inbox; nil for the first.
    ///   - owner: whose document it would be; nil for its owner's.
    ///   - mayReach: whether whoever asks may know of a path.
    package func twinSearch(
        in inbox: BytePath?, of owner: UInt32?, mayReach: @escaping @Sendable (BytePath) -> Bool
    ) -> DroppedFile.TwinSearch? {
        guard let settings = self.inbox(inbox)?.settings, settings.onDuplicate != .file,
            let filed = filing?.means.filed
        else { return nil }
        let way = intake.roots.known.way
        return { file, status in
            let end = Instant.now() + .seconds(1)
            let twin = filed.predictedTwin(of: file, status, owner: owner ?? status.owner, until: end) {
                PredictedPlace.open($0, by: way)
            }
            return twin.flatMap { mayReach($0) ? $0 : nil }
        }
    }

    /// Returns, in words, what becomes of a file in an Inbox for the document that was filed before and has the same bytes;
    /// nil where there is none.
    package func obstacle(of file: DroppedFile, in inbox: BytePath) -> String? {
        guard let twin = file.twin else { return nil }
        return self.inbox(inbox)?.settings.onDuplicate == .hold
            ? Refusal(filedBeforeAs: twin).words
            : "it would be discarded: it is identical to \(twin), which was filed before"
    }

    private func inbox(_ path: BytePath?) -> ConfiguredInbox? {
        let inboxes = rules.configuration.inboxes
        return inboxes.first { $0.path == path ?? inboxes.first?.path }
    }

    /// Explains what would become of a file that lies anywhere, if it were dropped into an Inbox.
    /// - Parameters:
    ///   - inbox: which Inbox; nil for the first.
    ///   - owner: whose document it would be; nil for its owner's.
    package func explain(
        _ dropped: DroppedFile, in inbox: BytePath?, of owner: UInt32?
    ) throws(Explanation.Failure) -> Explanation {
        guard let inbox = self.inbox(inbox) else { throw .noInbox }
        let choice = rules.routing.choice
        let detection = dropped.detection
        var document = PredictedDocument(
            detection: detection, name: dropped.name, inbox: inbox.path, folder: [], status: dropped.status, file: nil)
        document.reading = dropped.reading
        document.heir = owner
        let routed = document.routed(withAttributes: true)
        let isWalked =
            dropped.status.kind == .directory && inbox.settings.folders != .whole
            && !rules.detector.isPackage(dropped.name) && !dropped.isWhole
        let standings = isWalked ? [] : choice.standings(for: routed)
        let isUnclaimed = !choice.documentTypes.isEmpty && !standings.contains(where: \.wins)
        var place = PredictedPlace(rules.routing, intake.roots)
        var predicted: PredictedDestination?
        var obstacle = hold(dropped, inbox) ?? self.obstacle(of: dropped, in: inbox.path)
        if obstacle == nil, !isWalked {
            do throws(Refusal) { predicted = try place.predict(document, inbox.settings) } catch {
                obstacle = error.words
            }
        }
        var explanation = Explanation(
            detection: detection, arrival: nil, unlisted: nil, emptyFolder: nil, documentTypes: standings,
            unclaimed: isWalked ? Self.walked : isUnclaimed ? "none accepts it" : nil, destination: predicted?.path)
        explanation.take(predicted)
        explanation.obstacle = obstacle
        if !isWalked { explanation.checking = rules.routing.checkWords(of: inbox.path, predicted?.documentType) }
        if dropped.status.kind == .regular {
            explanation.properties = Routing.properties(
                of: routed, inbox.settings, rules.routing, dropped.reading.properties)
        }
        return explanation
    }

    /// Returns why an Inbox would leave it alone, or hold it, whatever it is; nil where it would not.
    private func hold(_ dropped: DroppedFile, _ inbox: ConfiguredInbox) -> String? {
        if Ignoring(inbox.settings).ignores(dropped.name, isInside: false) {
            return Explanation.ignored
        }
        return dropped.status.kind == .special ? "it is held (special): it is no file" : nil
    }

    /// Returns the settings of a root: of Documents and whatever is no Inbox, those of the first one.
    private func settings(of root: BytePath) -> InboxSettings {
        let inboxes = rules.configuration.inboxes
        return (inboxes.first { $0.path == root } ?? inboxes.first)?.settings ?? InboxSettings()
    }

    /// The words for a folder whose documents are filed one by one.
    private static let walked = "none: what is in this folder is filed, each document by itself"

    /// A file that was found, as document types are compared with it. A package has the size of all that is in it, as it
    /// was surveyed.
    private func routed(
        _ found: Found, _ name: FileName, _ folder: some Collection<FileName>, in root: BytePath, _ arrival: Arrival?
    ) -> RoutedDocument {
        let isInbox = rules.configuration.inboxes.contains { $0.path == root }
        let (status, arrived) = (found.status, arrival.flatMap { $0.facts.map($0.arrived) })
        var document = RoutedDocument(
            detection: found.detection, name: name, in: isInbox ? root : nil, folder: isInbox ? Array(folder) : [],
            size: status.kind == .directory ? arrival?.size ?? status.size : status.size,
            modified: status.identity.modified, arrival: min(arrived ?? status.changed, .now()),
            attributes: found.reading.attributes)
        let facts = arrival?.facts?.checks?.verdicts?.facts ?? [:]
        (document.facts, document.allFacts) = (facts, facts)
        return document
    }

    /// The facts about a file that was found.
    private struct Found: Sendable {
        let detection: Detection
        let status: FileStatus
        var reading = DocumentReading()
        /// The file; nil where it is not open.
        var file: OpenFile?
    }

    /// Opens the folder at these names beneath a root, as far as each on the way may be searched.
    static func folder(
        _ names: some Collection<FileName>, in root: BytePath, _ mounts: KnownMounts,
        _ maySearch: (FileStatus, () -> AccessList?) -> Bool
    ) throws(Explanation.Failure) -> Directory {
        guard names.count <= GuardedPath.mostComponents else { throw .nothing }
        do throws(SyscallError) {
            var folder = try Directory.open(path: root)
            var path = root
            var isSearchable = try folder.answer(maySearch)
            for name in names where isSearchable {
                path = path.appending(name)
                folder = try folder.folder(name, mayCross: mounts.mayCross(path))
                isSearchable = try folder.answer(maySearch)
            }
            if isSearchable { return folder }
        } catch {
            throw Explanation.Failure(error)
        }
        throw .nothing
    }

    private static func detect(
        _ name: FileName, in folder: borrowing Directory, with detector: Detector,
        _ mayRead: (FileStatus, () -> AccessList?) -> Bool
    ) throws(Explanation.Failure) -> Found {
        do throws(SyscallError) {
            let status = try folder.status(of: name)
            guard status.kind == .regular else {
                return Found(detection: detector.detect(unopened: name, status.kind), status: status)
            }
            do throws(SyscallError) {
                let file = OpenFile(try folder.file(name))
                if mayRead(try file.descriptor.status(), { file.descriptor.accessList }) {
                    let detection = detector.detect(name, delivered: file.descriptor)
                    return Found(
                        detection: detection, status: status,
                        reading: try DocumentReading.read(file.descriptor, status, detection, name), file: file)
                }
            } catch  where error.errno.isDenied {
                return Found(detection: detector.detect(unreadable: name), status: status)
            }
        } catch {
            throw Explanation.Failure(error)
        }
        throw .denied
    }
}

extension Directory {
    /// Answers a question about the rights on this folder.
    fileprivate func answer(_ question: (FileStatus, () -> AccessList?) -> Bool) throws(SyscallError) -> Bool {
        question(try status()) { accessList }
    }
}

extension Arrival {
    /// It waits, and is compared with what was filed before. Where a server has it, that is not asked only to predict.
    fileprivate var isCompared: Bool {
        guard case .waiting = state, facts?.mayBeDuplicate != true else { return false }
        return folder.inbox.settings.onDuplicate != .file && !folder.isForeign
    }
}
