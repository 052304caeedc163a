import InboxConfiguration
import InboxDetection
import InboxFiling
import InboxLinux

extension DryRun {
    /// Says what would become of files and folders anywhere, as if they had been dropped into the first Inbox.
    /// - Parameter paths: absolute and normalised.
    /// - Throws: where one of them cannot be inspected.
    package static func run(
        _ configuration: Configuration, detector: Detector, paths: [BytePath]
    ) throws(StartFailure) -> Report {
        guard let inbox = configuration.inboxes.first else { return Report(lines: [], obstacle: nil) }
        let rules = RoutingRules(configuration)
        var run = DroppedPaths(
            inbox: inbox, detector: detector, ignoring: Ignoring(inbox.settings),
            place: PredictedPlace(rules, Roots(), filed: filed(configuration)))
        run.companions.named = CompanionNames(rules, detector)
        for (folder, paths) in Dictionary(grouping: paths, by: \.parent) {
            if let folder { run.note(paths.compactMap { FileName($0.lastComponent) }, at: folder, []) }
        }
        for path in run.ordered(paths) {
            do throws(SyscallError) {
                guard let parent = path.parent, let name = FileName(path.lastComponent) else {
                    try run.add(folder: try Directory.open(path: path), at: path, [])
                    continue
                }
                try run.add(name, in: try Directory.open(path: parent), at: parent, [], isNamed: true)
            } catch {
                throw .path(path, error)
            }
        }
        return Report(lines: run.lines, obstacle: nil)
    }

    /// The paths that are imagined to have been dropped into an Inbox.
    private struct DroppedPaths {
        let inbox: ConfiguredInbox
        let detector: Detector
        let ignoring: Ignoring
        var place: PredictedPlace
        var lines: [Line] = []
        var companions = Companions()
        /// The names of the files that are filed with a document, by its path.
        private var members: [BytePath: [FileName]] = [:]
        /// The documents that files are filed with, by the paths of these.
        private var documents: [BytePath: BytePath] = [:]
        /// The lines of documents with which files are filed, by path.
        private var found: [BytePath: Line] = [:]

        init(inbox: ConfiguredInbox, detector: Detector, ignoring: Ignoring, place: PredictedPlace) {
            self.inbox = inbox
            self.detector = detector
            self.ignoring = ignoring
            self.place = place
        }

        /// Finds what belongs together by the names in one folder.
        mutating func note(_ names: [FileName], at path: BytePath, _ folders: [FileName]) {
            let names = names.filter { !ignoring.ignores($0, isInside: !folders.isEmpty) }
            for (document, own) in companions.members(among: names, in: inbox.path, folders) {
                members[path.appending(document)] = own
                for member in own { documents[path.appending(member)] = path.appending(document) }
            }
        }

        /// Returns paths with those last that belong to other ones.
        func ordered(_ paths: [BytePath]) -> [BytePath] {
            paths.filter { documents[$0] == nil } + paths.filter { documents[$0] != nil }
        }

        mutating func add(
            folder: borrowing Directory, at path: BytePath, _ folders: [FileName]
        ) throws(SyscallError) {
            guard folders.count < GuardedPath.mostComponents else { return }
            var names: [FileName] = []
            var entries = DirectoryEntries(ofOpenedAnew: try Directory.open(path: path))
            while let entry = try entries.next() { names.append(entry.name) }
            names.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            note(names, at: path, folders)
            for source in ordered(names.map(path.appending)) {
                guard let name = FileName(source.lastComponent) else { continue }
                do throws(SyscallError) { try add(name, in: folder, at: path, folders, isNamed: false) } catch {
                    // It has gone meanwhile.
                    guard error.errno.isAbsent else { throw error }
                }
            }
        }

        mutating func add(
            _ name: FileName, in folder: borrowing Directory, at path: BytePath, _ folders: [FileName], isNamed: Bool
        ) throws(SyscallError) {
            let isIgnored = ignoring.ignores(name, isInside: !folders.isEmpty)
            if !isNamed, isIgnored { return }
            let source = path.appending(name)
            var status = try folder.status(of: name)
            if status.kind == .directory, !isIgnored {
                let opened = try folder.folder(name)
                if try isWalked(opened, name) { return try add(folder: opened, at: source, folders + [name]) }
                do throws(FolderWalk.Failure) { status = try PackageSurvey(of: opened).status } catch {
                    // One that cannot be surveyed has the size of the folder alone.
                }
            }
            var detection = detector.detect(unopened: name, status.kind)
            var file: OpenFile?
            if status.kind == .regular {
                do throws(SyscallError) {
                    let opened = OpenFile(try folder.file(name))
                    detection = detector.detect(name, delivered: opened.descriptor)
                    file = opened
                } catch  where error.errno.isDenied {
                    detection = detector.detect(unreadable: name)
                }
            }
            if let document = documents[source].flatMap({ found[$0] }),
                let line = document.line(ofMember: source, detection)
            {
                return lines.append(line)
            }
            let line = line(source, name, folders, status, detection, file)
            if members[source] != nil, status.kind == .regular { found[source] = line }
            lines.append(line)
        }

        private func isWalked(_ folder: borrowing Directory, _ name: FileName) throws(SyscallError) -> Bool {
            guard inbox.settings.folders != .whole, !detector.isPackage(name) else { return false }
            return try !WholeFolder.contains(folder, ignoring)
        }

        private mutating func line(
            _ source: BytePath, _ name: FileName, _ folders: [FileName], _ status: FileStatus, _ detection: Detection,
            _ file: OpenFile?
        ) -> Line {
            var held: String?
            var detail: String?
            var destination: PredictedDestination?
            switch status.kind {
            case _ where ignoring.ignores(name, isInside: !folders.isEmpty): detail = Explanation.ignored
            case .special: held = HoldReason.special.rawValue
            case .symlink where inbox.settings.symlinks == .hold: held = HoldReason.symlink.rawValue
            default:
                do throws(Refusal) {
                    var document = PredictedDocument(
                        detection: detection, name: name, inbox: inbox.path, folder: folders, status: status, file: file
                    )
                    document.members = members[source] ?? []
                    destination = try place.predict(
                        document, inbox.settings, isComparing: true)
                    if destination == nil { detail = "no name is free at its destination, or that does not answer" }
                } catch {
                    (held, detail) = error.heldWords
                }
            }
            return Line(
                source: source, held: held, detail: detail, type: detection.type.identifier,
                evidence: detection.evidence.rawValue, documentType: destination?.documentType,
                destination: destination?.path, isDuplicate: destination?.isTwin ?? false,
                checking: destination.flatMap { place.checking(in: inbox.path, $0.documentType) })
        }
    }
}
