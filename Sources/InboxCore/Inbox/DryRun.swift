import InboxDetection
import InboxLinux

/// Says what would be filed where: reads the Inboxes as the daemon does, and touches nothing.
public enum DryRun {
    /// One arrival and what would become of it.
    public struct Line: Sendable {
        /// Where it stands.
        public let source: BytePath
        /// Why it would not be filed now; nil where it would.
        public let held: String?
        /// Its type's identifier.
        public let type: String
        /// What the type was concluded from.
        public let evidence: String
        /// Where it would go; nil where it would not.
        public let destination: BytePath?

        /// As one JSON object on a line. No document type is built yet, so that none wins.
        public var json: [UInt8] {
            var line = JSONLine()
            line.add("source", source.escapedText)
            line.add("type", type)
            line.add("evidence", evidence)
            line.add("documentType", nil)
            line.add("destination", destination?.escapedText)
            line.add("held", held)
            return line.finished
        }

        /// For a person.
        public var text: String {
            let outcome = destination.map { "-> \($0)" } ?? "stays: \(held ?? "ignored")"
            return "\(source) \(outcome) (\(type) by \(evidence))\n"
        }
    }

    /// Looks at everything that is there.
    public static func run(_ configuration: Configuration, detector: Detector) throws(StartFailure) -> [Line] {
        let intake = Intake(inotify: nil, isPackage: detector.isPackage) { _ in }
        var inboxes: [ConfiguredInbox] = []
        for inbox in configuration.inboxes {
            do throws(SyscallError) {
                _ = try Directory.open(path: inbox.path.bytes)
                inboxes.append(inbox)
            } catch  where error.errno == .noEntry {
                // The daemon would make it: there is nothing in it.
            } catch {
                throw .folder(inbox.path, error)
            }
        }
        intake.mostReady = .max
        intake.adopt(inboxes, at: .current())
        repeat { intake.proceed(at: .current()) } while intake.isReading
        var taken: Set<BytePath> = []
        return intake.arrivals().compactMap { arrival in
            if arrival.state == .ignored { return nil }
            return line(arrival, configuration.documents, intake, detector, &taken)
        }
    }

    private static func line(
        _ arrival: Arrival, _ documents: BytePath, _ intake: Intake, _ detector: Detector, _ taken: inout Set<BytePath>
    ) -> Line {
        let detection = detect(arrival, intake, detector)
        var held: String?
        var destination: BytePath?
        if case .held(let reason) = arrival.state {
            held = reason.rawValue
        } else {
            let wanted = Destination.unclaimed(arrival.name, in: arrival.folder)
            let folder = wanted.folders.reduce(documents) { $0.appending(BytePath(bytes: Array($1.bytes))) }
            destination = free(wanted.name, in: folder, &taken)
        }
        return Line(
            source: arrival.folder.path(of: arrival.name), held: held, type: detection.type.identifier,
            evidence: detection.evidence.rawValue, destination: destination)
    }

    private static func detect(_ arrival: Arrival, _ intake: Intake, _ detector: Detector) -> Detection {
        guard arrival.status.kind == .regular else {
            return detector.detect(unopened: arrival.name, arrival.status.kind)
        }
        do throws(SyscallError) {
            let folder = try intake.openFolders.directory(arrival.folder)
            return detector.detect(arrival.name, reading: try folder.directory.file(arrival.name))
        } catch {
            return detector.detect(unreadable: arrival.name)
        }
    }

    /// The first name of the row that neither stands there nor was given to an earlier one.
    private static func free(_ wanted: FileName, in folder: BytePath, _ taken: inout Set<BytePath>) -> BytePath? {
        let row = NumberedName(wanted)
        var number = 0
        while let name = row.numbered(number) {
            let path = folder.appending(BytePath(bytes: Array(name.bytes)))
            if !taken.contains(path), !stands(name, in: folder) {
                taken.insert(path)
                return path
            }
            number += 1
        }
        return nil
    }

    private static func stands(_ name: FileName, in folder: BytePath) -> Bool {
        do throws(SyscallError) {
            _ = try Directory.open(path: folder.bytes).status(of: name)
            return true
        } catch {
            return false
        }
    }
}
