import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux
import InboxProperties

/// Where a document would go, and by which document type; nil for none.
struct PredictedDestination {
    let path: BytePath
    let documentType: String?
    /// The name that it would have there if that were free.
    let wanted: FileName
    /// An identical document has the path, so this one would be discarded.
    var isTwin = false
    /// The reason why `Name=` does not apply; nil if it does, or there is none.
    var nameObstacle: String?

    /// Returns the destination of a file that is filed with this document, by the names that both have before; nil where
    /// this one is discarded, or no name fits.
    func of(_ member: FileName, filedWith document: FileName) -> PredictedDestination? {
        guard !isTwin, let path = path.place(of: member, filedWith: document),
            let wanted = MemberName.renamed(member, of: document, as: wanted)
        else { return nil }
        return PredictedDestination(path: path, documentType: documentType, wanted: wanted)
    }
}

/// A document whose place is predicted.
struct PredictedDocument {
    let detection: Detection
    let name: FileName
    /// The Inbox that it is in.
    let inbox: BytePath
    /// The names that lead from the Inbox to its folder.
    let folder: [FileName]
    let status: FileStatus
    /// Its file; nil where it cannot be read, or nobody needs that.
    let file: OpenFile?
    /// Its properties and attributes, read before; nil where ``file`` is read when they are asked for.
    var reading: DocumentReading?
    /// When it arrived; nil where only the file itself says that.
    var arrived: Timestamp?
    /// Who would own it; nil for whoever does.
    var heir: UInt32?
    /// The facts that its checks have reported so far, by key.
    var facts: [String: String] = [:]
    /// The names of the files that are filed with it.
    var members: [FileName] = []

    /// Who owns it when it is filed.
    var owner: UInt32 { heir ?? status.owner }

    /// Returns all the names that it and what is filed with it would have.
    func names(as name: FileName) -> [FileName] {
        [name] + members.compactMap { MemberName.renamed($0, of: self.name, as: name) }
    }

    /// Returns the facts that decide the document's destination; its extended attributes are read only on request.
    func routed(withAttributes: Bool) -> RoutedDocument {
        var attributes = reading?.attributes ?? DocumentAttributes()
        if withAttributes, reading == nil, let file {
            do throws(SyscallError) { attributes = try DocumentAttributes.read(from: file.descriptor) } catch {
                // What cannot be read counts as not there: a prediction is no promise.
            }
        }
        var document = RoutedDocument(
            detection: detection, name: name, in: inbox, folder: folder, size: status.size,
            modified: status.identity.modified, arrival: min(arrived ?? status.changed, .now()), attributes: attributes)
        (document.facts, document.allFacts) = (facts, facts)
        return document
    }

    /// Returns the properties that the document's content states.
    func properties(_ wanted: DocumentProperties.Names) -> DocumentProperties {
        if let reading { return reading.properties }
        guard let file, status.kind == .regular else { return DocumentProperties() }
        return DocumentProperties.read(
            file.descriptor, size: Int64(clamping: status.size), type: detection.type, name: name, wanted: wanted,
            now: .now())
    }
}

/// Where documents would go if they were filed now: only the kernel decides, when a name moves.
struct PredictedPlace {
    private let rules: RoutingRules
    private let roots: Roots
    private let way: GuardedPath
    /// The documents that were filed before; nil where nobody compares with them.
    private let filed: (any FiledDocuments)?
    /// The paths that documents predicted before would take.
    private var taken: Set<BytePath> = []

    init(_ rules: RoutingRules, _ roots: Roots, filed: (any FiledDocuments)? = nil) {
        self.rules = rules
        self.roots = roots
        self.filed = filed
        way = roots.known.way
    }

    /// Somebody asks for what only an open file shows.
    var asksForFile: Bool { rules.choice.asksForAttributes || rules.choice.asksForContent }

    /// Returns whether documents of an Inbox are compared with others.
    func compares(_ settings: InboxSettings) -> Bool {
        settings.onConflict == .skipIdentical || (filed != nil && settings.onDuplicate != .file)
    }

    /// Which checks decide first about a document of an Inbox, in words; nil where none does. A prediction runs none.
    func checking(in inbox: BytePath, _ documentType: String?) -> String? {
        rules.checkWords(of: inbox, documentType)
    }

    /// The destination of a document: the first name of its row that neither exists nor was predicted before; nil where there
    /// is no such name.
    /// - Parameter isComparing: its content is compared with what is there and what was filed before, where the settings
    ///   say so.
    /// - Throws: why it would stay in the Inbox.
    mutating func predict(
        _ document: PredictedDocument, _ settings: InboxSettings, isComparing: Bool = false
    ) throws(Refusal) -> PredictedDestination? {
        let (rules, mount) = (rules, roots)
        let destination: Destination
        do throws(MountError<Refusal>) {
            // The content is read there.
            destination = try mount.call(at: document.inbox) { () throws(Refusal) in
                let routed = document.routed(withAttributes: rules.choice.asksForAttributes)
                return try Routing.destination(of: routed, settings, rules, properties: document.properties)
            }
        } catch {
            switch error {
            case .silent: return nil
            case .failed(let refusal): throw refusal
            }
        }
        let (path, taken, way) = (destination.folderPath, taken, way)
        let comparesNames = isComparing && settings.onConflict == .skipIdentical
        let filed = isComparing && settings.onDuplicate != .file ? filed : nil
        let found: Found
        do throws(MountError<Never>) {
            found = try roots.call(at: path) {
                Self.find(document, destination, comparesNames, filed, besides: taken, by: way)
            }
        } catch {
            // Its mount does not answer: nobody can say.
            return nil
        }
        switch found {
        case .closed(let folder): throw Refusal(privateFolder: folder)
        case .none: return nil
        case .earlier(let path):
            guard settings.onDuplicate != .hold else { throw Refusal(filedBeforeAs: path) }
            return PredictedDestination(
                path: path, documentType: destination.documentType, wanted: destination.name, isTwin: true)
        case .free(let name):
            self.taken.formUnion(document.names(as: name).map(path.appending))
            return PredictedDestination(
                path: path.appending(name), documentType: destination.documentType, wanted: destination.name,
                nameObstacle: destination.nameObstacle)
        case .twin(let name):
            return PredictedDestination(
                path: path.appending(name), documentType: destination.documentType, wanted: destination.name,
                isTwin: true)
        }
    }

    /// The result of inspecting a destination.
    private enum Found {
        /// A folder on the way that is private to somebody else.
        case closed(BytePath)
        case free(FileName)
        case twin(FileName)
        /// The same bytes were filed before, and are at this path.
        case earlier(BytePath)
        /// No name is free.
        case none
    }

    private static func find(
        _ document: PredictedDocument, _ destination: Destination, _ isComparing: Bool,
        _ filed: (any FiledDocuments)?, besides taken: Set<BytePath>, by way: GuardedPath
    ) -> Found {
        if let file = document.file {
            let twin = filed?.predictedTwin(of: file, document.status, owner: document.owner) { open($0, by: way) }
            if let twin { return .earlier(twin) }
        }
        if let folder = closedFolder(on: destination, to: document.owner, by: way) { return .closed(folder) }
        let folder = open(destination.folderPath, by: way)
        if isComparing, let file = document.file, let folder {
            let name = IdenticalDocument.predictedTwin(of: file, document.status, destination.name, in: folder)
            if let name { return .twin(name) }
        }
        let name = free(destination.name, for: document, in: destination.folderPath, folder, besides: taken)
        return name.map { .free($0) } ?? .none
    }

    /// The folder on the way that documents of this owner do not enter.
    private static func closedFolder(
        on destination: Destination, to owner: UInt32, by way: GuardedPath
    ) -> BytePath? {
        do throws(SyscallError) {
            var path = destination.root
            var restrictions = FolderRestrictions(ofDestination: try FileStatus(path: path))
            for name in destination.folders {
                path = path.appending(name)
                guard let folder = try way.find(path, isFollowed: false), folder.status.kind == .directory else {
                    break
                }
                restrictions = restrictions.entering(path, folder.status) { folder.accessList }
                if let closed = restrictions.denying(owner: owner) { return closed }
            }
        } catch {
            // It would be created, or it is found out when the document is filed.
        }
        return nil
    }

    /// The first name of a row with which no name of the document exists in a folder, or is one of these.
    private static func free(
        _ name: FileName, for document: PredictedDocument, in path: BytePath, _ folder: OpenFolder?,
        besides taken: Set<BytePath>
    ) -> FileName? {
        func isTaken(_ name: FileName) -> Bool {
            document.names(as: name).contains { taken.contains(path.appending($0)) || exists($0, in: folder) }
        }
        guard isTaken(name) else { return name }
        let row = NumberedName(name)
        return row.firstFree(after: 0, isTaken: isTaken).flatMap { row.numbered($0) }
    }

    static func open(_ path: BytePath, by way: GuardedPath) -> OpenFolder? {
        do throws(SyscallError) {
            guard try way.find(path, isFollowed: true) != nil else { return nil }
            return OpenFolder(try Directory.open(path: path))
        } catch {
            // It would be created, or it is found out when the document is filed.
            return nil
        }
    }

    private static func exists(_ name: FileName, in folder: OpenFolder?) -> Bool {
        guard let folder else { return false }
        do throws(SyscallError) { return try folder.directory.has(name) } catch { return false }
    }
}

extension BytePath {
    /// Returns the path beside it of a file that is filed with a document which gets this path, by the names that both have
    /// before; nil where no name fits.
    func place(of member: FileName, filedWith document: FileName) -> BytePath? {
        guard let folder = parent, let name = FileName(lastComponent),
            let own = MemberName.renamed(member, of: document, as: name)
        else { return nil }
        return folder.appending(own)
    }
}

extension Arrival {
    /// Returns the type of the document, as far as it can be read now.
    func detect(with detector: Detector, in folders: OpenFolders) -> Detection {
        do throws(FolderError) {
            let opened = try folders.directory(folder)
            let name = name
            return try folders.call(at: path) { () throws(SyscallError) in
                let kind = try opened.directory.status(of: name).kind
                guard kind == .regular else { return detector.detect(unopened: name, kind) }
                return detector.detect(name, delivered: try opened.directory.file(name))
            }
        } catch {
            return detector.detect(unreadable: name)
        }
    }

    /// Where it would go if it were filed now; nil where it would stay.
    /// - Parameter isComparing: whether its content is compared with what is there, where identical documents are skipped:
    ///   that takes as long as the reading of both.
    func predict(
        _ detection: Detection, in folders: OpenFolders, _ place: inout PredictedPlace, isComparing: Bool = false,
        with members: [FileName]
    ) throws(Refusal) -> PredictedDestination? {
        let compares = isComparing && place.compares(folder.inbox.settings)
        let needsFile = compares || place.asksForFile
        let found: (status: FileStatus, file: OpenFile?)
        do throws(FolderError) {
            let opened = try folders.directory(folder)
            let name = name
            found = try folders.call(at: path) { () throws(SyscallError) in
                let status = try opened.directory.status(of: name)
                guard needsFile, status.kind == .regular else { return (status, nil) }
                do throws(SyscallError) { return (status, OpenFile(try opened.directory.file(name))) } catch {
                    guard error.errno.isDenied, !compares else { throw error }
                    return (status, nil)
                }
            }
        } catch {
            switch error {
            case .moved, .silent: throw Refusal(.changed)
            case .failed(let error): throw Refusal(error, at: path)
            }
        }
        var document = PredictedDocument(
            detection: detection, name: name, inbox: folder.inbox.path, folder: folder.isAround ? [] : folder.path,
            status: facts.flatMap { $0.package == nil ? nil : $0.status } ?? found.status, file: found.file)
        document.arrived = facts.map(arrived)
        document.facts = facts?.checks?.verdicts?.facts ?? [:]
        document.members = members
        return try place.predict(document, folder.inbox.settings, isComparing: compares)
    }
}
