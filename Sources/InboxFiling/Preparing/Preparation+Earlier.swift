import InboxLinux

// Whether a document was filed before, wherever that was.
extension Preparation {
    /// A document that was filed before, where it is now.
    typealias EarlierDocument = (
        reached: ReachedFolder, name: FileName, status: FileStatus, members: [IdenticalMember]
    )

    /// The document with the same bytes that was filed before, where such are not filed again; nil where there is none, or
    /// what goes with the document is not beside that.
    func filedBefore(
        _ request: FilingRequest, _ id: RecordID, _ opened: OpenedSource, _ destination: Destination, _ sum: [UInt8]?,
        isLeased: Bool
    ) throws(Refusal) -> EarlierDocument? {
        let isAnywhere = request.settings.onDuplicate != .file
        guard isAnywhere || sum != nil, !request.mayBeDuplicate, let filed = means.filed,
            let file = opened.file, opened.status.kind == .regular, opened.status.size > 0
        else { return nil }
        let row = NumberedName(destination.name)
        let entry = DocumentsUnderWay.Entry(
            document: id, folder: try sources.folder(of: request), name: request.name,
            file: opened.status.identity.file)
        let status = opened.status
        do throws(Comparison.Failure) {
            return try identical.compare(file, of: status.owner, isLeased: isLeased) {
                (comparison) throws(Comparison.Failure) -> EarlierDocument? in
                // Entered before the search: what leaves meanwhile is in the history.
                guard try identical.admit(entry, ofSize: status.size, comparison) else {
                    throw .ended(.unsettled(until: moment.now + .seconds(1)))
                }
                let places: [FiledDocument]?
                do throws(SyscallError) { places = try filed.documents(ofSize: status.size) } catch {
                    throw .ended(.postponed("cannot read the history: \(error.errno)"))
                }
                guard let places else { throw .ended(.unsettled(until: moment.now + .milliseconds(100))) }
                if places.isEmpty { return nil }
                let rights = ReadingRights(of: status.owner)
                for place in places {
                    if !isAnywhere {
                        // Only what has the name, or a number of it, where this one goes.
                        guard place.sum != nil, place.path.parent == destination.folderPath,
                            let name = FileName(place.path.lastComponent), row.number(of: name) != nil
                        else { continue }
                    }
                    try comparison.goOn()
                    var isKnown = false
                    if let theirs = place.sum {
                        let own: [UInt8]
                        if let sum { own = sum } else { own = try comparison.sum() }
                        isKnown = SHA256.text(of: own) == theirs
                    }
                    if !isKnown, !isAnywhere { continue }
                    let found = try earlier(at: place.path, like: isKnown ? nil : status, rights, comparison)
                    guard let (reached, name, status) = found else { continue }
                    let members = try IdenticalMember.all(
                        of: request, from: entry.folder, beside: name, in: reached, comparison, readableBy: rights)
                    if let members { return (reached, name, status, members) }
                }
                return nil
            }
        } catch {
            switch error {
            case .failed(let error): throw Refusal(error, at: request.path)
            case .ended(let outcome): throw Refusal(outcome)
            }
        }
    }

    /// The SHA-256 of a document that its handler may change, where documents are compared; nil where they are not.
    func sum(
        _ request: FilingRequest, _ opened: OpenedSource, isLeased: Bool
    ) throws(Refusal) -> [UInt8]? {
        guard request.isCompared, let file = opened.file, opened.status.kind == .regular, opened.status.size > 0 else {
            return nil
        }
        do throws(Comparison.Failure) {
            return try identical.compare(file, of: opened.status.owner, isLeased: isLeased) {
                (comparison) throws(Comparison.Failure) -> [UInt8] in try comparison.sum()
            }
        } catch {
            switch error {
            case .failed(let error): throw Refusal(error, at: request.path)
            case .ended(let outcome): throw Refusal(outcome)
            }
        }
    }

    /// Returns the file at the place of a document that was filed before, where it counts and has the same bytes.
    /// - Parameter status: the document's; nil where its sum shows that it is the one that was filed, whatever its handler
    ///   has made of that since.
    private func earlier(
        at path: BytePath, like status: FileStatus?, _ rights: ReadingRights, _ comparison: Comparison
    ) throws(Comparison.Failure) -> (ReachedFolder, FileName, FileStatus)? {
        guard let root = destinations.root(around: path), let name = FileName(path.lastComponent) else { return nil }
        destinations.isLocal = !mayWait
        let reached: ReachedFolder
        do throws(DestinationError) {
            let names = path.names.dropFirst(root.names.count).dropLast()
            reached = try destinations.reach(Array(names), from: root, mayMake: false)
        } catch {
            switch error {
            case .foreign: throw .ended(.lengthy)
            case .failed(_, let error) where error.errno.isWantOfResources: throw .failed(error)
            // Nobody can say that it is still there.
            default: return nil
            }
        }
        guard reached.path.appending(name) == path else { return nil }
        let found: (file: OpenFile, status: FileStatus)
        do throws(SyscallError) {
            guard let file = try IdenticalDocument.file(name, in: reached.folder, like: status),
                try rights.mayRead(file.file.descriptor, in: reached)
            else { return nil }
            found = file
        } catch {
            // What may not be read is not known to be identical.
            return nil
        }
        if status != nil, try !comparison.isEqual(to: found.file) { return nil }
        return (reached, name, found.status)
    }
}
