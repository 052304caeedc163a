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
    private let roots: Roots
    /// The paths that documents predicted before would take.
    private var taken: Set<BytePath> = []

    init(_ rules: RoutingRules, _ roots: Roots) {
        self.rules = rules
        self.roots = roots
    }

    /// The destination of a document: the first name of its row that neither exists nor was predicted before; nil where there
    /// is no such name.
    /// - Throws: why it would stay in the Inbox.
    mutating func predict(
        _ document: RoutedDocument, _ settings: InboxSettings
    ) throws(Refusal) -> PredictedDestination? {
        let destination = try Routing.destination(of: document, settings, rules)
        let (path, name, taken) = (destination.folderPath, destination.name, taken)
        let found: FileName?
        do throws(MountError<Never>) {
            found = try roots.call(at: path) { Self.free(name, in: path, besides: taken) }
        } catch {
            // Its mount does not answer: nobody can say.
            return nil
        }
        guard let found else { return nil }
        self.taken.insert(path.appending(found))
        return PredictedDestination(path: path.appending(found), documentType: destination.documentType)
    }

    /// The first name of a row that neither exists in a folder nor is one of these.
    private static func free(_ name: FileName, in path: BytePath, besides taken: Set<BytePath>) -> FileName? {
        let folder = open(path)
        func isTaken(_ name: FileName) -> Bool { taken.contains(path.appending(name)) || exists(name, in: folder) }
        guard isTaken(name) else { return name }
        let row = NumberedName(name)
        return row.firstFree(after: 0, isTaken: isTaken).flatMap { row.numbered($0) }
    }

    private static func open(_ path: BytePath) -> OpenFolder? {
        do throws(SyscallError) { return OpenFolder(try Directory.open(path: path)) } catch {
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
    func predict(
        _ detection: Detection, in folders: OpenFolders, _ place: inout PredictedPlace
    ) throws(Refusal) -> PredictedDestination? {
        let modified: Timestamp
        do throws(FolderError) {
            let opened = try folders.directory(folder)
            let name = name
            modified = try folders.call(at: path) { () throws(SyscallError) in
                try opened.directory.status(of: name).identity.modified
            }
        } catch {
            switch error {
            case .moved, .silent: throw Refusal(.changed)
            case .failed(let error): throw Refusal(error, at: path)
            }
        }
        return try place.predict(
            RoutedDocument(
                detection: detection, name: name, folder: folder.isAround ? [] : folder.path, modified: modified),
            folder.inbox.settings)
    }
}
