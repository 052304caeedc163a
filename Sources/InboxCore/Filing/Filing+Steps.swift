import InboxDetection
import InboxLinux

/// Why a document is not moved now, as what follows for its arrival.
struct Refusal: Error {
    let outcome: Outcome
    /// Whether the process has too many files open.
    let isWantOfDescriptors: Bool

    init(_ outcome: Outcome) {
        self.outcome = outcome
        isWantOfDescriptors = false
    }

    /// What a failed call means for the document that it was made for.
    init(_ error: SyscallError, at place: BytePath) {
        let words = "\(place): \(error)"
        isWantOfDescriptors = error.errno.isWantOfDescriptors
        outcome =
            switch error.errno {
            case let code where code.isAbsent: .changed
            case let code where code.isTransient: .retry(words)
            case let code where code.isDenied: .hold(.permission, words)
            case let code where code.isUnfitName: .hold(.name, words)
            default: .retry(words)
            }
    }
}

extension Filing {
    /// Where a document was moved to.
    struct Place {
        let from: OpenFolder
        let name: FileName
        let number: Int
    }

    /// Opens an arrival, makes sure that it is complete, types it and finds out where it belongs.
    func takeInHand(
        _ id: ArrivalID, for destinations: DestinationFolders, at moment: Moment
    ) -> Result<InHand, Refusal> {
        guard let arrival = intake.table[id] else { return .failure(Refusal(.changed)) }
        let opened: Opened
        switch Opened.open(arrival, in: intake.openFolders) {
        case .success(let found): opened = found
        case .failure(let refusal): return .failure(refusal)
        }
        if let refusal = refuse(arrival, opened.status, at: moment) { return .failure(refusal) }
        if recovery.mayBeCopied(opened.status.identity.file) {
            let words = "a copy of it may stand on a disk that was there before an interruption"
            return .failure(Refusal(.postponed(words)))
        }
        let proof: FiledRecord.Proof
        switch prove(arrival, opened, at: moment) {
        case .success(let told): proof = told
        case .failure(let refusal): return .failure(refusal)
        }
        let detection = detect(arrival, opened.file)
        release(opened.file)
        if detection.mismatch, arrival.folder.inbox.settings.mismatch == .hold {
            return .failure(Refusal(.hold(.mismatch, "its content is \(detection.type.identifier)")))
        }
        let wanted = Destination.unclaimed(arrival.name, in: arrival.folder)
        do throws(DestinationError) {
            let reached = try destinations.reach(wanted.folders) { intake.isWalked($0) }
            intake.end(.documents)
            return .success(
                InHand(
                    arrival: id, folder: arrival.folder, name: arrival.name,
                    source: arrival.folder.path(of: arrival.name), file: opened.file, package: opened.package,
                    status: opened.status, detection: detection,
                    reached: reached, folders: wanted.folders, wanted: wanted.name,
                    id: identifiers.next(at: moment.wall), proof: proof))
        } catch {
            return .failure(refusal(error))
        }
    }

    private func refusal(_ error: DestinationError) -> Refusal {
        switch error {
        case .loops: return Refusal(.hold(.loops, "its destination is an Inbox"))
        case .strange(let path):
            begin(path, error)
            return Refusal(.retry("\(path) is on another filesystem than before"))
        case .failed(let path, let error):
            // The document is there; it is its destination that is not.
            if error.errno.isAbsent { return Refusal(.retry("\(path): \(error)")) }
            return Refusal(error, at: path)
        }
    }

    /// Decides once more, on what was opened: it may be another file than the one that was looked at.
    private func refuse(_ arrival: Arrival, _ status: FileStatus, at moment: Moment) -> Refusal? {
        guard status.identity == arrival.status.identity, status.changed == arrival.status.changed else {
            return Refusal(.changed)
        }
        let facts = intake.facts(of: arrival, at: moment)
        let verdict = Settling.decide(facts, arrival.folder.inbox.settings, at: moment.now)
        return verdict == .prove ? nil : Refusal(.changed)
    }

    private func prove(_ arrival: Arrival, _ opened: Opened, at moment: Moment) -> Result<FiledRecord.Proof, Refusal> {
        guard let answer = opened.askForLease() else { return .success(.none) }
        switch answer {
        case .writer: return .failure(Refusal(.writer))
        case .unavailable: return arrival.isUnprovable ? .success(.quietTime) : .failure(Refusal(.unprovable))
        case .held:
            let quiet = arrival.folder.inbox.settings.settle
            if let seen = arrival.sawWriter, moment.now < seen + quiet {
                return .failure(Refusal(.unsettled(until: seen + quiet)))
            }
            return .success(.lease)
        }
    }

    private func detect(_ arrival: Arrival, _ file: OpenFile?) -> Detection {
        guard let file else { return detector.detect(unopened: arrival.name, arrival.status.kind) }
        return detector.detect(arrival.name, reading: file.descriptor)
    }

    /// Gives a lease back before its descriptor closes; one that is gone already is as good.
    private func release(_ file: OpenFile?) {
        guard let file else { return }
        do throws(SyscallError) { try ReadLease.release(file.descriptor) } catch {
            // Closing the descriptor gives it back as well.
        }
    }

    /// Moves the name, under a lease that is held from the last check until it has moved.
    func move(_ hand: InHand, _ names: inout FreeNames) -> Result<Place, Refusal> {
        if hand.proof == .lease, let file = hand.file {
            switch ReadLease.take(file.descriptor) {
            case .held: break
            case .writer: return .failure(Refusal(.writer))
            case .unavailable: return .failure(Refusal(.changed))
            }
        }
        defer { release(hand.file) }
        let folder: OpenFolder
        do throws(SyscallError) {
            folder = try intake.openFolders.directory(hand.folder)
            let now = try Opened.status(of: hand.name, hand.status.kind, in: folder)
            guard now.identity == hand.status.identity, now.changed == hand.status.changed else {
                return .failure(Refusal(.changed))
            }
        } catch {
            return .failure(Refusal(error, at: hand.source))
        }
        do throws(SyscallError) {
            let moved = try Moving.move(
                hand.name, hand.status, hand.file, from: folder, to: hand.reached.folder, as: hand.wanted, &names)
            guard let moved else { return .failure(Refusal(.hold(.name, "no free name fits \(hand.reached.path)"))) }
            return .success(Place(from: folder, name: moved.name, number: moved.number))
        } catch {
            // Where no name can be moved safely, the document is copied inside its filesystem.
            if error.errno == .crossDevice || error.lacksSecondNames { return .failure(Refusal(.across)) }
            return .failure(Refusal(error, at: hand.reached.path))
        }
    }
}
