import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux

/// Where a document would go, and by which document type; nil for none.
struct PredictedDestination {
    let path: BytePath
    let documentType: String?
}

/// Where documents would go if they were filed now: only the kernel decides, when a name moves.
struct PredictedPlace {
    private let rules: RoutingRules
    /// The paths that documents predicted before would take.
    private var taken: Set<BytePath> = []

    init(_ rules: RoutingRules) {
        self.rules = rules
    }

    /// The destination of a document: the first name of its row that neither exists nor was predicted before; nil where there
    /// is no such name.
    /// - Throws: why it would stay in the Inbox.
    mutating func predict(
        _ document: RoutedDocument, _ settings: InboxSettings
    ) throws(Refusal) -> PredictedDestination? {
        let destination = try Routing.destination(of: document, settings, rules)
        let folder = Self.open(destination.folderPath)
        func path(_ name: FileName) -> BytePath {
            destination.folderPath.appending(name)
        }
        func isTaken(_ name: FileName) -> Bool { taken.contains(path(name)) || Self.exists(name, in: folder) }
        var found: FileName? = destination.name
        if isTaken(destination.name) {
            let row = NumberedName(destination.name)
            found = row.firstFree(after: 0, isTaken: isTaken).flatMap { row.numbered($0) }
        }
        guard let found else { return nil }
        taken.insert(path(found))
        return PredictedDestination(path: path(found), documentType: destination.documentType)
    }

    private static func open(_ path: BytePath) -> OpenFolder? {
        do throws(SyscallError) { return OpenFolder(try Directory.open(path: path.bytes)) } catch {
            // It would be created, or it is found out when the document is filed.
            return nil
        }
    }

    private static func exists(_ name: FileName, in folder: OpenFolder?) -> Bool {
        guard let folder else { return false }
        do throws(SyscallError) { return try folder.directory.has(name) } catch { return false }
    }
}

extension Arrival {
    /// What it is, as far as it can be read now.
    func detect(with detector: Detector, in folders: OpenFolders) -> Detection {
        do throws(FolderError) {
            let opened = try folders.directory(folder)
            return try FolderError.of { () throws(SyscallError) in
                let kind = try opened.directory.status(of: name).kind
                guard kind == .regular else { return detector.detect(unopened: name, kind) }
                return detector.detect(name, delivered: try opened.directory.file(name))
            }
        } catch {
            return detector.detect(unreadable: name)
        }
    }

    /// Where it would go if it were filed now; nil where it would stay.
    func predict(
        _ detection: Detection, in folders: OpenFolders, _ place: inout PredictedPlace
    ) throws(Refusal) -> PredictedDestination? {
        let modified: Timestamp
        do throws(FolderError) {
            let opened = try folders.directory(folder)
            modified = try FolderError.of { () throws(SyscallError) in
                try opened.directory.status(of: name).identity.modified
            }
        } catch {
            switch error {
            case .moved: throw Refusal(.changed)
            case .failed(let error): throw Refusal(error, at: path)
            }
        }
        return try place.predict(
            RoutedDocument(
                detection: detection, name: name, folder: folder.isAround ? [] : folder.path, modified: modified),
            folder.inbox.settings)
    }
}
