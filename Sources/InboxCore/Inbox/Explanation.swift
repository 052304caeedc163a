import InboxDetection
import InboxLinux

/// All that can be said of one path: what it is, where it would go, and what it waits for.
public struct Explanation {
    /// Why nothing can be said.
    public enum Failure: Error {
        /// It lies neither in an Inbox nor in Documents, and is none of the daemon's business.
        case elsewhere
        /// Nothing stands there, or it cannot be looked at.
        case failed(SyscallError)
    }

    /// What it is.
    public let detection: Detection
    /// How it stands in the Inbox; nil for what is not in one.
    public let arrival: Arrival?
    /// Where it would go now; nil for what stays where it is.
    public let destination: BytePath?
}

extension InboxWork {
    /// Explains what stands at a path beneath an Inbox or Documents; every folder on the way is opened beneath it, and
    /// no link is followed.
    public func explain(_ path: BytePath) throws(Explanation.Failure) -> Explanation {
        let roots = configuration.inboxes.map(\.path) + [configuration.documents]
        guard let path = path.normalized, let root = roots.first(where: path.isInside) else { throw .elsewhere }
        let names = path.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/"))
            .compactMap { FileName($0) }
        guard let name = names.last else { throw .elsewhere }
        let detection: Detection
        do throws(SyscallError) {
            let folder = try Directory.open(path: root.bytes).folder(beneath: names.dropLast())
            detection = try detect(name, in: folder)
        } catch {
            throw .failed(error)
        }
        let arrival = intake.arrival(at: names, in: root)
        var taken: Set<BytePath> = []
        var destination: BytePath?
        if let arrival, case .waiting = arrival.state {
            destination = PredictedPlace.of(arrival, configuration.documents, &taken)
        }
        return Explanation(detection: detection, arrival: arrival, destination: destination)
    }

    private func detect(_ name: FileName, in folder: borrowing Directory) throws(SyscallError) -> Detection {
        let kind = try folder.status(of: name).kind
        guard kind == .regular else { return detector.detect(unopened: name, kind) }
        do throws(SyscallError) {
            return detector.detect(name, reading: try folder.file(name))
        } catch  where error.errno.isDenied {
            return detector.detect(unreadable: name)
        }
    }
}

extension Intake {
    /// The arrival that stands at these names beneath an Inbox.
    func arrival(at names: [FileName], in root: BytePath) -> Arrival? {
        var folder = inboxes.first { $0.path == root }?.top
        for name in names.dropLast() { folder = folder?.folders[name] }
        return names.last.flatMap { folder?.arrivals[$0] }.flatMap { table[$0] }
    }
}
