import InboxConfiguration
import InboxFiling
import InboxLinux

// The markers that say that documents are complete: section 4.4 of the contract.
extension ArrivalCourse {
    /// Arrivals: of those that are held for the sum in a marker, so many are inspected at once when that changes.
    private static let mostHeld = 1_024

    /// The marker that an arrival needs.
    struct NeededMarker {
        /// Its name beside the arrival.
        let name: FileName
        /// The reason why it does not count; nil where it does.
        var obstacle: String?

        /// The words that tell what the arrival waits for.
        var words: String? { obstacle.map { Marker.words(name, $0) } }
    }

    /// Returns whether an arrival is the marker of others: a file of such a name, unless it was put back under it.
    func isMarker(_ arrival: Arrival, _ facts: ArrivalFacts) -> Bool {
        facts.status.kind == .regular && facts.needsMarker != false && arrival.folder.hasMarker(arrival.name)
    }

    /// The marker that a document needs; nil where it needs none: it is no document, it goes with another one, `put` has
    /// delivered it, or somebody has asked for it after it was put back.
    func marker(of arrival: Arrival, _ facts: ArrivalFacts) -> NeededMarker? {
        guard let ready = arrival.folder.inbox.settings.ready, facts.needsMarker != false, !arrival.folder.isAround,
            facts.status.kind == .regular || facts.package != nil, let name = ready.marker(of: arrival.name),
            document(of: arrival) == nil
        else { return nil }
        var marker = NeededMarker(name: name)
        do throws(FolderError) {
            marker.obstacle = Marker.obstacle(try tree.status(of: name, in: arrival.folder), to: facts.status)
        } catch {
            marker.obstacle = error.isAbsent || error.isUnfitName ? Marker.absent : "cannot be inspected"
        }
        guard marker.obstacle != nil, facts.needsMarker == nil else { return marker }
        let isNeeded = facts.package != nil || !isDelivered(arrival, facts)
        book.update(arrival.id) { $0.needsMarker = isNeeded }
        return isNeeded ? marker : nil
    }

    /// Takes note of the marker that an arrival needs.
    func note(_ marker: NeededMarker?, of arrival: Arrival) {
        let isReady = marker?.obstacle == nil
        if let marker {
            book.marked.note(arrival.id, needs: marker.name, in: arrival.folder, isReady: isReady)
        } else if !book.marked.isEmpty {
            book.marked.forget(arrival.id)
        }
        if arrival.facts?.isMarked != (marker != nil && isReady) {
            book.update(arrival.id) { $0.isMarked = marker != nil && isReady }
        }
    }

    /// A marker is there, has changed, or is gone: what it releases is decided anew.
    func markerChanged(_ name: FileName, in folder: Folder, at moment: Moment = .current()) {
        guard !book.marked.isEmpty else { return }
        let row = book.marked.row(of: name, in: folder)
        for id in row.waiting {
            // Inspected by turns, since one marker may release very many.
            if case .observing? = book[id]?.phase { book.transition(id, to: .observing(until: moment.now)) }
        }
        var held = 0
        for id in row.ready {
            if book.isInPhase(.inFlight, id) {
                book.marked.touched.insert(id)
            } else if book.state(of: id) == .held(.checksum), held < Self.mostHeld {
                held += 1
                compareAgain(id, at: moment)
            }
        }
    }

    /// The marker of a document that was in flight has changed meanwhile, unless it was filed: what was found says nothing.
    func heedTouch(_ id: ArrivalID, at moment: Moment) {
        guard !book.marked.isEmpty, book.marked.touched.remove(id) != nil, book[id]?.isInFlight == false else { return }
        compareAgain(id, at: moment)
    }

    private func compareAgain(_ id: ArrivalID, at moment: Moment) {
        guard let arrival = book[id] else { return }
        do throws(FolderError) {
            if arrival.facts == nil {
                // Its inspection would find nothing new.
                book.wake(id, try tree.status(of: arrival.name, in: arrival.folder), at: moment)
            }
            evaluate(id, at: moment)
        } catch {
            // Whatever is wrong with the name, its next inspection finds it.
        }
    }

    /// A try has found that its marker does not count after all.
    func foundUnready(_ id: ArrivalID, _ words: String, at moment: Moment) {
        guard let arrival = book[id] else { return }
        if let name = arrival.folder.inbox.settings.ready?.marker(of: arrival.name) {
            book.marked.note(id, needs: name, in: arrival.folder, isReady: false)
        }
        wait(id, .unready, words, at: moment)
    }
}
