import InboxDetection
import InboxFiling
import InboxLinux

/// All that can be said of one path: what it is, where it would go, and what it waits for.
package struct Explanation {
    /// Why nothing can be said.
    package enum Failure: Error {
        /// It lies neither in an Inbox nor in Documents, and is none of the daemon's business.
        case elsewhere
        /// Nothing is there, as far as whoever asks may know.
        case nothing
        /// Whoever asks may not read it.
        case denied
        /// It cannot be inspected.
        case failed(SyscallError)

        /// What a failed call means.
        init(_ error: SyscallError) { self = error.errno == .noEntry ? .nothing : .failed(error) }
    }

    /// What it is.
    package let detection: Detection
    /// Its state in the Inbox; nil for what is not in one.
    package let arrival: Arrival?
    /// Every document type that accepts its type, the one that gets it first.
    package let documentTypes: [DocumentTypeStanding]
    /// Where it would go now; nil for what stays where it is.
    package let destination: BytePath?
}

extension InboxWork {
    /// Whether a path lies beneath an Inbox, Documents or another destination.
    package func isBeneathRoot(_ path: BytePath) -> Bool {
        rules.roots.contains(
            where: path.isInside)
    }

    /// Explains what is at a path beneath an Inbox or Documents; every folder on the way is opened beneath it, and
    /// no link is followed.
    /// - Parameters:
    ///   - maySearch: whether whoever asks may search a folder; asked of each once it is open, since its name may lead
    ///     to another one a moment later.
    ///   - mayRead: likewise whether a file may be read.
    package func explain(
        _ path: BytePath, maySearch: (FileStatus) -> Bool, mayRead: (FileStatus) -> Bool
    ) throws(Explanation.Failure) -> Explanation {
        let roots = rules.roots
        guard let path = path.normalized, let root = roots.first(where: path.isInside) else { throw .elsewhere }
        let names = path.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/"))
            .compactMap { FileName($0) }
        guard let name = names.last else { throw .elsewhere }
        let folder = try folder(names.dropLast(), in: root, maySearch)
        let detection = try detect(name, in: folder, mayRead)
        let arrival = intake.arrival(at: names, in: root)
        var place = PredictedPlace(rules.routing)
        var destination: BytePath?
        if let arrival, case .waiting = arrival.state {
            do throws(Refusal) {
                destination = try arrival.predict(detection, in: intake.openFolders, &place)?.path
            } catch {
                // It stays where it is: nil says so.
            }
        }
        return Explanation(
            detection: detection, arrival: arrival,
            documentTypes: rules.routing.choice.standings(for: detection.type, name), destination: destination)
    }

    private func folder(
        _ names: some Sequence<FileName>, in root: BytePath, _ maySearch: (FileStatus) -> Bool
    ) throws(Explanation.Failure) -> Directory {
        do throws(SyscallError) {
            var folder = try Directory.open(path: root.bytes)
            var isSearchable = maySearch(try folder.status())
            for name in names where isSearchable {
                folder = try folder.folder(name)
                isSearchable = maySearch(try folder.status())
            }
            if isSearchable { return folder }
        } catch {
            throw Explanation.Failure(error)
        }
        throw .nothing
    }

    private func detect(
        _ name: FileName, in folder: borrowing Directory, _ mayRead: (FileStatus) -> Bool
    ) throws(Explanation.Failure) -> Detection {
        do throws(SyscallError) {
            let kind = try folder.status(of: name).kind
            guard kind == .regular else { return rules.detector.detect(unopened: name, kind) }
            do throws(SyscallError) {
                let file = try folder.file(name)
                if mayRead(try file.status()) { return rules.detector.detect(name, delivered: file) }
            } catch  where error.errno.isDenied {
                return rules.detector.detect(unreadable: name)
            }
        } catch {
            throw Explanation.Failure(error)
        }
        throw .denied
    }
}
