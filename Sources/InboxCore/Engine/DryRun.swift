import InboxDetection
import InboxConfiguration
import InboxFiling
import InboxLinux
import UniformTypeIdentifiers

/// Says what would be filed where: reads the Inboxes as the daemon does, and touches nothing.
package enum DryRun {
    /// One arrival and what would become of it.
    package struct Line: Sendable {
        /// Its path.
        package let source: BytePath
        /// The reason why the document would not be filed now; nil if it would be.
        package let held: String?
        /// Advice about that reason, or why nothing can be said; nil if the document would be filed.
        package let detail: String?
        /// Its type's identifier.
        package let type: String
        /// The evidence from which the type was concluded.
        package let evidence: String
        /// The document type that gets it; nil where none accepts it, or where it would not be filed.
        package let documentType: String?
        /// Where it would go; nil where it would not.
        package let destination: BytePath?
        /// An identical document has the destination path, so this one would be discarded.
        package let isDuplicate: Bool
        /// Which checks decide first, in words; nil where none does.
        package var checking: String?

        /// As one JSON object on a line.
        package var json: [UInt8] {
            var line = JSONLine()
            line.add("source", source)
            line.add("type", type)
            line.add("evidence", evidence)
            line.add("documentType", documentType)
            line.add("destination", destination?.escapedText)
            line.add("held", held)
            line.add("detail", detail)
            if isDuplicate { line.add("duplicate", true) }
            line.add("checking", checking)
            return line.finished()
        }

        /// For a person.
        package var text: String {
            let reasons = [held, detail].compactMap { $0 }.joined(separator: ", ")
            let arrow = isDuplicate ? "is discarded, identical to" : "->"
            let outcome = destination.map { "\(arrow) \($0)" } ?? "stays: \(reasons)"
            let entry = documentType.map { ", document type \(EscapedBytes.printable($0.utf8))" } ?? ""
            let check = checking.map { ", if \($0)" } ?? ""
            return "\(source) \(outcome) (\(UTType.shown(type)) by \(evidence)\(entry))\(check)\n"
        }
    }

    /// The result of a dry run.
    package struct Report: Sendable {
        /// A line for each arrival.
        package let lines: [Line]
        /// A reason why a daemon may hold some documents that are reported as filed; nil if there is none.
        package let obstacle: String?
    }

    /// Inspects everything in the Inboxes.
    package static func run(_ configuration: Configuration, detector: Detector) throws(StartFailure) -> Report {
        try run(configuration, detector: detector, within: ArrivalBook.Limits())
    }

    static func run(
        _ configuration: Configuration, detector: Detector, within limits: ArrivalBook.Limits
    ) throws(StartFailure) -> Report {
        let intake = Intake(inotify: nil, roots: Roots(home: .ownHome), isPackage: detector.isPackage) { _ in }
        var inboxes: [ConfiguredInbox] = []
        for inbox in configuration.inboxes {
            do throws(SyscallError) {
                _ = try Directory.open(path: inbox.path)
                inboxes.append(inbox)
            } catch  where error.errno == .noEntry {
                // The daemon would make it: there is nothing in it.
            } catch {
                throw .folder(inbox.path, error)
            }
        }
        intake.mostReady = .max
        intake.parts.book.limits = limits
        // Nothing is filed, so that all that is to be listed waits at once.
        intake.parts.book.limits.waiting = limits.all
        let rules = RoutingRules(configuration)
        intake.parts.course.adopt(CompanionNames(rules, detector))
        let obstacle = holdUndone(in: configuration.stateFolder, intake)
        intake.adopt(inboxes, at: .current())
        repeat { intake.proceed(at: .current()) } while intake.isReading
        var place = PredictedPlace(rules, Roots(), filed: filed(configuration))
        let arrivals = intake.arrivals().filter { $0.state != .ignored }
        var members: [ArrivalID: [Arrival]] = [:]
        for arrival in arrivals {
            if let document = intake.document(of: arrival) { members[document.id, default: []].append(arrival) }
        }
        let belonging = Set(members.values.joined().map(\.id))
        var lines: [Line] = []
        for arrival in arrivals where !belonging.contains(arrival.id) {
            let own = members[arrival.id] ?? []
            let line = line(arrival, intake, detector, &place, with: own.map(\.name))
            lines.append(line)
            for member in own {
                let detection = member.detect(with: detector, in: intake.openFolders)
                lines.append(
                    line.line(ofMember: member.path, detection) ?? self.line(member, intake, detector, &place, with: [])
                )
            }
        }
        return Report(lines: lines, obstacle: obstacle)
    }

    /// Returns the documents that were filed before; nil where none is compared with them, or nobody has filed any.
    static func filed(_ configuration: Configuration) -> FiledSizes? {
        guard configuration.comparesWithFiled else { return nil }
        do throws(SyscallError) {
            return try FiledSizes(in: OpenFolder(try Directory.open(path: configuration.stateFolder)))
        } catch {
            // Whoever reads which documents were put back finds the same, and reports it.
            return nil
        }
    }

    /// Has the intake hold what a daemon would hold that begins now, because somebody had it put back.
    /// - Returns: why that cannot be known; nil where it is.
    private static func holdUndone(in state: BytePath, _ intake: Intake) -> String? {
        func words(_ reason: String) -> String {
            "cannot read in \(state) which documents were put back, and stay therefore: \(reason)"
        }
        let folder: OpenFolder
        do throws(SyscallError) {
            folder = OpenFolder(try Directory.open(path: state))
        } catch  where error.errno.isAbsent {
            // No daemon has used it yet.
            return nil
        } catch {
            return words("\(error.errno)")
        }
        do throws(StateFileError) {
            for document in try UndoneFile(in: folder).documents { intake.parts.undone.add(document) }
            return nil
        } catch {
            return words("\(error)")
        }
    }

    private static func line(
        _ arrival: Arrival, _ intake: Intake, _ detector: Detector, _ place: inout PredictedPlace,
        with members: [FileName]
    ) -> Line {
        let detection = arrival.detect(with: detector, in: intake.openFolders)
        var held: String?
        var detail: String?
        var destination: PredictedDestination?
        if case .held(let reason) = arrival.state {
            held = reason.rawValue
            detail = arrival.detail
        } else if arrival.state == .waiting(.unready) {
            held = WaitingReason.unready.rawValue
            detail = arrival.detail
        } else if intake.parts.hidden.isKept(arrival) {
            held = WaitingReason.sibling.rawValue
        } else {
            do throws(Refusal) {
                destination = try arrival.predict(
                    detection, in: intake.openFolders, &place, isComparing: true, with: members)
                if destination == nil { detail = "no name is free at its destination, or that does not answer" }
            } catch {
                (held, detail) = error.heldWords
            }
        }
        return Line(
            source: arrival.folder.path(of: arrival.name), held: held, detail: detail, type: detection.type.identifier,
            evidence: detection.evidence.rawValue, documentType: destination?.documentType,
            destination: destination?.path, isDuplicate: destination?.isTwin ?? false,
            checking: destination.flatMap { place.checking(in: arrival.folder.inbox.path, $0.documentType) })
    }
}

extension DryRun.Line {
    /// Returns the line of a file that is filed with this document; nil where that one is discarded, and
    /// this file stays.
    func line(ofMember source: BytePath, _ detection: Detection) -> DryRun.Line? {
        guard !isDuplicate, let name = FileName(source.lastComponent),
            let document = FileName(self.source.lastComponent)
        else { return nil }
        let place = destination?.place(of: name, filedWith: document)
        return DryRun.Line(
            source: source, held: place == nil ? WaitingReason.sibling.rawValue : nil,
            detail: place == nil ? Companions.words(document) : nil, type: detection.type.identifier,
            evidence: detection.evidence.rawValue, documentType: documentType, destination: place, isDuplicate: false,
            checking: checking)
    }
}

extension Refusal {
    /// The reason of a hold and what a person can do about it, or why nothing can be said.
    var heldWords: (held: String?, detail: String?) {
        switch outcome {
        case .hold(let reason, let words): (reason.rawValue, words)
        case .retry(let words), .postponed(let words): (nil, words)
        default: (nil, "it is changing")
        }
    }
}
